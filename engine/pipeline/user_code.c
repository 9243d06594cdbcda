// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Does code of the user take part in a step? Such code gets one state at a time, and it may read
// intermediate stages or leave the step by a long jump.

#include <mujoco/mujoco.h>

#include "collide/pair.h"
#include "pipeline/pipeline.h"

int mji_hasUserCode(void) {
  return mji_pair_anyReplaced() || mjcb_passive || mjcb_control || mjcb_contactfilter || mjcb_sensor || mjcb_act_dyn ||
         mjcb_act_gain || mjcb_act_bias;
}

int mji_hidesStages(const mjModel* m) {
  return m->opt.integrator == mjINT_RK4 && !m->nplugin && !mji_hasUserCode() && !mjcb_time && !mju_user_error &&
         !mju_user_warning;
}
