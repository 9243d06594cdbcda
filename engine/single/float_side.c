// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The engine of floats: its models, and its jobs.

#include <string.h>

#include <mujoco/mjxmacro.h>

#include "batch/evaluator.h"
#include "model/model.h"
#include "model/work.h"
#include "pool/queue.h"
#include "single/single.h"

// Floats have 24 bits, so a solver cannot improve by less than this part, nor a distance by less of a unit: it would
// repeat iterations that change nothing (DECISIONS 83).
static const mjtNum LEAST_TOLERANCE = 1e-5;

static void take(mjtNum* to, const double* from, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] = (mjtNum)from[i];
}

// all arrays, as floats where they are numbers
static void takeArrays(mjModel* m, const mjiParts* p) {
  int k = 0;
  MJMODEL_POINTERS_PREAMBLE(m)
#define X(type, name, nr, nc)                                         \
  {                                                                   \
    size_t n = (size_t)m->nr * (size_t)(nc);                          \
    if (p->numbers[k]) take((mjtNum*)(void*)m->name, p->array[k], n); \
    else if (n) memcpy(m->name, p->array[k], n * sizeof(type));       \
    k++;                                                              \
  }
  MJMODEL_POINTERS
#undef X
}

mjiSingleModel* mji_single_makeModel(const mjiParts* p) {
  mjModel sizes;
  memset(&sizes, 0, sizeof sizes);
  memcpy(&sizes, p->sizes, offsetof(mjModel, opt));  // integers, so they lie alike on both sides
  mjModel* m = mji_allocModel(&sizes);
  if (!m) return NULL;
  takeArrays(m, p);
  take(&m->opt.timestep, p->option, offsetof(mjOption, integrator) / sizeof(mjtNum));
  memcpy(&m->opt.integrator, p->choice,
         offsetof(mjOption, sdf_iterations) + sizeof(int) - offsetof(mjOption, integrator));
  take(&m->stat.meaninertia, p->statistic, sizeof(mjStatistic) / sizeof(mjtNum));
  m->signature = p->signature;
  mjtNum* least[] = {&m->opt.tolerance, &m->opt.noslip_tolerance, &m->opt.ccd_tolerance};
  for (int k = 0; k < 3; k++) *least[k] = mju_max(*least[k], LEAST_TOLERANCE);
  if (!mji_finishModel(m)) return (mjiSingleModel*)(void*)m;
  mj_deleteModel(m);
  return NULL;
}

void mji_single_deleteModel(mjiSingleModel* m) { mj_deleteModel((mjModel*)(void*)m); }

uint64_t mji_single_serial(const mjiSingleModel* m) { return mji_plan((const mjModel*)(const void*)m)->serial; }

const char* mji_single_lacks(const mjiSingleModel* model) {
  const mjModel* m = (const mjModel*)(const void*)model;
  if (m->nplugin) return "plugins";
  if (m->nflex) return "flexes";
  if (m->opt.enableflags & mjENBL_SLEEP) return "sleep";
  return NULL;
}

int mji_single_prepareJob(sheafJob* job, const mjiSingleModel* m, const sheafPool* pool, sheafStatus* status) {
  job->m = (const mjModel*)(const void*)m;
  return mji_prepareJob(job, pool, status);
}
