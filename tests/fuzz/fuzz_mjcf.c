// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fuzz target: a text that claims to be MJCF, through the reader and the compiler, and a few steps of what
// comes out. Bad text must come back as an error: an engine error (mju_error) is a finding.
#include <mujoco/mujoco.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 1 << 16, STEPS = 3, ERROR_BYTES = 300 };

// larger models are legitimate, but only cost time here
enum { DOFS = 200, GEOMS = 200, ARENA_BYTES = 64 << 20, DATA_BYTES = 64 << 20, ITERATIONS = 20 };

static void onError(const char* text) {
  (void)text;
  abort();
}

static void onWarning(const char* text) {
  (void)text;
}

static void useModel(mjModel* m) {
  if (m->nv > DOFS || m->ngeom > GEOMS || m->narena > ARENA_BYTES || m->nbuffer > DATA_BYTES) return;
  mjData* d = mj_makeData(m);
  if (!d) return;
  m->opt.iterations = mjMIN(m->opt.iterations, ITERATIONS);
  m->opt.noslip_iterations = mjMIN(m->opt.noslip_iterations, ITERATIONS);
  m->opt.ccd_iterations = mjMIN(m->opt.ccd_iterations, ITERATIONS);
  for (int i = 0; i < STEPS; i++) mj_step(m, d);
  mj_inverse(m, d);
  mj_deleteData(d);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n) {
  static char text[TEXT_BYTES];
  char error[ERROR_BYTES];
  if (n >= sizeof text) return 0;
  memcpy(text, bytes, n);
  text[n] = 0;
  mju_user_error = onError;
  mju_user_warning = onWarning;

  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof error);
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (m) useModel(m);
  // whoever fails says why
  if ((!spec && !error[0]) || (spec && !m && !mjs_getError(spec)[0])) abort();
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 0;
}
