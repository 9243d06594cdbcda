// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/cost.h"

#include <math.h>

enum { LANES = 8 };  // rows that a worker may compute at once

// time of one slice in the whole pool: short, so that results travel while later rows are computed
static const double slice_ns = 3e6;
static const double first_unit_ns = 5e3;   // before anything was measured
static const double sure_enough_s = 0.05;  // seconds of measured work after which a cost counts as sure
static const double long_turn_s = 1e-3;    // shorter turns do not make a cost surer: much of their time is overhead

bool srv_cost_known(const srv_job* job) { return job->model->unit_ns[job->kind] > 0; }

bool srv_cost_sure(const srv_job* job) { return job->model->sure_s[job->kind] >= sure_enough_s; }

void srv_cost_doubt(const srv_job* job) { job->model->sure_s[job->kind] -= 0.1 * sure_enough_s; }

double srv_cost_of(const srv_job* job, double units) {
  return units * (srv_cost_known(job) ? job->model->unit_ns[job->kind] : first_unit_ns);
}

double srv_cost_turn(const srv_slice* slice, int threads) {
  double left = srv_cost_of(slice->job, (double)slice->units - (double)slice->computed);
  double most = 1e9 * SRV_PIECE * (slice->count < threads ? slice->count : threads);
  return left < most ? left : most;
}

// Small slices count less, because their rows are mostly computed alone, which costs more than in lanes.
void srv_cost_measure(srv_job* job, double units, double seconds) {
  double* unit_ns = &job->model->unit_ns[job->kind];
  double* sure = &job->model->sure_s[job->kind];
  if (units <= 0) return;
  if (seconds >= long_turn_s) *sure = *sure + seconds < 2 * sure_enough_s ? *sure + seconds : 2 * sure_enough_s;
  double ns = 1e9 * seconds / units, part = seconds < 1e-3 ? 0.3 * seconds / 1e-3 : 0.3;
  *unit_ns = srv_cost_known(job) ? (1 - part) * *unit_ns + part * ns : ns;
}

static double row_bytes(const srv_job* job) { return fmax((double)job->row_bytes + (double)job->work_bytes, 1); }

int srv_cost_rows(const srv_job* job, int threads) {
  double row_ns = srv_cost_of(job, (double)(job->row_units ? job->row_units : 1));
  double by_time = srv_cost_known(job) ? slice_ns * threads / row_ns : 1;
  double by_bytes = SRV_SLICE_BYTES / row_bytes(job);
  double rows = by_time < by_bytes ? by_time : by_bytes;

  // enough for every worker and lane, unless that is too much memory
  double least = (double)threads * LANES;
  double most = SRV_SLICE_MAX / row_bytes(job);
  if (rows < least) rows = least < most ? least : most;
  int left = job->request.any.nbatch - job->next_row;
  if (rows >= 0.75 * left) return left;
  int n = (int)rows;
  return n > LANES ? n - n % LANES : n > 1 ? n : 1;
}
