// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Vectors and dense row-major matrices of any size.
#include <string.h>

#include <mujoco/mujoco.h>

// ---- vectors

void mju_zero(mjtNum* res, int n) {
  if (n > 0) memset(res, 0, (size_t)n * sizeof(mjtNum));
}

void mju_fill(mjtNum* res, mjtNum val, int n) {
  for (int i = 0; i < n; i++) res[i] = val;
}

void mju_copy(mjtNum* res, const mjtNum* vec, int n) {
  if (n > 0) memcpy(res, vec, (size_t)n * sizeof(mjtNum));
}

mjtNum mju_sum(const mjtNum* vec, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) sum += vec[i];
  return sum;
}

mjtNum mju_L1(const mjtNum* vec, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) sum += fabs(vec[i]);
  return sum;
}

void mju_scl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n) {
  for (int i = 0; i < n; i++) res[i] = vec[i] * scl;
}

void mju_add(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n) {
  for (int i = 0; i < n; i++) res[i] = vec1[i] + vec2[i];
}

void mju_sub(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n) {
  for (int i = 0; i < n; i++) res[i] = vec1[i] - vec2[i];
}

void mju_addTo(mjtNum* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) res[i] += vec[i];
}

void mju_subFrom(mjtNum* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) res[i] -= vec[i];
}

void mju_addToScl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n) {
  for (int i = 0; i < n; i++) res[i] += vec[i] * scl;
}

void mju_addScl(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, mjtNum scl, int n) {
  for (int i = 0; i < n; i++) res[i] = vec1[i] + vec2[i] * scl;
}

mjtNum mju_normalize(mjtNum* res, int n) {
  mjtNum norm = mju_norm(res, n);
  if (norm < mjMINVAL) {
    mju_zero(res, n);
    if (n > 0) res[0] = 1;
  } else {
    mju_scl(res, res, 1 / norm, n);
  }
  return norm;
}

mjtNum mju_norm(const mjtNum* res, int n) { return sqrt(mju_dot(res, res, n)); }

mjtNum mju_dot(const mjtNum* vec1, const mjtNum* vec2, int n) {
  // four sums side by side, joined in a fixed order
  mjtNum s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
  for (; i + 3 < n; i += 4) {
    s0 += vec1[i] * vec2[i];
    s1 += vec1[i + 1] * vec2[i + 1];
    s2 += vec1[i + 2] * vec2[i + 2];
    s3 += vec1[i + 3] * vec2[i + 3];
  }
  mjtNum sum = (s0 + s2) + (s1 + s3);
  for (; i < n; i++) sum += vec1[i] * vec2[i];
  return sum;
}

// ---- matrix times vector

void mju_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  for (int r = 0; r < nr; r++) res[r] = mju_dot(mat + r * nc, vec, nc);
}

void mju_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  mju_zero(res, nc);
  for (int r = 0; r < nr; r++) mju_addToScl(res, mat + r * nc, vec[r], nc);
}

mjtNum mju_mulVecMatVec(const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) sum += vec1[i] * mju_dot(mat + i * n, vec2, n);
  return sum;
}

// ---- matrices

void mju_transpose(mjtNum* res, const mjtNum* mat, int nr, int nc) {
  for (int r = 0; r < nr; r++) {
    for (int c = 0; c < nc; c++) res[c * nr + r] = mat[r * nc + c];
  }
}

void mju_symmetrize(mjtNum* res, const mjtNum* mat, int n) {
  for (int i = 0; i < n; i++) {
    res[i * (n + 1)] = mat[i * (n + 1)];
    for (int j = 0; j < i; j++) {
      res[i * n + j] = res[j * n + i] = 0.5 * (mat[i * n + j] + mat[j * n + i]);
    }
  }
}

void mju_eye(mjtNum* mat, int n) {
  mju_zero(mat, n * n);
  for (int i = 0; i < n; i++) mat[i * (n + 1)] = 1;
}

void mju_mulMatMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  mju_zero(res, r1 * c2);
  for (int i = 0; i < r1; i++) {
    for (int k = 0; k < c1; k++) mju_addToScl(res + i * c2, mat2 + k * c2, mat1[i * c1 + k], c2);
  }
}

void mju_mulMatMatT(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int r2) {
  for (int i = 0; i < r1; i++) {
    for (int j = 0; j < r2; j++) res[i * r2 + j] = mju_dot(mat1 + i * c1, mat2 + j * c1, c1);
  }
}

void mju_mulMatTMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  mju_zero(res, c1 * c2);
  for (int i = 0; i < r1; i++) {
    for (int j = 0; j < c1; j++) mju_addToScl(res + j * c2, mat2 + i * c2, mat1[i * c1 + j], c2);
  }
}

void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc) {
  // lower triangle of mat' * diag * mat, row by row of mat
  mju_zero(res, nc * nc);
  for (int r = 0; r < nr; r++) {
    const mjtNum* row = mat + r * nc;
    mjtNum scale = diag ? diag[r] : 1;
    if (scale == 0) continue;
    for (int i = 0; i < nc; i++) {
      if (row[i] != 0) mju_addToScl(res + i * nc, row, row[i] * scale, i + 1);
    }
  }

  // mirror it
  for (int i = 0; i < nc; i++) {
    for (int j = 0; j < i; j++) res[j * nc + i] = res[i * nc + j];
  }
}
