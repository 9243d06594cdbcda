// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Symmetric matrices that are banded except for their last rows. Each of the first ntotal-ndense rows is
// stored as nband numbers that end at the diagonal, each of the last ndense rows as ntotal numbers.
#include <mujoco/mujoco.h>

// a row up to its diagonal: ncol numbers, the first of them in column first
typedef struct {
  int adr;
  int first;
  int ncol;
} Row;

static Row bandRow(int i, int ntotal, int nband, int ndense) {
  int nsparse = ntotal - ndense;
  if (i >= nsparse) return (Row){nsparse * nband + (i - nsparse) * ntotal, 0, i + 1};
  int ncol = i + 1 < nband ? i + 1 : nband;
  return (Row){i * nband + nband - ncol, i + 1 - ncol, ncol};
}

int mju_bandDiag(int i, int ntotal, int nband, int ndense) {
  Row row = bandRow(i, ntotal, nband, ndense);
  return row.adr + row.ncol - 1;
}

mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd, mjtNum diagmul) {
  mjtNum mindiag = -1;
  for (int i = 0; i < ntotal; i++) {
    Row ri = bandRow(i, ntotal, nband, ndense);
    mjtNum* Li = mat + ri.adr - ri.first;  // Li[c] is column c
    Li[i] += diagadd + diagmul * Li[i];

    // row i of L from the rows above, over the columns that both have
    for (int j = ri.first; j < i; j++) {
      Row rj = bandRow(j, ntotal, nband, ndense);
      const mjtNum* Lj = mat + rj.adr - rj.first;
      int first = ri.first > rj.first ? ri.first : rj.first;
      Li[j] = (Li[j] - mju_dot(Li + first, Lj + first, j - first)) / Lj[j];
    }
    mjtNum diag = Li[i] - mju_dot(Li + ri.first, Li + ri.first, i - ri.first);
    if (diag < mjMINVAL) return 0;
    Li[i] = sqrt(diag);
    if (mindiag < 0 || diag < mindiag) mindiag = diag;
  }
  return mindiag;
}

void mju_cholSolveBand(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband, int ndense) {
  if (res != vec) mju_copy(res, vec, ntotal);

  // L * y = vec
  for (int i = 0; i < ntotal; i++) {
    Row row = bandRow(i, ntotal, nband, ndense);
    const mjtNum* Li = mat + row.adr - row.first;
    res[i] = (res[i] - mju_dot(Li + row.first, res + row.first, i - row.first)) / Li[i];
  }

  // L' * res = y, by columns
  for (int i = ntotal - 1; i >= 0; i--) {
    Row row = bandRow(i, ntotal, nband, ndense);
    const mjtNum* Li = mat + row.adr - row.first;
    res[i] /= Li[i];
    mju_addToScl(res + row.first, Li + row.first, -res[i], i - row.first);
  }
}

void mju_band2Dense(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense, mjtByte flg_sym) {
  mju_zero(res, ntotal * ntotal);
  for (int i = 0; i < ntotal; i++) {
    Row row = bandRow(i, ntotal, nband, ndense);
    mju_copy(res + i * ntotal + row.first, mat + row.adr, row.ncol);
    for (int j = row.first; flg_sym && j < i; j++) res[j * ntotal + i] = res[i * ntotal + j];
  }
}

void mju_dense2Band(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense) {
  for (int i = 0; i < ntotal; i++) {
    Row row = bandRow(i, ntotal, nband, ndense);
    mju_copy(res + row.adr, mat + i * ntotal + row.first, row.ncol);
  }
}

void mju_bandMulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband, int ndense, int nvec,
                       mjtByte flg_sym) {
  for (int v = 0; v < nvec; v++, res += ntotal, vec += ntotal) {
    for (int i = 0; i < ntotal; i++) {
      Row row = bandRow(i, ntotal, nband, ndense);
      const mjtNum* Mi = mat + row.adr - row.first;
      res[i] = mju_dot(Mi + row.first, vec + row.first, row.ncol);
      if (flg_sym) mju_addToScl(res + row.first, Mi + row.first, vec[i], i - row.first);
    }
  }
}
