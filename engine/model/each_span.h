// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How kernels go through the spans of what takes part in a step.
#ifndef SHEAF_MODEL_EACH_SPAN_H_
#define SHEAF_MODEL_EACH_SPAN_H_

#include "lanes/lanes.h"
#include "model/active.h"
#include "model/work.h"

typedef void (*mjiSpanKernel)(const mjModel* m, mjData* d, mjiSpan s, V* x);

// Run a function on each span, with an argument of its own or NULL. It is inlined twice: a span of
// everything is known without its list, so that where nothing sleeps, which is always so in a group of lanes, its loops
// are those over the sizes of the model and cost what they would without spans.
static inline __attribute__((always_inline)) void mji_eachSpan(const mjModel* m, mjData* d, mjiSpanKernel run, V* x) {
  if (mji_allActive(m, d)) {
    run(m, d, mji_spanOfAll(m), x);
    return;
  }
  const mjiWork* w = mji_work(d);
  for (int i = 0; i < w->nspan; i++) run(m, d, w->span[i], x);
}

#endif  // SHEAF_MODEL_EACH_SPAN_H_
