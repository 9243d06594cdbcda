// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/hull_corners.h"

#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2000 };

static mjtNum noise(unsigned* state) { return 2 * (rand_r(state) / (mjtNum)RAND_MAX) - 1; }

static void unit(mjtNum dir[3], unsigned* state) {
  for (int k = 0; k < 3; k++) dir[k] = noise(state);
  mju_normalize3(dir);
}

static mjtNum along(const float* v, const mjtNum dir[3]) {
  return dir[0] * (mjtNum)v[0] + dir[1] * (mjtNum)v[1] + dir[2] * (mjtNum)v[2];
}

// a can: two discs of corners and what is between them; some corners are in one place
static void makeCan(float* vertex, int n, unsigned* state) {
  for (int i = 0; i < n; i++) {
    mjtNum angle = 6.3 * noise(state);
    vertex[3 * i] = (float)(.3 * cos(angle));
    vertex[3 * i + 1] = (float)(.3 * sin(angle));
    vertex[3 * i + 2] = i % 3 ? i % 3 - 1.5f : (float)noise(state);
    if (i % 7 == 6) memcpy(vertex + 3 * i, vertex + 3 * (i - 1), 3 * sizeof *vertex);
  }
}

static char* layOut(mjiHullCorners* h, const float* vertex, int n) {
  size_t bytes = mji_hull_cornerBytes(n);
  char* at = aligned_alloc(HULL_ALIGN, bytes);
  memset(at, 0, bytes);
  mji_hull_layOutCorners(h, vertex, n, at);
  return at;
}

// how far the farthest corner is along a direction
static mjtNum farthest(const float* vertex, int n, const mjtNum dir[3]) {
  mjtNum most = -mjMAXVAL;
  for (int i = 0; i < n; i++) most = fmax(most, along(vertex + 3 * i, dir));
  return most;
}

TEST(the_farthest_of_all_corners_is_found_from_any) {
  float vertex[3 * MOST];
  unsigned state = 1;
  const int sizes[] = {1, 7, 8, 9, 64, 65, 700, MOST};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    int n = sizes[s], wrong = 0;
    makeCan(vertex, n, &state);
    mjiHullCorners h;
    char* bytes = layOut(&h, vertex, n);
    for (int i = 0; i < 2000; i++) {
      mjtNum dir[3];
      unit(dir, &state);
      if (i < 6) mju_zero3(dir), dir[i % 3] = i < 3 ? 1 : -1;
      mjtNum from = along(vertex + 3 * (rand_r(&state) % (unsigned)n), dir), most = farthest(vertex, n, dir);
      int found = mji_hull_farthestCorner(&h, dir, from);
      wrong += found < 0 ? from != most : from == most || along(vertex + 3 * found, dir) != most;
      wrong += mji_hull_farthestCorner(&h, dir, most) != -1;
    }
    CHECK_EQ(wrong, 0);
    free(bytes);
  }
}

// Runs hold corners that are near each other: from a corner that is nearly the farthest, few are compared.
TEST(few_runs_reach_beyond_the_farthest_corner) {
  float vertex[3 * MOST];
  unsigned state = 2;
  for (int i = 0; i < MOST; i++) {
    mjtNum dir[3];
    unit(dir, &state);
    for (int k = 0; k < 3; k++) vertex[3 * i + k] = (float)dir[k];
  }
  mjiHullCorners h;
  char* bytes = layOut(&h, vertex, MOST);
  int reached = 0;
  for (int i = 0; i < 500; i++) {
    mjtNum dir[3];
    unit(dir, &state);
    mjtNum most = farthest(vertex, MOST, dir);
    for (int k = 0; k < h.nsphere; k++) reached += __builtin_popcount(mji_hull_reach(h.sphere + k, dir, most));
  }
  CHECK(reached > 500);
  CHECK(reached < 500 * MOST / HULL_BLOCK / 8);
  free(bytes);
}

// numbers that only a damaged file has
TEST(corners_that_are_no_numbers_are_laid_out) {
  static const float ODD[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-45f, 0, 1};
  float vertex[3 * 512];
  for (int i = 0; i < 512; i++) {
    for (int k = 0, n = i; k < 3; k++, n /= 8) vertex[3 * i + k] = ODD[n % 8];
  }
  mjiHullCorners h;
  char* bytes = layOut(&h, vertex, 512);
  int seen[512] = {0}, missing = 0;
  for (int i = 0; i < 512; i++) seen[h.run[i / HULL_BLOCK].first[i % HULL_BLOCK]] = 1;
  for (int i = 0; i < 512; i++) missing += !seen[i];
  CHECK_EQ(missing, 0);
  int found = mji_hull_farthestCorner(&h, (mjtNum[]){1, 0, 0}, 0);
  CHECK(found >= -1 && found < 512);
  free(bytes);
}
