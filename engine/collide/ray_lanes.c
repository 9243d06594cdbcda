// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rays of all lanes against all visible geoms.
//
// Primitives come first, over V: their hits end the search in other geoms early. Of these, boxes and bounding balls
// leave out lanes over V; the others are searched lane by lane. The nearest hit does not depend on the order.

#include "lanes/lanes.h"

#include "collide/ray_lanes.h"

#include "collide/ray_normal.h"
#include "collide/ray_relief.h"
#include "collide/ray_shapes.h"
#include "model/geom_size.h"
#include "model/number.h"
#include "model/work.h"

enum {
  TILES = 1 << 14,  // of a field with more, or with longer rows, tiles are not looked for: scratch has a bound
  COLUMNS = 1 << 15,
  CELLS_PER_RAY = 64,  // cells whose heights are read in the time in which a ray walks over one
};

// a ray in the frame of a geom, and the lanes in which it may hit
typedef struct {
  V p[3], v[3];
  M on;
} LocalRay;

static inline void geomSize(V size[3], const mjModel* m, const mjData* d, int geom) {
  for (int k = 0; k < 3; k++) size[k] = v_num(NUM(geom_size)[3 * geom + k]);
}

static inline int leavesOut(const mjModel* m, const LANE(SiteRay)* ray, int geom) {
  return m->site_bodyid[ray->site] == m->geom_bodyid[geom];
}

static inline void direction(V vec[3], const mjData* d, const LANE(SiteRay)* ray) {
  laneAxis(vec, CLANES(d->site_xmat) + 9 * ray->site, 2);
}

// ---- primitives

static void rayPrimitive(const mjModel* m, const mjData* d, int geom, const LANE(SiteRay)* ray, int n) {
  V size[3], vec[3];
  geomSize(size, m, d, geom);
  for (int i = 0; i < n; i++) {
    if (leavesOut(m, &ray[i], geom)) continue;
    direction(vec, d, &ray[i]);
    V x = rayGeom(m->geom_type[geom], size, CLANES(d->geom_xpos) + 3 * geom, CLANES(d->geom_xmat) + 9 * geom,
                  CLANES(d->site_xpos) + 3 * ray[i].site, vec);
    *ray[i].dist = nearerHit(*ray[i].dist, x);
  }
}

// ---- height fields

static inline void localRay(LocalRay* local, const mjData* d, int geom, const LANE(SiteRay)* ray) {
  const V *pnt = CLANES(d->site_xpos) + 3 * ray->site, *pos = CLANES(d->geom_xpos) + 3 * geom;
  const V* mat = CLANES(d->geom_xmat) + 9 * geom;
  V offset[3] = {pnt[0] - pos[0], pnt[1] - pos[1], pnt[2] - pos[2]}, vec[3];
  direction(vec, d, ray);
  laneRotateBack(local->p, mat, offset);
  laneRotateBack(local->v, mat, vec);
}

static inline V rayBase(const mjiRelief* f, const LocalRay* ray) {
  mjtNum size[3], center[3];
  V half[3], p[3];
  mji_relief_base(size, center, f->size);
  for (int k = 0; k < 3; k++) {
    half[k] = v_set1(size[k]);
    p[k] = ray->p[k] - center[k];
  }
  return v_sel(meetsBall(laneDot(half, half), p, ray->v), rayBox(half, p, ray->v), noHit());
}

// part lo .. hi of the ray where its coordinate k lies within from .. to; empty if lo > hi
static inline void clip(const LocalRay* ray, int k, mjtNum from, mjtNum to, V* lo, V* hi) {
  M flat = v_lt(v_abs(ray->v[k]), v_set1(mjMINVAL)),
    outside = v_lt(ray->p[k], v_set1(from)) | v_gt(ray->p[k], v_set1(to));
  V a = (from - ray->p[k]) / ray->v[k], b = (to - ray->p[k]) / ray->v[k];
  *lo = v_sel(flat, *lo, v_max(*lo, v_min(a, b)));
  *hi = v_sel(flat, v_sel(outside, v_set1(-1), *hi), v_min(*hi, v_max(a, b)));
}

// lanes in which a ray comes between the base and the highest point of a field, before its nearest hit so far
static inline M meetsRelief(const mjiRelief* f, const LocalRay* ray, V best) {
  mjtNum slack = mji_relief_slack(f->size);
  V lo = v_zero(), hi = v_sel(isHit(best), best, v_set1(mjMAXVAL));
  for (int k = 0; k < 2; k++) clip(ray, k, -f->size[k] - slack, f->size[k] + slack, &lo, &hi);
  clip(ray, 2, -slack, f->top + slack, &lo, &hi);
  return v_le(lo, hi);
}

static inline float larger(float a, float b) { return b > a ? b : a; }

// Largest heights of the tiles of a row of tiles. Loops are as vectors like them, because all heights are read here.
// Tiles beside each other share points.
static void tileRow(float* restrict tile, float* restrict line, const mjiRelief* f, int row) {
  int n = f->ncol, end = row + MJI_TILE < f->nrow ? row + MJI_TILE + 1 : f->nrow;
  for (int k = 0; k < n; k++) line[k] = -(float)mjMAXVAL;
  for (int r = row; r < end; r++) {
    const float* h = f->height + (size_t)r * (size_t)n;
    for (int k = 0; k < n; k++) line[k] = larger(line[k], h[k]);
  }

  // the largest of as many as a tile has cells, from each column on
  for (int s = 1; s < MJI_TILE; s *= 2) {
    for (int k = 0; k < n - s; k++) line[k] = larger(line[k], line[k + s]);
  }
  for (int i = 0; i < mji_relief_ntile(n); i++) tile[i] = larger(line[i * MJI_TILE], line[i * MJI_TILE + 1]);
}

static void findTiles(mjiRelief* f, mjData* d) {
  int nrow = mji_relief_ntile(f->nrow), ncol = mji_relief_ntile(f->ncol);
  float* tile = mj_stackAllocByte(d, sizeof(float) * (size_t)nrow * (size_t)ncol, sizeof(float));
  float *line = mj_stackAllocByte(d, sizeof(float) * (size_t)f->ncol, sizeof(float)), top = -(float)mjMAXVAL;
  for (int i = 0; i < nrow; i++) tileRow(tile + (size_t)i * (size_t)ncol, line, f, i * MJI_TILE);
  for (int i = 0; i < nrow * ncol; i++) top = larger(top, tile[i]);
  f->tile = tile;
  f->top = top * f->size[2] < f->size[2] ? top * f->size[2] : f->size[2];
}

// do as many rays save more than it costs to read all heights?
static int wantsTiles(const mjiRelief* f, int nray) {
  int64_t nrow = f->nrow, ncol = f->ncol, ntile = (int64_t)mji_relief_ntile(f->nrow) * mji_relief_ntile(f->ncol);
  return ntile > 1 && ntile <= TILES && ncol <= COLUMNS && nrow * ncol <= (nrow + ncol) * nray * CELLS_PER_RAY;
}

static void rayRelief(const mjiRelief* f, const LocalRay* local, V* dist) {
  M on = local->on & meetsRelief(f, local, *dist);
  for (int lane = 0; m_any(on) && lane < SHEAF_LANES; lane++) {
    if (!m_get(on, lane)) continue;
    mjtNum p[3], v[3];
    for (int k = 0; k < 3; k++) {
      p[k] = v_get(local->p[k], lane);
      v[k] = v_get(local->v[k], lane);
    }
    v_put(dist, lane, mji_rayRelief(f, p, v, v_get(*dist, lane), NULL));
  }
}

static void rayField(const mjModel* m, mjData* d, int geom, const LANE(SiteRay)* ray, int n) {
  mjiRelief f;
  mji_relief_init(&f, m, geom);
  mj_markStack(d);
  LocalRay* local = mj_stackAllocByte(d, sizeof *local * (size_t)n, sizeof(V));
  int nray = 0;
  for (int i = 0; i < n; i++) {
    local[i].on = m_none();
    if (leavesOut(m, &ray[i], geom)) continue;
    localRay(&local[i], d, geom, &ray[i]);
    *ray[i].dist = nearerHit(*ray[i].dist, rayBase(&f, &local[i]));
    local[i].on = meetsRelief(&f, &local[i], *ray[i].dist);
    for (int lane = 0; lane < SHEAF_LANES; lane++) nray += m_get(local[i].on, lane);
  }
  if (wantsTiles(&f, nray)) findTiles(&f, d);
  for (int i = 0; i < n; i++) {
    if (m_any(local[i].on)) rayRelief(&f, &local[i], ray[i].dist);
  }
  mj_freeStack(d);
}

// ---- meshes and distance fields

// lanes in which a ray meets the ball around a geom
static M meetsBound(const mjModel* m, const mjData* d, int geom, const V pnt[3], const V vec[3]) {
  V offset[3], radius = v_num(NUM(geom_rbound)[geom]) * (1 + MJI_RAY_SLACK);
  for (int k = 0; k < 3; k++) offset[k] = pnt[k] - CLANES(d->geom_xpos)[3 * geom + k];
  return meetsBall(radius * radius, offset, vec) | v_le(radius, v_zero());
}

static void rayOther(const mjModel* m, const mjData* d, int geom, const LANE(SiteRay)* ray, int n) {
  LANE(Shape) shape = {m,
                       d,
                       geom,
                       m->geom_type[geom],
                       NUM(geom_size) + 3 * geom,
                       CLANES(d->geom_xpos) + 3 * geom,
                       CLANES(d->geom_xmat) + 9 * geom};
  for (int i = 0; i < n; i++) {
    if (leavesOut(m, &ray[i], geom)) continue;
    const V* from = CLANES(d->site_xpos) + 3 * ray[i].site;
    V along[3];
    direction(along, d, &ray[i]);
    M on = meetsBound(m, d, geom, from, along);
    for (int lane = 0; m_any(on) && lane < SHEAF_LANES; lane++) {
      if (!m_get(on, lane)) continue;
      mjiShape one;
      mjtNum pnt[3], vec[3];
      laneShape(&one, &shape, lane);
      for (int k = 0; k < 3; k++) {
        pnt[k] = v_get(from[k], lane);
        vec[k] = v_get(along[k], lane);
      }
      mjtNum x = one.type == mjGEOM_MESH ? mji_rayMesh(one.m, geom, one.pos, one.mat, pnt, vec, NULL)
                                         : mji_raySdf(&one, pnt, vec, NULL);
      mjtNum best = v_get(*ray[i].dist, lane);
      if (x >= 0 && (best < 0 || x < best)) v_put(ray[i].dist, lane, x);
    }
  }
}

// ---- all of them

void LANE(siteRays)(const mjModel* m, mjData* d, const LANE(SiteRay)* ray, int n) {
  for (int i = 0; i < n; i++) *ray[i].dist = noHit();
  for (int geom = 0; geom < m->ngeom; geom++) {
    if (mji_isPrimitive(m->geom_type[geom]) && mji_raySees(m, geom)) rayPrimitive(m, d, geom, ray, n);
  }
  for (int geom = 0; geom < m->ngeom; geom++) {
    if (mji_isPrimitive(m->geom_type[geom]) || !mji_raySees(m, geom)) continue;
    if (m->geom_type[geom] == mjGEOM_HFIELD) rayField(m, d, geom, ray, n);
    else rayOther(m, d, geom, ray, n);
  }

  // a site whose orientation is zero, which only a binary file can have, has no direction to look in
  for (int i = 0; i < n; i++) {
    V vec[3];
    direction(vec, d, &ray[i]);
    *ray[i].dist = v_sel(v_lt(v_sqrt(laneDot(vec, vec)), v_set1(mjMINVAL)), noHit(), *ray[i].dist);
  }
}
