// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/due.h"

#include <math.h>

#include "jobs/cost.h"

// Estimates may be wrong by a factor of two, and work that is in the pool goes first (`doubt`, `wait_ns`). A job that
// would be late even at half of its estimate gains nothing by going first (`hope`).
static const double doubt = 2, hope = 0.5, wait_ns = 2e9 * SRV_PIECE;

static const double long_ns = 1e9;

void srv_due_update(srv_job* job, bool has_work, int threads) {
  srv_heap* due = &job->leaf->account->due;
  if (!has_work || job->patient || job->failure.code) {
    srv_heap_remove(due, &job->due);
    return;
  }
  double workers = fmin(threads * srv_flow_share(&job->leaf->account->flow), job->request.any.nbatch);
  double units = (double)job->row_units * job->request.any.nbatch - job->computed;
  job->left = srv_cost_of(job, units) / workers;
  srv_heap_put(due, &job->due, (double)job->deadline - doubt * job->left - wait_ns);
}

void srv_due_served(const srv_flow* flow, const srv_job* job) {
  srv_leaf* leaf = SRV_NODE_OF(flow, srv_leaf, flow);
  leaf->account->due_went = job != SRV_NODE_OF(flow->ready.first, srv_job, ready) && job->left > long_ns;
}

static bool may_go_first(const srv_job* job, double now) {
  return !job->leaf->flow.held && now + hope * job->left <= (double)job->deadline;
}

// After a turn of a long job the next is not for due jobs: one that is short of time for minutes would stop the others
// of its identity for as long. The doubt about estimates covers that it has half of the turns.
srv_job* srv_due_choose(const srv_flow* flow) {
  const srv_leaf* leaf = SRV_NODE_OF(flow, srv_leaf, flow);
  srv_heap* due = &leaf->account->due;
  double now = due->first ? (double)uv_hrtime() : 0;
  while (!leaf->account->due_went && due->first && due->first->key <= now) {
    srv_job* job = SRV_NODE_OF(due->first, srv_job, due);
    if (may_go_first(job, now)) return job;

    // srv_due_update puts it back after its next turn
    srv_heap_remove(due, &job->due);
  }
  return SRV_NODE_OF(flow->ready.first, srv_job, ready);
}
