// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "use_model.h"

#include <stdio.h>
#include <stdlib.h>

enum { DOFS = 200, GEOMS = 200, ARENA_BYTES = 64 << 20, DATA_BYTES = 64 << 20 };
enum { ITERATIONS = 20, ERROR_BYTES = 300 };

// a model may ask for more memory than there is, which is its error
const char* __asan_default_options(void);
const char* __asan_default_options(void) { return "allocator_may_return_null=1"; }

static void onError(const char* text) {
  fprintf(stderr, "engine error: %s\n", text);
  abort();
}

static void onWarning(const char* text) { (void)text; }

void fuzz_setHandlers(void) {
  mju_user_error = onError;
  mju_user_warning = onWarning;
}

static int isSmall(const mjModel* m) {
  return m->nv <= DOFS && m->ngeom <= GEOMS && m->narena <= ARENA_BYTES && m->nbuffer <= DATA_BYTES &&
         m->nsensordata <= DATA_BYTES && m->nuserdata <= DATA_BYTES && m->nkey <= GEOMS;
}

void fuzz_useModel(mjModel* m, int nstep) {
  if (!isSmall(m)) return;
  mjData* d = mj_makeData(m);
  if (!d) return;
  m->opt.iterations = mjMIN(m->opt.iterations, ITERATIONS);
  m->opt.noslip_iterations = mjMIN(m->opt.noslip_iterations, ITERATIONS);
  m->opt.ccd_iterations = mjMIN(m->opt.ccd_iterations, ITERATIONS);
  m->opt.sdf_iterations = mjMIN(m->opt.sdf_iterations, ITERATIONS);
  m->opt.sdf_initpoints = mjMIN(m->opt.sdf_initpoints, ITERATIONS);
  for (int i = 0; i < m->nkey; i++) mj_resetDataKeyframe(m, d, i);
  mj_forward(m, d);
  for (int i = 0; i < nstep; i++) mj_step(m, d);
  // inverse dynamics of a discrete step of Runge-Kutta are the caller's error
  if (!(m->opt.integrator == mjINT_RK4 && m->opt.enableflags & mjENBL_INVDISCRETE)) mj_inverse(m, d);
  mj_deleteData(d);
}

mjModel* fuzz_compile(const char* mjcf, const char* name, const uint8_t* bytes, size_t n) {
  char error[ERROR_BYTES];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  if (mj_addBufferVFS(&vfs, name, bytes, (int)n)) abort();
  mjSpec* spec = mj_parseXMLString(mjcf, &vfs, error, sizeof error);
  mjModel* m = spec ? mj_compile(spec, &vfs) : NULL;
  // whoever fails says why
  if ((!spec && !error[0]) || (spec && !m && !mjs_getError(spec)[0])) abort();
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
  return m;
}
