// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rows of the results of rollouts.

#include <string.h>

#include "batch/output.h"
#include "batch/output_value.h"
#include "batch/rollout.h"
#include "model/state_lanes.h"
#include "model/work.h"

// index of the first number of row `record` of row i of the batch
static size_t place(const mjiRollout* p, int i, int record, int n) {
  return ((size_t)i * p->nrecord + record) * (size_t)n;
}

void mji_recordState(const mjiGroup* g, int lane, int record) {
  const mjiRollout* p = g->p;
  if (!p->r.state) return;
  mjiPlace at = mji_placeOf(g->d, lane);
  size_t to = place(p, g->first + lane, record, p->nx);
  mji_getLane(g->m, at.d, at.lane, mji_slot(p->r.state, to, p->bytes, g->scratch), mjSTATE_FULLPHYSICS);
  mji_settle(p->r.state, to, (size_t)p->nx, p->bytes, g->scratch);
}

void mji_recordOutputs(const mjiGroup* g, int lane, int record) {
  const mjiRollout* p = g->p;
  int i = g->first + lane, ns = (int)g->m->nsensordata;
  mjiPlace at = mji_placeOf(g->d, lane);
  if (p->r.sensordata) {
    size_t to = place(p, i, record, ns);
    mji_gatherLane(mji_slot(p->r.sensordata, to, p->bytes, g->scratch), at.d->sensordata, ns, at.nlane, at.lane);
    mji_settle(p->r.sensordata, to, (size_t)ns, p->bytes, g->scratch);
  }
  mji_giveNamed(&p->named, g->m, at.d, at.lane, place(p, i, record, 1), p->bytes, g->scratch);
}

void mji_recordGroup(const mjiGroup* g, int record) {
  const mjiRollout* p = g->p;
  size_t nrecord = (size_t)p->nrecord, nx = (size_t)p->nx, ns = (size_t)g->m->nsensordata;
  if (p->r.state) {
    mjtNum* to = (mjtNum*)p->r.state + place(p, g->first, record, p->nx);
    mji_getLanes(g->m, g->d, g->count, to, nrecord * nx, mjSTATE_FULLPHYSICS);
  }
  if (p->r.aligned) return;
  if (p->r.sensordata) {
    mjtNum* to = (mjtNum*)p->r.sensordata + place(p, g->first, record, (int)ns);
    mji_gatherLanes(to, nrecord * ns, g->d->sensordata, (int)ns, g->nlane, g->count);
  }
  for (int lane = 0; lane < g->count && p->named.n; lane++) {
    mji_giveNamed(&p->named, g->m, g->d, lane, place(p, g->first + lane, record, 1), p->bytes, g->scratch);
  }
}

// n numbers of some bytes to others
static void convert(void* to, int tobytes, const void* from, int bytes, size_t n) {
  if (tobytes == bytes) memcpy(to, from, n * (size_t)bytes);
  else if (bytes == sizeof(double))
    for (size_t k = 0; k < n; k++) ((float*)to)[k] = (float)((const double*)from)[k];
  else
    for (size_t k = 0; k < n; k++) ((double*)to)[k] = ((const float*)from)[k];
}

// rows from `record` on: `first`, of numbers of `given` bytes, or the row before; zeros before the first row
static void fill(const mjiRollout* p, void* data, int i, int record, int n, const void* first, int given) {
  size_t bytes = (size_t)n * (size_t)p->bytes;
  if (!data || !n) return;
  for (int r = record; r < p->nrecord; r++) {
    size_t at = place(p, i, r, n);
    char* to = (char*)data + at * (size_t)p->bytes;
    if (first && r == record) {
      convert(to, p->bytes, first, given, (size_t)n);
    } else if (r > 0) {
      memcpy(to, to - bytes, bytes);
    } else {
      memset(to, 0, bytes);
    }
  }
}

void mji_restState(const mjiRollout* p, int i, int record, const mjtNum* state) {
  fill(p, p->r.state, i, record, p->nx, state, sizeof(mjtNum));
}

void mji_restGiven(const mjiRollout* p, int i, int record, const double* state) {
  fill(p, p->r.state, i, record, p->nx, state, sizeof(double));
}

void mji_restOutputs(const mjModel* m, const mjiRollout* p, int i, int record) {
  fill(p, p->r.sensordata, i, record, (int)m->nsensordata, NULL, 0);
  for (int k = 0; k < p->named.n; k++) fill(p, p->named.data[k], i, record, p->named.choice[k].size, NULL, 0);
}

void mji_recordSolution(const mjiGroup* g, int lane, int t) {
  const mjiRollout* p = g->p;
  if (!p->r.solution) return;
  mjiPlace at = mji_placeOf(g->d, lane);
  size_t row = (size_t)(g->first + lane) * (size_t)p->r.nstep + (size_t)t;
  mji_toRequest(p->r.solution + row * (size_t)g->m->nv, at.d->qacc_warmstart, (int)g->m->nv, at.nlane, at.lane);
}

void mji_recordSolutions(const mjiGroup* g, int t) {
  const mjiRollout* p = g->p;
  size_t nv = (size_t)g->m->nv, row = nv * (size_t)p->r.nstep;
  if (!p->r.solution) return;
  mji_toRequests(p->r.solution + (size_t)g->first * row + (size_t)t * nv, row, g->d->qacc_warmstart, (int)nv, g->nlane,
                 g->count);
}

void mji_clearSolutions(const mjModel* m, const mjiRollout* p, int i, int t) {
  size_t nv = (size_t)m->nv, nstep = (size_t)p->r.nstep;
  if (!p->r.solution || !nv) return;
  memset(p->r.solution + ((size_t)i * nstep + (size_t)t) * nv, 0, (nstep - (size_t)t) * nv * sizeof(double));
}

size_t mji_recordSize(const mjModel* m, const mjiRollout* p) {
  if (p->bytes == sizeof(mjtNum)) return 0;
  size_t own = (size_t)(p->nx > m->nsensordata ? p->nx : m->nsensordata), named = mji_largestNamed(&p->named);
  return own > named ? own : named;
}
