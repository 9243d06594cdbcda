// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Who is at the other end of a socket, as the system says.
#ifndef SHEAF_SERVER_NET_PEER_H_
#define SHEAF_SERVER_NET_PEER_H_

#include <uv.h>

#include "auth/auth.h"

enum { SRV_PEER_TEXT = 80 };

// Write the peer's address for the log ("10.0.0.1:5000", "[fe80::1]:5000", "user:1000/pid:77"), and fill in the fields
// of the proof that follow from the address. Text and proof stay empty if the peer is gone already.
void srv_peer_read(const uv_handle_t* handle, char text[SRV_PEER_TEXT], srv_proof* proof);

#endif  // SHEAF_SERVER_NET_PEER_H_
