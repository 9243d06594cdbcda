// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/constraint/side_rows.c: sides made by hand, of several bodies, against weighted sums of the Jacobians
// of one body each.

#include "support/test.h"

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "constraint/side_rows.h"
#include "support/models.h"

// a body with two branches, of which one has a ball, another tree, and a body that cannot move
static const char kTrees[] =
    "<mujoco><worldbody><body name='fixed' pos='0 0 3'><geom size='.1'/></body>"
    "<body name='root' pos='0 0 1'><freejoint/><geom size='.1' pos='.1 .2 0'/>"
    "  <body name='left' pos='.3 0 0' euler='20 0 30'><joint axis='0 1 .2'/><geom size='.1' pos='0 .1 .1'/>"
    "    <body name='hand' pos='.2 .1 0'><joint type='ball'/><geom size='.1' pos='.1 0 0'/></body></body>"
    "  <body name='right' pos='-.3 0 .1'><joint axis='1 0 .3'/><joint type='slide' axis='0 0 1'/><geom "
    "size='.1'/></body></body>"
    "<body name='other' pos='1 1 1'><joint axis='.1 .2 1'/><geom size='.1' pos='.2 0 0'/>"
    "  <body name='tip' pos='.2 0 .1'><joint axis='1 1 0'/><geom size='.1' pos='0 0 "
    ".2'/></body></body></worldbody></mujoco>";

enum { NV = 14, MAXBODY = 4 };

typedef struct {
  const char* body[MAXBODY];
  mjtNum weight[MAXBODY];
} Named;

static mji_Side_b1 sideOf(const mjModel* m, const Named* named, int* body) {
  mji_Side_b1 side = {0, body, named->weight};
  while (side.n < MAXBODY && named->body[side.n]) {
    body[side.n] = mj_name2id(m, mjOBJ_BODY, named->body[side.n]);
    side.n++;
  }
  return side;
}

// rows (dim x nv) from mj_jac
static void expect(const mjModel* m, const mjData* d, const mjtNum pos[3], const mjtNum frame[9], int dim,
                   const mji_Side_b1 side[2], mjtNum* rows) {
  mju_zero(rows, dim * NV);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < side[k].n; i++) {
      mjtNum jac[6 * NV];
      mj_jac(m, d, jac, jac + 3 * NV, pos, side[k].body[i]);
      for (int r = 0; r < dim; r++) {
        for (int c = 0; c < NV; c++) {
          for (int x = 0; x < 3; x++) {
            rows[r * NV + c] +=
                (k ? 1 : -1) * side[k].weight[i] * frame[3 * (r % 3) + x] * jac[(3 * (r / 3) + x) * NV + c];
          }
        }
      }
    }
  }
}

static int moves(const mjModel* m, int body, int dof) {
  for (; body; body = m->body_parentid[body]) {
    int first = m->body_dofadr[body];
    if (dof >= first && dof < first + m->body_dofnum[body]) return 1;
  }
  return 0;
}

// how many of the bodies a dof moves; all of them is not a column
static void checkColumns(const mjModel* m, const mji_Side_b1 side[2], const int* col, int ncol) {
  for (int dof = 0, c = 0; dof < m->nv; dof++) {
    int n = 0, none = !side[0].n || !side[1].n;
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < side[k].n; i++) n += moves(m, side[k].body[i], dof);
    }
    int is = c < ncol && col[c] == dof;
    CHECK_EQ(is, n > 0 && (none || n < side[0].n + side[1].n));
    c += is;
  }
}

static void checkSides(const Named* first, const Named* second) {
  mjModel* m = test_model(kTrees);
  mjData* d = mj_makeData(m);
  CHECK_EQ(m->nv, NV);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.3 * ((7 * i) % 5 - 2);
  mj_integratePos(m, d->qpos, d->qvel, 0.7);
  mj_forward(m, d);

  int body[2][MAXBODY], col[2 * MAXBODY * NV];
  mji_Side_b1 side[2] = {sideOf(m, first, body[0]), sideOf(m, second, body[1])};
  int ncol = mji_sideColumns_b1(m, side, col);
  checkColumns(m, side, col, ncol);

  mjtNum pos[3] = {0.2, -0.1, 0.9}, quat[4] = {0.5, -0.1, 0.7, 0.3}, frame[9];
  mju_normalize4(quat);
  mju_quat2Mat(frame, quat);
  static const int dims[] = {1, 3, 4, 6};
  for (int k = 0; k < 4; k++) {
    mjtNum J[6 * NV], want[6 * NV], got[6 * NV] = {0};
    mji_sideRows_b1(m, d, pos, frame, dims[k], side, col, ncol, J);
    expect(m, d, pos, frame, dims[k], side, want);
    for (int r = 0; r < dims[k]; r++) {
      for (int c = 0; c < ncol; c++) got[r * NV + col[c]] = J[r * ncol + c];
    }
    for (int i = 0; i < dims[k] * NV; i++) CHECK_NEAR(got[i], want[i], 1e-14);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(sides_in_two_trees) {
  checkSides(&(Named){{"hand", "right", "root"}, {.2, .5, .3}}, &(Named){{"tip", "other"}, {.6, .4}});
}

TEST(sides_in_branches_of_one_tree_leave_out_what_moves_all) {
  checkSides(&(Named){{"hand", "left"}, {.75, .25}}, &(Named){{"right", "root"}, {.1, .9}});
}

TEST(a_body_may_be_on_both_sides) {
  checkSides(&(Named){{"hand", "tip", "left"}, {.3, .4, .3}}, &(Named){{"left", "hand"}, {.5, .5}});
}

TEST(a_side_that_cannot_move_or_belongs_to_nothing) {
  checkSides(&(Named){{"fixed", "hand"}, {.5, .5}}, &(Named){{"fixed"}, {1}});
  checkSides(&(Named){{NULL}, {0}}, &(Named){{"left", "right"}, {.5, .5}});
}

TEST(one_body_each_is_a_contact_of_geoms) { checkSides(&(Named){{"tip"}, {1}}, &(Named){{"hand"}, {1}}); }
