// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which models can run several states side by side.
#ifndef SHEAF_MODEL_LANES_OK_H_
#define SHEAF_MODEL_LANES_OK_H_

#include <mujoco/mujoco.h>

// Nonzero for almost all models: a part that has no kernel over lanes runs lane by lane within its stage
// (model/one_lane.h), and rows in which trees sleep are computed one after the other (batch/apart.h).
int mji_lanesOk(const mjModel* m);

#endif  // SHEAF_MODEL_LANES_OK_H_
