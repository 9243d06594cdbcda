// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Deadlines across the connections of an identity. The connections of an identity share its part equally, and within a
// connection the job with the earliest deadline goes first. There is one exception: a job that would miss the deadline
// which its client named goes before the other jobs of its identity at its priority. Of several such jobs the one with
// the least time to spare goes first, by the shares when srv_due_update last looked at it. Shares of other identities
// do not change. The cost of such a turn is charged to the identity and not to the connection, which would otherwise
// wait long afterwards. A job that needs more than a second goes first in every other turn only. A job that will be
// late in any case gets no preference: it would only make others late, too.
#ifndef SHEAF_SERVER_JOBS_DUE_H_
#define SHEAF_SERVER_JOBS_DUE_H_

#include "jobs/job.h"

// Estimate a job again, after what is left of it changed, or after it became able or unable to be computed.
void srv_due_update(srv_job* job, bool has_work, int threads);

// A job is served at the turn of this leaf.
void srv_due_served(const srv_flow* leaf, const srv_job* job);

// The job that is served at the turn of this leaf: the leaf's first, or a job of its identity that cannot wait.
srv_job* srv_due_choose(const srv_flow* leaf);

#endif  // SHEAF_SERVER_JOBS_DUE_H_
