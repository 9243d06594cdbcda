// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Text to model, and back: the specification behind the last model that was loaded is kept.

#include <pthread.h>
#include <stdio.h>

#include <mujoco/mujoco.h>

#include "mjcf/save_xml.h"

// guards last, which any thread may replace by loading a model
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mjSpec* last;

static void keep(mjSpec* s) {
  pthread_mutex_lock(&lock);
  mjSpec* old = last;
  last = s;
  pthread_mutex_unlock(&lock);
  mj_deleteSpec(old);
}

mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  mjSpec* spec = mj_parseXML(filename, vfs, error, error_sz);
  if (!spec) return NULL;

  // hand over the text of the spec: the reason of a failure, or a warning beside a model
  mjModel* m = mj_compile(spec, vfs);
  int told = error && error_sz > 0;
  if (told && (!m || mjs_isWarning(spec))) snprintf(error, (size_t)error_sz, "%s", mjs_getError(spec));
  if (m) keep(spec);
  else mj_deleteSpec(spec);
  return m;
}

void mj_freeLastXML(void) { keep(NULL); }

int mj_saveLastXML(const char* filename, const mjModel* m, char* error, int error_sz) {
  char own[16];
  if (!error || error_sz <= 0) {
    error = own;
    error_sz = sizeof own;
  }
  *error = 0;
  pthread_mutex_lock(&lock);
  int ok = 0;
  if (!last) {
    snprintf(error, (size_t)error_sz, "no model was loaded from XML");
  } else {
    // a model of other sizes has no numbers for this specification
    if (m) mj_copyBack(last, m);
    ok = !mji_saveFile(last, filename, error, error_sz);
  }
  pthread_mutex_unlock(&lock);
  return ok;
}
