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

// Is the compute request the last one of its connection once more, with other numbers? Then begin it without unpacking
// its message, or fail it, and return true.
bool srv_req_compute_again(srv_service* service, srv_call* call);

// Stop a compute request.
void srv_req_compute_stop(srv_service* service, srv_call* call, const srv_error* error);

#endif  // SHEAF_SERVER_REQUEST_HANDLERS_H_
