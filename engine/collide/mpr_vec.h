// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Vectors of three doubles, whatever a number of the state is.
#ifndef SHEAF_COLLIDE_MPR_VEC_H_
#define SHEAF_COLLIDE_MPR_VEC_H_

static inline double mprDot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void mprSub(double r[3], const double a[3], const double b[3]) {
  for (int k = 0; k < 3; k++) r[k] = a[k] - b[k];
}

static inline void mprScale(double r[3], double s) {
  for (int k = 0; k < 3; k++) r[k] *= s;
}

static inline void mprCross(double r[3], const double a[3], const double b[3]) {
  r[0] = a[1] * b[2] - a[2] * b[1];
  r[1] = a[2] * b[0] - a[0] * b[2];
  r[2] = a[0] * b[1] - a[1] * b[0];
}

// a vector of no length has no direction: its numbers become NaN
static inline void mprUnit(double r[3]) { mprScale(r, 1 / __builtin_sqrt(mprDot(r, r))); }

// direction of (b - a) x (c - a)
static inline void mprNormal(double r[3], const double a[3], const double b[3], const double c[3]) {
  double ab[3], ac[3];
  mprSub(ab, b, a);
  mprSub(ac, c, a);
  mprCross(r, ab, ac);
  mprUnit(r);
}

static inline double mprTriple(const double a[3], const double b[3], const double c[3]) {
  double n[3];
  mprCross(n, a, b);
  return mprDot(n, c);
}

#endif  // SHEAF_COLLIDE_MPR_VEC_H_
