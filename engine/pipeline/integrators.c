// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The end of a step: an integrator's acceleration, then the next state. This file is not in integrate/ because trees
// that fall asleep need stages of forward dynamics once more.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "integrate/integrate.h"
#include "model/sleep.h"
#include "model/sleep_lanes.h"
#include "model/work.h"
#include "pipeline/pipeline.h"

void LANE(advance)(const mjModel* m, mjData* d, const mjtNum* act_dot, const mjtNum* qacc, const mjtNum* qvel,
                   int want) {
  if (!ONE_STATE && LANE(sleepStops)(m, d)) return;
  if (m->na) LANE(advanceAct)(m, d, act_dot);
  mji_sleep_settle(m, d, LANE(forward), want);
  LANE(advanceMotion)(m, d, qacc, qvel);
}

void LANE(Euler)(const mjModel* m, mjData* d, int skipfactor, int want) {
  size_t top = mji_stackTop(d);
  LANE(advance)(m, d, d->act_dot, LANE(eulerAcc)(m, d, skipfactor), NULL, want);
  mji_stackBack(d, top);
}

void LANE(implicit)(const mjModel* m, mjData* d, int skipfactor, int want) {
  size_t top = mji_stackTop(d);
  LANE(advance)(m, d, d->act_dot, LANE(implicitAcc)(m, d, skipfactor), NULL, want);
  mji_stackBack(d, top);
}
