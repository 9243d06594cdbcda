// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Loads a model from a file of any kind: MJCF, URDF or a compiled model.

#include <stdint.h>
#include <stdio.h>

#include <sheaf/batch.h>

#include "base/bytes.h"
#include "base/error.h"
#include "model/model_file.h"
#include "model/work.h"

int sheaf_isCompiledModel(const void* data, size_t size) { return mji_isModelFile(data, size); }

static mjModel* readCompiled(const char* name, const void* data, size_t size, char* error, int error_sz) {
  const char* why;
  mjModel* m = mji_readModel(data, size, &why);
  if (!m && error && error_sz > 0) snprintf(error, (size_t)error_sz, "%s: the compiled model is wrong: %s", name, why);
  return m;
}

// Making data is an error if a plugin cannot be initialized, which ends most programs. So try it here: the model is
// deleted, and NULL returned with the reason.
static mjModel* withPlugins(mjModel* m, const char* name, char* error, int error_sz) {
  mjiTrap trap;
  if (!m || !m->nplugin) return m;
  if (mji_tryBegin(&trap)) {
    if (error && error_sz > 0)
      snprintf(error, (size_t)error_sz, "%s: the compiled model is wrong: %s", name, trap.text);
    mj_deleteModel(m);
    return NULL;
  }
  mj_deleteData(mji_makeLaneData(m, 1));
  mji_tryEnd(&trap);
  return m;
}

mjModel* sheaf_loadModel(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  mjiBytes bytes;
  const int opened = mji_bytesOpen(&bytes, vfs, filename, SIZE_MAX);
  const int compiled = opened && mji_isModelFile(bytes.data, bytes.size);
  mjModel* m = compiled ? readCompiled(filename, bytes.data, bytes.size, error, error_sz) : NULL;
  mji_bytesFree(&bytes);
  return compiled ? withPlugins(m, filename, error, error_sz) : mj_loadXML(filename, vfs, error, error_sz);
}
