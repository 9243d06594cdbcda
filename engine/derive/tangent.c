// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How a move along a velocity carries small changes of positions and of the velocity on: q' = q + h v for slides and
// hinges, q' = q exp(h v) for quaternions. Changes of a rotation are in the frame of the joint, so
//   dq' = exp(-h v) dq + h R(h v) dv,   R(u) = 1 - (1 - cos |u|) / |u|^2 [u] + (|u| - sin |u|) / |u|^3 [u][u].

#include "lanes/lanes.h"

#include "derive/slopes.h"
#include "dynamics/spatial.h"

typedef struct {
  V keep[9];  // exp(-h v)
  V push[9];  // h R(h v)
} Turn;

static void skew(V* r, const V* u) {
  zeroN(r, 9);
  r[1] = -u[2], r[2] = u[1], r[3] = u[2];
  r[5] = -u[0], r[6] = -u[1], r[7] = u[0];
}

static void makeTurn(Turn* t, const V* vel, N h) {
  V u[3] = {h * vel[0], h * vel[1], h * vel[2]}, x[9], xx[9];
  V square = dot3(u, u), angle = v_sqrt(square), sine, cosine;
  M small = v_lt(square, v_set1(1e-4));
  v_sincos(angle, &sine, &cosine);
  V safe = v_sel(small, v_set1(1), square), length = v_sel(small, v_set1(1), angle);

  // series where the quotients lose digits: the next terms are below 1e-17
  V s1 =
      v_sel(small, 1.0 - square * (1.0 / 6) * (1.0 - square * (1.0 / 20) * (1.0 - square * (1.0 / 42))), sine / length);
  V s2 = v_sel(small, 0.5 - square * (1.0 / 24) * (1.0 - square * (1.0 / 30) * (1.0 - square * (1.0 / 56))),
               (1.0 - cosine) / safe);
  V s3 = v_sel(small, 1.0 / 6 - square * (1.0 / 120) * (1.0 - square * (1.0 / 42) * (1.0 - square * (1.0 / 72))),
               (length - sine) / (safe * length));
  skew(x, u);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) xx[3 * i + k] = u[i] * u[k] - (i == k ? square : v_zero());
  }
  for (int i = 0; i < 9; i++) {
    V one = v_set1(i % 4 == 0);
    t->keep[i] = one - s1 * x[i] + s2 * xx[i];
    t->push[i] = h * (one - s2 * x[i] + s3 * xx[i]);
  }
}

static void turnColumns(const Turn* t, V* x, const V* q, const V* v, int n, int stride) {
  for (int c = 0; c < n; c++, x += stride, q += stride, v += stride) {
    V a[3], b[3];
    mulMat3(a, t->keep, q);
    mulMat3(b, t->push, v);
    for (int k = 0; k < 3; k++) x[k] = a[k] + b[k];
  }
}

void LANE(moveTangent)(const mjModel* m, const mjtNum* qvel, N h, V* x, const V* q, const V* v, int n, int stride) {
  for (int j = 0; j < m->njnt; j++) {
    int type = m->jnt_type[j], dof = m->jnt_dofadr[j];
    int straight = type == mjJNT_FREE ? 3 : type == mjJNT_BALL ? 0 : 1;
    for (int k = dof; k < dof + straight; k++) {
      for (int c = 0; c < n; c++) x[c * stride + k] = q[c * stride + k] + h * v[c * stride + k];
    }
    if (straight == 1) continue;
    Turn turn;
    dof += straight;
    makeTurn(&turn, CLANES(qvel) + dof, h);
    turnColumns(&turn, x + dof, q + dof, v + dof, n, stride);
  }
}
