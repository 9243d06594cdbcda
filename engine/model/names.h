// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The map from names to ids, kept in mjModel.names_map.
#ifndef SHEAF_MODEL_NAMES_H_
#define SHEAF_MODEL_NAMES_H_

#include <mujoco/mujoco.h>

// Entries of names_map that a model with these sizes needs.
int mji_sizeNamesMap(const mjModel* sizes);

// Fill names_map from names and name_*adr.
void mji_buildNamesMap(mjModel* m);

#endif  // SHEAF_MODEL_NAMES_H_
