// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How kernels go through the spans of what takes part in a step.
#ifndef SHEAF_MODEL_EACH_SPAN_H_
#define SHEAF_MODEL_EACH_SPAN_H_

#include "lanes/lanes.h"
#include "model/active.h"
#include "model/work.h"

typedef void (*mjiSpanKernel)(const mjModel* m, mjData* d, mjiSpan s, V* x);

// Run a function on each span; x is handed to it and may be NULL. The function is inlined twice. The first copy is for
// a span of everything, whose bounds are the sizes of the model: where nothing sleeps, as in every group of lanes,
// loops cost the same as without spans.
static inline __attribute__((always_inline)) void mji_eachSpan(const mjModel* m, mjData* d, mjiSpanKernel run, V* x) {
  if (mji_allActive(m, d)) {
    run(m, d, mji_spanOfAll(m), x);
    return;
  }
  const mjiWork* w = mji_work(d);
  for (int i = 0; i < w->nspan; i++) run(m, d, w->span[i], x);
}

#endif  // SHEAF_MODEL_EACH_SPAN_H_
