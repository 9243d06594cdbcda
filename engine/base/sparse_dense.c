// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Conversion between dense matrices and compressed sparse rows.
#include <mujoco/mujoco.h>

int mju_dense2sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr, int* colind, int nnz) {
  if (nnz <= 0) return 1;
  int next = 0;
  for (int r = 0; r < nr; r++) {
    rowadr[r] = next;
    rownnz[r] = 0;
    for (int c = 0; c < nc; c++) {
      if (mat[r * nc + c] == 0) continue;
      if (next == nnz) return 1;
      res[next] = mat[r * nc + c];
      colind[next++] = c;
      rownnz[r]++;
    }
  }
  return 0;
}

void mju_sparse2dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz, const int* rowadr,
                      const int* colind) {
  mju_zero(res, nr * nc);
  for (int r = 0; r < nr; r++) {
    for (int k = rowadr[r]; k < rowadr[r] + rownnz[r]; k++) res[r * nc + colind[k]] = mat[k];
  }
}
