// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From a call to its handler, by the rows of handler_table.h.
#ifndef SHEAF_SERVER_REQUEST_DISPATCH_H_
#define SHEAF_SERVER_REQUEST_DISPATCH_H_

#include "request/service.h"

// What connections tell: requests, and what happens to them.
srv_handler srv_dispatch_handler(srv_service* service);

// Stop the work of a call that is not over.
void srv_dispatch_stop(srv_service* service, srv_call* call, const srv_error* error);

// What the i-th kind of request is called; i = SRV_NREQUEST for those that are none.
const char* srv_dispatch_name(int i);

#endif  // SHEAF_SERVER_REQUEST_DISPATCH_H_
