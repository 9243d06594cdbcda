// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Eigenvalues and eigenvectors of a symmetric 3x3 matrix, by Jacobi rotations of a quaternion.
#include "base/eig3.h"

static const mjtNum EPS = 1e-12;

static void normalize(mjtNum quat[4], mjtNum slack) {
  if (fabs(mju_norm(quat, 4) - 1) > slack) mju_normalize4(quat);
}

// quat = quat * rotation about a coordinate axis, given by the sine and cosine of half its angle
static void turn(mjtNum quat[4], int axis, mjtNum s, mjtNum c, mjtNum slack) {
  mjtNum step[4] = {c, 0, 0, 0};
  step[1 + axis] = s;
  normalize(step, slack);
  mju_mulQuat(quat, quat, step);
  normalize(quat, slack);
}

// rotation that zeroes the off-diagonal element (r, c) of D; 0 if it is too small to matter
static int rotate(mjtNum quat[4], const mjtNum D[9], int r, int c, mjtNum slack) {
  mjtNum off = D[3 * r + c];
  if (fabs(off) < EPS) return 0;

  // tangent, then cosine of the angle
  mjtNum tau = (D[4 * c] - D[4 * r]) / (2 * off);
  mjtNum t = tau >= 0 ? 1 / (tau + sqrt(1 + tau * tau)) : -1 / (-tau + sqrt(1 + tau * tau));
  mjtNum cosine = 1 / sqrt(1 + t * t);
  if (cosine > 1 - EPS) return 0;

  // half of it, about the axis that is neither r nor c
  int axis = 3 - r - c;
  mjtNum s = sqrt(0.5 - 0.5 * cosine);
  if ((tau >= 0) != (axis == 1)) s = -s;
  turn(quat, axis, s, sqrt(1 - s * s), slack);
  return 1;
}

// row and column of the largest off-diagonal element
static void largest(const mjtNum D[9], int* r, int* c) {
  mjtNum d01 = fabs(D[1]), d02 = fabs(D[2]), d12 = fabs(D[5]);
  if (d01 > d02 && d01 > d12) {
    *r = 0, *c = 1;
  } else if (d02 > d12) {
    *r = 0, *c = 2;
  } else {
    *r = 1, *c = 2;
  }
}

int mji_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9], mjtNum slack) {
  enum { MAXITER = 500 };
  int iter = 0;
  mju_unit4(quat);
  for (; iter < MAXITER; iter++) {
    // D = eigvec' * mat * eigvec
    mjtNum D[9], tmp[9];
    mju_quat2Mat(eigvec, quat);
    mju_mulMatTMat(tmp, eigvec, mat, 3, 3, 3);
    mju_mulMatMat(D, tmp, eigvec, 3, 3, 3);
    for (int i = 0; i < 3; i++) eigval[i] = D[4 * i];

    int r, c;
    largest(D, &r, &c);
    if (!rotate(quat, D, r, c, slack)) break;
  }

  // decreasing order: swapping two axes is a quarter turn about the third
  for (int pass = 0; pass < 3; pass++) {
    int i = pass % 2;
    if (eigval[i] + EPS >= eigval[i + 1]) continue;
    mjtNum swap = eigval[i];
    eigval[i] = eigval[i + 1];
    eigval[i + 1] = swap;
    turn(quat, (i + 2) % 3, 0.707106781186548, 0.707106781186548, slack);
  }
  mju_quat2Mat(eigvec, quat);
  return iter;
}

int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]) {
  return mji_eig3(eigval, eigvec, quat, mat, mjMINVAL);
}
