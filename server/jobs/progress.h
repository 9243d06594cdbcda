// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What happens to a job at a time: its client is told how far it is, and its deadline passes.
#ifndef SHEAF_SERVER_JOBS_PROGRESS_H_
#define SHEAF_SERVER_JOBS_PROGRESS_H_

#include "jobs/sched_state.h"

// Tell the client how far a job is.
void srv_progress_send(srv_job* job);

// Wait for the next report of a job or for its deadline.
void srv_progress_await(srv_sched* s, srv_job* job, uint64_t now);

// Do all whose time has come.
void srv_progress_due(srv_sched* s, uint64_t now);

#endif  // SHEAF_SERVER_JOBS_PROGRESS_H_
