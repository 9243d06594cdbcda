// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Numbers were recorded from MuJoCo 3.4.0.
#include "support/test.h"

#include <string.h>

TEST(normalize_of_nothing_is_the_first_axis) {
  mjtNum vec[5] = {0, 1e-16, 0, 0, 0};
  CHECK_NEAR(mju_normalize(vec, 5), 1e-16, 0);
  CHECK_ARRAY(vec, ((mjtNum[]){1, 0, 0, 0, 0}), 5, 0);
  CHECK_EQ(mju_normalize3(vec + 1), 0);
  CHECK_ARRAY(vec, ((mjtNum[]){1, 1, 0, 0, 0}), 5, 0);
}

TEST(unit_quaternion_keeps_its_bits) {
  mjtNum quat[4] = {0.6, 0, 0.8, 0}, copy[4];
  mju_copy4(copy, quat);
  mju_normalize4(quat);
  CHECK(!memcmp(quat, copy, sizeof quat));
}

TEST(results_may_replace_arguments) {
  mjtNum mat[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, vec[3] = {1, 2, 3};
  mju_mulMatVec3(vec, mat, vec);
  CHECK_ARRAY(vec, ((mjtNum[]){8, 26, 44}), 3, 0);
  mju_mulMatTVec3(vec, mat, vec);
  CHECK_ARRAY(vec, ((mjtNum[]){342, 420, 498}), 3, 0);
  mju_cross(vec, vec, (mjtNum[]){1, 0, 0});
  CHECK_ARRAY(vec, ((mjtNum[]){0, 498, -420}), 3, 0);
}

TEST(products_of_matrices) {
  const mjtNum a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 0, -1, 2, 3, 1};
  mjtNum res[9];
  mju_mulMatMat(res, a, b, 2, 3, 2);
  CHECK_ARRAY(res, ((mjtNum[]){8, 7, 17, 16}), 4, 0);
  mju_mulMatMatT(res, a, b, 2, 3, 2);
  CHECK_ARRAY(res, ((mjtNum[]){-2, 11, -2, 29}), 4, 0);
  mju_mulMatTMat(res, a, b, 2, 3, 3);
  CHECK_ARRAY(res, ((mjtNum[]){9, 12, 3, 12, 15, 3, 15, 18, 3}), 9, 0);
  mju_sqrMatTD(res, a, (mjtNum[]){2, -1}, 2, 3);
  CHECK_ARRAY(res, ((mjtNum[]){-14, -16, -18, -16, -17, -18, -18, -18, -18}), 9, 0);
}

TEST(dot_of_every_length) {
  mjtNum a[11], b[11];
  for (int i = 0; i < 11; i++) a[i] = i + 1, b[i] = 1;
  for (int n = 0; n <= 11; n++) CHECK_EQ(mju_dot(a, b, n), n * (n + 1) / 2);
}

TEST(spatial_vectors_change_point_and_axes) {
  const mjtNum vec[6] = {1, 2, 3, 4, 5, 6}, from[3] = {0, 1, 0}, to[3] = {1, 0, 2};
  const mjtNum rot[9] = {0, -0.8, 0.6, 0.6, -0.48, -0.64, 0.8, 0.36, 0.48};
  mjtNum res[6];
  mju_transformSpatial(res, vec, 0, to, from, rot);
  CHECK_ARRAY(res, ((mjtNum[]){3.6, -0.68, 0.76, 6, -10.6, 4.2}), 6, 1e-14);
  mju_transformSpatial(res, vec, 1, to, from, rot);
  CHECK_ARRAY(res, ((mjtNum[]){-4.8, -15.76, 7.32, 7.8, -3.44, 2.08}), 6, 1e-14);
}

TEST(sparse_and_dense) {
  const mjtNum mat[6] = {0, 2, 0, 3, 0, 4};
  mjtNum val[3], back[6];
  int rownnz[2], rowadr[2], colind[3];
  CHECK_EQ(mju_dense2sparse(val, mat, 2, 3, rownnz, rowadr, colind, 2), 1);  // no room
  CHECK_EQ(mju_dense2sparse(val, mat, 2, 3, rownnz, rowadr, colind, 3), 0);
  CHECK(rownnz[0] == 1 && rownnz[1] == 2 && rowadr[1] == 1);
  CHECK(colind[0] == 1 && colind[1] == 0 && colind[2] == 2);
  mju_sparse2dense(back, val, 2, 3, rownnz, rowadr, colind);
  CHECK_ARRAY(back, mat, 6, 0);
}
