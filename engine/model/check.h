// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Consistency of a model that comes from outside.
#ifndef SHEAF_MODEL_CHECK_H_
#define SHEAF_MODEL_CHECK_H_

#include <mujoco/mujoco.h>

// NULL if all indices of the model are within their arrays, else the name of the first array that
// is wrong.
const char* mji_checkModel(const mjModel* m);

#endif  // SHEAF_MODEL_CHECK_H_
