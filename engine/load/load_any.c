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

// Making data is an error if a plugin cannot be initialized, which ends most programs. So it is tried here.
static int pluginsBegin(const mjModel* m, const char* name, char* error, int error_sz) {
  mjiTrap trap;
  if (mji_tryBegin(&trap)) {
    if (error && error_sz > 0)
      snprintf(error, (size_t)error_sz, "%s: the compiled model is wrong: %s", name, trap.text);
    return 0;
  }
  mj_deleteData(mji_makeLaneData(m, 1));
  mji_tryEnd(&trap);
  return 1;
}

static mjModel* loadCompiled(const char* name, const mjiBytes* bytes, char* error, int error_sz) {
  mjModel* m = readCompiled(name, bytes->data, bytes->size, error, error_sz);
  if (!m || !m->nplugin || pluginsBegin(m, name, error, error_sz)) return m;
  mj_deleteModel(m);
  return NULL;
}

mjModel* sheaf_loadModel(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  mjiBytes bytes;
  const int opened = mji_bytesOpen(&bytes, vfs, filename, SIZE_MAX);
  const int compiled = opened && mji_isModelFile(bytes.data, bytes.size);
  mjModel* m = compiled ? loadCompiled(filename, &bytes, error, error_sz) : NULL;
  mji_bytesFree(&bytes);
  return compiled ? m : mj_loadXML(filename, vfs, error, error_sz);
}
