// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Velocities, bias forces, passive forces, energy and what follows from accelerations.
#include "engine/dynamics/every_joint.h"

TEST(velocities_and_forces) {
  // clang-format off
  static const double cvel[] = {-0.347198891597916, -0.590671944808235, 0.449336703270616,
                                0.435071030602051, -0.087586450606387, 0.0817348698548098};
  // clang-format on
  // clang-format off
  static const double cdof_dot[] = {-0.639592412343386, 0, -0.759350867444884, -0.0355156235736734,
                                    -0.329866971986189, 0.0584436069739262};
  // clang-format on
  // clang-format off
  static const double bias[] = {-0.138491718433715, -1.01171575134862, -0.642629972249613,
                                0.537846651976626, -0.000249459324097812, 0.0405, -0.02745, 14.5809,
                                0.155814, -0.058407, -0.162666};
  // clang-format on
  static const double passive[] = {0, -0.852802448803402, -0.03, -0.06, 0.02, 0, 0, 0, 0, 0, 0};
  // clang-format off
  static const double smooth[] = {-0.905111749868536, -5.73094482481569, 51.075453177401,
                                  -10.7134086765884, 537.112104401189, 0.780321641025646,
                                  1.60964047179487, -8.47283868717949, 19.9989743589744, 29.684, 66.984};
  // clang-format on
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  mj_forward(m, d);
  CHECK_ARRAY(d->cvel + 12, cvel, 6, 1e-12);
  CHECK_ARRAY(d->cdof_dot + 18, cdof_dot, 6, 1e-12);
  CHECK_ARRAY(d->qfrc_bias, bias, 11, 1e-12);
  CHECK_ARRAY(d->qfrc_passive, passive, 11, 1e-12);
  CHECK_ARRAY(d->qacc_smooth, smooth, 11, 1e-11);
  links_free(m, d);
}

TEST(momenta_of_subtrees) {
  static const double linvel[] = {0.494939827951506, 0.010717691453624, 0.0384438075754548};
  static const double angmom[] = {-0.0223176938894695, -0.0997274340169187, -0.00551993073419636};
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  mj_forward(m, d);
  mj_subtreeVel(m, d);
  CHECK_ARRAY(d->subtree_linvel + 3, linvel, 3, 1e-12);
  CHECK_ARRAY(d->subtree_angmom + 3, angmom, 3, 1e-12);

  // the same through matrices
  mjtNum mat[33], momentum[3];
  mj_angmomMat(m, d, mat, 1);
  mju_mulMatVec(momentum, mat, d->qvel, 3, 11);
  CHECK_ARRAY(momentum, angmom, 3, 1e-12);
  mj_jacSubtreeCom(m, d, mat, 1);
  mju_mulMatVec(momentum, mat, d->qvel, 3, 11);
  CHECK_ARRAY(momentum, linvel, 3, 1e-12);
  links_free(m, d);
}

TEST(forces_that_joints_transmit) {
  static const double cfrc_int[] = {0.895455896933725, 0.410173158027417, 0.35215907849891, 0,
                                    -1.21839766681202, 26.141006415442};
  static const double cacc[] = {205.111848631285, -403.191833440668, 301.285579236994,
                                58.1173242344895, -2.47732790411159, -33.6708013512392};
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  mj_forward(m, d);
  mj_rnePostConstraint(m, d);
  CHECK_ARRAY(d->cfrc_int + 6, cfrc_int, 6, 1e-11);
  CHECK_ARRAY(d->cacc + 12, cacc, 6, 1e-11);
  links_free(m, d);
}

TEST(energies) {
  static const double energy[] = {64.3909566867489, 0.629335982115746};
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  mj_forward(m, d);
  CHECK_EQ(d->energy[0], 0);
  mj_energyPos(m, d);
  mj_energyVel(m, d);
  CHECK_ARRAY(d->energy, energy, 2, 1e-12);
  links_free(m, d);
}

TEST(flags_switch_passive_forces_off) {
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  m->opt.disableflags = mjDSBL_SPRING;
  mj_forward(m, d);
  CHECK_NEAR(d->qfrc_passive[1], .2, 1e-15);
  CHECK_EQ(d->qfrc_spring[1], 0);
  m->opt.disableflags = mjDSBL_DAMPER;
  mj_forward(m, d);
  CHECK_NEAR(d->qfrc_passive[1], -1.052802448803402, 1e-12);
  CHECK_EQ(d->qfrc_damper[1], 0);
  m->opt.disableflags = mjDSBL_DAMPER | mjDSBL_SPRING;
  mj_forward(m, d);
  CHECK(mju_isZero(d->qfrc_passive, m->nv));
  links_free(m, d);
}

TEST(gravity_compensation_acts_on_all_joints_that_carry_the_body) {
  // 3.4.0 leaves out the first joint, whose own body is not compensated
  mjModel* m = test_model(
      "<mujoco><worldbody>"
      "  <body><joint axis='0 1 0'/><geom size='.1' mass='1' pos='.2 0 0'/>"
      "    <body gravcomp='1'><joint axis='0 1 0'/><geom size='.1' mass='2' pos='.2 0 0'/></body>"
      "  </body>"
      "</worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  CHECK_NEAR(d->qfrc_gravcomp[0], -9.81 * 2 * .2, 1e-12);
  CHECK_NEAR(d->qfrc_gravcomp[1], -9.81 * 2 * .2, 1e-12);
  CHECK_NEAR(d->qfrc_passive[0], -9.81 * 2 * .2, 1e-12);
  CHECK_NEAR(d->qfrc_passive[1], -9.81 * 2 * .2, 1e-12);
  mj_deleteData(d);
  mj_deleteModel(m);
}
