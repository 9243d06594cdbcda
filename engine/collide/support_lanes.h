// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Support points of one shape in the poses of all lanes, over V: the bits of support.c.
//
// Boxes, cylinders and ellipsoids are a few operations. The nodes of a small hull are compared one after the other,
// each with the directions of all lanes. Large hulls are climbed lane by lane, and so are small ones where nodes tie.
#ifndef SHEAF_COLLIDE_SUPPORT_LANES_H_
#define SHEAF_COLLIDE_SUPPORT_LANES_H_

#include <string.h>

#include "collide/round.h"
#include "collide/support.h"

typedef struct LANE(Convex_) {
  const LANE(Shape)* shape;
  V size[3], inflate;
  M inflated;       // lanes that are grown
  mjiConvex* like;  // the shape in one of the lanes
  mjiConvex* one;   // in each lane, if lanes have own numbers, or for a mesh without a hull

  // of a mesh
  const mjiHull* hull;  // NULL if there is none, or if the program has changed the vertices of a small one
  const float* mesh;    // its vertices
  const int* id;        // those of the nodes
  M node;               // small hulls: the node that was the last support
} LANE(Convex);

// A vertex of the difference of two shapes. Corners of boxes and vertices of meshes have numbers, see laneVertexId.
typedef struct LANE(Vertex_) {
  V v[3], a[3], b[3];
  M ia, ib;
} LANE(Vertex);

static inline M m_set1(int x) { return (M){0} + x; }

// local point to the world
static inline void lanePlace(V point[3], const LANE(Convex)* c, const V local[3], const V dir[3]) {
  const V* R = c->shape->mat;
  int grown = m_any(c->inflated);
  for (int k = 0; k < 3; k++) {
    point[k] = (R[3 * k] * local[0] + R[3 * k + 1] * local[1] + R[3 * k + 2] * local[2]) + c->shape->pos[k];
    if (grown) point[k] = v_sel(c->inflated, point[k] + c->inflate * dir[k], point[k]);
  }
}

static inline void laneSupportEllipsoid(V local[3], const LANE(Convex)* c) {
  for (int k = 0; k < 3; k++) local[k] = local[k] * c->size[k];
  V inv = 1.0 / v_sqrt(laneDot(local, local));
  for (int k = 0; k < 3; k++) local[k] = local[k] * (inv * c->size[k]);
}

static inline void laneSupportCylinder(V local[3], const LANE(Convex)* c) {
  V radial = v_sqrt(local[0] * local[0] + local[1] * local[1]);
  M round = v_gt(radial, v_set1(mjMINVAL));
  V scale = v_and(round, c->size[0] / v_sel(round, radial, v_set1(1)));
  local[0] = local[0] * scale;
  local[1] = local[1] * scale;
  local[2] = v_sel(v_ge(local[2], v_zero()), c->size[1], -c->size[1]);
}

static inline M laneSupportBox(V local[3], const LANE(Convex)* c) {
  M vertex = m_none();
  for (int k = 0; k < 3; k++) {
    M above = v_ge(local[k], v_zero());
    vertex |= above & m_set1(1 << k);
    local[k] = v_sel(above, c->size[k], -c->size[k]);
  }
  return vertex;
}

// ---- meshes

// groups of eight doubles are compiled for AVX-512 and, in two registers, for AVX2; groups of four for AVX2
#if defined(__AVX512F__) && !defined(MJI_SINGLE)
static inline V laneMin(V a, V b) { return (V)_mm512_min_pd((__m512d)a, (__m512d)b); }
static inline V laneMax(V a, V b) { return (V)_mm512_max_pd((__m512d)a, (__m512d)b); }
static inline V laneGather(const mjtNum* table, M index) {
  return (V)_mm512_i64gather_pd((__m512i)index, table, sizeof(mjtNum));
}
#elif defined(__AVX2__) && !defined(MJI_SINGLE) && SHEAF_LANES == 8
static inline V laneMin(V a, V b) {
  return V_JOIN(_mm256_min_pd(V_HALF(a, 0), V_HALF(b, 0)), _mm256_min_pd(V_HALF(a, 1), V_HALF(b, 1)));
}
static inline V laneMax(V a, V b) {
  return V_JOIN(_mm256_max_pd(V_HALF(a, 0), V_HALF(b, 0)), _mm256_max_pd(V_HALF(a, 1), V_HALF(b, 1)));
}
static inline V laneGather(const mjtNum* table, M index) {
  return V_JOIN(_mm256_i64gather_pd(table, (__m256i)V_HALF(index, 0), sizeof(mjtNum)),
                _mm256_i64gather_pd(table, (__m256i)V_HALF(index, 1), sizeof(mjtNum)));
}
#elif defined(__AVX2__) && !defined(MJI_SINGLE)
static inline V laneMin(V a, V b) { return (V)_mm256_min_pd((__m256d)a, (__m256d)b); }
static inline V laneMax(V a, V b) { return (V)_mm256_max_pd((__m256d)a, (__m256d)b); }
static inline V laneGather(const mjtNum* table, M index) {
  return (V)_mm256_i64gather_pd(table, (__m256i)index, sizeof(mjtNum));
}
#else
static inline V laneMin(V a, V b) { return v_min(a, b); }
static inline V laneMax(V a, V b) { return v_max(a, b); }
static inline V laneGather(const mjtNum* table, M index) {
  _Alignas(V) mjtNum r[SHEAF_LANES];
  lane_mask_t at[SHEAF_LANES];
  memcpy(at, &index, sizeof at);
  for (int i = 0; i < SHEAF_LANES; i++) r[i] = table[at[i]];
  return *CLANES(r);
}
#endif

// The farthest node in each lane; returns the lanes where another ties.
#if defined(__AVX512F__) && !defined(MJI_SINGLE)
// The number of a node takes the place of the last bits of how far it is, so that the largest says which it is. Nodes
// that differ by no more than these bits, or by what fused operations round otherwise, tie by far.
static inline M laneFarthest(M* node, const mjiHull* h, const V dir[3]) {
  _Static_assert(!(LARGE_HULL & (LARGE_HULL - 1)), "numbers of nodes are bits");
  const __m512i number = _mm512_set1_epi64(LARGE_HULL - 1);
  __m512d most = _mm512_castsi512_pd(_mm512_andnot_si512(number, _mm512_castpd_si512(_mm512_set1_pd(-mjMAXVAL))));
  __m512d second = most;
  const mjtNum* p = h->place;
  const int stride = mji_hull_stride(h);
  for (int i = 0; i < h->nnode; i++) {
    __m512d z = _mm512_mul_pd((__m512d)dir[2], _mm512_set1_pd(p[2 * stride + i]));
    __m512d y = _mm512_fmadd_pd((__m512d)dir[1], _mm512_set1_pd(p[stride + i]), z);
    __m512i far = _mm512_castpd_si512(_mm512_fmadd_pd((__m512d)dir[0], _mm512_set1_pd(p[i]), y));
    enum { NUMBER_OR_FAR = 0xd8 };  // where `number` has ones, the bits of i
    __m512d along = _mm512_castsi512_pd(_mm512_ternarylogic_epi64(far, _mm512_set1_epi64(i), number, NUMBER_OR_FAR));
    second = _mm512_max_pd(second, _mm512_min_pd(most, along));
    most = _mm512_max_pd(along, most);
  }
  *node = (M)_mm512_and_si512(_mm512_castpd_si512(most), number);
  return ~v_gt((V)most - (V)second, v_set1(h->tie));
}
#else
static inline M laneFarthest(M* node, const mjiHull* h, const V dir[3]) {
  V most = v_set1(-mjMAXVAL), second = most;
  M at = m_none(), i = m_none();
  const mjtNum *p = h->place, *end = p + h->nnode;
  for (int stride = mji_hull_stride(h); p < end; p++, i += 1) {
    V along = dir[0] * p[0] + dir[1] * p[stride] + dir[2] * p[2 * stride];
    at = m_sel(v_gt(along, most), i, at);
    second = laneMax(second, laneMin(most, along));
    most = laneMax(along, most);
  }
  *node = at;
  return ~v_gt(most - second, v_set1(h->tie));
}
#endif

static inline void laneNumbers(lane_mask_t to[SHEAF_LANES], M from) { memcpy(to, &from, sizeof from); }

// climb where nodes tie: from the node that was the last support, as gjk.c does
static inline M laneClimbTies(LANE(Convex)* c, M node, const V dir[3], M tie) {
  const mjiHull* h = c->hull;
  lane_mask_t last[SHEAF_LANES], to[SHEAF_LANES];
  laneNumbers(last, c->node);
  laneNumbers(to, node);
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    if (!m_get(tie, lane)) continue;
    mjtNum way[3] = {v_get(dir[0], lane), v_get(dir[1], lane), v_get(dir[2], lane)};
    to[lane] = h->node[mji_hull_climb(h->block, h->first[last[lane]], way)];
  }
  memcpy(&node, to, sizeof to);
  return node;
}

static inline void laneSupportSmall(V point[3], M* vertex, LANE(Convex)* c, const V dir[3], const V local[3], M on) {
  const mjiHull* h = c->hull;
  M node, tie = on & laneFarthest(&node, h, local);
  if (__builtin_expect(m_any(tie), 0)) node = laneClimbTies(c, node, local, tie);
  *vertex = c->node = m_sel(on, node, c->node);
  V corner[3];
  for (int k = 0; k < 3; k++) corner[k] = laneGather(h->place + k * mji_hull_stride(h), c->node);
  lanePlace(point, c, corner, dir);
}

// mji_hull_cell of all lanes
static inline M laneCell(const V dir[3]) {
  V size[3] = {v_abs(dir[0]), v_abs(dir[1]), v_abs(dir[2])};
  M second = v_gt(size[1], size[0]);
  V most = v_sel(second, size[1], size[0]);
  M third = v_gt(size[2], most), first = ~(second | third);
  most = v_sel(third, size[2], most);
  V along = v_sel(third, dir[2], v_sel(second, dir[1], dir[0]));
  V across[2] = {v_sel(first, dir[1], dir[0]), v_sel(third, dir[1], dir[2])};
  M good = v_ge(most, v_set1(mjMINVAL)) & v_le(size[0] + size[1] + size[2], v_set1(mjMAXVAL));
  V scale = (lane_t)(HULL_SIDE / 2) / v_sel(good, most, v_set1(1));
  M cell = m_sel(third, m_set1(4), second & m_set1(2)) - v_lt(along, v_zero());
  for (int k = 0; k < 2; k++) {
    V place = v_and(good, across[k] * scale + (lane_t)(HULL_SIDE / 2));
    M at = __builtin_convertvector(place, M), last = m_set1(HULL_SIDE - 1);
    cell = cell * HULL_SIDE + m_sel(at < last, at, last);
  }
  return cell & good;
}

// large hulls are in no near cache
static inline void fetchBlock(const mjiHullBlock* b) {
  __builtin_prefetch(b);
  __builtin_prefetch(b->z);
}

// Find the farthest nodes of a large hull for the lanes in a list: in the blocks of their cells, or by climbing, step
// by step: a step of one lane waits for the step before, those of several do not. Sets the blocks of these lanes.
static inline void laneClimb(int at[SHEAF_LANES], const mjiHull* h, const V dir[3], const int* lane, int n) {
  mjtNum all[3][SHEAF_LANES], way[SHEAF_LANES][3];
  lane_mask_t cell[SHEAF_LANES];
  int climbs[SHEAF_LANES];
  memcpy(all, dir, sizeof all);
  laneNumbers(cell, laneCell(dir));
  for (int i = 0; i < n; i++) {
    int l = lane[i];
    for (int k = 0; k < 3; k++) way[l][k] = all[k][l];
    at[l] = h->start[cell[l]];
    fetchBlock(at[l] < 0 ? h->cell + cell[l] : h->block + at[l]);
  }
  int left = 0;
  for (int i = 0; i < n; i++) {
    int l = lane[i];
    if (at[l] < 0) at[l] = mji_hull_ofCell(h, (int)cell[l], way[l]);
    else climbs[left++] = l;
  }
  for (n = left; n;) {
    int moved = 0;
    for (int i = 0; i < n; i++) {
      int l = climbs[i], next = mji_hull_step(h->block, at[l], way[l]);
      climbs[moved] = l;
      moved += next != at[l];
      at[l] = next;
      fetchBlock(h->block + next);
    }
    n = moved;
  }
  mji_hull_end();
}

// the point of a mesh in the world, by the function for one state
static inline void laneSupportOne(V point[3], M* vertex, mjiConvex* c, const V dir[3], int lane) {
  mjtNum one[3], way[3];
  for (int k = 0; k < 3; k++) way[k] = v_get(dir[k], lane);
  c->support(one, c, way);
  for (int k = 0; k < 3; k++) v_put(&point[k], lane, one[k]);
  memcpy((lane_mask_t*)vertex + lane, &(lane_mask_t){c->vertex}, sizeof(lane_mask_t));
}

// The same for a large hull whose vertices the program has changed. It needs nothing of earlier searches.
static inline void laneSupportChanged(V point[3], M* vertex, const LANE(Convex)* c, const V dir[3], int lane) {
  mjiShape shape;
  mjiConvex one;
  laneShape(&shape, c->shape, lane);
  mji_support_init(&one, &shape, v_get(c->inflate, lane));
  laneSupportOne(point, vertex, &one, dir, lane);
}

static inline void laneSupportLarge(V point[3], M* vertex, LANE(Convex)* c, const V dir[3], const V local[3], M on) {
  int n = 0, lane[SHEAF_LANES], at[SHEAF_LANES], nchanged = 0, changed[SHEAF_LANES];
  for (int i = 0; i < SHEAF_LANES; i++) {
    if (m_get(on, i)) lane[n++] = i;
  }
  laneClimb(at, c->hull, local, lane, n);
  _Alignas(V) mjtNum corner[3][SHEAF_LANES] = {{0}};
  lane_mask_t id[SHEAF_LANES] = {0};
  for (int i = 0; i < n; i++) {
    int l = lane[i], vertex_id = c->id[c->hull->node[at[l]]];
    const mjiHullBlock* b = c->hull->block + at[l];
    const float* v = c->mesh + 3 * vertex_id;
    corner[0][l] = (mjtNum)v[0];
    corner[1][l] = (mjtNum)v[1];
    corner[2][l] = (mjtNum)v[2];
    id[l] = vertex_id;
    if (b->x[0] != v[0] || b->y[0] != v[1] || b->z[0] != v[2]) changed[nchanged++] = l;
  }
  memcpy(vertex, id, sizeof id);
  lanePlace(point, c, CLANES(corner), dir);
  for (int i = 0; i < nchanged; i++) laneSupportChanged(point, vertex, c, dir, changed[i]);
}

static inline void laneSupportMesh(V point[3], M* vertex, LANE(Convex)* c, const V dir[3], M on) {
  V local[3];
  laneRotateBack(local, c->shape->mat, dir);
  if (c->hull && c->hull->place) {
    laneSupportSmall(point, vertex, c, dir, local, on);
  } else if (c->hull) {
    laneSupportLarge(point, vertex, c, dir, local, on);
  } else {
    for (int lane = 0; lane < SHEAF_LANES; lane++) {
      if (m_get(on, lane)) laneSupportOne(point, vertex, c->one + lane, dir, lane);
    }
  }
}

// the number that gjk.c gives to a vertex
static inline int laneVertexId(const LANE(Convex)* c, int vertex) {
  return c->hull && c->hull->place ? c->id[vertex] : vertex;
}

// The point of a shape that is farthest in a direction, in the lanes of `on`.
static inline void laneSupport(V point[3], M* vertex, LANE(Convex)* c, const V dir[3], M on) {
  int type = c->shape->type;
  *vertex = m_set1(-1);
  if (type == mjGEOM_MESH) {
    laneSupportMesh(point, vertex, c, dir, on);
    return;
  }
  V local[3];
  laneRotateBack(local, c->shape->mat, dir);
  if (type == mjGEOM_ELLIPSOID) laneSupportEllipsoid(local, c);
  else if (type == mjGEOM_CYLINDER) laneSupportCylinder(local, c);
  else *vertex = laneSupportBox(local, c);
  lanePlace(point, c, local, dir);
}

// The vertex of the difference that is farthest in a direction of unit length.
static inline void laneSupportBoth(LANE(Vertex)* w, LANE(Convex)* a, LANE(Convex)* b, const V dir[3], M on) {
  V back[3] = {dir[0] * -1.0, dir[1] * -1.0, dir[2] * -1.0};
  laneSupport(w->a, &w->ia, a, dir, on);
  laneSupport(w->b, &w->ib, b, back, on);
  for (int k = 0; k < 3; k++) w->v[k] = w->a[k] - w->b[k];
}

#endif  // SHEAF_COLLIDE_SUPPORT_LANES_H_
