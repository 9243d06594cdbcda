// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Numbers were recorded from MuJoCo 3.4.0.
#include "support/test.h"

#include <string.h>

TEST(scalars) {
  CHECK_EQ(mju_round(0.5), 1);
  CHECK_EQ(mju_round(-0.5), 0);
  CHECK_EQ(mju_round(-1.6), -2);
  CHECK_EQ(mju_sign(-3), -1);
  CHECK_EQ(mju_sign(0), 0);
  CHECK_EQ(mju_clip(5, -1, 2), 2);
  CHECK_NEAR(mju_sigmoid(0.3), 0.16308, 1e-15);
  CHECK(mju_sigmoid(-1) == 0 && mju_sigmoid(2) == 1);
  CHECK(mju_isBad(NAN) && mju_isBad(INFINITY) && mju_isBad(-1.1e10) && !mju_isBad(1e10));
}

TEST(halton_sequence) {
  CHECK_NEAR(mju_Halton(1, 3), 1.0 / 3, 1e-15);
  CHECK_NEAR(mju_Halton(5, 3), 0.7777777777777777, 1e-15);
  CHECK_NEAR(mju_Halton(17, 3), 0.9259259259259258, 1e-15);
}

TEST(normal_numbers_have_mean_zero_and_variance_one) {
  srand(1);
  double sum = 0, square = 0;
  enum { N = 20000 };
  for (int i = 0; i < N; i++) {
    mjtNum second, first = mju_standardNormal(&second);
    sum += first + second;
    square += first * first + second * second;
  }
  CHECK_NEAR(sum / (2 * N), 0, 0.02);
  CHECK_NEAR(square / (2 * N), 1, 0.03);
}

TEST(spring_and_damper_of_three_kinds) {
  CHECK_NEAR(mju_springDamper(1, 0.5, 4, 1, 0.3), 0.9634339113452274, 1e-14);  // under
  CHECK_NEAR(mju_springDamper(1, 0.5, 1, 5, 0.3), 1.0478358357285915, 1e-14);  // over
  CHECK_NEAR(mju_springDamper(1, 0.5, 1, 2, 0.3), 1.074186419988491, 1e-14);   // critical
}

TEST(pyramid_and_back) {
  const mjtNum force[3] = {3, 0.2, -0.4}, mu[2] = {1, 0.8};
  mjtNum pyramid[4], back[3];
  mju_encodePyramid(pyramid, force, mu, 3);
  mju_decodePyramid(back, pyramid, mu, 3);
  CHECK_ARRAY(back, force, 3, 1e-15);

  // friction beyond the cone is cut
  mju_encodePyramid(pyramid, ((mjtNum[]){1, 5, 0}), mu, 3);
  CHECK_ARRAY(pyramid, ((mjtNum[]){0.5, 0, 0.25, 0.25}), 4, 1e-15);
}

TEST(sorting) {
  mjtNum list[5] = {3, -1, 2, 2, 0};
  int ints[4] = {4, 3, 9, -2};
  mju_insertionSort(list, 5);
  mju_insertionSortInt(ints, 4);
  CHECK_ARRAY(list, ((mjtNum[]){-1, 0, 2, 2, 3}), 5, 0);
  CHECK(ints[0] == -2 && ints[1] == 3 && ints[2] == 4 && ints[3] == 9);
}

TEST(bounded_copy_ends_with_zero) {
  char text[4] = "xyz";
  CHECK(mju_strncpy(text, "abcdef", 4) == text);
  CHECK(!strcmp(text, "abc"));
}

TEST(names_of_types) {
  CHECK_EQ(mju_str2Type("actuator"), mjOBJ_ACTUATOR);
  CHECK_EQ(mju_str2Type("nothing"), mjOBJ_UNKNOWN);
  CHECK_EQ(mju_str2Type("frame"), mjOBJ_UNKNOWN);
  CHECK(!strcmp(mju_type2Str(mjOBJ_HFIELD), "hfield"));
  CHECK(!strcmp(mju_type2Str(mjOBJ_FRAME), "frame"));
  CHECK(!mju_type2Str(1000));
}

TEST(numbers_of_bytes) {
  CHECK(!strcmp(mju_writeNumBytes(1023), "1023"));
  CHECK(!strcmp(mju_writeNumBytes(2048), "2K"));
  CHECK(!strcmp(mju_writeNumBytes(2049), "2049"));
  CHECK(!strcmp(mju_writeNumBytes((size_t)3 << 30), "3G"));
}

TEST(version) {
  CHECK_EQ(mj_version(), 340);
  CHECK(!strcmp(mj_versionString(), "3.4.0"));
}
