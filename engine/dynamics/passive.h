// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_DYNAMICS_PASSIVE_H_
#define SHEAF_DYNAMICS_PASSIVE_H_

#include <mujoco/mujoco.h>

#ifdef SHEAF_LANES_LANES_H_
// Forces of the surrounding medium in qfrc_fluid, which is zero on entry.
void LANE(fluid)(const mjModel* m, mjData* d);

// Passive forces without those of code: plugins and the callback. Zero if there are none of the model and none of code.
int LANE(passiveOfModel)(const mjModel* m, mjData* d);

// Deflection of a joint from its spring's rest position: up to six numbers, one per dof.
void LANE(springDeflection)(const mjModel* m, const mjData* d, int j, V* dif);
#endif

#endif  // SHEAF_DYNAMICS_PASSIVE_H_
