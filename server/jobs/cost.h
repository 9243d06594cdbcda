// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What work costs, in nanoseconds of one worker: measured for each model and kind of request as slices come back, and
// guessed before the first slice came back.
#ifndef SHEAF_SERVER_JOBS_COST_H_
#define SHEAF_SERVER_JOBS_COST_H_

#include "jobs/job.h"

// Seconds after which the pool gives a slice back.
#define SRV_WHOLE_NS 3e7  // a job that takes the pool no longer than this may be one slice
#define SRV_PIECE 0.005

// Has the cost of a job's work been measured?
bool srv_cost_known(const srv_job* job);

// Was enough measured to refuse work because of its cost? Each refusal calls srv_cost_doubt, which reduces that amount:
// a cost that was measured while the machine was busy must not be believed for ever.
bool srv_cost_sure(const srv_job* job);
void srv_cost_doubt(const srv_job* job);

// The cost of so many units of a job.
double srv_cost_of(const srv_job* job, double units);

// The cost of the next turn of a slice: at most one piece of each worker that it can have.
double srv_cost_turn(const srv_slice* slice, int threads);

// Units of a job took so many seconds of workers.
void srv_cost_measure(srv_job* job, double units, double seconds);

// Rows of a job's next slice.
int srv_cost_rows(const srv_job* job, int threads);

#endif  // SHEAF_SERVER_JOBS_COST_H_
