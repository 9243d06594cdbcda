// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The farthest of all corners of a mesh, where a climb over its hull is not enough.
//
// Corners are floats, so a climb may end in a dent, a hair's breadth below the farthest corner. What it found leaves
// out nearly all others: corners that are near each other are in one run of eight, with a sphere around it, and only
// runs whose spheres reach farther are compared. Eight spheres lie side by side, as eight corners do.
#ifndef SHEAF_MODEL_HULL_CORNERS_H_
#define SHEAF_MODEL_HULL_CORNERS_H_

#include <stddef.h>

#include "model/hull_block.h"

// Spheres around eight runs. They reach a little farther than the corners, as far as rounding may move either.
typedef struct mjiHullSpheres_ {
  float x[HULL_BLOCK], y[HULL_BLOCK], z[HULL_BLOCK], radius[HULL_BLOCK];
} mjiHullSpheres;

typedef struct mjiHullCorners_ {
  const mjiHullBlock* run;       // with the numbers of vertices in `first`; behind the last corner it is repeated
  const mjiHullSpheres* sphere;  // around eight runs each
  int nsphere;
} mjiHullCorners;

// Bytes of the runs and spheres of a mesh, a multiple of the size of a block.
size_t mji_hull_cornerBytes(int nvertex);

// Write them for these vertices, into so many bytes that are filled with zeros.
void mji_hull_layOutCorners(mjiHullCorners* c, const float* vertex, int nvertex, char* at);

// Which of eight spheres reach farther than `most` along a direction of unit length: a bit for each.
#if defined(__AVX2__) && !defined(MJI_SINGLE)
static inline unsigned mji_hull_fourReach(const mjiHullSpheres* s, int k, const mjtNum dir[3], mjtNum most) {
  __m256d x = _mm256_mul_pd(_mm256_set1_pd(dir[0]), _mm256_cvtps_pd(_mm_loadu_ps(s->x + k)));
  __m256d y = _mm256_mul_pd(_mm256_set1_pd(dir[1]), _mm256_cvtps_pd(_mm_loadu_ps(s->y + k)));
  __m256d z = _mm256_mul_pd(_mm256_set1_pd(dir[2]), _mm256_cvtps_pd(_mm_loadu_ps(s->z + k)));
  __m256d along = _mm256_add_pd(_mm256_add_pd(x, y), _mm256_add_pd(z, _mm256_cvtps_pd(_mm_loadu_ps(s->radius + k))));
  return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(along, _mm256_set1_pd(most), _CMP_GT_OQ));
}

static inline unsigned mji_hull_reach(const mjiHullSpheres* s, const mjtNum dir[3], mjtNum most) {
  return mji_hull_fourReach(s, 0, dir, most) | mji_hull_fourReach(s, 4, dir, most) << 4;
}

// Nonzero if any of a run is farther than `most`. That is quicker than to find the farthest, and mostly none is.
static inline int mji_hull_anyFarther(const mjiHullBlock* run, const mjtNum dir[3], mjtNum most) {
  __m256d farther = _mm256_max_pd(mji_hull_alongFour(run, 0, dir), mji_hull_alongFour(run, 4, dir));
  return _mm256_movemask_pd(_mm256_cmp_pd(farther, _mm256_set1_pd(most), _CMP_GT_OQ));
}
#else
static inline unsigned mji_hull_reach(const mjiHullSpheres* s, const mjtNum dir[3], mjtNum most) {
  unsigned reach = 0;
  for (int k = 0; k < HULL_BLOCK; k++) {
    mjtNum along = dir[0] * (mjtNum)s->x[k] + dir[1] * (mjtNum)s->y[k] + dir[2] * (mjtNum)s->z[k];
    reach |= (unsigned)(along + (mjtNum)s->radius[k] > most) << k;
  }
  return reach;
}

static inline int mji_hull_anyFarther(const mjiHullBlock* run, const mjtNum dir[3], mjtNum most) { return 1; }
#endif

// The vertex that is farthest along a direction of unit length, if it is farther than `most`; or -1.
static inline int mji_hull_farthestCorner(const mjiHullCorners* c, const mjtNum dir[3], mjtNum most) {
  int farthest = -1;
  for (int i = 0; i < c->nsphere; i++) {
    for (unsigned reach = mji_hull_reach(c->sphere + i, dir, most); reach; reach &= reach - 1) {
      const mjiHullBlock* run = c->run + HULL_BLOCK * i + __builtin_ctz(reach);
      if (!mji_hull_anyFarther(run, dir, most)) continue;
      int best = mji_hull_farther(run, dir, &most);
      if (best >= 0) farthest = run->first[best];
    }
  }
  mji_hull_end();
  return farthest;
}

#endif  // SHEAF_MODEL_HULL_CORNERS_H_
