// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rays against primitive geoms. A ray is pnt + x*vec with x >= 0; the answer is the smallest x on
// the surface, or -1. In the geom's frame a point is p and the direction v.

#include "collide/vec3.h"

// smallest root x >= 0 of a*x^2 + 2*b*x + c, -1 if there is none; both roots in x
static mjtNum smallestRoot(mjtNum x[2], mjtNum a, mjtNum b, mjtNum c) {
  mjtNum det = b * b - a * c;
  if (det < mjMINVAL) {
    x[0] = x[1] = -1;
    return -1;
  }
  det = __builtin_sqrt(det);
  x[0] = (-b - det) / a;
  x[1] = (-b + det) / a;
  return x[0] >= 0 ? x[0] : x[1] >= 0 ? x[1] : -1;
}

static mjtNum nearer(mjtNum best, mjtNum x) { return x >= 0 && (best < 0 || x < best) ? x : best; }

// ball around a center
static mjtNum rayBall(mjtNum x[2], const mjtNum center[3], mjtNum radius2, const mjtNum p[3], const mjtNum v[3]) {
  mjtNum offset[3];
  sub3(offset, p, center);
  return smallestRoot(x, dot3(v, v), dot3(v, offset), dot3(offset, offset) - radius2);
}

static int missesBall(const mjtNum pos[3], mjtNum radius2, const mjtNum pnt[3], const mjtNum vec[3]) {
  mjtNum x[2];
  return rayBall(x, pos, radius2, pnt, vec) < 0;
}

// front side only; sizes of zero are infinite
static mjtNum rayPlane(const mjtNum size[3], const mjtNum p[3], const mjtNum v[3]) {
  if (v[2] > -mjMINVAL) return -1;
  mjtNum x = -p[2] / v[2];
  if (x < 0) return -1;
  for (int k = 0; k < 2; k++) {
    if (size[k] > 0 && fabs(p[k] + x * v[k]) > size[k]) return -1;
  }
  return x;
}

// side of an upright cylinder between -height and height
static mjtNum raySide(mjtNum radius, mjtNum height, const mjtNum p[3], const mjtNum v[3]) {
  mjtNum xx[2];
  mjtNum x = smallestRoot(xx, v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1],
                          p[0] * p[0] + p[1] * p[1] - radius * radius);
  return x >= 0 && fabs(p[2] + x * v[2]) <= height ? x : -1;
}

static mjtNum rayCapsule(const mjtNum size[3], const mjtNum p[3], const mjtNum v[3]) {
  mjtNum best = raySide(size[0], size[1], p, v);
  for (int end = -1; end <= 1; end += 2) {
    mjtNum center[3] = {0, 0, end * size[1]}, x[2];
    rayBall(x, center, size[0] * size[0], p, v);
    for (int i = 0; i < 2; i++) {
      if (end * (p[2] + x[i] * v[2]) >= size[1]) best = nearer(best, x[i]);
    }
  }
  return best;
}

static mjtNum rayEllipsoid(const mjtNum size[3], const mjtNum p[3], const mjtNum v[3]) {
  mjtNum a = 0, b = 0, c = -1, x[2];
  for (int k = 0; k < 3; k++) {
    mjtNum s = 1 / (size[k] * size[k]);
    a += s * v[k] * v[k];
    b += s * v[k] * p[k];
    c += s * p[k] * p[k];
  }
  return smallestRoot(x, a, b, c);
}

static mjtNum rayCylinder(const mjtNum size[3], const mjtNum p[3], const mjtNum v[3]) {
  mjtNum best = -1;
  for (int end = -1; end <= 1 && fabs(v[2]) > mjMINVAL; end += 2) {
    mjtNum x = (end * size[1] - p[2]) / v[2];
    mjtNum q[2] = {p[0] + x * v[0], p[1] + x * v[1]};
    if (q[0] * q[0] + q[1] * q[1] <= size[0] * size[0]) best = nearer(best, x);
  }
  return nearer(best, raySide(size[0], size[1], p, v));
}

static mjtNum rayBox(const mjtNum size[3], const mjtNum p[3], const mjtNum v[3]) {
  mjtNum best = -1;
  for (int k = 0; k < 3; k++) {
    if (fabs(v[k]) <= mjMINVAL) continue;
    int i = (k + 1) % 3, j = (k + 2) % 3;
    for (int side = -1; side <= 1; side += 2) {
      mjtNum x = (side * size[k] - p[k]) / v[k];
      if (fabs(p[i] + x * v[i]) <= size[i] && fabs(p[j] + x * v[j]) <= size[j]) {
        best = nearer(best, x);
      }
    }
  }
  return best;
}

mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3], const mjtNum pnt[3],
                   const mjtNum vec[3], int geomtype) {
  mjtNum offset[3], p[3], v[3], x[2];
  if (geomtype == mjGEOM_SPHERE) return rayBall(x, pos, size[0] * size[0], pnt, vec);

  // bounding ball
  mjtNum reach = size[0] + size[1];
  if (geomtype == mjGEOM_CAPSULE && missesBall(pos, reach * reach, pnt, vec)) return -1;
  if (geomtype == mjGEOM_CYLINDER && missesBall(pos, size[0] * size[0] + size[1] * size[1], pnt, vec)) {
    return -1;
  }
  if (geomtype == mjGEOM_BOX && missesBall(pos, dot3(size, size), pnt, vec)) return -1;

  sub3(offset, pnt, pos);
  rotateBack3(p, mat, offset);
  rotateBack3(v, mat, vec);
  switch (geomtype) {
    case mjGEOM_PLANE: return rayPlane(size, p, v);
    case mjGEOM_CAPSULE: return rayCapsule(size, p, v);
    case mjGEOM_ELLIPSOID: return rayEllipsoid(size, p, v);
    case mjGEOM_CYLINDER: return rayCylinder(size, p, v);
    case mjGEOM_BOX: return rayBox(size, p, v);
    default: mju_error("mju_rayGeom: unexpected geom type %d", geomtype);
  }
  return -1;
}
