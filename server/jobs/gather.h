// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rows whose results lie in memory that the client shares are told of together.
//
// There a part of a result says only that its rows are ready, in some bytes a row. The client wakes up for each part,
// on the processor of a worker if there are no others, and a job of 20 ms has seven slices: that was half of what the
// server added to it. So short jobs are told of once, and long ones every 50 ms.
#ifndef SHEAF_SERVER_JOBS_GATHER_H_
#define SHEAF_SERVER_JOBS_GATHER_H_

#include "jobs/job.h"

// Are the rows of a job told of together, if its first slice has not all of them?
bool srv_gather_may(const srv_job* job);

// Take the rows of the first slice of a job that is done, to tell of them later. False: send them now.
bool srv_gather_take(srv_job* job, const srv_slice* slice);

// Tell of the rows that were taken if they are the last ones or the last message is long ago, or in any case (`now`).
// The last part of a job ends its call.
void srv_gather_tell(srv_job* job, bool now, int threads);

// The job is over.
void srv_gather_end(srv_job* job);

#endif  // SHEAF_SERVER_JOBS_GATHER_H_
