// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Loads a model from a file of any kind: MJCF, URDF or a compiled model.

#include <stdio.h>

#include <sheaf/batch.h>

#include "base/file.h"
#include "base/vfs.h"
#include "model/model_file.h"

int sheaf_isCompiledModel(const void* data, size_t size) { return mji_isModelFile(data, size); }

static mjModel* readCompiled(const char* name, const void* data, size_t size, char* error, int error_sz) {
  const char* why;
  mjModel* m = mji_readModel(data, size, &why);
  if (!m && error && error_sz > 0) snprintf(error, (size_t)error_sz, "%s: the compiled model is wrong: %s", name, why);
  return m;
}

mjModel* sheaf_loadModel(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  size_t size = 0;
  const void* found = mji_vfsFind(vfs, filename, &size);
  void* read = found ? NULL : mji_readFile(filename, &size);
  const void* data = found ? found : read;
  const int compiled = data && mji_isModelFile(data, size);
  mjModel* m = compiled ? readCompiled(filename, data, size, error, error_sz) : NULL;
  mju_free(read);
  return compiled ? m : mj_loadXML(filename, vfs, error, error_sz);
}
