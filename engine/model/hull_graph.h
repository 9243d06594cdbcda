// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Graphs of hulls, laid out for climbing to the vertex that is farthest in a direction.
//
// mesh_graph lists the neighbours of a node one by one, and their coordinates lie behind two indices. Here a node and
// its neighbours lie side by side with their coordinates, in a block of eight that is compared at once; a node with
// more than seven neighbours has several blocks, one after the other. A climb goes from block to block. Large hulls
// have a table of cells of directions (a square on the side of a cube). Most cells have a block of the few nodes that
// can be farthest in any of their directions, so that one comparison finds it; others say which node is farthest along
// their middle, and from there a climb takes one or two steps, however large the hull. Small hulls have their nodes
// side by side, and all are compared; only where two are equally far does a climb choose between them.
//
// The layout copies mesh_vert. A program may change vertices of its model, so users compare the vertex that they find.
#ifndef SHEAF_MODEL_HULL_GRAPH_H_
#define SHEAF_MODEL_HULL_GRAPH_H_

#include <math.h>
#include <stddef.h>

#include <mujoco/mujoco.h>

#include "model/hull_corners.h"

enum { HULL_SIDE = 16, HULL_CELLS = 6 * HULL_SIDE * HULL_SIDE };

// Only hulls with at least so many nodes have a table. The nodes of smaller ones are compared, unless two of them tie:
// then a climb decides, which starts where the last one ended, as in the reference.
enum { LARGE_HULL = 64 };

enum { HULL_MORE = 1 << 30 };  // in `first`: another block of the node follows

typedef struct mjiHull_ {
  int nblock;  // 0: no layout, climb mesh_graph
  int nnode;
  const int* start;          // (HULL_CELLS) where a climb starts, -1 if the cell has a block; NULL for small hulls
  const mjiHullBlock* cell;  // (HULL_CELLS) nodes that may be farthest; the last is repeated. Or NULL
  const int* node;           // (nblock) the node of each block, as mesh_graph numbers it
  const int* first;          // (nnode) the first block of each node
  const mjtNum* place;       // (3 x nnode, each padded to HULL_BLOCK) coordinates of the nodes; NULL for large hulls
  mjtNum tie;                // nodes tie if they are equally far up to this
  const mjiHullBlock* block;
  mjiHullCorners corners;  // all corners of the mesh
} mjiHull;

// Bytes of the layouts of all hulls that may collide; they begin with an mjiHull for each mesh.
size_t mji_hull_bytes(const mjModel* m);

// Write the layouts into so many bytes, aligned to a cache line and filled with zeros.
void mji_hull_layOut(const mjModel* m, mjiHull* hull);

// The layouts that a plan holds, one for each mesh.
struct mjiPlan_;
mjiHull* mji_planHulls(const struct mjiPlan_* plan);

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

// The block of the node that is farthest in a direction, whose cell has a block of its own.
static inline int mji_hull_ofCell(const mjiHull* h, int cell, const mjtNum dir[3]) {
  const mjiHullBlock* b = h->cell + cell;
  return b->first[mji_hull_farthestOf(b, dir)];
}

static inline int mji_hull_climb(const mjiHullBlock* block, int at, const mjtNum dir[3]) {
  for (int next; (next = mji_hull_step(block, at, dir)) != at;) at = next;
  mji_hull_end();
  return at;
}

// from one coordinate of the nodes to the next
static inline int mji_hull_stride(const mjiHull* h) { return (h->nnode + HULL_BLOCK - 1) / HULL_BLOCK * HULL_BLOCK; }

// The farthest node of a small hull; -1 if another ties. Padding repeats the first node, and is not compared.
#if defined(__AVX2__) && !defined(MJI_SINGLE)
typedef struct mjiFarthest_ {
  __m256d most, second;  // of all that were compared in one of four places
  __m256i at, node;      // the node that is farthest, and those that are next
} mjiFarthest;

static inline void mji_hull_compareFour(mjiFarthest* f, __m256d along) {
  f->second = _mm256_max_pd(f->second, _mm256_min_pd(f->most, along));
  __m256i farther = _mm256_castpd_si256(_mm256_cmp_pd(along, f->most, _CMP_GT_OQ));
  f->at = _mm256_blendv_epi8(f->at, f->node, farther);
  f->most = _mm256_max_pd(f->most, along);
  f->node = _mm256_add_epi64(f->node, _mm256_set1_epi64x(4));
}

static inline __m256d mji_hull_placesAlong(const mjtNum* place, int stride, const mjtNum dir[3]) {
  __m256d x = _mm256_mul_pd(_mm256_set1_pd(dir[0]), _mm256_loadu_pd(place));
  __m256d y = _mm256_mul_pd(_mm256_set1_pd(dir[1]), _mm256_loadu_pd(place + stride));
  __m256d z = _mm256_mul_pd(_mm256_set1_pd(dir[2]), _mm256_loadu_pd(place + 2 * stride));
  return _mm256_add_pd(_mm256_add_pd(x, y), z);
}

static inline double mji_hull_mostOfFour(__m256d x) {
  __m128d two = _mm_max_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd(x, 1));
  return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
}

static inline int mji_hull_farthest(const mjiHull* h, const mjtNum dir[3]) {
  __m256d low = _mm256_set1_pd(-mjMAXVAL);
  mjiFarthest f = {low, low, _mm256_setzero_si256(), _mm256_setr_epi64x(0, 1, 2, 3)};
  int stride = mji_hull_stride(h), i = 0;
  for (; i + 4 <= h->nnode; i += 4) mji_hull_compareFour(&f, mji_hull_placesAlong(h->place + i, stride, dir));
  if (i < h->nnode) {
    __m256i padding = _mm256_cmpgt_epi64(f.node, _mm256_set1_epi64x(h->nnode - 1));
    __m256d along = mji_hull_placesAlong(h->place + i, stride, dir);
    mji_hull_compareFour(&f, _mm256_blendv_pd(along, low, _mm256_castsi256_pd(padding)));
  }
  double most = mji_hull_mostOfFour(f.most);
  __m256d is_most = _mm256_cmp_pd(f.most, _mm256_set1_pd(most), _CMP_EQ_OQ);
  int which = _mm256_movemask_pd(is_most);
  double second = mji_hull_mostOfFour(_mm256_blendv_pd(f.most, f.second, is_most));
  if (!which || which & (which - 1) || !(most - second > h->tie)) return -1;
  long long at[4];
  _mm256_storeu_si256((__m256i*)(void*)at, f.at);
  return (int)at[__builtin_ctz((unsigned)which)];
}
#else
static inline int mji_hull_farthest(const mjiHull* h, const mjtNum dir[3]) {
  mjtNum most = -mjMAXVAL, second = most;
  int stride = mji_hull_stride(h), at = -1;
  for (int i = 0; i < h->nnode; i++) {
    const mjtNum* p = h->place + i;
    mjtNum along = dir[0] * p[0] + dir[1] * p[stride] + dir[2] * p[2 * stride];
    if (along > most) {
      second = most;
      most = along;
      at = i;
    } else if (along > second) {
      second = along;
    }
  }
  return most - second > h->tie ? at : -1;
}
#endif

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
