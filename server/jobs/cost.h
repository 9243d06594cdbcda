// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What work costs, in nanoseconds of one worker: measured for each model and kind of request as slices come back, and
// guessed before the first of them.
#ifndef SHEAF_SERVER_JOBS_COST_H_
#define SHEAF_SERVER_JOBS_COST_H_

#include "jobs/job.h"

// Seconds after which the pool gives a slice back.
#define SRV_PIECE 0.005

// Has the cost of a job's work been measured?
bool srv_cost_known(const srv_job* job);

// Is there enough behind the cost to refuse work for it? Each refusal takes from that: what was measured while the
// machine was busy must not be believed for ever.
bool srv_cost_sure(const srv_job* job);
void srv_cost_doubt(const srv_job* job);

// What so many units of a job cost.
double srv_cost_of(const srv_job* job, double units);

// What the next turn of a slice costs: at most a piece of each worker that it can have.
double srv_cost_turn(const srv_slice* slice, int threads);

// Units of a job took so many seconds of workers.
void srv_cost_measure(srv_job* job, double units, double seconds);

// Rows of a job's next slice.
int srv_cost_rows(const srv_job* job, int threads);

#endif  // SHEAF_SERVER_JOBS_COST_H_
