// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From a complete call to its handler, by the rows of request_table.h.
#ifndef SHEAF_SERVER_REQUEST_DISPATCH_H_
#define SHEAF_SERVER_REQUEST_DISPATCH_H_

#include "request/service.h"

// The three events of srv_handler; user is the srv_service.
void srv_dispatch_call(void* user, srv_call* call);
void srv_dispatch_abandon(void* user, srv_call* call);
void srv_dispatch_drained(void* user, srv_conn* conn);

// Stop the work of a call that is not over.
void srv_dispatch_stop(srv_service* service, srv_call* call, const srv_error* error);

#endif  // SHEAF_SERVER_REQUEST_DISPATCH_H_
