// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "load/lane_const.h"

#include <stdlib.h>
#include <string.h>

#include "lanes/kernels.h"
#include "model/number.h"
#include "support/test.h"

static const char* const XML =
    "<mujoco><worldbody><light mode='track'/>"
    "  <body pos='0 0 1'><joint name='a' axis='0 1 0'/><geom size='.1' pos='.2 0 0'/><site name='s' pos='.1 0 0'/>"
    "    <body pos='.3 0 0'><joint name='b' axis='0 1 0'/><geom type='box' size='.1 .2 .1'/><camera mode='track'/>"
    "      <site name='e' pos='.1 0 .1'/></body></body>"
    "  <body name='c' pos='.6 0 1'><freejoint/><geom size='.1'/></body>"
    "  <flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' pos='0 0 2' radius='.01' mass='.3'>"
    "    <edge equality='true' damping='.1'/></flexcomp></worldbody>"
    "<tendon><spatial stiffness='1'><site site='s'/><site site='e'/></spatial></tendon>"
    "<equality><connect body1='c' body2='world' anchor='0 0 0'/></equality>"
    "<actuator><motor joint='b'/><position joint='a' kp='10' dampratio='1'/></actuator></mujoco>";

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

// the constants of each lane are those of a model with its numbers, to the bit, and the base model keeps its own
TEST(constants_of_a_lane_are_those_of_a_model_with_its_numbers) {
  enum { NLANE = 4 };
  mjModel* m = test_model(XML);
  mjModel* before = mj_copyModel(NULL, m);
  mjData* scratch = mj_makeData(m);
  mjData* lanes = mji_makeLaneData(m, NLANE);
  CHECK(mji_ownNumbers(m, lanes));
  for (int l = 0; l < NLANE; l++) {
    mjModel* own = mj_copyModel(NULL, m);
    for (int b = 1; b < m->nbody; b++) own->body_mass[b] *= 1 + 0.1 * l;
    for (int i = 0; i < m->nv; i++) own->dof_armature[i] += 0.01 * l;
    mji_setNumber(lanes, mjiNUM_body_mass, l, own->body_mass);
    mji_setNumber(lanes, mjiNUM_dof_armature, l, own->dof_armature);
    mji_setLaneConst(lanes, l, scratch);
    mjData* d = mj_makeData(own);
    mj_setConst(own, d);
    for (int i = 0; i < mjiNNUM; i++) {
      size_t n;
      const mjtNum* want = mji_baseNumber(own, (mjiNumber)i, &n);
      const mjtNum* view = mji_baseNumber(mji_laneModel(m, lanes, l), (mjiNumber)i, &n);
      for (size_t k = 0; k < n; k++) {
        CHECK_EQ(view[k], want[k]);
        CHECK_EQ(mji_work(lanes)->number[i][k * NLANE + l], want[k]);
      }
    }
    mj_deleteData(d);
    mj_deleteModel(own);
  }
  CHECK(lanes && mji_laneModel(m, lanes, 3)->dof_M0[0] > m->dof_M0[0]);
  CHECK(lanes && mji_laneModel(m, lanes, 3)->flexedge_invweight0[0] < m->flexedge_invweight0[0]);
  CHECK(sameModel(m, before));
  mj_deleteData(lanes);
  mj_deleteData(scratch);
  mj_deleteModel(before);
  mj_deleteModel(m);
}
