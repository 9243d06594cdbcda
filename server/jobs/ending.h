// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How jobs end: stopped, or over.
#ifndef SHEAF_SERVER_JOBS_ENDING_H_
#define SHEAF_SERVER_JOBS_ENDING_H_

#include "jobs/sched_state.h"

// Stop a job. Its call ends with this error when its last slice is back from the pool.
void srv_ending_fail(srv_sched* s, srv_job* job, const srv_error* error);

// A job that failed is over once nothing of it is in the pool: end its call then, and free it.
void srv_ending_finish(srv_sched* s, srv_job* job);

// Free a job whose call has ended.
void srv_ending_free(srv_sched* s, srv_job* job);

#endif  // SHEAF_SERVER_JOBS_ENDING_H_
