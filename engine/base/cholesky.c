// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Cholesky factors of dense matrices: mat = L * L', in the lower triangle.
#include <mujoco/mujoco.h>

int mju_cholFactor(mjtNum* mat, int n, mjtNum mindiag) {
  int rank = n;
  for (int j = 0; j < n; j++) {
    mjtNum diag = mat[j * (n + 1)] - mju_dot(mat + j * n, mat + j * n, j);
    if (diag < mindiag) {
      diag = mindiag;
      rank--;
    }
    mat[j * (n + 1)] = sqrt(diag);

    // column below the diagonal
    mjtNum inv = 1 / mat[j * (n + 1)];
    for (int i = j + 1; i < n; i++) {
      mat[i * n + j] = (mat[i * n + j] - mju_dot(mat + i * n, mat + j * n, j)) * inv;
    }
  }
  return rank;
}

void mju_cholSolve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n) {
  if (res != vec) mju_copy(res, vec, n);

  // L * y = vec
  for (int i = 0; i < n; i++) res[i] = (res[i] - mju_dot(mat + i * n, res, i)) / mat[i * (n + 1)];

  // L' * res = y
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) res[i] -= mat[j * n + i] * res[j];
    res[i] /= mat[i * (n + 1)];
  }
}

int mju_cholUpdate(mjtNum* mat, mjtNum* x, int n, int flg_plus) {
  // L * L' +- x * x', column by column with Givens rotations; x is used up
  int rank = n;
  mjtNum sign = flg_plus ? 1 : -1;
  for (int k = 0; k < n; k++) {
    if (x[k] == 0) continue;
    mjtNum* Lkk = mat + k * (n + 1);
    mjtNum diag = *Lkk * *Lkk + sign * x[k] * x[k];
    if (diag < mjMINVAL) {
      diag = mjMINVAL;
      rank--;
    }
    mjtNum r = sqrt(diag), c = r / *Lkk, cinv = 1 / c, s = x[k] / *Lkk;
    *Lkk = r;
    for (int i = k + 1; i < n; i++) {
      mjtNum* Lik = mat + i * n + k;
      *Lik = (*Lik + sign * s * x[i]) * cinv;
      x[i] = c * x[i] - s * *Lik;
    }
  }
  return rank;
}
