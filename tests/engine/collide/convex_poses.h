// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Poses of two convex shapes: random, touching, or stacked: parallel axes with faces, edges and corners on each other,
// up to the ninth digit.
#ifndef SHEAF_TESTS_COLLIDE_CONVEX_POSES_H_
#define SHEAF_TESTS_COLLIDE_CONVEX_POSES_H_

#include "brute_force.h"

static void turn(mjtNum mat[9], double spread) {
  mjtNum q[4] = {spread > 0 ? 1 : noise(), 0, 0, 0};
  for (int k = 1; k < 4; k++) q[k] = spread > 0 ? spread * noise() : noise();
  mju_normalize4(q);
  mju_quat2Mat(mat, q);
}

static void quarterTurn(mjtNum mat[9]) {
  int a = rand_r(&seed) % 3, b = (a + 1 + rand_r(&seed) % 2) % 3;
  double x[3] = {0}, y[3] = {0}, z[3];
  x[a] = rand_r(&seed) & 1 ? 1 : -1;
  y[b] = rand_r(&seed) & 1 ? 1 : -1;
  mju_cross(z, x, y);
  for (int k = 0; k < 3; k++) mat[3 * k] = x[k], mat[3 * k + 1] = y[k], mat[3 * k + 2] = z[k];
}

enum { RANDOM, TOUCHING, STACKED, NKIND };

// move the second shape until it hardly touches the first
static void touch(const pair* p, mjtNum pos[3], const double n[3]) {
  least r = truthOf(p, n);
  mju_addToScl3(pos, r.normal, r.depth);
  for (int i = 0; i < 2; i++) {
    if (p->shape[0]->polytope && p->shape[1]->polytope) {
      r = truthOf(p, n);
    } else {
      r.depth = overlap(p, r.normal);
      refine(&r, p, 1e-2, 1e-7);
    }
    mju_addToScl3(pos, r.normal, r.depth);
  }
}

static void place(const pair* p, int kind) {
  mjtNum *pos = p->d->geom_xpos + 3 * p->geom[1], *mat = p->d->geom_xmat + 9 * p->geom[1];
  mjtNum* first = p->d->geom_xmat + 9 * p->geom[0];
  mju_zero3(p->d->geom_xpos + 3 * p->geom[0]);
  if (kind == STACKED) {
    static const double shift[4] = {0, 1, -1, .5};
    mjtNum q[9], tiny[9];
    mju_eye(first, 3);
    quarterTurn(q);
    turn(tiny, 1e-9);
    mju_mulMatMat(mat, q, tiny, 3, 3, 3);
    for (int k = 0; k < 3; k++) {
      double axis[3] = {k == 0, k == 1, k == 2}, back[3] = {-axis[0], -axis[1], -axis[2]}, local[3];
      mju_mulMatTVec3(local, mat, back);
      pos[k] =
          (reachLocal(p, 0, axis) + reachLocal(p, 1, local)) * shift[rand_r(&seed) % 4] * (unit() < .3 ? .999 : 1) +
          1e-9 * noise();
    }
    return;
  }
  turn(first, 0);
  turn(mat, 0);
  double direction[3] = {noise(), noise(), noise()}, n[3];
  mju_copy3(n, direction);
  mju_normalize3(n);
  mju_zero3(pos);
  double reach = overlap(p, n);  // of shapes with the same middle: beyond it they are apart
  mju_scl3(pos, n, reach * (kind == RANDOM ? 1.1 * unit() : .9));
  if (kind == TOUCHING) touch(p, pos, n);
  if (kind == TOUCHING) mju_addToScl3(pos, n, (unit() < .5 ? 1 : -1) * pow(10, -10 + 6 * unit()));
}

#endif  // SHEAF_TESTS_COLLIDE_CONVEX_POSES_H_
