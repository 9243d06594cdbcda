// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Functions about what this release does not have, so that programs which ask for it can be built:
// an asset cache. Files are read when a model is compiled.

#include <mujoco/mujoco.h>

mjCache* mj_getCache(void) { return NULL; }

size_t mj_getCacheSize(const mjCache* cache) {
  (void)cache;
  return 0;
}

size_t mj_getCacheCapacity(const mjCache* cache) {
  (void)cache;
  return 0;
}

size_t mj_setCacheCapacity(mjCache* cache, size_t size) {
  (void)cache, (void)size;
  return 0;
}

void mj_clearCache(mjCache* cache) { (void)cache; }
