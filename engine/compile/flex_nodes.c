// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Stiffness of a flex that follows control nodes: linear elasticity of the box that they span at qpos0, as the matrix
// from displacements of nodes to forces. With 2 nodes on each axis displacements are trilinear, with 3 quadratic; as
// many points of Gauss on each axis integrate exactly over a box.

#include <math.h>

#include "compile/compile_flex.h"

enum { MAX_NODES = 27 };

// ---- shape functions of node i on one axis, for s from 0 to 1

static double shape(int order, int i, double s) {
  if (order == 1) return i ? s : 1 - s;
  return i == 0 ? (1 - s) * (1 - 2 * s) : i == 1 ? 4 * s * (1 - s) : s * (2 * s - 1);
}

static double slope(int order, int i, double s) {
  if (order == 1) return i ? 1 : -1;
  return i == 0 ? 4 * s - 3 : i == 1 ? 4 - 8 * s : 4 * s - 1;
}

// gradient of the shape function of a node by the coordinates of the unit box; node ids count z first
static void unitGradient(double g[3], int order, int node, const double s[3]) {
  const int side = order + 1, i[3] = {node / (side * side), node / side % side, node % side};
  for (int k = 0; k < 3; k++) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    g[k] = slope(order, i[k], s[k]) * shape(order, i[a], s[a]) * shape(order, i[b], s[b]);
  }
}

// gradients by places in space, at a point of the box; returns the volume that belongs to the unit volume
static double gradients(double g[][3], const mjiFlex* f, const double s[3]) {
  double unit[MAX_NODES][3], jac[9] = {0}, inverse[9];
  for (int n = 0; n < f->nnode; n++) {
    unitGradient(unit[n], f->interp, n, s);
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) jac[3 * i + k] += unit[n][i] * f->nodepos[3 * n + k];
    }
  }
  // rows of the inverse transposed, times the determinant
  for (int i = 0; i < 3; i++) mju_cross(inverse + 3 * i, jac + 3 * ((i + 1) % 3), jac + 3 * ((i + 2) % 3));
  const double det = mju_dot3(jac, inverse);
  for (int n = 0; n < f->nnode; n++) {
    mju_mulMatTVec3(g[n], inverse, unit[n]);
    mju_scl3(g[n], g[n], 1 / det);
  }
  return det;
}

// ---- the matrix

// minus the stiffness: what pulls nodes back
static void addPoint(double* K, double g[][3], int nnode, double mu, double lambda, double weight) {
  for (int a = 0; a < nnode; a++) {
    for (int b = 0; b < nnode; b++) {
      const double dot = mju_dot3(g[a], g[b]);
      for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
          const double shear = (i == k ? dot : 0) + g[b][i] * g[a][k];
          K[3 * nnode * (3 * a + i) + 3 * b + k] -= weight * (mu * shear / 2 + lambda * g[a][i] * g[b][k]);
        }
      }
    }
  }
}

int mji_flex_stiffenNodes(mjiFlex* f, double young, double poisson) {
  static const double place[3][3] = {{0}, {-1, 1}, {-1, 0, 1}},
                      part[3][3] = {{0}, {0.5, 0.5}, {5. / 18, 8. / 18, 5. / 18}};
  if (21 * (int64_t)f->nelem < 9 * (int64_t)f->nnode * f->nnode) return -1;
  const double mu = young / (2 * (1 + poisson)), lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  const double far = f->interp == 1 ? 1 / sqrt(3) : sqrt(3. / 5);
  const int n = f->interp + 1;
  for (int p = 0; p < n * n * n; p++) {
    const int i[3] = {p / (n * n), p / n % n, p % n};
    double s[3], weight = 1, g[MAX_NODES][3];
    for (int k = 0; k < 3; k++) {
      s[k] = (1 + far * place[f->interp][i[k]]) / 2;
      weight *= part[f->interp][i[k]];
    }
    const double det = gradients(g, f, s);
    addPoint(f->stiffness, g, f->nnode, mu, lambda, det * weight);
  }
  return 0;
}
