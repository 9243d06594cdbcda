// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the reference needs of `size memory`: counts that arena.c and arena_rows.c share.
#ifndef SHEAF_COMPILE_ARENA_H_
#define SHEAF_COMPILE_ARENA_H_

#include <mujoco/mujoco.h>

enum { MJI_ARENA_FRAME = 24 };    // bytes that each stage of the stack takes for itself

// Scratch of the stages that come after the rows of constraints were made, but for the solver.
mjtSize mji_arena_late(const mjModel* m);

// What the Runge-Kutta integrator holds while it makes its later stages; 0 for other integrators.
mjtSize mji_arena_rungeKutta(const mjModel* m);

#endif  // SHEAF_COMPILE_ARENA_H_
