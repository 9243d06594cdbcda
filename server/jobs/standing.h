// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How a job stands: which rows it can compute now, how much of it is left, and its place among the jobs that wait.
#ifndef SHEAF_SERVER_JOBS_STANDING_H_
#define SHEAF_SERVER_JOBS_STANDING_H_

#include "jobs/sched_state.h"

// Rows of a job's next slice.
int srv_standing_rows(const srv_sched* s, const srv_job* job);

// Put a job where it belongs in the heaps, after something of it changed.
void srv_standing_update(srv_sched* s, srv_job* job);

// Hold a connection while its client has too much to read.
void srv_standing_hold(srv_sched* s, srv_leaf* leaf);

// What is left of a job, in ns of one worker, is now estimated to be so much.
void srv_standing_owe(srv_sched* s, srv_job* job, double owed);

#endif  // SHEAF_SERVER_JOBS_STANDING_H_
