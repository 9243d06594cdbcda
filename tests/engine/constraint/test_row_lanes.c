// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rows of a lane group have the bits of the rows of each state alone, whoever the neighbours are;
// where a lane has no such row, nothing comes from it.
#include "support/test.h"

#include <string.h>

#include "lanes/kernels.h"
#include "model/block.h"
#include "model/work.h"

enum { NSTATE = 16 };

// equalities of all types, limits, friction loss, a ball, tendons, and contacts of all dimensions that
// come and go
static const char scene[] =
    "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .12'><freejoint/><geom size='.1' condim='4' friction='1 .1 .01'/>"
    "<body pos='.25 0 0'><joint name='h' axis='0 1 0' limited='true' range='-20 20'"
    " frictionloss='.2'/>"
    "<geom type='capsule' size='.05 .05' condim='6'/><site name='a' euler='10 20 30'/>"
    "<body name='end' pos='.2 0 0'><joint type='ball' limited='true' range='0 30'/>"
    "<geom size='.06' condim='1'/></body></body>"
    "<body name='foot' pos='-.25 0 0'><site name='b' pos='.1 0 0'/><joint name='s' type='slide' axis='0 0 1' "
    "limited='true'"
    " range='-.05 .05' margin='.02'/>"
    "<geom size='.12' condim='3' solimp='.8 .9 .01 .3 3'/></body></body>"
    "<body name='hand' mocap='true' pos='0 0 .5'/></worldbody>"
    "<tendon><fixed name='t' limited='true' range='-.1 .1' frictionloss='.1'><joint joint='s' coef='2'/>"
    "<joint joint='h' coef='.5'/></fixed>"
    "<fixed name='u'><joint joint='h' coef='.3'/><joint joint='s' coef='-1'/></fixed></tendon>"
    "<equality><connect body1='end' body2='foot' anchor='.1 0 0'/><connect site1='a' site2='b'/>"
    "<weld body1='end' body2='hand' torquescale='.7'/><weld site1='a' site2='b' solref='.05 1'/>"
    "<joint joint1='h' joint2='s' polycoef='.1 .8 .3 -.2 .1'/><joint joint1='s'/>"
    "<tendon tendon1='t' tendon2='u' polycoef='0 .5 .2 0 0'/><tendon tendon1='u'/></equality></mujoco>";

// number between -1 and 1
static double noise(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 23) - 1;
}

static void makeState(const mjModel* m, int i, double* qpos, double* qvel) {
  unsigned seed = 77u * (unsigned)i + 5;
  double change[32];
  for (int k = 0; k < m->nv; k++) {
    change[k] = .4 * noise(&seed);
    qvel[k] = noise(&seed);
  }
  change[2] *= .3;
  mju_copy(qpos, m->qpos0, m->nq);
  mj_integratePos(m, qpos, change, 1);
}

static void makeRows(const mjModel* m, mjData* d, const mjiKernels* k) {
  k->kinematics(m, d);
  k->comPos(m, d);
  k->tendon(m, d);
  k->collision(m, d);
  k->makeConstraint(m, d);
  k->referenceConstraint(m, d);
}

static int sameBits(const double* lanes, int nlane, int lane, const double* one, int n) {
  for (int i = 0; i < n; i++) {
    if (memcmp(lanes + i * nlane + lane, one + i, sizeof(double)) != 0) return 0;
  }
  return 1;
}

static void compareBlock(const mjData* d, int nlane, int lane, const mjiBlock* b, const mjData* one,
                         const mjiBlock* b1) {
  CHECK(b->type == b1->type && b->dim == b1->dim && b->ncol == b1->ncol);
  CHECK(memcmp(b->col, b1->col, (size_t)b->ncol * sizeof(int)) == 0);
  CHECK(sameBits(b->J, nlane, lane, b1->J, b->dim * b->ncol));
  const double* rows[] = {d->efc_pos, d->efc_margin, d->efc_frictionloss, d->efc_R, d->efc_D, d->efc_vel, d->efc_aref};
  const double* rows1[] = {one->efc_pos, one->efc_margin, one->efc_frictionloss, one->efc_R,
                           one->efc_D,   one->efc_vel,    one->efc_aref};
  for (int k = 0; k < 7; k++) {
    CHECK(sameBits(rows[k] + b->efcadr * nlane, nlane, lane, rows1[k] + b1->efcadr, b->nrow));
  }
}

static void checkAbsent(const mjData* d, int nlane, int lane, const mjiBlock* b) {
  for (int r = b->efcadr; r < b->efcadr + b->nrow; r++) {
    CHECK_EQ(d->efc_D[r * nlane + lane], 0);
    CHECK_EQ(d->efc_aref[r * nlane + lane], 0);
  }
}

// the blocks that a lane has are those of its state alone, in order
static void compareLane(const mjData* d, int nlane, int lane, const mjData* one) {
  const mjiWork *w = mji_work(d), *w1 = mji_work(one);
  int next = 0;
  for (int i = 0; i < w->nblock; i++) {
    const mjiBlock* b = w->block + i;
    if (b->on && !((const int64_t*)b->on)[lane]) {
      checkAbsent(d, nlane, lane, b);
    } else if (next < w1->nblock) {
      compareBlock(d, nlane, lane, b, one, w1->block + next++);
    }
  }
  CHECK_EQ(next, w1->nblock);
}

static void compareGroups(const mjModel* m, int nlane) {
  const mjiKernels* k = mji_kernels(nlane);
  if (!k) {
    test_skip("no such lanes on this CPU");
    return;
  }
  mjData *d = mji_makeLaneData(m, nlane), *one = mj_makeData(m);
  int nrow = 0;
  for (int first = 0; first < NSTATE; first += nlane) {
    double qpos[NSTATE][32], qvel[NSTATE][32];
    for (int lane = 0; lane < nlane; lane++) {
      makeState(m, first + lane, qpos[lane], qvel[lane]);
      mji_scatterLane(d->qpos, qpos[lane], m->nq, nlane, lane);
      mji_scatterLane(d->qvel, qvel[lane], m->nv, nlane, lane);
    }
    makeRows(m, d, k);
    for (int lane = 0; lane < nlane; lane++) {
      mju_copy(one->qpos, qpos[lane], m->nq);
      mju_copy(one->qvel, qvel[lane], m->nv);
      makeRows(m, one, mji_kernels(1));
      nrow += one->nefc;
      compareLane(d, nlane, lane, one);
    }
  }
  CHECK(nrow > 8 * NSTATE);
  mj_deleteData(one);
  mj_deleteData(d);
}

static void compareCones(int nlane) {
  mjModel* m = test_model(scene);
  if (!m) return;
  for (int cone = 0; cone < 2; cone++) {
    m->opt.cone = cone;
    m->opt.impratio = 1 + cone;
    compareGroups(m, nlane);
  }
  mj_deleteModel(m);
}

TEST(four_lanes_have_the_bits_of_one) { compareCones(4); }

TEST(eight_lanes_have_the_bits_of_one) { compareCones(8); }
