// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The pattern of the Hessian holds every entry that its factor fills.

#include <string.h>

#include "lanes/lanes.h"

#include "engine/solve/problems.h"
#include "solve/primal.h"

// entries that elimination from the last dof fills, on a full matrix of flags
static void eliminate(char* full, int nv) {
  for (int i = nv - 1; i >= 0; i--) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) {
        if (full[nv * i + j] && full[nv * i + k]) full[nv * j + k] = 1;
      }
    }
  }
}

static void checkPattern(const char* xml, const int* col, int ncol, int fill) {
  mjModel* m = test_model(xml);
  if (!m) return;
  mjData* d = mj_makeData(m);
  int nv = (int)m->nv;
  mjiBlock block;
  memset(&block, 0, sizeof block);
  block.ncol = ncol;
  block.col = (int*)col;
  char* want = calloc((size_t)nv * nv, 1);
  for (int i = 0; i < nv; i++) {
    for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) want[nv * i + j] = 1;
  }
  for (int a = 0; a < ncol; a++) {
    for (int b = 0; b < a; b++) want[nv * col[a] + col[b]] = 1;
  }
  eliminate(want, nv);

  mj_markStack(d);
  mjiPattern pattern;
  mji_patternMake(m, d, &block, 1, &pattern);
  int below = 0, expected = 0;
  for (int i = 0; i < nv; i++) {
    for (int k = pattern.rowadr[i]; k < pattern.rowadr[i + 1] - 1; k++) {
      CHECK(k == pattern.rowadr[i] || pattern.col[k] > pattern.col[k - 1]);
      CHECK(want[nv * i + pattern.col[k]]);
      below++;
    }
    CHECK_EQ(pattern.col[pattern.rowadr[i + 1] - 1], i);
    for (int j = 0; j < i; j++) expected += want[nv * i + j];
  }
  CHECK_EQ(below, expected);
  CHECK_EQ(below, fill);
  CHECK_EQ(pattern.depadr[nv], below);
  mj_freeStack(d);
  free(want);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a trunk of two dofs, a branch of three (2 3 4), a branch of two (5 6)
static const char* const kBranches =
    "<mujoco><worldbody><body><joint/><joint axis='0 1 0'/><geom size='.1'/>"
    "<body><joint/><geom size='.1'/><body><joint/><geom size='.1'/><body><joint/>"
    "<geom size='.1'/></body></body></body>"
    "<body><joint/><geom size='.1'/><body><joint/><geom size='.1'/></body></body></body>"
    "</worldbody></mujoco>";

// the tree alone has 1 + 2+3+4 + 2+3 = 15 entries below its diagonal
TEST(a_block_along_a_chain_fills_nothing) { checkPattern(kBranches, (const int[]){0, 2, 4}, 3, 15); }

// dofs of the second branch meet those of the first from the one that is touched down
TEST(a_block_across_branches_fills) {
  checkPattern(kBranches, (const int[]){0, 1, 2, 3, 4, 5, 6}, 7, 21);
  checkPattern(kBranches, (const int[]){3, 6}, 2, 17);
}
