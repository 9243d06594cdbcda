// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// TLS 1.3 by OpenSSL, without sockets: it turns bytes into other bytes. There is no earlier version, so no
// renegotiation; there are no tickets and no early data, so nothing of a session outlives its connection.
//
// A connection feeds the encrypted bytes of the peer (srv_secure_feed), reads what they contain (srv_secure_read),
// encrypts what it has to send (srv_secure_write), and sends the encrypted bytes (srv_secure_out).
#ifndef SHEAF_SERVER_NET_TLS_H_
#define SHEAF_SERVER_NET_TLS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#include "base/config.h"
#include "base/failure.h"

typedef struct srv_tls srv_tls;        // of a server: its certificate, and whose certificates it accepts
typedef struct srv_secure srv_secure;  // of a connection

enum { SRV_SECURE_END = -1000, SRV_SECURE_ROOM = 256 * 1024, SRV_TLS_RECORD = 16384 };

// From the tls-... settings. NULL with an error.
srv_tls* srv_tls_make(const srv_config* config, srv_error* error);

// Connections that use it stay valid.
void srv_tls_free(srv_tls* tls);

// Seconds until the certificate expires, negative if it has.
int64_t srv_tls_valid_s(const srv_tls* tls);

// The server's side of a connection, before its handshake. NULL without memory.
srv_secure* srv_secure_make(const srv_tls* tls);
void srv_secure_free(srv_secure* s);

// Does a peer that begins with this byte speak TLS?
bool srv_secure_begins(uint8_t first);

// Feed bytes that came from the peer. They must live until srv_secure_read has returned 0 or less.
void srv_secure_feed(srv_secure* s, const uint8_t* bytes, size_t n);

// Decrypt into out. Returns the number of bytes; 0 if all that was fed is read; SRV_SECURE_END if the peer has sent
// close_notify; another negative number with an error. The handshake happens here.
int srv_secure_read(srv_secure* s, uint8_t* out, size_t n, srv_error* error);

// Is the handshake over?
bool srv_secure_ready(const srv_secure* s);

// Call `take` with each name of the peer's certificate, DNS names first, until it returns true.
void srv_secure_names(const srv_secure* s, bool (*take)(void* user, const char* name), void* user);

// Encrypt up to n bytes; returns how many were taken, 0 after a failure.
size_t srv_secure_write(srv_secure* s, const uint8_t* bytes, size_t n);

// Tell the peer that nothing more will come (close_notify).
void srv_secure_end(srv_secure* s);

// Encrypted bytes that have to be sent next; length 0 if there are none. They stay in their place until srv_secure_sent
// was told that they were sent.
uv_buf_t srv_secure_out(srv_secure* s);
void srv_secure_sent(srv_secure* s, size_t n);

#endif  // SHEAF_SERVER_NET_TLS_H_
