// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sheaf.pb-c.h"

enum { MAX_ITERATIONS = 10000 };

// what the engine allows but a server should not
static int check_model(const mjModel* m, const srv_limits* limits, srv_error* e) {
  if (!isfinite(m->opt.timestep) || m->opt.timestep <= 0) {
    return srv_error_set(e, SHEAF__CODE__CODE_FAILED_PRECONDITION,
                         "option timestep: expected a positive number, got %g", m->opt.timestep);
  }
  if (m->opt.iterations > MAX_ITERATIONS || m->opt.ls_iterations > MAX_ITERATIONS) {
    return srv_error_set(e, SHEAF__CODE__CODE_FAILED_PRECONDITION,
                         "option iterations, ls_iterations: expected at most %d, got %d, %d",
                         MAX_ITERATIONS, m->opt.iterations, m->opt.ls_iterations);
  }
  if (m->narena > 0 && (uint64_t)m->narena > limits->cache_bytes) {
    return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED,
                         "size memory: expected at most %llu bytes, got %llu",
                         (unsigned long long)limits->cache_bytes, (unsigned long long)m->narena);
  }
  return 0;
}

static mjModel* load_saved(const srv_compiled* compiled) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  int err = mj_addBufferVFS(&vfs, "model.mjb", compiled->bytes, (int)compiled->size);
  mjModel* m = err ? NULL : mj_loadModel("model.mjb", &vfs);
  mj_deleteVFS(&vfs);
  return m;
}

// states after a reset and at the keyframes
static int make_states(srv_model* model) {
  const mjModel* m = model->m;
  mjData* d = mj_makeData(m);
  if (!d) return -1;
  model->nstate = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  model->state0 = calloc((size_t)model->nstate * (size_t)(1 + m->nkey), sizeof(mjtNum));
  if (model->state0) {
    mj_getState(m, d, model->state0, mjSTATE_FULLPHYSICS);
    for (int key = 0; key < m->nkey; key++) {
      mj_resetDataKeyframe(m, d, key);
      mj_getState(m, d, model->state0 + (size_t)model->nstate * (size_t)(1 + key), mjSTATE_FULLPHYSICS);
    }
  }
  mj_deleteData(d);
  return model->state0 ? 0 : -1;
}

int srv_model_load(srv_model* model, const srv_compiled* compiled, const srv_limits* limits, srv_error* e) {
  model->m = load_saved(compiled);
  if (!model->m) return srv_error_set(e, SHEAF__CODE__CODE_INTERNAL, "the compiled model does not load");
  int err = check_model(model->m, limits, e);
  if (!err && make_states(model)) {
    err = srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "no memory for the model's data");
  }
  if (err) {
    srv_model_unload(model);
    return err;
  }
  model->bytes = (uint64_t)mj_sizeModel(model->m);
  model->warning = strdup(compiled->warning);
  if (model->warning) srv_error_clean(model->warning);
  return 0;
}

void srv_model_unload(srv_model* model) {
  mj_deleteModel(model->m);
  free(model->state0);
  free(model->warning);
  model->m = NULL;
  model->state0 = NULL;
  model->warning = NULL;
}
