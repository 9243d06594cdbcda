// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From a saved model to one that can be used; the checks that a model from a client has to pass.
#ifndef SHEAF_SERVER_MODELS_LOAD_H_
#define SHEAF_SERVER_MODELS_LOAD_H_

#include "models/registry.h"

// Fill in m, state0, nstate, bytes and warning. Runs on a thread of libuv's pool.
int srv_model_load(srv_model* model, const srv_compiled* compiled, const srv_limits* limits, srv_error* error);

// Free what srv_model_load made.
void srv_model_unload(srv_model* model);

#endif  // SHEAF_SERVER_MODELS_LOAD_H_
