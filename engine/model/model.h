// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Making of models in memory, for the compiler and the loader.
#ifndef SHEAF_MODEL_MODEL_H_
#define SHEAF_MODEL_MODEL_H_

#include <mujoco/mujoco.h>

// Allocate a model with the sizes (nq ... npluginstate, narena) of another struct, of which nothing
// else is read. Arrays are zero, options and visuals at their defaults; nbuffer is set. NULL if a
// size is negative or memory is out. The model is complete after mji_finishModel.
mjModel* mji_allocModel(const mjModel* sizes);

// After all arrays are filled in: make the name map and the execution plan. 0, or -1 if memory is
// out. May be called again when topology, names or pairs were changed.
int mji_finishModel(mjModel* m);

// Free the content of dest, move the content of src there, and free src. The address of dest stays valid.
void mji_moveModel(mjModel* dest, mjModel* src);
void mji_moveData(mjData* dest, mjData* src);

#endif  // SHEAF_MODEL_MODEL_H_
