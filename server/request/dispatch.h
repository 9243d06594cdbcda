// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Finds the handler of a call, by the rows of handler_table.h.
#ifndef SHEAF_SERVER_REQUEST_DISPATCH_H_
#define SHEAF_SERVER_REQUEST_DISPATCH_H_

#include "request/service.h"

// The functions that connections call about requests.
srv_handler srv_dispatch_handler(srv_service* service);

// Stop the work of a call that is not over.
void srv_dispatch_stop(srv_service* service, srv_call* call, const srv_error* error);

// Name of the i-th type of request; i = SRV_NREQUEST stands for frames of no known type.
const char* srv_dispatch_name(int i);

#endif  // SHEAF_SERVER_REQUEST_DISPATCH_H_
