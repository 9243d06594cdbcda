// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Numbers were recorded from MuJoCo 3.4.0.
#include "support/test.h"

static const mjtNum q[4] = {0.5, 0.5, -0.1, 0.7};
static const mjtNum p[4] = {0.28284271247461906, -0.848528137423857, 0.4242640687119285, 0.14142135623730953};
static const mjtNum v[3] = {0.3, -0.4, 1.2};
static const mjtNum qmat[9] = {0, -0.8, 0.6, 0.6, -0.48, -0.64, 0.8, 0.36, 0.48};

TEST(rotate_multiply_and_subtract) {
  mjtNum r[4];
  mju_rotVecQuat(r, v, q);
  CHECK_ARRAY(r, ((mjtNum[]){1.04, -0.396, 0.672}), 3, 1e-15);
  mju_mulQuat(r, q, p);
  CHECK_ARRAY(r, ((mjtNum[]){0.5091168824543142, -0.5939696961966999, -0.48083261120685233, 0.39597979746446665}), 4,
              1e-15);
  mju_subQuat(r, q, p);
  CHECK_ARRAY(r, ((mjtNum[]){-0.7017123801893901, 2.4949773517844984, -0.7017123801893901}), 3, 1e-14);
  mju_derivQuat(r, q, v);
  CHECK_ARRAY(r, ((mjtNum[]){-0.515, -0.005, 0.095, 0.385}), 4, 1e-15);
}

TEST(velocity_takes_the_shorter_way) {
  mjtNum opposite[4], r[3];
  mju_scl(opposite, q, -1, 4);
  mju_quat2Vel(r, opposite, 0.1);
  CHECK_ARRAY(r, ((mjtNum[]){12.09199576156145, -2.4183991523122903, 16.92879406618603}), 3, 1e-14);

  // q and -q are the same rotation
  mju_subQuat(r, q, opposite);
  CHECK_ARRAY(r, ((mjtNum[]){0, 0, 0}), 3, 1e-14);
}

TEST(integrate_undoes_subtract) {
  mjtNum r[4], vel[3];
  mju_copy4(r, q);
  mju_quatIntegrate(r, v, 0.5);
  CHECK_ARRAY(r, ((mjtNum[]){0.2208345559514764, 0.5499682275271542, -0.23968213699196664, 0.7689730299661481}), 4,
              1e-15);
  mju_subQuat(vel, r, q);
  mju_scl3(vel, vel, 2);
  CHECK_ARRAY(vel, v, 3, 1e-14);
}

TEST(zero_quaternion_becomes_the_identity) {
  mjtNum r[4] = {0, 0, 0, 0};
  CHECK_EQ(mju_normalize4(r), 0);
  CHECK_ARRAY(r, ((mjtNum[]){1, 0, 0, 0}), 4, 0);
  mju_zero4(r);
  mju_quatIntegrate(r, ((mjtNum[]){0, 1, 0}), 0.01);
  CHECK_ARRAY(r, ((mjtNum[]){0.999987500026042, 0, 0.00499997916669271, 0}), 4, 1e-15);
}

TEST(matrix_and_back) {
  mjtNum mat[9], r[4];
  mju_quat2Mat(mat, q);
  CHECK_ARRAY(mat, qmat, 9, 1e-15);

  // half turns and near half turns use the other branches
  static const mjtNum quats[5][4] = {
      {0.5, 0.5, -0.1, 0.7}, {0, 1, 0, 0}, {0.1, 0.3, 0.9, -0.3}, {0.05, -0.2, 0.1, 0.97}, {0.01, 0.9, 0.3, 0.3},
  };
  for (int i = 0; i < 5; i++) {
    mjtNum unit[4];
    mju_copy4(unit, quats[i]);
    mju_normalize4(unit);
    mju_quat2Mat(mat, unit);
    mju_mat2Quat(r, mat);
    CHECK_NEAR(fabs(mju_dot(r, unit, 4)), 1, 1e-14);
  }
}

TEST(rotation_closest_to_a_matrix) {
  mjtNum r[4] = {1, 0, 0, 0}, mat[9] = {2, 0.1, 0.2, 0.3, 1, -0.4, 0.1, 0.5, 3};
  CHECK_EQ(mju_mat2Rot(r, mat), 26);
  CHECK_ARRAY(r, ((mjtNum[]){0.9928299116900833, 0.11230169483853447, 0.014640347517609203, 0.03824599344267707}), 4,
              1e-9);
}

TEST(directions) {
  mjtNum r[4];
  mju_quatZ2Vec(r, v);
  CHECK_ARRAY(r, ((mjtNum[]){0.9805806756909201, 0.15689290811054724, 0.1176696810829104, 0}), 4, 1e-15);
  mju_quatZ2Vec(r, ((mjtNum[]){0, 0, -3}));
  CHECK_ARRAY(r, ((mjtNum[]){0, 1, 0, 0}), 4, 0);
  mju_quatZ2Vec(r, ((mjtNum[]){0, 0, 0}));
  CHECK_ARRAY(r, ((mjtNum[]){1, 0, 0, 0}), 4, 0);
}

TEST(euler_angles_mix_moving_and_fixed_axes) {
  mjtNum r[4];
  mju_euler2Quat(r, v, "xYz");
  CHECK_ARRAY(r, ((mjtNum[]){0.783037415290072, 0.009960578243064802, -0.24482483276913564, 0.5716764770361572}), 4,
              1e-15);
}

TEST(poses) {
  mjtNum pos[3], quat[4], back[3], identity[4];
  mju_mulPose(pos, quat, v, q, ((mjtNum[]){1, 2, 3}), p);
  CHECK_ARRAY(pos, ((mjtNum[]){0.5, -2.68, 4.16}), 3, 1e-15);
  CHECK_ARRAY(quat, ((mjtNum[]){0.5091168824543142, -0.5939696961966999, -0.48083261120685233, 0.39597979746446665}), 4,
              1e-15);

  // a pose times its inverse is nothing
  mjtNum ipos[3], iquat[4];
  mju_negPose(ipos, iquat, pos, quat);
  mju_mulPose(back, identity, pos, quat, ipos, iquat);
  CHECK_ARRAY(back, ((mjtNum[]){0, 0, 0}), 3, 1e-15);
  CHECK_ARRAY(identity, ((mjtNum[]){1, 0, 0, 0}), 4, 1e-15);
}

TEST(derivative_of_subtract) {
  mjtNum Da[9], Db[9], DaT[9];
  mjd_subQuat(q, p, Da, Db);
  CHECK_ARRAY(
      Da,
      ((mjtNum[]){0.3588690950381399, 0.183756008529975, 1.2944856019573268, -0.5179563716594151, 0.906006147869845,
                  0.183756008529975, -1.2004917498271717, -0.5179563716594151, 0.3588690950381399}),
      9, 1e-14);
  mju_transpose(DaT, Da, 3, 3);
  mju_scl(DaT, DaT, -1, 9);
  CHECK_ARRAY(Db, DaT, 9, 0);
}

TEST(derivative_of_integrate) {
  mjtNum Dquat[9], Dvel[9], Dscale[3];
  mjd_quatIntegrate(v, 0.5, Dquat, Dvel, Dscale);
  CHECK_ARRAY(
      Dquat,
      ((mjtNum[]){0.8069432412298754, 0.5441543483870463, 0.22964897248821328, -0.573112862202565, 0.8153894744260684,
                  0.08174137369266403, -0.1427734310416572, -0.19757542895473879, 0.969834881442168}),
      9, 1e-14);
  CHECK_ARRAY(
      Dvel,
      ((mjtNum[]){0.93472758231922, 0.2846897068291284, 0.1112146733632378, -0.29448056948124546, 0.9375832505927542,
                  0.052814559234562755, -0.08184208540688682, -0.09197800984303071, 0.9898011847373781}),
      9, 1e-14);
  CHECK_ARRAY(Dscale, v, 3, 0);
}

// the columns of Dquat and Dvel against finite differences of the function itself
TEST(derivative_of_integrate_is_the_slope) {
  const mjtNum h = 0.5, eps = 1e-6;
  mjtNum Dquat[9], Dvel[9], end[4];
  mjd_quatIntegrate(v, h, Dquat, Dvel, NULL);
  mju_copy4(end, q);
  mju_quatIntegrate(end, v, h);
  for (int k = 0; k < 3; k++) {
    mjtNum nudge[3] = {0, 0, 0}, moved[4], vel[3], slope[3];
    nudge[k] = eps;
    mju_copy4(moved, q);
    mju_quatIntegrate(moved, nudge, 1);
    mju_quatIntegrate(moved, v, h);
    mju_subQuat(slope, moved, end);
    for (int i = 0; i < 3; i++) CHECK_NEAR(slope[i] / eps, Dquat[3 * i + k], 1e-5);

    mju_addScl3(vel, v, nudge, 1 / h);
    mju_copy4(moved, q);
    mju_quatIntegrate(moved, vel, h);
    mju_subQuat(slope, moved, end);
    for (int i = 0; i < 3; i++) CHECK_NEAR(slope[i] / eps, Dvel[3 * i + k], 1e-5);
  }
}
