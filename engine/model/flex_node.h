// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Flexes whose vertices follow a grid of nodes, 2 along each axis (trilinear) or 3 (quadratic).
#ifndef SHEAF_MODEL_FLEX_NODE_H_
#define SHEAF_MODEL_FLEX_NODE_H_

#include <mujoco/mujoco.h>

// Polynomials of Lagrange for nodes at even distances on [0, 1].
static inline void mji_flexBasis(int order, mjtNum t, mjtNum value[3]) {
  if (order == 1) {
    value[0] = 1 - t;
    value[1] = t;
    value[2] = 0;
    return;
  }
  value[0] = 2 * t * t - 3 * t + 1;
  value[1] = 4 * (t - t * t);
  value[2] = 2 * t * t - t;
}

// Weights of the nodes of a flex of an order (flex_interp: 1 or 2) at a point of the unit cube. Nodes are numbered with
// the last axis fastest.
static inline void mji_flexWeights(int order, const mjtNum point[3], mjtNum weight[mjMAXFLEXNODES]) {
  mjtNum along[3][3];
  for (int k = 0; k < 3; k++) mji_flexBasis(order, point[k], along[k]);
  int n = order + 1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < n; k++) *weight++ = along[0][i] * along[1][j] * along[2][k];
    }
  }
}

// Derivatives of these polynomials.
static inline void mji_flexBasisSlope(int order, mjtNum t, mjtNum value[3]) {
  value[0] = order == 1 ? -1 : 4 * t - 3;
  value[1] = order == 1 ? 1 : 4 - 8 * t;
  value[2] = order == 1 ? 0 : 4 * t - 1;
}

// Gradients of the weights of the nodes at a point of the unit cube, three numbers each.
static inline void mji_flexSlopes(int order, const mjtNum point[3], mjtNum slope[3 * mjMAXFLEXNODES]) {
  mjtNum along[3][3], rate[3][3];
  for (int k = 0; k < 3; k++) {
    mji_flexBasis(order, point[k], along[k]);
    mji_flexBasisSlope(order, point[k], rate[k]);
  }
  int n = order + 1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < n; k++) {
        *slope++ = rate[0][i] * along[1][j] * along[2][k];
        *slope++ = along[0][i] * rate[1][j] * along[2][k];
        *slope++ = along[0][i] * along[1][j] * rate[2][k];
      }
    }
  }
}

#endif  // SHEAF_MODEL_FLEX_NODE_H_
