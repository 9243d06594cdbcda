// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// States and controls that are the same for every build and lane count.
#ifndef SHEAF_TESTS_SAME_BITS_STATES_H_
#define SHEAF_TESTS_SAME_BITS_STATES_H_

#include <mujoco/mujoco.h>

enum { SEED = 0x2545f491, MAX_DERIVATIVE_DOFS = 60 };

static inline void silence(const char* text) { (void)text; }

// a number in [-1, 1), the same for every build
static inline double draw(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int32_t)(*state >> 32) / 2147483648.0;
}

static inline void drawControls(const mjModel* m, mjtNum* ctrl, uint64_t* seed) {
  for (int i = 0; i < m->nu; i++) {
    const mjtNum* range = m->actuator_ctrlrange + 2 * i;
    double u = draw(seed);
    ctrl[i] = m->actuator_ctrllimited[i] ? 0.5 * (range[0] + range[1]) + 0.5 * u * (range[1] - range[0]) : u;
  }
}

static inline void start(const mjModel* m, mjData* d, uint64_t* seed) {
  if (m->nkey) mj_resetDataKeyframe(m, d, 0);
  else mj_resetData(m, d);
  for (int i = 0; i < m->nv; i++) d->qvel[i] += 0.1 * draw(seed);
}

#endif  // SHEAF_TESTS_SAME_BITS_STATES_H_
