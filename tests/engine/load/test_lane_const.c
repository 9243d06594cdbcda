// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "load/lane_const.h"

#include <stdlib.h>
#include <string.h>

#include "lanes/kernels.h"
#include "model/number.h"
#include "support/test.h"

#define BODIES                                                                                         \
  "  <body pos='0 0 1'><joint name='a' axis='0 1 0' ref='.2'/><geom size='.1' pos='.2 0 0'/>"          \
  "    <site name='s' pos='.1 0 0'/><body pos='.3 0 0'><joint name='b' type='ball'/>"                  \
  "      <geom name='g' type='cylinder' size='.1 .2'/><camera mode='track'/><site name='e' pos='.1 0 " \
  ".1'/></body></body>"                                                                                \
  "  <body name='c' pos='.6 0 1'><freejoint/><geom size='.1' pos='0 .1 0'/></body>"                    \
  "  <body pos='2 0 0'><joint type='slide' axis='1 0 0'/><geom size='.1'/></body>"

#define REST                                                                                                         \
  "<equality><connect body1='c' body2='world' anchor='0 0 0'/><weld body1='c' body2='world'/></equality>"            \
  "<actuator><motor joint='b' gear='1 2 3'/><position joint='a' kp='10' dampratio='1'/><motor site='e' gear='0 1 2 " \
  "3'/><motor tendon='t'/></actuator></mujoco>"

// lane after lane, because of flexes and of an open resting length of a tendon
static const char* const kApart =
    "<mujoco><worldbody><light mode='track'/>" BODIES
    "  <flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' pos='0 0 2' radius='.01' mass='.3'>"
    "    <edge equality='true' damping='.1'/></flexcomp></worldbody>"
    "<tendon><spatial name='t' stiffness='1'><site site='s'/><site site='e'/></spatial></tendon>" REST;

// all lanes together
static const char* const kTogether =
    "<mujoco><worldbody><light mode='track'/>" BODIES
    "  <body name='hand' mocap='true' pos='.1 .1 .8'><geom size='.02'/><site name='h' pos='0 0 .1'/></body></worldbody>"
    "<tendon><spatial name='t' stiffness='1' springlength='.1'><site site='h'/><geom geom='g'/>"
    "  <site site='s'/></spatial><fixed armature='.3'><joint joint='a' coef='2'/></fixed></tendon>" REST;

static int sameModel(const mjModel* a, const mjModel* b) {
  int size = mj_sizeModel(a), same = size == mj_sizeModel(b);
  char *bytes_a = calloc(1, (size_t)size), *bytes_b = calloc(1, (size_t)size);
  mj_saveModel(a, NULL, bytes_a, size);
  mj_saveModel(b, NULL, bytes_b, size);
  same = same && !memcmp(bytes_a, bytes_b, (size_t)size);
  free(bytes_a);
  free(bytes_b);
  return same;
}

enum { NLANE = 4 };

static const mjiNumber kMoved[] = {mjiNUM_body_mass, mjiNUM_dof_armature, mjiNUM_qpos0, mjiNUM_body_pos};
enum { NMOVED = sizeof kMoved / sizeof kMoved[0] };

// a model with the numbers of lane l
static mjModel* changed(const mjModel* m, int l) {
  mjModel* own = mj_copyModel(NULL, m);
  for (int b = 1; b < m->nbody; b++) own->body_mass[b] *= 1 + 0.1 * l;
  for (int i = 0; i < m->nv; i++) own->dof_armature[i] += 0.01 * l;
  own->qpos0[0] += 0.3 * l;
  own->body_pos[3 * m->nbody - 3] += 0.2 * l;
  return own;
}

static void checkLane(const mjModel* m, const mjData* lanes, int l) {
  mjModel* own = changed(m, l);
  mjData* d = mj_makeData(own);
  mj_setConst(own, d);
  for (int i = 0; i < mjiNNUM; i++) {
    size_t n;
    const mjtNum* want = mji_baseNumber(own, (mjiNumber)i, &n);
    const mjtNum* view = mji_baseNumber(mji_laneModel(m, lanes, l), (mjiNumber)i, &n);
    for (size_t k = 0; k < n; k++) {
      CHECK_EQ(view[k], want[k]);
      CHECK_EQ(mji_work(lanes)->number[i][k * NLANE + (size_t)l], want[k]);
    }
  }
  CHECK(l == 0 || mji_laneModel(m, lanes, l)->body_invweight0[3] < m->body_invweight0[3]);
  mj_deleteData(d);
  mj_deleteModel(own);
}

static void checkConstants(const char* xml) {
  mjModel* m = test_model(xml);
  mjModel* before = mj_copyModel(NULL, m);
  mjData* scratch = mj_makeData(m);
  mjData* lanes = mji_makeLaneData(m, NLANE);
  CHECK(mji_ownNumbers(m, lanes));
  for (int l = 0; l < NLANE; l++) {
    mjModel* own = changed(m, l);
    for (int i = 0; i < NMOVED; i++) mji_setNumber(lanes, kMoved[i], l, mji_baseNumber(own, kMoved[i], &(size_t){0}));
    mj_deleteModel(own);
  }
  const int first[] = {2}, others[] = {3, 0, 1};
  mji_setLaneConst(m, lanes, first, 1, scratch);
  mji_setLaneConst(m, lanes, others, 3, scratch);
  for (int l = 0; l < NLANE; l++) checkLane(m, lanes, l);
  CHECK(sameModel(m, before));
  mj_deleteData(lanes);
  mj_deleteData(scratch);
  mj_deleteModel(before);
  mj_deleteModel(m);
}

// the constants of each lane are those of a model with its numbers, to the bit, and the base model keeps its own
TEST(constants_of_lanes_are_those_of_models_with_their_numbers) {
  checkConstants(kApart);
  checkConstants(kTogether);
}
