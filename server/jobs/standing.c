// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/standing.h"

#include <math.h>

#include "jobs/cost.h"
#include "jobs/due.h"
#include "jobs/gather.h"

// a patient job yields to younger ones each time the pool has served it for so long
static const double yield_ns = 1e8;

void srv_standing_owe(srv_sched* s, srv_job* job, double owed) {
  s->owed += owed - job->owed;
  job->owed = owed;
}

// number of rows, from the first of the job, whose inputs are here
static uint64_t rows_here(const srv_job* job) {
  uint64_t rows = (uint64_t)job->request.any.nbatch, got = job->call->data_got;
  if (!srv_call_coming(job->call)) return rows;
  if (job->unchecked) return 0;
  for (int i = 0; i < job->ninput; i++) {
    const srv_job_input* in = &job->input[i];
    if (in->here) continue;
    uint64_t here = got > in->offset ? (got - in->offset) / in->row_bytes : 0;
    if (here < rows && (in->stride || !here)) rows = here;
  }
  return rows;
}

// Is a job one slice? At the end of a slice the loop needs a processor, which it takes from a worker where no other is
// left. Nobody waits for these ends if no other job is here and the client is told of all rows at once; others that
// come meanwhile get their turn after a piece, as ever. Numbers that are not checked yet are checked on the loop, which
// must not take long.
static bool is_one_slice(const srv_sched* s, const srv_job* job) {
  return s->njob == 1 && !job->next_row && srv_gather_may(job) && !job->unchecked && !srv_call_coming(job->call) &&
         srv_cost_known(job) && job->owed <= SRV_WHOLE_NS * s->threads &&
         srv_slice_size(job, job->request.any.nbatch) <= SRV_SLICE_BYTES;
}

// Rows that the next slice should have. If the job is frugal, nothing else will free memory: as many as there is memory
// for.
static int wanted_rows(const srv_sched* s, const srv_job* job) {
  int n = is_one_slice(s, job) ? job->request.any.nbatch : srv_cost_rows(job, s->threads);
  if (!job->frugal) return n;
  uint64_t held = srv_ledger_held(s->ledger), limit = s->ledger->limit;
  uint64_t fit = (limit > held ? limit - held : 0) / (srv_slice_size(job, 1) + 1);
  return fit < 1 ? 1 : fit < (uint64_t)n ? (int)fit : n;
}

// More rows may be wanted now than when the job was found to have work, because others have shown since that its rows
// cost less; rows whose inputs are not here would be computed from whatever is in their place.
int srv_standing_rows(const srv_sched* s, const srv_job* job) {
  uint64_t here = rows_here(job) - (uint64_t)job->next_row;
  int n = wanted_rows(s, job);
  return here < (uint64_t)n ? (int)here : n;
}

// A slice that waits goes on before another is begun: otherwise finished rows would pile up behind one that is not.
static bool has_work(const srv_sched* s, const srv_job* job) {
  if (job->paused) return !job->failure.code || job->deliver;
  if (job->failure.code || job->next_row == job->request.any.nbatch || job->hunger.in) return false;
  if (job->held > SRV_SLICE_MAX) return false;
  return !srv_call_coming(job->call) || (uint64_t)(job->next_row + wanted_rows(s, job)) <= rows_here(job);
}

// the order of a job among others of its connection: its deadline, later for each time that it has to yield
static double rank(const srv_sched* s, const srv_job* job) {
  double yielded = job->patient ? floor(job->served / (yield_ns * s->threads)) : 0;
  return (double)job->deadline + 2 * yield_ns * yielded;
}

static void weigh(srv_sched* s, srv_job* job) {
  double key = job->failure.code || !job->call ? 0 : -(double)(job->held + job->call->data_got);
  if (key == 0) {
    srv_heap_remove(&s->heavy, &job->weight);
  } else if (!job->weight.in || job->weight.key != key) {
    srv_heap_put(&s->heavy, &job->weight, key);
  }
}

void srv_standing_update(srv_sched* s, srv_job* job) {
  weigh(s, job);
  srv_heap* ready = &job->leaf->flow.ready;
  bool work = has_work(s, job);
  srv_due_update(job, work, s->threads);
  if (!work) {
    srv_heap_remove(ready, &job->ready);
  } else if (!job->ready.in || job->ready.key != rank(s, job)) {
    srv_heap_put(ready, &job->ready, rank(s, job));
  }
  srv_flow_update(&job->leaf->flow);
}

void srv_standing_hold(srv_sched* s, srv_leaf* leaf) {
  bool held = leaf->conn && leaf->conn->unsent > s->limits->unsent_high;
  if (held == leaf->flow.held) return;
  leaf->flow.held = held;
  srv_flow_update(&leaf->flow);
}
