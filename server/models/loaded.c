// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/loaded.h"

#include <math.h>
#include <sheaf/batch.h>
#include <stdlib.h>
#include <string.h>

#include "sheaf.pb-c.h"

enum { MAX_ITERATIONS = 10000, MAX_SDF = 1000 };

// refuse what the engine allows but a server should not
static int check_model(const mjModel* m, const srv_limits* limits, srv_error* e) {
  if (!isfinite(m->opt.timestep) || m->opt.timestep <= 0) {
    return srv_error_set(e, SHEAF__CODE__CODE_FAILED_PRECONDITION,
                         "option timestep: expected a positive number, got %g", m->opt.timestep);
  }
  if (m->opt.iterations > MAX_ITERATIONS || m->opt.ls_iterations > MAX_ITERATIONS) {
    return srv_error_set(e, SHEAF__CODE__CODE_FAILED_PRECONDITION,
                         "option iterations, ls_iterations: expected at most %d, got %d, %d", MAX_ITERATIONS,
                         m->opt.iterations, m->opt.ls_iterations);
  }
  if (m->opt.sdf_iterations > MAX_SDF || m->opt.sdf_initpoints > MAX_SDF) {
    return srv_error_set(e, SHEAF__CODE__CODE_FAILED_PRECONDITION,
                         "option sdf_iterations, sdf_initpoints: expected at most %d, got %d, %d", MAX_SDF,
                         m->opt.sdf_iterations, m->opt.sdf_initpoints);
  }
  if (m->narena > 0 && (uint64_t)m->narena > limits->data_bytes) {
    return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "size memory: expected at most %llu bytes, got %llu",
                         (unsigned long long)limits->data_bytes, (unsigned long long)m->narena);
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

static int copy_states(srv_loaded* model, const srv_compiled* compiled) {
  bool fits = compiled->nrow == 1 + (uint64_t)model->m->nkey &&
              compiled->nstate == (uint64_t)mj_stateSize(model->m, mjSTATE_FULLPHYSICS);
  size_t bytes = compiled->nrow * compiled->nstate * sizeof(mjtNum);
  model->state0 = fits ? malloc(bytes) : NULL;
  if (!model->state0) return -1;
  memcpy(model->state0, compiled->states, bytes);
  model->nstate = (int)compiled->nstate;
  return 0;
}

int srv_model_load(srv_loaded* model, const srv_compiled* compiled, const srv_limits* limits, srv_error* e) {
  model->m = load_saved(compiled);
  if (!model->m) return srv_error_set(e, SHEAF__CODE__CODE_INTERNAL, "the compiled model does not load");
  int err = check_model(model->m, limits, e);
  if (!err && copy_states(model, compiled)) {
    err = srv_error_set(e, SHEAF__CODE__CODE_INTERNAL, "the compiled model's states do not load");
  }
  if (err) {
    srv_model_unload(model);
    return err;
  }
  model->bytes = sheaf_modelBytes(model->m) + compiled->nrow * compiled->nstate * sizeof(mjtNum) + SRV_MODEL_EXTRA;
  model->warning = strdup(compiled->warning);
  if (model->warning) srv_error_clean(model->warning);
  return 0;
}

void srv_model_unload(srv_loaded* model) {
  mj_deleteModel(model->m);
  free(model->state0);
  free(model->warning);
  model->m = NULL;
  model->state0 = NULL;
  model->warning = NULL;
}
