// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which models can run several states side by side.
#ifndef SHEAF_MODEL_LANES_OK_H_
#define SHEAF_MODEL_LANES_OK_H_

#include <mujoco/mujoco.h>

// Nonzero if every feature of the model has a lane path. Options are read as they are now.
int mji_lanesOk(const mjModel* m);

// Its two parts: what a step needs, and what its sensors need beside that.
int mji_dynamicsLanesOk(const mjModel* m);
int mji_sensorLanesOk(const mjModel* m);

#endif  // SHEAF_MODEL_LANES_OK_H_
