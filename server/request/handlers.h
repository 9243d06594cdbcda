// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Handlers of the request types. Each gets an unpacked message, of the type in its name, that lives as long as the
// call.
#ifndef SHEAF_SERVER_REQUEST_HANDLERS_H_
#define SHEAF_SERVER_REQUEST_HANDLERS_H_

#include "request/service.h"

#define REQUEST(type, name, message, run, flags) void run(srv_service* service, srv_call* call, const void* unpacked);
#include "request/handler_table.h"
#undef REQUEST

// A client that put a model went away before it was compiled.
void srv_req_model_put_stop(srv_service* service, srv_call* call, const srv_error* error);

// A client whose Hello waits went away.
void srv_req_hello_stop(srv_service* service, srv_call* call, const srv_error* error);

// Stop a compute request.
void srv_req_compute_stop(srv_service* service, srv_call* call, const srv_error* error);

#endif  // SHEAF_SERVER_REQUEST_HANDLERS_H_
