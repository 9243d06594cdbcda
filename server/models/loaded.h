// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Loads a saved model, and checks what a model of a client has to pass.
#ifndef SHEAF_SERVER_MODELS_LOADED_H_
#define SHEAF_SERVER_MODELS_LOADED_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/limits.h"
#include "models/compilation.h"

// most bytes that a model needs beside its memory in the engine and its states: its entry in the registry
enum { SRV_MODEL_EXTRA = 16 << 10 };

typedef struct {
  mjModel* m;
  mjtNum* state0;  // full-physics state after a reset, then of each keyframe
  int nstate;      // numbers in each
  uint64_t bytes;  // all memory of the model
  char* warning;   // warnings of the compiler, or NULL
} srv_loaded;

// Load what the compiler made. Runs on a thread of libuv's pool.
int srv_model_load(srv_loaded* model, const srv_compiled* compiled, const srv_limits* limits, srv_error* error);

// Free what srv_model_load made.
void srv_model_unload(srv_loaded* model);

#endif  // SHEAF_SERVER_MODELS_LOADED_H_
