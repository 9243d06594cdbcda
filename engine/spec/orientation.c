// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Alternative descriptions of an orientation, turned into a quaternion.

#include "spec/orientation.h"

#include <math.h>
#include <string.h>

#include <mujoco/mujoco.h>

// of a squared length: below this a vector has no direction, and this close to one it has unit length
static const double TINY = 1e-14;

int mji_unit(double* vec, int n) {
  double norm2 = mju_dot(vec, vec, n);
  if (!(norm2 >= TINY)) return 0;
  if (fabs(norm2 - 1) > TINY) mju_scl(vec, vec, 1 / sqrt(norm2), n);
  return 1;
}

static const char* fromAxisAngle(double quat[4], int degree, const double axisangle[4]) {
  double axis[3] = {axisangle[0], axisangle[1], axisangle[2]};
  if (!mji_unit(axis, 3)) return "axisangle: the axis is too short";
  mju_axisAngle2Quat(quat, axis, degree ? axisangle[3] / 180 * mjPI : axisangle[3]);
  return NULL;
}

// x axis as given, y axis made orthogonal to it
static const char* fromXYAxes(double quat[4], const double xyaxes[6]) {
  double x[3], y[3], z[3];
  mju_copy3(x, xyaxes);
  mju_copy3(y, xyaxes + 3);
  if (!mji_unit(x, 3)) return "xyaxes: the x axis is too short";
  mju_addToScl3(y, x, -mju_dot3(x, y));
  if (!mji_unit(y, 3)) return "xyaxes: the y axis is too short or along the x axis";
  mju_cross(z, x, y);
  mjtNum mat[9] = {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
  mju_mat2Quat(quat, mat);
  return NULL;
}

static const char* fromZAxis(double quat[4], const double zaxis[3]) {
  double z[3];
  mju_copy3(z, zaxis);
  if (!mji_unit(z, 3)) return "zaxis: the axis is too short";
  mju_quatZ2Vec(quat, z);
  return NULL;
}

static const char* fromEuler(double quat[4], int degree, const char* sequence, const double euler[3]) {
  // a bad sequence leaves the rotations before its first bad letter
  double angle[3] = {0, 0, 0};
  char seq[4] = "xxx";
  int n = 0;
  for (; n < 3 && sequence[n] && strchr("xyzXYZ", sequence[n]); n++) {
    seq[n] = sequence[n];
    angle[n] = degree ? euler[n] / 180 * mjPI : euler[n];
  }
  mju_euler2Quat(quat, angle, seq);
  return n < 3 ? "euler: the sequence may only have the letters x, y, z, X, Y, Z" : NULL;
}

const char* mjs_resolveOrientation(double quat[4], mjtByte degree, const char* sequence,
                                   const mjsOrientation* orientation) {
  switch (orientation->type) {
    case mjORIENTATION_AXISANGLE: return fromAxisAngle(quat, degree, orientation->axisangle);
    case mjORIENTATION_XYAXES: return fromXYAxes(quat, orientation->xyaxes);
    case mjORIENTATION_ZAXIS: return fromZAxis(quat, orientation->zaxis);
    case mjORIENTATION_EULER: return fromEuler(quat, degree, sequence, orientation->euler);
    default: return NULL;
  }
}
