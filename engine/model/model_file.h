// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Compiled models from the bytes of a file; see mj_saveModel for the way there.
#ifndef SHEAF_MODEL_MODEL_FILE_H_
#define SHEAF_MODEL_MODEL_FILE_H_

#include <stddef.h>

#include <mujoco/mujoco.h>

// Do these bytes begin as a compiled model does: one of ours, or of the reference?
int mji_isModelFile(const void* data, size_t size);

// The model, checked; NULL, and in `why` what is wrong with the file.
mjModel* mji_readModel(const void* data, size_t size, const char** why);

#endif  // SHEAF_MODEL_MODEL_FILE_H_
