// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Graphs of hulls, laid out for climbing to the vertex that is farthest in a direction.
//
// mesh_graph lists the neighbours of a node one by one, and their coordinates lie behind two indices. Here a node and
// its neighbours lie side by side with their coordinates, in a block of eight that is compared at once; a node with
// more than seven neighbours has several blocks, one after the other. A climb goes from block to block. Large hulls
// have a table that says for each cell of directions (a square on the side of a cube) which node is farthest along its
// middle; from there a climb takes one or two steps, however large the hull.
//
// The layout copies mesh_vert. A program may change vertices of its model, so users compare the vertex that they find.
#ifndef SHEAF_MODEL_HULL_GRAPH_H_
#define SHEAF_MODEL_HULL_GRAPH_H_

#include <math.h>
#include <stddef.h>

#include <mujoco/mujoco.h>

#if defined(__AVX2__) && !defined(MJI_SINGLE)
#include <immintrin.h>
#endif

enum { HULL_BLOCK = 8, HULL_SIDE = 16, HULL_CELLS = 6 * HULL_SIDE * HULL_SIDE };

// Only hulls with at least so many nodes have a table. On smaller ones a climb starts where the last one ended, as in
// the reference, which decides where vertices tie.
enum { LARGE_HULL = 64 };

enum { HULL_ALIGN = 64, HULL_MORE = 1 << 30 };  // a cache line; another block of the node follows

// A node, and seven neighbours; if it has fewer, the node is repeated. A node is known by the index of its first block.
typedef struct mjiHullBlock_ {
  float x[HULL_BLOCK], y[HULL_BLOCK], z[HULL_BLOCK];
  int first[HULL_BLOCK];  // blocks of these nodes; HULL_MORE is added to that of the node itself
} mjiHullBlock;

typedef struct mjiHull_ {
  int nblock;        // 0: no layout, climb mesh_graph
  const int* start;  // (HULL_CELLS) block of the farthest node; NULL for small hulls
  const int* node;   // (nblock) the node of each block, as mesh_graph numbers it
  const mjiHullBlock* block;
} mjiHull;

// Bytes of the layouts of all hulls that may collide; they begin with an mjiHull for each mesh.
size_t mji_hull_bytes(const mjModel* m);

// Write the layouts into so many bytes, aligned to a cache line and filled with zeros.
void mji_hull_layOut(const mjModel* m, mjiHull* hull);

// The layouts that a plan holds, one for each mesh.
struct mjiPlan_;
mjiHull* mji_planHulls(const struct mjiPlan_* plan);

// The farthest in a block, the first of them if several tie, unless it is not farther than *most: then -1.
#if defined(__AVX2__) && !defined(MJI_SINGLE)
static inline __m256d mji_hull_alongFour(const mjiHullBlock* b, int k, const mjtNum dir[3]) {
  __m256d x = _mm256_mul_pd(_mm256_set1_pd(dir[0]), _mm256_cvtps_pd(_mm_loadu_ps(b->x + k)));
  __m256d y = _mm256_mul_pd(_mm256_set1_pd(dir[1]), _mm256_cvtps_pd(_mm_loadu_ps(b->y + k)));
  __m256d z = _mm256_mul_pd(_mm256_set1_pd(dir[2]), _mm256_cvtps_pd(_mm_loadu_ps(b->z + k)));
  return _mm256_add_pd(_mm256_add_pd(x, y), z);
}

static inline int mji_hull_farther(const mjiHullBlock* b, const mjtNum dir[3], mjtNum* most) {
  __m256d low = mji_hull_alongFour(b, 0, dir), high = mji_hull_alongFour(b, 4, dir);
  __m256d four = _mm256_max_pd(low, high);
  __m128d two = _mm_max_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  __m128d one = _mm_max_sd(two, _mm_unpackhi_pd(two, two));
  if (!(_mm_cvtsd_f64(one) > *most)) return -1;
  *most = _mm_cvtsd_f64(one);
  __m256d top = _mm256_broadcastsd_pd(one);
  int equal = _mm256_movemask_pd(_mm256_cmp_pd(low, top, _CMP_EQ_OQ));
  equal |= _mm256_movemask_pd(_mm256_cmp_pd(high, top, _CMP_EQ_OQ)) << 4;
  return __builtin_ctz((unsigned)equal);
}
#else
static inline int mji_hull_farther(const mjiHullBlock* b, const mjtNum dir[3], mjtNum* most) {
  int best = -1;
  for (int k = 0; k < HULL_BLOCK; k++) {
    mjtNum along = dir[0] * (mjtNum)b->x[k] + dir[1] * (mjtNum)b->y[k] + dir[2] * (mjtNum)b->z[k];
    if (!(along > *most)) continue;
    *most = along;
    best = k;
  }
  return best;
}
#endif

// The farthest of a node and its neighbours; the node itself if it ties.
static inline int mji_hull_step(const mjiHullBlock* block, int at, const mjtNum dir[3]) {
  const mjiHullBlock* b = block + at;
  mjtNum most = -mjMAXVAL;
  int best = mji_hull_farther(b, dir, &most), next = best > 0 ? b->first[best] : at;
  while (b->first[0] & HULL_MORE) {
    best = mji_hull_farther(++b, dir, &most);
    if (best >= 0) next = b->first[best];
  }
  return next;
}

// After the last step: code without AVX waits for the upper halves of registers that are in use. gcc 12 does not see
// that they are, and an arm whose shapes go through libccd was half as fast.
static inline void mji_hull_end(void) {
#if defined(__AVX2__) && !defined(MJI_SINGLE)
  _mm256_zeroupper();
#endif
}

static inline int mji_hull_climb(const mjiHullBlock* block, int at, const mjtNum dir[3]) {
  for (int next; (next = mji_hull_step(block, at, dir)) != at;) at = next;
  mji_hull_end();
  return at;
}

// The cell of a direction, which need not have unit length. Of one that is not finite, or too short, any.
static inline int mji_hull_cell(const mjtNum dir[3]) {
  // without branches, which nobody could predict
  mjtNum size[3] = {fabs(dir[0]), fabs(dir[1]), fabs(dir[2])};
  int second = size[1] > size[0];
  mjtNum most = second ? size[1] : size[0];
  int third = size[2] > most, axis = second + third * (2 - second);
  most = third ? size[2] : most;
  if (!(most >= mjMINVAL && size[0] + size[1] + size[2] <= mjMAXVAL)) return 0;
  mjtNum scale = HULL_SIDE / 2 / most;
  int u = (int)(dir[axis == 0] * scale + HULL_SIDE / 2);
  int v = (int)(dir[2 - (axis == 2)] * scale + HULL_SIDE / 2);
  u = u < HULL_SIDE ? u : HULL_SIDE - 1;
  v = v < HULL_SIDE ? v : HULL_SIDE - 1;
  return ((2 * axis + (dir[axis] < 0)) * HULL_SIDE + u) * HULL_SIDE + v;
}

#endif  // SHEAF_MODEL_HULL_GRAPH_H_
