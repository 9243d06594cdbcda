// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Stage timers, d->timer, only for one state: what runs is counted, and timed if the user has installed a clock,
// mjcb_time.
#ifndef SHEAF_MODEL_TIMER_H_
#define SHEAF_MODEL_TIMER_H_

#include <mujoco/mujoco.h>

#if !defined(SHEAF_LANES) || SHEAF_LANES == 1
static inline mjtNum mji_timer_start(void) {
  return mjcb_time ? mjcb_time() : 0;
}

static inline void mji_timer_stop(mjData* d, mjtTimer timer, mjtNum start) {
  if (mjcb_time) d->timer[timer].duration += mjcb_time() - start;
  d->timer[timer].number++;
}
#else
static inline mjtNum mji_timer_start(void) { return 0; }

static inline void mji_timer_stop(mjData* d, mjtTimer timer, mjtNum start) {
  (void)d, (void)timer, (void)start;
}
#endif

// Run a stage under a timer.
static inline void mji_timer_run(const mjModel* m, mjData* d, mjtTimer timer, mjfGeneric stage) {
  mjtNum start = mji_timer_start();
  stage(m, d);
  mji_timer_stop(d, timer, start);
}

#endif  // SHEAF_MODEL_TIMER_H_
