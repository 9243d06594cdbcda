// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Supernodes of the sparse Hessian, and steps of scenes that have one.

#include <string.h>

#include "engine/solve/problems.h"
#include "model/work.h"
#include "solve/pattern.h"

// 18 boxes in six piles, of which the boxes of a pile touch; 108 dofs, more than a dense Hessian may have
static const char* const kPiles =
    "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>"
    "<replicate count='6' offset='.5 .01 0' euler='0 0 17'><replicate count='3' offset='.01 .02 .195'>"
    "<body pos='0 0 .095' euler='3 2 10'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "</replicate></replicate></worldbody></mujoco>";

static int has(const mjiPattern* s, int row, int col) {
  for (int k = s->rowadr[row]; k < s->rowadr[row + 1]; k++) {
    if (s->col[k] == col) return 1;
  }
  return 0;
}

// rows of a supernode have the columns of its first row, and all from there to the diagonal
static void checkRows(const mjiPattern* s, int node) {
  const int* first = s->super.first + node;
  for (int i = first[0]; i < first[1]; i++) {
    CHECK_EQ(s->super.of[i], node);
    for (int j = 0; j <= i; j++) CHECK_EQ(has(s, i, j), j >= first[0] || has(s, first[0], j));
  }
}

// the links of a supernode are the columns that rows below have there, the last rows first
static void checkLinks(const mjiPattern* s, int node) {
  const mjiSupernodes* x = &s->super;
  int found = 0, want = 0;
  for (int k = x->linkadr[node]; k < x->linkadr[node + 1]; k++) {
    const mjiLink* link = x->link + k;
    CHECK(k == x->linkadr[node] || link->from < link[-1].from);
    for (int c = link->start; c < link->end; c++) {
      CHECK_EQ(x->of[s->col[s->rowadr[x->first[link->from]] + c]], node);
    }
    found += link->end - link->start;
  }
  for (int from = node + 1; from < x->n; from++) {
    for (int j = x->first[node]; j < x->first[node + 1]; j++) want += has(s, x->first[from], j);
  }
  CHECK_EQ(found, want);
}

TEST(supernodes_are_rows_with_the_same_columns) {
  mjModel* m = test_model(kPiles);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  mj_markStack(d);
  mjiPattern pattern;
  mji_patternMake(m, d, mji_work(d)->block, mji_work(d)->nblock, &pattern);
  CHECK(!pattern.dense);
  CHECK(pattern.super.n >= 6 && pattern.super.n <= 18);  // a box, or boxes of one pile
  for (int i = 0; i < pattern.super.n; i++) {
    checkRows(&pattern, i);
    checkLinks(&pattern, i);
  }
  mj_freeStack(d);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Piles end at different iterations, and those that have ended are not factored again. As one problem, all are.
TEST(piles_have_the_accelerations_of_one_large_problem) {
  mjModel* m = test_model(kPiles);
  if (!m) return;
  mjData *d = mj_makeData(m), *one = mj_makeData(m);
  for (int step = 0; step < 40; step++) {
    mj_copyData(one, m, d);
    m->opt.disableflags |= mjDSBL_ISLAND;
    mj_forward(m, one);
    m->opt.disableflags &= ~mjDSBL_ISLAND;
    mj_step(m, d);
    CHECK(d->nefc > 100);
    mjtNum scale = 1e-7 * (1 + mju_norm(one->qacc, m->nv));  // solver tolerance 1e-8
    for (int i = 0; i < m->nv; i++) CHECK_NEAR(d->qacc[i], one->qacc[i], scale);
  }
  mj_deleteData(one);
  mj_deleteData(d);
  mj_deleteModel(m);
}
