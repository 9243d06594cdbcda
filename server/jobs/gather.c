// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/gather.h"

#include <string.h>

enum { MOST_BYTES = 64 * 1024, WAIT_NS = 50000000 };

bool srv_gather_may(const srv_job* job) {
  return job->region && job->row_bytes * (uint64_t)job->request.any.nbatch <= MOST_BYTES;
}

bool srv_gather_take(srv_job* job, const srv_slice* slice) {
  srv_gathered* g = &job->gathered;
  int nrow = job->request.any.nbatch;
  if (!g->rows) {
    // what began otherwise goes on so
    if (!srv_gather_may(job) || slice->first || slice->count == nrow) return false;
    g->rows = srv_slice_make_arrays(job, 0, nrow, slice->ledger);
    if (!g->rows) return false;
    g->last = job->started;
  }
  for (int i = 0; i < job->noutput; i++) {
    const srv_job_output* out = &job->output[i];
    if (out->place || !out->row_bytes) continue;
    memcpy(g->rows->array[i] + out->row_bytes * (uint64_t)slice->first, slice->array[i],
           out->row_bytes * (uint64_t)slice->count);
  }
  g->end = slice->first + slice->count;
  return true;
}

void srv_gather_tell(srv_job* job, bool now, int threads) {
  srv_gathered* g = &job->gathered;
  if (g->told == g->end) return;
  uint64_t time = uv_hrtime();
  if (!now && g->end < job->request.any.nbatch && time - g->last < WAIT_NS) return;
  int from = g->told;
  g->told = g->end;
  g->last = time;
  srv_slice_send_rows(g->rows, from, g->end - from, threads);
}

void srv_gather_end(srv_job* job) {
  if (!job->gathered.rows) return;
  job->gathered.rows->job = NULL;
  srv_slice_unref(job->gathered.rows);
  job->gathered.rows = NULL;
}
