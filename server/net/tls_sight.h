// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Looks at the handshake of a TLS client before OpenSSL does. OpenSSL makes room for a whole message when it has seen
// the length that the message announces, and takes ClientHellos of up to 128 KiB: nine bytes of a client that nobody
// knows would cost as much.
#ifndef SHEAF_SERVER_NET_TLS_SIGHT_H_
#define SHEAF_SERVER_NET_TLS_SIGHT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SRV_TLS_HELLO_BYTES = 16 * 1024 };

// Where in the client's bytes the next one stands. All zero at the beginning.
typedef struct {
  uint8_t head[5];  // of the record
  unsigned nhead;
  size_t record;       // bytes of the record that still come
  uint8_t message[4];  // head of the message
  unsigned nmessage;
  size_t body;  // bytes of the message that still come
} srv_tls_sight;

// Look at the next bytes of a client whose handshake is not finished. False: a message that is not encrypted announces
// more than SRV_TLS_HELLO_BYTES.
bool srv_tls_sight_fits(srv_tls_sight* s, const uint8_t* bytes, size_t n);

#endif  // SHEAF_SERVER_NET_TLS_SIGHT_H_
