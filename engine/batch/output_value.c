// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/output_value.h"

#include <string.h>

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

void mji_outputCopy(const mjModel* m, const mjData* d, const mjiChoice* choice, int lane, mjtNum* dst) {
  const mjiOutput* output = mji_outputAt(choice->output);
  int nlane = mji_work(d)->nlane;
  switch (output->source) {
    case MJI_OUTPUT_ARRAY: {
      mjtNum* src;
      memcpy(&src, (const char*)d + output->offset, sizeof src);
      copyRows(src, choice->columns, choice, nlane, lane, dst);
      break;
    }
    case MJI_OUTPUT_TIME: *dst = mji_time((mjData*)d)[lane]; break;
    case MJI_OUTPUT_ENERGY: copyRows(mji_energy((mjData*)d), 1, choice, nlane, lane, dst); break;
    case MJI_OUTPUT_NCON: *dst = d->ncon; break;
    case MJI_OUTPUT_NEFC: *dst = d->nefc; break;
    case MJI_OUTPUT_DENSE_M: copyDense(m, d, choice, lane, dst); break;
  }
}
