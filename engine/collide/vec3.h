// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Vectors of three numbers, inlined because the narrow phase spends its time here.
#ifndef SHEAF_COLLIDE_VEC3_H_
#define SHEAF_COLLIDE_VEC3_H_

#include <math.h>

#include <mujoco/mujoco.h>

static inline void set3(mjtNum r[3], mjtNum x, mjtNum y, mjtNum z) { r[0] = x, r[1] = y, r[2] = z; }
static inline void copy3(mjtNum r[3], const mjtNum a[3]) { set3(r, a[0], a[1], a[2]); }
static inline void add3(mjtNum r[3], const mjtNum a[3], const mjtNum b[3]) {
  set3(r, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}
static inline void sub3(mjtNum r[3], const mjtNum a[3], const mjtNum b[3]) {
  set3(r, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
static inline void scale3(mjtNum r[3], const mjtNum a[3], mjtNum s) { set3(r, a[0] * s, a[1] * s, a[2] * s); }
// r = a + s*b
static inline void addScaled3(mjtNum r[3], const mjtNum a[3], const mjtNum b[3], mjtNum s) {
  set3(r, a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]);
}
static inline mjtNum dot3(const mjtNum a[3], const mjtNum b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline void cross3(mjtNum r[3], const mjtNum a[3], const mjtNum b[3]) {
  set3(r, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}
static inline mjtNum norm3(const mjtNum a[3]) { return __builtin_sqrt(dot3(a, a)); }
static inline mjtNum dist3(const mjtNum a[3], const mjtNum b[3]) {
  mjtNum d[3];
  sub3(d, a, b);
  return norm3(d);
}

// make a of length one, return its length; a vector of no length becomes the x axis
static inline mjtNum normalize3(mjtNum a[3]) {
  mjtNum n = norm3(a);
  if (n < mjMINVAL) {
    set3(a, 1, 0, 0);
  } else {
    scale3(a, a, 1 / n);
  }
  return n;
}

// rotate into the world (R a) and back (R' a); R is row-major
static inline void rotate3(mjtNum r[3], const mjtNum R[9], const mjtNum a[3]) {
  set3(r, R[0] * a[0] + R[1] * a[1] + R[2] * a[2], R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
       R[6] * a[0] + R[7] * a[1] + R[8] * a[2]);
}
static inline void rotateBack3(mjtNum r[3], const mjtNum R[9], const mjtNum a[3]) {
  set3(r, R[0] * a[0] + R[3] * a[1] + R[6] * a[2], R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
       R[2] * a[0] + R[5] * a[1] + R[8] * a[2]);
}

// column i of a row-major matrix: an axis of the frame in the world
static inline void axis3(mjtNum r[3], const mjtNum R[9], int i) { set3(r, R[i], R[3 + i], R[6 + i]); }

// second and third axis of the contact frame that belongs to this normal
static inline void tangents3(mjtNum t[2][3], const mjtNum normal[3]) {
  set3(t[0], 0, fabs(normal[1]) < 0.5, fabs(normal[1]) >= 0.5);
  addScaled3(t[0], t[0], normal, -dot3(normal, t[0]));
  normalize3(t[0]);
  cross3(t[1], normal, t[0]);
}

static inline mjtNum clip1(mjtNum x, mjtNum lo, mjtNum hi) { return x < lo ? lo : x > hi ? hi : x; }

#endif  // SHEAF_COLLIDE_VEC3_H_
