// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/file.h"

#include <limits.h>
#include <stdio.h>

#include <mujoco/mujoco.h>

#include "base/memory.h"

void* mji_readFile(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  void* data = NULL;
  long length = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
  int known = length >= 0 && length < LONG_MAX && !fseek(file, 0, SEEK_SET);
  if (known) data = mji_tryMalloc((size_t)length);

  // the file may have shrunk since its length was asked: then it cannot be read
  if (data && fread(data, 1, (size_t)length, file) != (size_t)length) {
    mju_free(data);
    data = NULL;
  }
  fclose(file);
  *size = data ? (size_t)length : 0;
  return data;
}
