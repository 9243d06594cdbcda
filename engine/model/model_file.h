// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Reads compiled models from the bytes of a file that mj_saveModel wrote.
#ifndef SHEAF_MODEL_MODEL_FILE_H_
#define SHEAF_MODEL_MODEL_FILE_H_

#include <stddef.h>

#include <mujoco/mujoco.h>

// Do these bytes begin like a compiled model of Sheaf or of the reference?
int mji_isModelFile(const void* data, size_t size);

// The model, after all checks; NULL if the file is wrong, with the reason in `why`.
mjModel* mji_readModel(const void* data, size_t size, const char** why);

#endif  // SHEAF_MODEL_MODEL_FILE_H_
