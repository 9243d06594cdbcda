// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Is there room for another compute request: in the queue, in memory, before its deadline? This is checked before
// anything is allocated for it.
#ifndef SHEAF_SERVER_REQUEST_ADMISSION_H_
#define SHEAF_SERVER_REQUEST_ADMISSION_H_

#include "request/service.h"

// The check when only the model is known. 0, or an error.
int srv_admit_call(srv_service* service, const srv_call* call, srv_model* model, srv_error* error);

// The check when the whole request is known; it has `time` nanoseconds.
int srv_admit_job(srv_service* service, const srv_job* job, uint64_t time, srv_error* error);

#endif  // SHEAF_SERVER_REQUEST_ADMISSION_H_
