// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Narrow phase of elements of flexes. Segments are capsules and use their pairs; a ball meets a triangle at its nearest
// point; all other pairs are convex shapes.

#include "collide/flex_shape.h"

#include <string.h>

#include "collide/convex.h"
#include "collide/vec3.h"

// ---- shapes

static const mjtNum kIdentity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// A segment as a capsule. Its axis points to the first vertex, as that of a geom points to the first end of its segment
// (fromto): where a segment lies deep in a box, the side on which it leaves depends on that.
static void makeCapsule(mjiElement* e) {
  mjtNum axis[3], quat[4];
  sub3(axis, e->corner[0], e->corner[1]);
  e->size[1] = 0.5 * normalize3(axis);
  mju_quatZ2Vec(quat, axis);
  mju_quat2Mat(e->shape.mat, quat);
  add3(e->shape.pos, e->corner[0], e->corner[1]);
  scale3(e->shape.pos, e->shape.pos, 0.5);
  e->shape.type = mjGEOM_CAPSULE;
}

// an element as a polytope
static void setCorners(mjiShape* shape, const mjiElement* e) {
  shape->type = mjGEOM_FLEX;
  set3(shape->pos, 0, 0, 0);
  memcpy(shape->mat, kIdentity, sizeof kIdentity);
  shape->corner = (const mjtNum(*)[3])e->corner;
  shape->ncorner = e->dim + 1;
}

void mji_flex_element(mjiElement* element, const mjModel* m, const mjData* d, int f, int e) {
  int dim = m->flex_dim[f];
  *element = (mjiElement){.shape = {.m = m, .geom = -1, .type = mjGEOM_FLEX}, .size = {m->flex_radius[f]}, .dim = dim};
  const int* vert = m->flex_elem + m->flex_elemdataadr[f] + (dim + 1) * e;
  for (int i = 0; i <= dim; i++) {
    copy3(element->corner[i], d->flexvert_xpos + 3 * (m->flex_vertadr[f] + vert[i]));
  }
  element->shape.size = element->size;
  if (dim == 1) makeCapsule(element);
  else setCorners(&element->shape, element);
}

void mji_flex_ball(mjiElement* ball, const mjModel* m, const mjData* d, int f, int v) {
  *ball = (mjiElement){.shape = {.m = m, .geom = -1, .type = mjGEOM_SPHERE}, .size = {m->flex_radius[f]}};
  copy3(ball->shape.pos, d->flexvert_xpos + 3 * (m->flex_vertadr[f] + v));
  memcpy(ball->shape.mat, kIdentity, sizeof kIdentity);
  ball->shape.size = ball->size;
}

// ---- a ball and a triangle

// the nearest point of a segment
static mjtNum nearestOnSegment(mjtNum point[3], const mjtNum center[3], const mjtNum a[3], const mjtNum b[3]) {
  mjtNum along[3], offset[3];
  sub3(along, b, a);
  sub3(offset, center, a);
  mjtNum length2 = dot3(along, along);
  addScaled3(point, a, along, length2 < mjMINVAL ? 0 : clip1(dot3(offset, along) / length2, 0, 1));
  return dist3(point, center);
}

// a ball against a ball of another radius at a point
static int ballPoint(mjiHit* hit, const mjtNum center[3], mjtNum radius, const mjtNum point[3], mjtNum thickness,
                     mjtNum margin) {
  sub3(hit->normal, point, center);
  mjtNum dist = normalize3(hit->normal);
  hit->dist = dist - radius - thickness;
  if (hit->dist > margin) return 0;
  addScaled3(hit->pos, center, hit->normal, radius + 0.5 * hit->dist);
  set3(hit->tangent, 0, 0, 0);
  return 1;
}

int mji_flex_ballTriangle(mjiHit* hit, const mjtNum center[3], mjtNum radius, const mjtNum corner[3][3],
                          mjtNum thickness, mjtNum margin) {
  mjtNum side[2][3], normal[3], offset[3];
  sub3(side[0], corner[1], corner[0]);
  sub3(side[1], corner[2], corner[0]);
  cross3(normal, side[0], side[1]);
  normalize3(normal);
  sub3(offset, center, corner[0]);
  mjtNum height = dot3(offset, normal);

  // inside of all three sides: the foot on the plane is the nearest point
  int inside = 1;
  for (int i = 0; i < 3; i++) {
    mjtNum along[3], outward[3], from[3];
    sub3(along, corner[(i + 1) % 3], corner[i]);
    cross3(outward, along, normal);
    sub3(from, center, corner[i]);
    inside &= dot3(from, outward) <= 0;
  }
  if (inside) {
    scale3(hit->normal, normal, height > 0 ? -1 : 1);
    hit->dist = fabs(height) - radius - thickness;
    if (hit->dist > margin) return 0;
    addScaled3(hit->pos, center, hit->normal, radius + 0.5 * hit->dist);
    set3(hit->tangent, 0, 0, 0);
    return 1;
  }

  mjtNum best[3] = {corner[0][0], corner[0][1], corner[0][2]}, least = mjMAXVAL;
  for (int i = 0; i < 3; i++) {
    mjtNum point[3], dist = nearestOnSegment(point, center, corner[i], corner[(i + 1) % 3]);
    if (dist >= least) continue;
    least = dist;
    copy3(best, point);
  }
  return ballPoint(hit, center, radius, best, thickness, margin);
}

// ---- pairs

static int convexPair(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  mjiConvex c1, c2;
  mji_support_init(&c1, a, 0.5 * margin);
  mji_support_init(&c2, b, 0.5 * margin);
  return mji_convex_penetrate(hit, a->m, &c1, &c2, margin);
}

// a pair function whose shapes stand in the other order
static int swapped(mjiPairFunc func, mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  int n = func(hit, b, a, margin);
  for (int i = 0; i < n; i++) scale3(hit[i].normal, hit[i].normal, -1);
  return n;
}

int mji_flex_geomElement(mjiHit* hit, const mjiShape* geom, const mjiElement* element, mjtNum margin) {
  if (element->dim == 1) {
    switch (geom->type) {
      case mjGEOM_SPHERE: return mji_pair_sphereCapsule(hit, geom, &element->shape, margin);
      case mjGEOM_CAPSULE: return mji_pair_capsuleCapsule(hit, geom, &element->shape, margin);
      case mjGEOM_BOX: return swapped(mji_pair_capsuleBox, hit, geom, &element->shape, margin);
      default: break;
    }
  } else if (element->dim == 2 && geom->type == mjGEOM_SPHERE) {
    return mji_flex_ballTriangle(hit, geom->pos, geom->size[0], element->corner, element->size[0], margin);
  }
  mjiShape shape = element->shape;
  setCorners(&shape, element);
  if (geom->type == mjGEOM_HFIELD) return mji_pair_hfield(hit, geom, &shape, margin);
  return convexPair(hit, geom, &shape, margin);
}

int mji_flex_elements(mjiHit* hit, const mjiElement* a, const mjiElement* b, mjtNum margin) {
  if (a->dim == 1 && b->dim == 1) return mji_pair_capsuleCapsule(hit, &a->shape, &b->shape, margin);
  mjiShape s[2] = {a->shape, b->shape};
  setCorners(&s[0], a);
  setCorners(&s[1], b);
  return convexPair(hit, &s[0], &s[1], margin);
}
