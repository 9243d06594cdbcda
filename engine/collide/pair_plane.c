// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A plane against ellipsoids, cylinders, boxes and meshes.

#include "collide/pair.h"
#include "collide/support.h"
#include "collide/vec3.h"

// contact of the plane with a point: normal out of the plane, position half way
static void pointHit(mjiHit* hit, const mjtNum normal[3], const mjtNum point[3], mjtNum dist) {
  hit->dist = dist;
  addScaled3(hit->pos, point, normal, -0.5 * dist);
  copy3(hit->normal, normal);
  set3(hit->tangent, 0, 0, 0);
}

static mjtNum heightAbove(const mjiShape* plane, const mjtNum normal[3], const mjtNum point[3]) {
  mjtNum offset[3];
  sub3(offset, point, plane->pos);
  return dot3(offset, normal);
}

// lowest point: for the surface x = S u with unit u it is at u = -S n / |S n|
int mji_pair_planeEllipsoid(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  mjtNum normal[3], local[3], point[3];
  axis3(normal, a->mat, 2);
  rotateBack3(local, b->mat, normal);
  for (int k = 0; k < 3; k++) local[k] *= -b->size[k];
  normalize3(local);
  for (int k = 0; k < 3; k++) local[k] *= b->size[k];
  rotate3(point, b->mat, local);
  add3(point, point, b->pos);

  mjtNum dist = heightAbove(a, normal, point);
  if (dist > margin) return 0;
  pointHit(hit, normal, point, dist);
  return 1;
}

// up to four points: the lowest of both rims, and two more on the lower rim that make a triangle
// with it
int mji_pair_planeCylinder(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  mjtNum radius = b->size[0], height = b->size[1];
  mjtNum normal[3], axis[3], rim[3], side[3], point[3];
  axis3(normal, a->mat, 2);
  axis3(axis, b->mat, 2);

  // axis that points down
  mjtNum down = dot3(normal, axis);
  if (down > 0) {
    scale3(axis, axis, -1);
    down = -down;
  }
  mjtNum center = heightAbove(a, normal, b->pos);

  // from the axis to the lowest point of a rim; if the cylinder stands upright, any direction serves
  addScaled3(rim, normal, axis, -down);
  scale3(rim, rim, -1);
  mjtNum length2 = dot3(rim, rim);
  if (length2 < mjMINVAL * mjMINVAL) {
    axis3(rim, b->mat, 0);
    scale3(rim, rim, radius);
  } else {
    scale3(rim, rim, radius / __builtin_sqrt(length2));
  }
  mjtNum dip = dot3(rim, normal);
  scale3(axis, axis, height);
  down *= height;

  // lowest point
  mjtNum dist = center + down + dip;
  if (dist > margin) return 0;
  add3(point, b->pos, axis);
  add3(point, point, rim);
  pointHit(hit, normal, point, dist);
  int n = 1;

  // lowest point of the upper rim
  dist = center - down + dip;
  if (dist <= margin) {
    sub3(point, b->pos, axis);
    add3(point, point, rim);
    pointHit(hit + n++, normal, point, dist);
  }

  // 120 degrees to both sides on the lower rim
  dist = center + down - 0.5 * dip;
  if (dist <= margin) {
    cross3(side, rim, axis);
    normalize3(side);
    scale3(side, side, radius * __builtin_sqrt(3.0) / 2);
    for (int i = 0; i < 2; i++) {
      add3(point, b->pos, axis);
      addScaled3(point, point, rim, -0.5);
      addScaled3(point, point, side, i ? -1 : 1);
      pointHit(hit + n++, normal, point, dist);
    }
  }
  return n;
}

// corners at or below the center's height, four at most
int mji_pair_planeBox(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  mjtNum normal[3];
  axis3(normal, a->mat, 2);
  mjtNum center = heightAbove(a, normal, b->pos);

  int n = 0;
  for (int i = 0; i < 8 && n < 4; i++) {
    mjtNum local[3], corner[3];
    for (int k = 0; k < 3; k++) local[k] = i >> k & 1 ? b->size[k] : -b->size[k];
    rotate3(corner, b->mat, local);
    mjtNum dip = dot3(normal, corner);
    if (center + dip > margin || dip > 0) continue;
    add3(corner, corner, b->pos);
    pointHit(hit + n++, normal, corner, center + dip);
  }
  return n;
}

// ---- meshes

enum { MAXPLANEMESH = 3 };

// further vertices must be this far from the lowest one, relative to the bounding radius
static const mjtNum APART = 0.3;

typedef struct Lowest_ {
  const mjiShape *plane, *mesh;
  mjtNum normal[3], point[3];
  mjtNum margin;
  const float* vertex;
} Lowest;

// add a vertex that is low enough and not next to the lowest
static int addVertex(mjiHit* hit, const Lowest* low, int vertex) {
  const float* v = low->vertex + 3 * vertex;
  mjtNum local[3] = {v[0], v[1], v[2]}, point[3];
  rotate3(point, low->mesh->mat, local);
  add3(point, point, low->mesh->pos);
  mjtNum dist = heightAbove(low->plane, low->normal, point);
  mjtNum rbound = low->mesh->m->geom_rbound[low->mesh->geom];
  if (dist > low->margin || dist3(point, low->point) < APART * rbound) return 0;
  pointHit(hit, low->normal, point, dist);
  return 1;
}

// the lowest vertex, and up to two of its neighbours on the hull
int mji_pair_planeMesh(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  Lowest low = {.plane = a, .mesh = b, .margin = margin};
  mjiConvex c;
  mjtNum down[3];
  axis3(low.normal, a->mat, 2);
  scale3(down, low.normal, -1);
  mji_support_init(&c, b, 0);
  const mjModel* m = b->m;
  int mesh = m->geom_dataid[b->geom], graphadr = m->mesh_graphadr[mesh];
  if (graphadr >= 0) c.graph = m->mesh_graph + graphadr;  // of small meshes, too
  c.support(low.point, &c, down);
  mjtNum dist = heightAbove(a, low.normal, low.point);
  if (dist > margin) return 0;
  pointHit(hit, low.normal, low.point, dist);
  copy3(low.point, hit->pos);
  int n = 1;

  // neighbours in the hull graph, all vertices without one
  low.vertex = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  if (graphadr < 0) {
    for (int i = 0; i < m->mesh_vertnum[mesh] && n < MAXPLANEMESH; i++) {
      if (i != c.vertex) n += addVertex(hit + n, &low, i);
    }
    return n;
  }
  const int* graph = m->mesh_graph + graphadr;
  const int *start = graph + 2, *global = start + graph[0], *edge = global + graph[0];
  for (const int* e = edge + start[c.node]; *e >= 0 && n < MAXPLANEMESH; e++) {
    n += addVertex(hit + n, &low, global[*e]);
  }
  return n;
}
