// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Muscle curves; numbers recorded from the reference, version 3.4.0.

#include "actuate/actuate.h"

#include "support/test.h"

static const mjtNum prm[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
static const mjtNum lengthrange[2] = {-0.5, 0.7};
static const mjtNum acc0 = 3;

TEST(gain_over_length) {
  static const mjtNum length[7] = {-0.9, -0.4, -0.1, 0.2, 0.5, 0.8, 1.2};
  static const mjtNum gain[7] = {-12.383333333333319, -40.93379629629631, -56.41296296296298, -65.70046296296297,
                                 -68.79629629629629,  -66.64641203703702, -57.09137088477366};
  static const mjtNum bias[7] = {0, 0, 0, 0, 0, -2.708333333333346, -14.745370370370374};
  for (int i = 0; i < 7; i++) {
    CHECK_NEAR(mju_muscleGain(length[i], 0.1, lengthrange, acc0, prm), gain[i], 1e-13);
    CHECK_NEAR(mju_muscleBias(length[i], lengthrange, acc0, prm), bias[i], 1e-13);
  }
}

TEST(gain_over_velocity) {
  static const mjtNum length[3] = {-0.1, 0.3, 0.6}, velocity[6] = {-8, -1, 0, 0.05, 0.5, 3};
  static const mjtNum gain[18] = {
      0, -37.96296296296297,  -54.666666666666686, -55.55879629629632, -61.87962962962965, -65.60000000000002,
      0, -45.37037037037037,  -65.33333333333334,  -66.39953703703705, -73.95370370370371, -78.4,
      0, -46.135545267489704, -66.43518518518519,  -67.5193704989712,  -75.20093878600824, -79.72222222222223};
  for (int i = 0; i < 18; i++) {
    CHECK_NEAR(mju_muscleGain(length[i / 6], velocity[i % 6], lengthrange, acc0, prm), gain[i], 1e-13);
  }
}

TEST(gain_velocity_is_its_slope) {
  const mjtNum eps = 1e-6;
  for (mjtNum v = -2; v < 1; v += 0.0937) {
    mjtNum slope =
        (mju_muscleGain(0.1, v + eps, lengthrange, acc0, prm) - mju_muscleGain(0.1, v - eps, lengthrange, acc0, prm)) /
        (2 * eps);
    CHECK_NEAR(mji_muscle_gainVel(0.1, v, lengthrange, acc0, prm), slope, 1e-6);
  }
}

TEST(peak_force_is_given_or_scaled_by_acc0) {
  mjtNum given[9];
  mju_copy(given, prm, 9);
  given[2] = 200 / acc0;
  CHECK_NEAR(mju_muscleGain(0.1, 0, lengthrange, acc0, given), mju_muscleGain(0.1, 0, lengthrange, acc0, prm), 1e-13);
}

TEST(activation_dynamics) {
  static const mjtNum width[2] = {0, 0.5}, ctrl[4] = {-0.2, 0.1, 0.9, 1.5}, act[3] = {0, 0.3, 1.1};
  // clang-format off
  static const mjtNum rate[24] = {
      0, -7.124999999999999, -55, 20, -4.749999999999999, -50, 180, 63.15789473684212,
      -10.000000000000004, 200, 73.68421052631578, -5.000000000000004, 0,
      -7.124999999999999, -55, 5.803493703209338, -4.781696190452844, -50,
      179.99999999999986, 63.1578947368421, -10.000000000000004, 199.99999999999983,
      73.68421052631577, -5.000000000000004};
  // clang-format on
  for (int i = 0; i < 24; i++) {
    mjtNum dynprm[3] = {0.01, 0.04, width[i / 12]};
    CHECK_NEAR(mju_muscleDynamics(ctrl[i / 3 % 4], act[i % 3], dynprm), rate[i], 1e-13);
  }
}
