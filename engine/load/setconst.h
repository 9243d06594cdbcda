// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constants at qpos0: what mj_setConst calls.
#ifndef SHEAF_LOAD_SETCONST_H_
#define SHEAF_LOAD_SETCONST_H_

#include <mujoco/mujoco.h>

// Nonzero if the resting length of a tendon was not given.
static inline int mji_const_noSpring(const mjModel* m, int tendon) {
  return m->tendon_lengthspring[2 * tendon] == -1 && m->tendon_lengthspring[2 * tendon + 1] == -1;
}

// Statistics and lengths of dofs, from positions in d. statistics.c
void mji_const_statistics(mjModel* m, mjData* d);

// Lengths and inverse weights of flex edges, after those of bodies. flex_const.c
void mji_const_flexes(mjModel* m, mjData* d);

#endif  // SHEAF_LOAD_SETCONST_H_
