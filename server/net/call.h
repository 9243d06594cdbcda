// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How frames of a connection become calls. Handlers of calls use net/conn.h.
#ifndef SHEAF_SERVER_NET_CALL_H_
#define SHEAF_SERVER_NET_CALL_H_

#include "net/conn.h"

// For srv_net_init: frames begin, continue or complete calls.
extern const srv_joiner srv_call_joiner;

#endif  // SHEAF_SERVER_NET_CALL_H_
