// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/output_value.h"

#include <string.h>

#include "batch/form_value.h"
#include "batch/output.h"
#include "model/work.h"

// rows of the dense inertia from the compressed rows of its lower triangle
static void copyDense(const mjModel* m, const mjData* d, const mjiChoice* choice, int lane, mjtNum* dst) {
  int nv = (int)m->nv, nlane = mji_work(d)->nlane;
  memset(dst, 0, sizeof(mjtNum) * (size_t)choice->size);
  for (int i = 0; i < nv; i++) {
    int to = mji_chosenRow(choice, i);
    for (int k = m->M_rowadr[i], end = k + m->M_rownnz[i]; k < end; k++) {
      int j = m->M_colind[k], across = mji_chosenRow(choice, j);
      mjtNum x = d->M[(size_t)k * nlane + lane];
      if (to >= 0) dst[(size_t)to * nv + j] = x;
      if (across >= 0) dst[(size_t)across * nv + i] = x;
    }
  }
}

// rows of an array of lane data, each of n numbers
static void copyRows(const mjtNum* src, int n, const mjiChoice* choice, int nlane, int lane, mjtNum* dst) {
  if (!choice->nrange) mji_gatherLane(dst, src, choice->size, nlane, lane);
  for (int k = 0; k < choice->nrange; k++) {
    int first = choice->range[k].first * n, count = choice->range[k].count * n;
    mji_gatherLane(dst, src + (size_t)first * nlane, count, nlane, lane);
    dst += count;
  }
}

// qM lists for each dof itself and its ancestors; M has the same numbers, but some of its rows are shorter
static void copyLegacy(const mjModel* m, const mjData* d, const mjiChoice* choice, int lane, mjtNum* dst) {
  int nlane = mji_work(d)->nlane;
  memset(dst, 0, sizeof(mjtNum) * (size_t)choice->size);
  for (int i = 0; i < m->nC; i++) {
    int to = mji_chosenRow(choice, m->mapM2M[i]);
    if (to >= 0) dst[to] = d->M[(size_t)i * nlane + lane];
  }
}

static void copyCount(mjiView* v, mjiSource source, mjtNum* dst) {
  int ncon, nefc;
  mji_viewRows(v, &ncon, &nefc);
  *dst = source == MJI_OUTPUT_NCON ? ncon : nefc;
}

// what was chosen of an output
static void copy(mjiView* v, const mjiChoice* choice, mjtNum* dst) {
  const mjModel* m = v->m;
  mjData* d = v->d;
  if (choice->form) {
    choice->form->value(v, choice, dst);
    return;
  }
  const mjiOutput* output = mji_outputAt(choice->output);
  switch (output->source) {
    case MJI_OUTPUT_ARRAY: {
      mjtNum* src;
      memcpy(&src, (const char*)d + output->offset, sizeof src);
      copyRows(src, choice->columns, choice, v->nlane, v->lane, dst);
      break;
    }
    case MJI_OUTPUT_TIME: *dst = mji_time(d)[v->lane]; break;
    case MJI_OUTPUT_ENERGY: copyRows(mji_energy(d), 1, choice, v->nlane, v->lane, dst); break;
    case MJI_OUTPUT_NCON:
    case MJI_OUTPUT_NEFC: copyCount(v, output->source, dst); break;
    case MJI_OUTPUT_NITER: *dst = mji_work(d)->niter[v->lane]; break;
    case MJI_OUTPUT_DENSE_M: copyDense(m, d, choice, v->lane, dst); break;
    case MJI_OUTPUT_LEGACY_M: copyLegacy(m, d, choice, v->lane, dst); break;
  }
}

void mji_giveNamed(const mjiNamed* named, const mjModel* m, mjData* d, int lane, size_t row, int bytes,
                   mjtNum* scratch) {
  if (!named->n) return;
  mjiView v = mji_viewOf(m, d, lane);
  for (int k = 0; k < named->n; k++) {
    size_t n = (size_t)named->choice[k].size;
    copy(&v, &named->choice[k], mji_slot(named->data[k], row * n, bytes, scratch));
    mji_settle(named->data[k], row * n, n, bytes, scratch);
  }
}

size_t mji_largestNamed(const mjiNamed* named) {
  size_t n = 0;
  for (int k = 0; k < named->n; k++) n = (size_t)named->choice[k].size > n ? (size_t)named->choice[k].size : n;
  return n;
}
