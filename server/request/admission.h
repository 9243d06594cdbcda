// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Is there room for another compute request: in the queue, in memory, before its deadline? What it will cost is counted
// before anything is made for it.
#ifndef SHEAF_SERVER_REQUEST_ADMISSION_H_
#define SHEAF_SERVER_REQUEST_ADMISSION_H_

#include "request/service.h"

// Before anything is known but the model. 0, or an error.
int srv_admit_call(srv_service* service, const srv_call* call, srv_model* model, srv_error* error);

// When all is known, with the time that it has in nanoseconds.
int srv_admit_job(srv_service* service, const srv_job* job, uint64_t time, srv_error* error);

#endif  // SHEAF_SERVER_REQUEST_ADMISSION_H_
