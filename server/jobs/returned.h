// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Slices that come back from the pool: what they cost is charged, and their rows are sent.
#ifndef SHEAF_SERVER_JOBS_RETURNED_H_
#define SHEAF_SERVER_JOBS_RETURNED_H_

#include "jobs/sched_state.h"

// Called by a worker: hand a slice to the loop.
void srv_returned_done(void* slice, sheafJob* work);

// Called by a worker when it begins (or, with NULL, ends) work on a slice.
void srv_returned_work(int worker, void* slice);

// The slices that workers have handed over since the last call, in that order; `ended` is when the last of them was.
srv_slice* srv_returned_list(srv_sched* s, uint64_t* ended);

// Take a slice back.
void srv_returned_take(srv_sched* s, srv_slice* slice);

// The flow that a turn of a slice is charged to: the connection's, or only its identity's.
srv_flow* srv_returned_payer(const srv_slice* slice);

#endif  // SHEAF_SERVER_JOBS_RETURNED_H_
