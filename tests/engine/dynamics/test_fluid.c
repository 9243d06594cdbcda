// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forces of the medium on an ellipsoid and on a box of the body's inertia.

#include "support/test.h"

static const char* const swimmers =
    "<mujoco><option density='1.2' viscosity='.5' wind='1 2 -3'/><worldbody>"
    "<body pos='0 0 1'><freejoint/>"
    "<geom type='ellipsoid' size='.1 .2 .3' fluidshape='ellipsoid' fluidcoef='.3 .1 2 .7 1.2'/>"
    "</body>"
    "<body pos='2 0 1'><freejoint/><geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>";

// numbers recorded from the reference, version 3.4.0
TEST(lift_drag_added_mass_and_box_drag) {
  mjModel* m = test_model(swimmers);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mju_copy(d->qpos, ((mjtNum[]){0, 0, 1, 0.8, 0.6, 0, 0, 2, 0, 1, 0.6, 0, 0.8, 0}), 14);
  for (int b = 0; b < 2; b++) {
    mju_copy(d->qvel + 6 * b, ((mjtNum[]){0.5, -0.4, 1.2, 2, -1, 0.6}), 6);
  }
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  CHECK_ARRAY(d->qfrc_fluid,
              ((mjtNum[]){1.5211884575173793, 4.346979499632123, -9.196202562487235, -0.15709269693781602,
                          0.1718750244012341, -0.11579354220629759, 0.45809082647693833, 4.938613421169301,
                          -10.047683554246277, -0.2033899298297467, 0.10151496491487336, -0.06042873894892401}),
              12, 1e-13);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(medium_at_rest_takes_energy_out) {
  mjModel* m = test_model(swimmers);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mju_zero(m->opt.wind, 3);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.3 * (i % 5) - 0.5;
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  for (int b = 0; b < 2; b++) CHECK(mju_dot(d->qfrc_fluid + 6 * b, d->qvel + 6 * b, 6) < 0);

  // nothing moves, nothing pushes
  mju_zero(d->qvel, m->nv);
  mj_fwdVelocity(m, d);
  for (int i = 0; i < m->nv; i++) CHECK_EQ(d->qfrc_fluid[i], 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}
