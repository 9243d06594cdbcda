// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Stage timers, d->timer, only for one state: what runs is counted, and timed if the user has installed a clock,
// mjcb_time.
#ifndef SHEAF_MODEL_TIMER_H_
#define SHEAF_MODEL_TIMER_H_

#include <mujoco/mujoco.h>

#include "lanes/variant.h"

static inline mjtNum mji_timer_start(void) { return ONE_STATE && mjcb_time ? mjcb_time() : 0; }

static inline void mji_timer_stop(mjData* d, mjtTimer timer, mjtNum start) {
  if (!ONE_STATE) return;
  if (mjcb_time) d->timer[timer].duration += mjcb_time() - start;
  d->timer[timer].number++;
}

// Run a stage under a timer.
static inline void mji_timer_run(const mjModel* m, mjData* d, mjtTimer timer, mjfGeneric stage) {
  mjtNum start = mji_timer_start();
  stage(m, d);
  mji_timer_stop(d, timer, start);
}

// The same for a kernel that is told what to compute beyond the next state.
typedef void (*mjiStageKernel)(const mjModel* m, mjData* d, int want);

static inline void mji_timer_stage(const mjModel* m, mjData* d, mjtTimer timer, mjiStageKernel stage, int want) {
  mjtNum start = mji_timer_start();
  stage(m, d, want);
  mji_timer_stop(d, timer, start);
}

#endif  // SHEAF_MODEL_TIMER_H_
