// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The contact sensor; numbers recorded from the reference, version 3.4.0.

#include <stdio.h>

#include "support/test.h"

static const char* const stack =
    "<mujoco><worldbody><geom name='floor' type='plane' size='5 5 .1'/>"
    "<body name='box' pos='0 0 .095'><freejoint/>"
    "<geom name='g' type='box' size='.1 .2 .1' mass='1'/></body>"
    "<body name='ball' pos='0 0 .28'><freejoint/><geom size='.1' mass='1' condim='6'/></body>"
    "</worldbody>"
    "<sensor>";

// one sensor for a ball on a box on the floor, all sliding
static void checkContacts(const char* sensor, const mjtNum* want) {
  char xml[2000];
  snprintf(xml, sizeof xml, "%s%s</sensor></mujoco>", stack, sensor);
  mjModel* m = test_model(xml);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mju_fill(d->qvel, 0.1, m->nv);
  mj_forward(m, d);
  CHECK_EQ(d->ncon, 5);
  CHECK_ARRAY(d->sensordata, want, m->nsensordata, 1e-6);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(contacts_as_they_come) {
  checkContacts("<contact geom1='floor' geom2='g' num='2' data='found dist pos normal'/>",
                (mjtNum[]){4, -0.0050000000000000044, -0.1, -0.2, -0.0025000000000000022, 0, 0, 1, 4,
                           -0.0050000000000000044, 0.1, -0.2, -0.0025000000000000022, 0, 0, 1});
}

TEST(first_object_is_where_normals_come_from) {
  checkContacts("<contact geom1='g' geom2='floor' num='1' data='found normal tangent'/>",
                (mjtNum[]){4, 0, 0, -1, 0, -1, 0});
}

TEST(nearest_first) {
  checkContacts("<contact num='2' reduce='mindist' data='dist'/>",
                (mjtNum[]){-0.014999999999999986, -0.0050000000000000044});
}

TEST(strongest_first) {
  checkContacts("<contact num='2' reduce='maxforce' data='found force'/>",
                (mjtNum[]){5, 49.05133454262751, 3.3010731067381514, 2.6382391092810904, 5, 20.79464342572867,
                           -3.444629768413137, 2.9836479048004394});
}

TEST(sum_of_all_in_the_world) {
  checkContacts("<contact body1='box' reduce='netforce' data='found force torque pos normal tangent'/>",
                (mjtNum[]){5, 9.997172654542151, 10.127035894603672, -11.64296968126478, 0.17200389155947637,
                           0.05170590315753365, 0.16002968171312215, 0.012995462968685275, 0.011766675991274518,
                           0.08036774401338394, 1, 0, 0, 0, 1, 0});
}

TEST(subtree_and_body) {
  checkContacts("<contact subtree1='ball' body2='box' data='found force torque dist'/>",
                (mjtNum[]){1, 49.05133454262751, 3.3010731067381514, 2.6382391092810904, -0.0012033259462121127,
                           3.302106336478339e-06, -3.1036199043789736e-06, -0.014999999999999986});
}

TEST(empty_slots_are_zero) {
  checkContacts("<contact geom1='floor' body2='ball' num='2' data='found dist'/>", (mjtNum[]){0, 0, 0, 0});
  checkContacts("<contact geom1='floor' body2='ball' reduce='netforce' data='found normal tangent'/>",
                (mjtNum[]){0, 0, 0, 0, 0, 0, 0});  // 3.4.0 writes a normal and a tangent of no contact
}
