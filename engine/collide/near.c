// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "collide/near.h"

#include "collide/oriented_box.h"
#include "model/number.h"
#include "model/work.h"

// ---- geoms

// Half the size of a geom along the axes of the world, with its margin. The margin of a pair is the larger one of its
// geoms, so the sum of both is enough.
static void extentOf(V half[3], const mjModel* m, const LANE(OrientedBox)* box, N margin) {
  (void)m;
  V room = box->round + ORIENTED_BOX_ROOM * (sumOf(box->half) + box->round) + v_max(v_num(margin), v_zero());
  for (int k = 0; k < 3; k++) {
    half[k] = room;
    for (int i = 0; i < 3; i++) half[k] = half[k] + v_abs(box->mat[3 * k + i]) * box->half[i];
  }
}

static void makeGeom(LANE(GeomBox)* to, const mjModel* m, const mjData* d, int geom) {
  int type = m->geom_type[geom];
  if (!hasOrientedBox(type)) {
    for (int k = 0; k < 3; k++) {
      to->center[k] = v_zero();
      to->half[k] = v_set1(INFINITY);
    }
    return;
  }
  LANE(Shape) shape = {
      m, d, geom, type, NUM(geom_size) + 3 * geom, CLANES(d->geom_xpos) + 3 * geom, CLANES(d->geom_xmat) + 9 * geom};
  LANE(OrientedBox) box;
  orientedBox(&box, &shape);
  memcpy(to->center, box.center, sizeof to->center);
  N margin = m->opt.enableflags & mjENBL_OVERRIDE ? n_set1(m->opt.o_margin) : NUM(geom_margin)[geom];
  extentOf(to->half, m, &box, margin);
}

// ---- bodies

// The least number of all lanes, and the largest, rounded outwards. A lane with a bad number counts for nothing.
static float least(V x) {
  lane_t r = INFINITY;
  for (int i = 0; i < SHEAF_LANES; i++) r = v_get(x, i) < r ? v_get(x, i) : r;
  return (float)(r - 1e-6 * fabs(r));
}

static float largest(V x) { return -least(-x); }

static void makeBody(LANE(Near)* near, const mjModel* m, const mjData* d, int body) {
  V low[3], high[3];
  for (int k = 0; k < 3; k++) {
    low[k] = v_set1(INFINITY);
    high[k] = v_set1(-INFINITY);
  }
  int adr = m->body_geomadr[body];
  for (int geom = adr; geom < adr + m->body_geomnum[body]; geom++) {
    if (!(m->geom_contype[geom] | m->geom_conaffinity[geom])) continue;
    LANE(GeomBox)* box = near->geom + geom;
    makeGeom(box, m, d, geom);
    for (int k = 0; k < 3; k++) {
      low[k] = v_min(box->center[k] - box->half[k], low[k]);
      high[k] = v_max(box->center[k] + box->half[k], high[k]);
    }
  }
  for (int k = 0; k < 3; k++) {
    near->low[k][body] = least(low[k]);
    near->high[k][body] = largest(high[k]);
  }
}

void LANE(nearMake)(LANE(Near)* near, const mjModel* m, mjData* d) {
  size_t nbody = (size_t)m->nbody;
  near->geom = mj_stackAllocByte(d, sizeof *near->geom * (size_t)m->ngeom, _Alignof(LANE(GeomBox)));
  near->hit = mj_stackAllocInt(d, nbody);
  float* side = mj_stackAllocByte(d, 6 * nbody * sizeof(float), _Alignof(float));
  for (int k = 0; k < 3; k++) {
    near->low[k] = side + (size_t)k * nbody;
    near->high[k] = side + (size_t)(3 + k) * nbody;
  }
  for (int body = 0; body < m->nbody; body++) makeBody(near, m, d, body);
}

void LANE(nearBodies)(LANE(Near)* near, int body, int first, int last) {
  float low[3], high[3];
  for (int k = 0; k < 3; k++) {
    low[k] = near->low[k][body];
    high[k] = near->high[k][body];
  }
  const float *x = near->low[0], *y = near->low[1], *z = near->low[2];
  const float *right = near->high[0], *back = near->high[1], *top = near->high[2];
  int* restrict hit = near->hit;
  for (int j = first; j <= last; j++) {
    int apart = (x[j] > high[0]) | (y[j] > high[1]) | (z[j] > high[2]);
    apart |= (right[j] < low[0]) | (back[j] < low[1]) | (top[j] < low[2]);
    hit[j] = !apart;
  }
}
