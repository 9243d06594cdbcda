// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Loads a model from a file of any kind: MJCF, URDF or a compiled model.

#include <stdint.h>
#include <stdio.h>

#include <sheaf/batch.h>

#include "base/bytes.h"
#include "model/model_file.h"

int sheaf_isCompiledModel(const void* data, size_t size) { return mji_isModelFile(data, size); }

static mjModel* readCompiled(const char* name, const void* data, size_t size, char* error, int error_sz) {
  const char* why;
  mjModel* m = mji_readModel(data, size, &why);
  if (!m && error && error_sz > 0) snprintf(error, (size_t)error_sz, "%s: the compiled model is wrong: %s", name, why);
  return m;
}

mjModel* sheaf_loadModel(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  mjiBytes bytes;
  const int opened = mji_bytesOpen(&bytes, vfs, filename, SIZE_MAX);
  const int compiled = opened && mji_isModelFile(bytes.data, bytes.size);
  mjModel* m = compiled ? readCompiled(filename, bytes.data, bytes.size, error, error_sz) : NULL;
  mji_bytesFree(&bytes);
  return compiled ? m : mj_loadXML(filename, vfs, error, error_sz);
}
