// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rotations, quaternions and spatial vectors over the lane type.
//
// Spatial vectors have the rotational part first. A "com frame" has the orientation of the world
// and its origin at the center of mass of the kinematic tree. Inertias are 10 numbers: the six of
// the rotational inertia (xx yy zz xy xz yz), mass times offset (3), mass. Names ending in S take a
// number of the model. Outputs may be the same array as an input only where that is said.
#ifndef SHEAF_DYNAMICS_SPATIAL_H_
#define SHEAF_DYNAMICS_SPATIAL_H_

#include <mujoco/mujoco.h>

#include "lanes/lanes.h"

#include "model/number.h"

static inline void copy3(V* r, const V* a) {
  r[0] = a[0];
  r[1] = a[1];
  r[2] = a[2];
}
static inline void copyN(V* r, const V* a, int n) {
  for (int i = 0; i < n; i++) r[i] = a[i];
}
static inline void zeroN(V* r, int n) {
  for (int i = 0; i < n; i++) r[i] = v_zero();
}

static inline V dot3(const V* a, const V* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline V dot6(const V* a, const V* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// r = a x b; r may be a or b
static inline void cross3(V* r, const V* a, const V* b) {
  V x = a[1] * b[2] - a[2] * b[1];
  V y = a[2] * b[0] - a[0] * b[2];
  V z = a[0] * b[1] - a[1] * b[0];
  r[0] = x;
  r[1] = y;
  r[2] = z;
}

// r = mat * v
static inline void mulMat3(V* r, const V* mat, const V* v) {
  for (int i = 0; i < 3; i++) r[i] = mat[3 * i] * v[0] + mat[3 * i + 1] * v[1] + mat[3 * i + 2] * v[2];
}
static inline void mulMat3S(V* r, const V* mat, const N* v) {
  for (int i = 0; i < 3; i++) r[i] = mat[3 * i] * v[0] + mat[3 * i + 1] * v[1] + mat[3 * i + 2] * v[2];
}

// r = mat' * v
static inline void mulMatT3(V* r, const V* mat, const V* v) {
  for (int i = 0; i < 3; i++) r[i] = mat[i] * v[0] + mat[3 + i] * v[1] + mat[6 + i] * v[2];
}

// r = a * b; r may be a or b
static inline void mulQuatV(V* r, const V* a, const V* b) {
  V w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  V x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  V y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  V z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  r[0] = w;
  r[1] = x;
  r[2] = y;
  r[3] = z;
}
static inline void mulQuatS(V* r, const V* a, const N* b) {
  V w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  V x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  V y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  V z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  r[0] = w;
  r[1] = x;
  r[2] = y;
  r[3] = z;
}

static inline void quatToMat(V* r, const V* q) {
  V q00 = q[0] * q[0], q11 = q[1] * q[1], q22 = q[2] * q[2], q33 = q[3] * q[3];
  V q01 = q[0] * q[1], q02 = q[0] * q[2], q03 = q[0] * q[3];
  V q12 = q[1] * q[2], q13 = q[1] * q[3], q23 = q[2] * q[3];
  r[0] = q00 + q11 - q22 - q33;
  r[4] = q00 - q11 + q22 - q33;
  r[8] = q00 - q11 - q22 + q33;
  r[1] = 2.0 * (q12 - q03);
  r[2] = 2.0 * (q13 + q02);
  r[3] = 2.0 * (q12 + q03);
  r[5] = 2.0 * (q23 - q01);
  r[6] = 2.0 * (q13 - q02);
  r[7] = 2.0 * (q23 + q01);
}

// r = v turned by the unit quaternion q
static inline void rotVecQuat(V* r, const V* v, const V* q) {
  V x = q[0] * v[0] + q[2] * v[2] - q[3] * v[1];
  V y = q[0] * v[1] + q[3] * v[0] - q[1] * v[2];
  V z = q[0] * v[2] + q[1] * v[1] - q[2] * v[0];
  r[0] = v[0] + 2.0 * (q[2] * z - q[3] * y);
  r[1] = v[1] + 2.0 * (q[3] * x - q[1] * z);
  r[2] = v[2] + 2.0 * (q[1] * y - q[2] * x);
}
static inline void rotVecQuatS(V* r, const N* v, const V* q) {
  V x = q[0] * v[0] + q[2] * v[2] - q[3] * v[1];
  V y = q[0] * v[1] + q[3] * v[0] - q[1] * v[2];
  V z = q[0] * v[2] + q[1] * v[1] - q[2] * v[0];
  r[0] = v[0] + 2.0 * (q[2] * z - q[3] * y);
  r[1] = v[1] + 2.0 * (q[3] * x - q[1] * z);
  r[2] = v[2] + 2.0 * (q[1] * y - q[2] * x);
}

// scale to unit length; a quaternion of no length becomes the identity
static inline void unitQuat(V* q) {
  V n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];

  // a product of unit quaternions has a length this close to 1: scaling it would only add rounding
  M far = ~v_le(v_abs(n - 1.0), v_set1(2e-15));
  if (!m_any(far)) return;
  M none = v_lt(n, v_set1(1e-30));
  V scale = v_sel(far & ~none, 1.0 / v_sqrt(v_sel(none, v_set1(1), n)), v_set1(1));
  q[0] = v_sel(none, v_set1(1), q[0] * scale);
  for (int k = 1; k < 4; k++) q[k] = v_and(~none, q[k] * scale);
}

// rotation vector of a unit quaternion, of angle at most pi
static inline void quatToVel(V* r, const V* q) {
  V sine = v_sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  V angle = 2.0 * v_map2(atan2, sine, q[0]);
  angle = v_sel(v_gt(angle, v_set1(mjPI)), angle - 2 * mjPI, angle);
  M none = v_lt(sine, v_set1(1e-15));
  V scale = v_and(~none, angle / v_sel(none, v_set1(1), sine));
  for (int k = 0; k < 3; k++) r[k] = q[1 + k] * scale;
}

// rotation vector that takes the unit quaternion `from` to `to`, in the frame of from
static inline void subQuatS(V* r, const V* to, const N* from) {
  V neg[4] = {v_num(from[0]), v_num(-from[1]), v_num(-from[2]), v_num(-from[3])};
  V dif[4];
  mulQuatV(dif, neg, to);
  quatToVel(r, dif);
}

// inertia times motion
static inline void mulInert(V* r, const V* I, const V* v) {
  r[0] = I[0] * v[0] + I[3] * v[1] + I[4] * v[2] - I[8] * v[4] + I[7] * v[5];
  r[1] = I[3] * v[0] + I[1] * v[1] + I[5] * v[2] + I[8] * v[3] - I[6] * v[5];
  r[2] = I[4] * v[0] + I[5] * v[1] + I[2] * v[2] - I[7] * v[3] + I[6] * v[4];
  r[3] = I[8] * v[1] - I[7] * v[2] + I[9] * v[3];
  r[4] = I[6] * v[2] - I[8] * v[0] + I[9] * v[4];
  r[5] = I[7] * v[0] - I[6] * v[1] + I[9] * v[5];
}

// motion cross motion
static inline void crossMotion(V* r, const V* v, const V* s) {
  r[0] = v[1] * s[2] - v[2] * s[1];
  r[1] = v[2] * s[0] - v[0] * s[2];
  r[2] = v[0] * s[1] - v[1] * s[0];
  r[3] = v[1] * s[5] - v[2] * s[4] + v[4] * s[2] - v[5] * s[1];
  r[4] = v[2] * s[3] - v[0] * s[5] + v[5] * s[0] - v[3] * s[2];
  r[5] = v[0] * s[4] - v[1] * s[3] + v[3] * s[1] - v[4] * s[0];
}

// motion cross force
static inline void crossForce(V* r, const V* v, const V* f) {
  r[0] = v[1] * f[2] - v[2] * f[1] + v[4] * f[5] - v[5] * f[4];
  r[1] = v[2] * f[0] - v[0] * f[2] + v[5] * f[3] - v[3] * f[5];
  r[2] = v[0] * f[1] - v[1] * f[0] + v[3] * f[4] - v[4] * f[3];
  r[3] = v[1] * f[5] - v[2] * f[4];
  r[4] = v[2] * f[3] - v[0] * f[5];
  r[5] = v[0] * f[4] - v[1] * f[3];
}

#endif  // SHEAF_DYNAMICS_SPATIAL_H_
