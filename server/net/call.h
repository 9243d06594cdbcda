// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The connection's side of calls; handlers use net/conn.h.
#ifndef SHEAF_SERVER_NET_CALL_H_
#define SHEAF_SERVER_NET_CALL_H_

#include "net/conn.h"

// Who takes the frames of a connection: they begin, continue or complete calls.
srv_receiver srv_call_receiver(srv_conn* conn);

// The connection ends: drop calls that are not complete, leave the others to the handler.
void srv_call_abandon_all(srv_conn* conn);

#endif  // SHEAF_SERVER_NET_CALL_H_
