// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Length and moment arms of one actuator of each kind; numbers recorded from the reference,
// version 3.4.0.

#include <stdio.h>

#include "support/test.h"

static const char* const body =
    "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><site name='w' pos='1 0 1'/>"
    "<body name='base' pos='0 0 .95'><freejoint name='free'/><geom size='.1'/>"
    "<body pos='.2 0 0'><joint name='ball' type='ball'/><geom size='.05'/>"
    "<site name='s1' pos='.1 0 0'/></body>"
    "<body name='foot' pos='0 .3 0'><joint name='hinge'/>"
    "<geom type='box' size='.05 .05 .05' pos='0 0 -.91'/>"
    "<site name='s2' pos='.1 .2 0'/></body></body></worldbody>"
    "<tendon><spatial name='t'><site site='s1'/><site site='s2'/></spatial></tendon>"
    "<actuator>";

enum { NV = 10 };

// the only actuator of a body that stands on the ground (level) or is turned
static void checkTransmission(const char* actuator, int level, mjtNum length, const mjtNum moment[NV]) {
  static const mjtNum qpos[12] = {0.1, 0.2, 0.95, 0.98, 0.05, 0.1, 0.15, 0.9, 0.2, -0.3, 0.1, 0.4};
  char xml[3000];
  snprintf(xml, sizeof xml, "%s%s</actuator></mujoco>", body, actuator);
  mjModel* m = test_model(xml);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mju_copy(d->qpos, qpos, m->nq);
  if (level) mju_unit4(d->qpos + 3);
  mj_fwdPosition(m, d);

  mjtNum dense[NV] = {0};
  int adr = d->moment_rowadr[0];
  for (int k = adr; k < adr + d->moment_rownnz[0]; k++) {
    dense[d->moment_colind[k]] = d->actuator_moment[k];
  }
  CHECK_NEAR(d->actuator_length[0], length, 1e-13);
  CHECK_ARRAY(dense, moment, NV, 1e-13);

  // velocity is moment arms times qvel
  for (int i = 0; i < NV; i++) d->qvel[i] = 0.1 * i - 0.4;
  mj_fwdVelocity(m, d);
  CHECK_NEAR(d->actuator_velocity[0], mju_dot(dense, d->qvel, NV), 1e-14);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(hinge_is_scaled_by_gear) {
  checkTransmission("<motor joint='hinge' gear='3'/>", 0, 1.2000000000000002, (mjtNum[]){0, 0, 0, 0, 0, 0, 0, 0, 0, 3});
}

TEST(ball_joint_in_its_own_frame) {
  checkTransmission("<motor joint='ball' gear='1 2 3'/>", 0, -0.21060240739016312,
                    (mjtNum[]){0, 0, 0, 0, 0, 0, 1, 2, 3, 0});
}

TEST(ball_joint_in_the_frame_of_the_parent) {
  checkTransmission("<motor jointinparent='ball' gear='1 2 3'/>", 0, -0.21060240739016325,
                    (mjtNum[]){0, 0, 0, 0, 0, 0, 2.7473684210526312, 2.4210526315789473, 0.7684210526315791, 0});
}

TEST(free_joint) {
  checkTransmission("<motor joint='free' gear='1 2 3 4 5 6'/>", 0, 0, (mjtNum[]){1, 2, 3, 4, 5, 6, 0, 0, 0, 0});
}

TEST(free_joint_in_the_world) {
  checkTransmission("<motor jointinparent='free' gear='1 2 3 4 5 6'/>", 0, 0,
                    (mjtNum[]){1, 2, 3, 4.1748040988547315, 4.379144062688367, 6.355635925256179, 0, 0, 0, 0});
}

TEST(tendon) {
  checkTransmission(
      "<motor tendon='t' gear='2'/>", 0, 1.1677816342993126,
      (mjtNum[]){0, 0, 0, -2.7755575615628914e-17, 2.0816681711721685e-17, -8.847089727481716e-17,
                 -9.693458377671165e-18, -0.04573166064510476, -0.18042818031523136, 0.22752587202136337});
}

TEST(site_force_in_its_own_frame) {
  checkTransmission("<motor site='s1' gear='1 2 3 1 2 3'/>", 0, 0,
                    (mjtNum[]){-0.7532438691665874, -0.167824624853272, 3.6612099869927985, -1.431578947368421,
                               -0.5147368421052629, 3.5768421052631583, 1, 1.6999999999999997, 3.1999999999999997, 0});
}

TEST(site_relative_to_another_one) {
  checkTransmission("<motor site='s1' refsite='s2' gear='1 2 3 1 2 3'/>", 0, -2.5603972991496984,
                    (mjtNum[]){0, 0, 0, 0, 0, 0, 2.0848006861663713, 2.7873451550463866, 1.4074264267055892, -3});
}

TEST(site_relative_to_the_world) {
  checkTransmission("<motor site='s1' refsite='w' gear='0 0 1 0 0 0'/>", 0, -0.04039137929211223,
                    (mjtNum[]){0, 0, 1, -0.0016936856910207965, -0.2830430506646363, 0.03701870710531603, 0,
                               -0.0746926387699206, 0.04803358607489183, 0});
}

// A body turns by t about z; S, 90 degrees about x, is the rotation of both sites in their bodies. Then the site is
// turned against the reference site by S' Z(t) S, which is t about the axis S'z = y. (3.4.0: S' S Z(t), t about z.)
TEST(rotated_site_turns_about_the_axes_of_its_reference_site) {
  mjModel* m = test_model(
      "<mujoco><compiler angle='radian'/><worldbody><site name='w' euler='1.5707963267948966 0 0'/>"
      "<body><joint name='j' axis='0 0 1'/><geom size='.1'/><site name='s' euler='1.5707963267948966 0 0'/></body>"
      "</worldbody><actuator><motor site='s' refsite='w' gear='0 0 0 4 5 6'/></actuator></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  d->qpos[0] = 0.7;
  mj_fwdPosition(m, d);
  CHECK_NEAR(d->actuator_length[0], 5 * 0.7, 1e-14);
  CHECK_NEAR(d->actuator_moment[0], 5, 1e-14);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(slider_crank) {
  checkTransmission("<general cranksite='s1' slidersite='s2' cranklength='1.5' gear='2'/>", 0, -2.643974227725201,
                    (mjtNum[]){0, 0, 0, 0, -1.6653345369377348e-16, -1.249000902703301e-16, -6.9042633697402255e-18,
                               -0.15815765257684428, -0.015803186229700436, 0.096056724165095});
}

TEST(slider_crank_out_of_reach) {
  checkTransmission("<general cranksite='s1' slidersite='w' cranklength='.1'/>", 0, -0.04039137929211223,
                    (mjtNum[]){0, 0, 1, -0.0016936856910207965, -0.2830430506646363, 0.03701870710531603, 0,
                               -0.0746926387699206, 0.04803358607489183, 0});
}

TEST(adhesion_averages_contact_normals) {
  checkTransmission("<adhesion body='foot' ctrlrange='0 1'/>", 1, 0,
                    (mjtNum[]){0, 0, -1, -0.29999999999999993, -6.938893903907228e-18, 0, 0, 0, 0, 0});
}
