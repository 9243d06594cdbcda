// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Deadlines across the connections of an identity. These share equally, and within one the earliest deadline goes
// first. But a job that would miss the deadline which its client named goes before the others of its identity, at its
// priority: the one with the least time to spare, as shares were when it
// was last looked at. Shares of other identities do not change: what
// is done early is charged to the identity and not to the connection, which else would wait long afterwards. A job that
// will be late in any case has no preference: it would only make others late, too.
#ifndef SHEAF_SERVER_JOBS_DUE_H_
#define SHEAF_SERVER_JOBS_DUE_H_

#include "jobs/job.h"

// Look at a job again: what is left of it has changed, or whether it can be computed.
void srv_due_update(srv_job* job, bool has_work, int threads);

// The job that is served at the turn of this leaf: its first, or one of its identity that cannot wait.
srv_job* srv_due_choose(const srv_flow* leaf);

#endif  // SHEAF_SERVER_JOBS_DUE_H_
