// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the fuzz targets share: whatever compiles or loads is simulated for a moment. An engine error
// (mju_error) is a finding, so is a failure without a reason.
#ifndef SHEAF_TESTS_FUZZ_USE_MODEL_H_
#define SHEAF_TESTS_FUZZ_USE_MODEL_H_

#include <mujoco/mujoco.h>
#include <stddef.h>
#include <stdint.h>

// Errors abort, warnings are dropped.
void fuzz_setHandlers(void);

// A few steps of a model that is small enough; larger ones are legitimate, but only cost time here.
void fuzz_useModel(mjModel* m, int nstep);

// Compile a text with a virtual file beside it. NULL if it is refused, with a reason.
mjModel* fuzz_compile(const char* mjcf, const char* name, const uint8_t* bytes, size_t n);

#endif  // SHEAF_TESTS_FUZZ_USE_MODEL_H_
