// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rays against all visible geoms of a state.

#include "collide/pair.h"
#include "collide/ray_normal.h"
#include "collide/ray_shapes.h"
#include "collide/vec3.h"
#include "model/geom_size.h"

enum { NGROUP = 6 };  // geom groups of the visualizer

// nonzero if rays pass through a geom: it belongs to the excluded body, is transparent, static or hidden on request
static int ignored(const mjModel* m, int geom, const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude) {
  int body = m->geom_bodyid[geom];
  if (body == bodyexclude || !mji_raySees(m, geom)) return 1;
  if (!flg_static && m->body_weldid[body] == 0) return 1;
  if (!geomgroup) return 0;
  int group = m->geom_group[geom];
  group = group < 0 ? 0 : group >= NGROUP ? NGROUP - 1 : group;
  return !geomgroup[group];
}

// does a ray meet the ball around a geom?
static int meetsBound(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3], const mjtNum vec[3]) {
  mjtNum offset[3], radius = m->geom_rbound[geom] * (1 + MJI_RAY_SLACK);
  sub3(offset, pnt, d->geom_xpos + 3 * geom);
  return radius <= 0 || meetsBall(radius * radius, offset, vec);
}

// `best` is the nearest hit so far, or -1; one that is farther away may be missed
static mjtNum rayOne(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3], const mjtNum vec[3],
                     mjtNum best) {
  int type = m->geom_type[geom];
  if (!mji_isPrimitive(type) && !meetsBound(m, d, geom, pnt, vec)) return -1;
  if (type == mjGEOM_MESH) return mj_rayMesh(m, d, geom, pnt, vec);
  if (type == mjGEOM_SDF) {
    mjiShape shape;
    mji_pair_shape(&shape, m, d, geom);
    return mji_raySdf(&shape, pnt, vec, NULL);
  }
  if (type == mjGEOM_HFIELD) return mji_rayHfield(m, d, geom, pnt, vec, best, NULL);
  return mju_rayGeom(d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, m->geom_size + 3 * geom, pnt, vec, type);
}

mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3], const mjtByte* geomgroup,
              mjtByte flg_static, int bodyexclude, int geomid[1]) {
  if (norm3(vec) < mjMINVAL) mju_error("mj_ray: ray direction is too small");
  mjtNum best = -1;
  int hit = -1;
  for (int i = 0; i < m->ngeom; i++) {
    if (ignored(m, i, geomgroup, flg_static, bodyexclude)) continue;
    mjtNum x = rayOne(m, d, i, pnt, vec, best);
    if (x >= 0 && (best < 0 || x < best)) {
      best = x;
      hit = i;
    }
  }
  if (geomid) *geomid = hit;
  return best;
}

void mj_multiRay(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum vec[3], const mjtByte* geomgroup,
                 mjtByte flg_static, int bodyexclude, int* geomid, mjtNum* dist, int nray, mjtNum cutoff) {
  // geoms within the cutoff, once for all rays
  mj_markStack(d);
  int *near = mj_stackAllocInt(d, (size_t)m->ngeom + 1), n = 0;
  for (int i = 0; i < m->ngeom; i++) {
    if (ignored(m, i, geomgroup, flg_static, bodyexclude)) continue;
    if (dist3(pnt, d->geom_xpos + 3 * i) <= cutoff + m->geom_rbound[i]) near[n++] = i;
  }
  for (int r = 0; r < nray; r++) {
    mjtNum best = -1;
    int hit = -1;
    for (int i = 0; i < n; i++) {
      mjtNum x = rayOne(m, d, near[i], pnt, vec + 3 * r, best);
      if (x >= 0 && (best < 0 || x < best)) {
        best = x;
        hit = near[i];
      }
    }
    dist[r] = best;
    if (geomid) geomid[r] = hit;
  }
  mj_freeStack(d);
}
