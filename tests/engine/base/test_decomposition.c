// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Numbers were recorded from MuJoCo 3.4.0.
#include "support/test.h"

#include <string.h>

#include "base/error.h"

TEST(cholesky_factor_solve_update) {
  const mjtNum mat[9] = {4, 2, 1, 2, 5, 3, 1, 3, 6}, x[3] = {1, -2, 0.5}, d[3] = {0.3, 0, -0.7};
  mjtNum L[9], res[3], rhs[3];
  mju_copy(L, mat, 9);
  CHECK_EQ(mju_cholFactor(L, 3, 0), 3);
  mju_mulMatVec(rhs, mat, x, 3, 3);
  mju_cholSolve(res, L, rhs, 3);
  CHECK_ARRAY(res, x, 3, 1e-14);

  // (mat + d*d') x from the updated factor, then back to the first
  mjtNum work[3], updated[9];
  mju_copy3(work, d);
  mju_copy(updated, L, 9);
  CHECK_EQ(mju_cholUpdate(updated, work, 3, 1), 3);
  mju_addToScl3(rhs, d, mju_dot3(d, x));
  mju_cholSolve(res, updated, rhs, 3);
  CHECK_ARRAY(res, x, 3, 1e-14);
  mju_copy3(work, d);
  CHECK_EQ(mju_cholUpdate(updated, work, 3, 0), 3);
  for (int i = 0; i < 3; i++) CHECK_ARRAY(updated + 3 * i, L + 3 * i, i + 1, 1e-14);
}

TEST(cholesky_reports_lost_rank) {
  mjtNum mat[4] = {1, 1, 1, 1};
  CHECK_EQ(mju_cholFactor(mat, 2, 1e-6), 1);
}

// bands of width 2 and one dense row
TEST(band_matrix_against_dense) {
  enum { N = 4, BAND = 2, DENSE = 1, SIZE = (N - DENSE) * BAND + DENSE * N };
  const mjtNum full[16] = {4, 1, 0, 0.5, 1, 5, 2, -1, 0, 2, 6, 0.3, 0.5, -1, 0.3, 3};
  const mjtNum x[4] = {1, -1, 2, 0.5};
  mjtNum band[SIZE] = {0}, dense[16], res[4], want[4];
  mju_dense2Band(band, full, N, BAND, DENSE);
  mju_band2Dense(dense, band, N, BAND, DENSE, 1);
  CHECK_ARRAY(dense, full, 16, 0);
  CHECK_EQ(mju_bandDiag(1, N, BAND, DENSE), 3);
  CHECK_EQ(mju_bandDiag(3, N, BAND, DENSE), 9);

  mju_mulMatVec(want, full, x, N, N);
  mju_bandMulMatVec(res, band, x, N, BAND, DENSE, 1, 1);
  CHECK_ARRAY(res, want, N, 1e-15);

  CHECK(mju_cholFactorBand(band, N, BAND, DENSE, 0, 0) > 0);
  mju_cholSolveBand(res, band, want, N, BAND, DENSE);
  CHECK_ARRAY(res, x, N, 1e-14);
}

TEST(band_factor_of_indefinite_matrix_is_zero) {
  mjtNum band[4] = {0, 1, 2, 1};  // 1 2; 2 1
  CHECK_EQ(mju_cholFactorBand(band, 2, 2, 0, 0, 0), 0);
}

TEST(eigenvalues_decrease) {
  const mjtNum mat[9] = {2, 0.3, -0.1, 0.3, 1, 0.4, -0.1, 0.4, 3};
  mjtNum val[3], vec[9], quat[4];
  CHECK_EQ(mju_eig3(val, vec, quat, mat), 6);
  CHECK_ARRAY(val, ((mjtNum[]){3.078697080201783, 2.0829933730570676, 0.8383095467411482}), 3, 1e-14);
  CHECK_ARRAY(quat, ((mjtNum[]){0.4700054265863105, 0.5089637042435291, -0.3837999064314701, 0.6105313084235078}), 4,
              1e-12);
  CHECK_NEAR(vec[0], -0.040101693484251355, 1e-12);

  // diagonal matrices are only sorted
  mju_eig3(val, vec, quat, ((mjtNum[]){1, 0, 0, 0, 2, 0, 0, 0, 3}));
  CHECK_ARRAY(val, ((mjtNum[]){3, 2, 1}), 3, 0);
}

static const mjtNum H[9] = {3, 1, 0.5, 1, 2, 0.3, 0.5, 0.3, 1}, g[3] = {-2, 1, 0.5};
static const mjtNum lower[3] = {-1, -0.2, -1}, upper[3] = {0.4, 1, 1};

TEST(box_qp_holds_two_bounds) {
  mjtNum res[3] = {0}, R[3 * 10];
  int index[3];
  CHECK_EQ(mju_boxQP(res, R, index, H, g, 3, lower, upper), 1);
  CHECK_ARRAY(res, ((mjtNum[]){0.4, -0.2, -0.64}), 3, 1e-12);
  CHECK_EQ(index[0], 2);
  CHECK_NEAR(R[0], 1, 1e-15);
}

TEST(box_qp_without_bounds_solves) {
  mjtNum res[3] = {0}, R[3 * 10], residual[3];
  CHECK_EQ(mju_boxQP(res, R, NULL, H, g, 3, NULL, NULL), 3);
  mju_mulMatVec(residual, H, res, 3, 3);
  mju_addTo3(residual, g);
  CHECK_ARRAY(residual, ((mjtNum[]){0, 0, 0}), 3, 1e-14);
}

TEST(box_qp_reads_the_lower_triangle) {
  mjtNum full[9] = {4, 1, 0.5, 1, 3, 0.25, 0.5, 0.25, 2}, upside[9] = {4, 7, -9, 1, 3, 5, 0.5, 0.25, 2};
  const mjtNum grad[3] = {1, -2, 3}, low[3] = {-0.5, -0.5, -0.5}, high[3] = {0.5, 0.4, 0.5};
  for (int bounded = 0; bounded < 2; bounded++) {
    mjtNum want[3] = {0}, res[3] = {0}, R[3 * 10];
    int index[3], n = mju_boxQP(want, R, NULL, full, grad, 3, bounded ? low : NULL, bounded ? high : NULL);
    CHECK_EQ(mju_boxQP(res, R, NULL, upside, grad, 3, bounded ? low : NULL, bounded ? high : NULL), n);
    CHECK_ARRAY(res, want, 3, 0);
    mju_zero3(res);
    CHECK_EQ(mju_boxQP(res, R, index, upside, grad, 3, bounded ? low : NULL, bounded ? high : NULL), n);
    CHECK_ARRAY(res, want, 3, 0);
    if (bounded) CHECK_ARRAY(res, ((mjtNum[]){-0.2875, 0.4, -0.5}), 3, 1e-12);  // MuJoCo 4.0.0
  }
}

TEST(box_qp_refuses_what_it_cannot_solve) {
  mjtNum res[3] = {0}, R[3 * 10], negative[9];
  mju_scl(negative, H, -1, 9);
  CHECK_EQ(mju_boxQP(res, R, NULL, negative, g, 3, lower, upper), -1);

  mjiTrap trap;
  if (mji_tryBegin(&trap)) {
    CHECK_TEXT(trap.text, "upper bound 0");
  } else {
    mju_boxQP(res, R, NULL, H, g, 3, upper, lower);
    mji_tryEnd(&trap);
    CHECK(!"an error comes back");
  }
}

TEST(box_qp_memory) {
  mjtNum *res, *R, *h, *grad, *lo, *up;
  int* index;
  mju_boxQPmalloc(&res, &R, &index, &h, &grad, 3, &lo, &up);
  mju_copy(h, H, 9);
  mju_copy(grad, g, 3);
  mju_copy(lo, lower, 3);
  mju_copy(up, upper, 3);
  mju_zero3(res);
  CHECK_EQ(mju_boxQP(res, R, index, h, grad, 3, lo, up), 1);
  mju_free(res);
  mju_free(R);
  mju_free(index);
  mju_free(h);
  mju_free(grad);
  mju_free(lo);
  mju_free(up);
}
