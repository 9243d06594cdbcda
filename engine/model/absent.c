// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Functions about what this release does not have, so that programs which ask for it can be built:
// rays on flexible bodies, an asset cache.
// A function that asks for one answers that there is none; a function that adds one fails and says so.

#include <mujoco/mujoco.h>

// ---- rays on flexible bodies

mjtNum mju_rayFlex(const mjModel* m, const mjData* d, int flex_layer, mjtByte flg_vert, mjtByte flg_edge,
                   mjtByte flg_face, mjtByte flg_skin, int flexid, const mjtNum pnt[3], const mjtNum vec[3],
                   int vertid[1]) {
  (void)m, (void)d, (void)flex_layer, (void)flg_vert, (void)flg_edge, (void)flg_face, (void)flg_skin;
  (void)pnt, (void)vec, (void)vertid;
  mju_error("mju_rayFlex: flex %d: rays do not see flexible bodies in this release", flexid);
  return -1;
}

// ---- asset cache: files are read when a model is compiled

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
