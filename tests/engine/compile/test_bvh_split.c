// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "compile/bvh_split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

static mjiLeaf* makeLeaves(const double* place, int n, int axis) {
  mjiLeaf* leaf = calloc((size_t)n, sizeof *leaf);
  for (int i = 0; leaf && i < n; i++) {
    leaf[i].id = i;
    leaf[i].place[axis] = place[i];
  }
  return leaf;
}

// each leaf once, and none of the lower half above one of the upper half
static int isHalved(const mjiLeaf* leaf, int n, int axis) {
  char* seen = calloc((size_t)n, 1);
  int ok = seen != NULL;
  double most = -INFINITY, least = INFINITY;
  for (int i = 0; ok && i < n; i++) {
    ok = leaf[i].id >= 0 && leaf[i].id < n && !seen[leaf[i].id];
    if (!ok) break;
    seen[leaf[i].id] = 1;
    if (i < n / 2) most = fmax(most, leaf[i].place[axis]);
    else least = fmin(least, leaf[i].place[axis]);
  }
  free(seen);
  return ok && most <= least;
}

static void checkHalved(const double* place, int n) {
  for (int axis = 0; axis < 3; axis++) {
    mjiLeaf* leaf = makeLeaves(place, n, axis);
    mji_bvh_split(leaf, n, axis);
    CHECK(isHalved(leaf, n, axis));
    free(leaf);
  }
}

TEST(lower_half_comes_first) {
  double place[3000];
  unsigned state = 1;
  for (int n = 1; n <= 3000; n = n < 20 ? n + 1 : 2 * n + 7) {
    for (int i = 0; i < n; i++) place[i] = (state = state * 1664525u + 1013904223u) * 0x1p-32;
    checkHalved(place, n);
    for (int i = 0; i < n; i++) place[i] = floor(5 * place[i]);
    checkHalved(place, n);
    for (int i = 0; i < n; i++) place[i] = i;
    checkHalved(place, n);
    for (int i = 0; i < n; i++) place[i] = -i;
    checkHalved(place, n);
    for (int i = 0; i < n; i++) place[i] = i % 2 ? i : n - i;
    checkHalved(place, n);
  }
}

TEST(equal_places_divide_by_number) {
  double place[100] = {0};
  mjiLeaf* leaf = makeLeaves(place, 100, 1);
  for (int i = 0; i < 100; i++) leaf[i].id = 99 - i;
  mji_bvh_split(leaf, 100, 1);
  for (int i = 0; i < 50; i++) CHECK(leaf[i].id < 50);
  free(leaf);
}

// Five faces in a row, the second without area: what MuJoCo 3.4.0 has in the halves of its tree.
TEST(leaf_without_place_disturbs_as_it_does_there) {
  const double place[5] = {.5, NAN, -.5, -1.5, 1.5};
  const int want[5] = {3, 0, 1, 2, 4};
  mjiLeaf* leaf = makeLeaves(place, 5, 0);
  mji_bvh_split(leaf, 5, 0);
  for (int i = 0; i < 5; i++) CHECK_EQ(leaf[i].id, want[i]);
  free(leaf);
}

TEST(any_leaves_without_place_end_and_keep_all) {
  enum { N = 500 };
  double place[N];
  unsigned state = 7;
  for (int round = 0; round < 200; round++) {
    int n = 2 + round * 5 % (N - 2);
    for (int i = 0; i < n; i++) {
      state = state * 1664525u + 1013904223u;
      place[i] = state >> 30 == (unsigned)round % 4 ? NAN : (state >> 8) * 0x1p-24;
    }
    mjiLeaf* leaf = makeLeaves(place, n, 2);
    mji_bvh_split(leaf, n, 2);
    int sum = 0;
    for (int i = 0; i < n; i++) sum += leaf[i].id;
    CHECK_EQ(sum, n * (n - 1) / 2);
    free(leaf);
  }
}
