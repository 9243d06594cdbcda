// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The tactile sensor: pressures and speeds at the vertices of a pad.

#include <math.h>
#include <stdio.h>

#include "support/test.h"

// a pad of nine taxels through the middle of a fixed ball; something moves below it
static mjModel* padOn(const char* geom) {
  char xml[1500];
  snprintf(
      xml, sizeof xml,
      "<mujoco><option gravity='0 0 0'/><asset><mesh name='pad' vertex='-1 -1 0 0 -1 0 1 -1 0 -1 0 0 0 0 0 1 0 0 -1 1 "
      "0 "
      "0 1 0 1 1 0' face='0 1 4 0 4 3 1 2 5 1 5 4 3 4 7 3 7 6 4 5 8 4 8 7' scale='.1 .1 .1' inertia='shell'/>"
      "<mesh name='box' vertex='-1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1 1 1 -1 1 1 1 1 -1 1 1' scale='.1 .1 .1'/></asset>"
      "<worldbody><geom name='g' size='.3'/><body pos='0 0 -.08'><freejoint/><geom %s/></body></worldbody>"
      "<sensor><tactile geom='g' mesh='pad'/></sensor></mujoco>",
      geom);
  return test_model(xml);
}

// depth over the middle of the pad is .02; it moves with .3 along x and -.4 along y
static void checkMiddle(const char* geom) {
  mjModel* m = padOn(geom);
  mjData* d = mj_makeData(m);
  d->qvel[0] = .3;
  d->qvel[1] = -.4;
  mj_forward(m, d);
  CHECK(m->nsensordata == 27 && d->ncon > 0);
  int middle = 0;
  for (int i = 0; i < 9; i++) {
    const float* v = m->mesh_vert + 3 * i;
    if (fabsf(v[0]) + fabsf(v[1]) + fabsf(v[2]) < 1e-6f) middle = i;
  }
  const mjtNum* s = d->sensordata + middle;
  CHECK_NEAR(s[0], -.02 / .07, 1e-6);
  // vertices have the frame of the mesh's inertia, in which the pad may stand on end
  const float* up = m->mesh_normal + 3 * middle;
  mjtNum along = .3 * up[0] - .4 * up[1];
  CHECK_NEAR(s[9] * s[9] + s[18] * s[18], .25 - along * along, 1e-6);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(pressure_follows_from_the_depth_and_speed_from_the_motion_across) {
  checkMiddle("size='.1'");
  checkMiddle("type='cylinder' size='.1 .1'");
  checkMiddle("type='capsule' size='.06 .04'");
  checkMiddle("type='mesh' mesh='box'");
}

TEST(what_touches_another_geom_or_nothing_presses_no_taxel) {
  mjModel* m = padOn("size='.1' contype='0' conaffinity='0'");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  for (int i = 0; i < 27; i++) CHECK(d->sensordata[i] == 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}
