// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Bodies that are fused into their parents. Numbers: asked of MuJoCo 4.0.0; 3.4.0 makes mistakes here.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"

#define FUSE "<mujoco><compiler fusestatic='true'/><worldbody>"

// one geom of the world; a body with one geom, into which one with two is fused
static const char* const fused = FUSE
    "<geom size='1 1 1' type='box'/><body pos='1 0 0'><joint/><geom size='.1'/>"
    "<body pos='0 1 0'><geom size='.2'/><geom size='.3' pos='1 1 1'/></body></body></worldbody></mujoco>";

TEST(a_body_has_one_tree_of_bounding_volumes) {
  mjModel* m = test_model(fused);
  if (!m) return;
  static const int nodeid[] = {0, -1, 3, -1, 2, 1};
  CHECK_EQ(m->nbvh, 6);
  CHECK_EQ(m->body_bvhnum[1], 5);
  for (int i = 0; i < m->nbvh; i++) CHECK_EQ(m->bvh_nodeid[i], nodeid[i]);
  mj_deleteModel(m);
}

TEST(model_with_fused_bodies_is_a_good_binary_model) {
  mjModel* m = test_model(fused);
  if (!m) return;
  static char bytes[200000];
  int64_t size = mj_sizeModel(m);
  CHECK(size <= (int64_t)sizeof bytes);
  mj_saveModel(m, NULL, bytes, (int)size);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.mjb", bytes, (int)size);
  mjModel* again = mj_loadModel("m.mjb", &vfs);
  CHECK(again != NULL);
  mj_deleteModel(again);
  mj_deleteVFS(&vfs);
  mj_deleteModel(m);
}

// seven bodies that could all be fused, one of which is referred to
static int bodiesLeft(int referred) {
  char xml[2000] = FUSE, *end = xml + strlen(xml);
  for (int i = 1; i <= 7; i++) end += sprintf(end, "<body name='%d'><geom size='.1'/></body>", i);
  sprintf(end, "</worldbody><sensor><framepos objtype='body' objname='%d'/></sensor></mujoco>", referred);
  mjModel* m = test_model(xml);
  int n = m ? m->nbody - 1 : -1;
  mj_deleteModel(m);
  return n;
}

TEST(a_body_that_is_referred_to_stays_and_no_other) {
  for (int i = 1; i <= 7; i++) CHECK_EQ(bodiesLeft(i), 1);
}

TEST(what_names_geoms_and_sites_follows_them) {
  mjModel* m = test_model(
      FUSE
      "<body><joint/><geom size='.1'/><body><joint/><geom size='.2'/></body>"
      "<body><geom name='g' size='.3'/><site name='s'/></body></body>"
      "<body><joint/><geom size='.4' name='h'/><site name='t'/></body><body><geom size='.5'/><site name='w'/></body>"
      "</worldbody><sensor><framepos objtype='geom' objname='g'/><gyro site='s'/></sensor>"
      "<tendon><spatial><site site='s'/><geom geom='h'/><site site='t'/></spatial></tendon>"
      "<contact><pair geom1='g' geom2='h'/></contact></mujoco>");
  if (!m) return;
  int g = mj_name2id(m, mjOBJ_GEOM, "g"), h = mj_name2id(m, mjOBJ_GEOM, "h");
  CHECK_NEAR(m->geom_size[3 * g], .3, 0);
  CHECK_EQ(m->sensor_objid[0], g);
  CHECK_EQ(m->sensor_objid[1], mj_name2id(m, mjOBJ_SITE, "s"));
  CHECK_EQ(m->wrap_objid[1], h);
  CHECK_EQ(m->wrap_objid[2], mj_name2id(m, mjOBJ_SITE, "t"));
  CHECK_EQ(m->pair_geom1[0], g);
  CHECK_EQ(m->pair_geom2[0], h);
  mj_deleteModel(m);
}

TEST(inertia_of_a_rotated_body_is_fused) {
  mjModel* m = test_model(
      FUSE
      "<body><joint/><geom size='.1'/><body pos='1 2 3' euler='10 20 30'><inertial pos='.1 .2 .3' mass='1.5' "
      "quat='1 2 3 4' diaginertia='.2 .3 .4'/></body></body></worldbody></mujoco>");
  if (!m) return;
  static const double pos[] = {0.28741169, 0.5721952, 0.87564225}, inertia[] = {19.0515313, 18.93427915, 0.35277642};
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(m->body_ipos[3 + k], pos[k], 1e-7);
    CHECK_NEAR(m->body_inertia[3 + k], inertia[k], 1e-7);
  }
  mj_deleteModel(m);
}

TEST(mass_fused_into_a_massless_body_gets_principal_axes) {
  mjModel* m =
      test_model(FUSE
                 "<body><joint/><geom size='.1'/><body name='p' pos='1 2 3'><body pos='1 0 0' euler='10 20 30'>"
                 "<inertial pos='.1 .2 .3' mass='1.5' diaginertia='.2 .3 .4'/></body></body></body></worldbody>"
                 "<sensor><framepos objtype='body' objname='p'/></sensor></mujoco>");
  if (!m) return;
  for (int k = 0; k < 3; k++) CHECK_NEAR(m->body_inertia[6 + k], .4 - .1 * k, 1e-12);
  static const double quat[] = {-0.2801665, 0.76975113, 0.0996005, 0.56486252},
                      pos[] = {1.09001655, 0.17006563, 0.32089672};
  for (int k = 0; k < 4; k++) CHECK_NEAR(m->body_iquat[8 + k], quat[k], 1e-6);
  for (int k = 0; k < 3; k++) CHECK_NEAR(m->body_ipos[6 + k], pos[k], 1e-8);
  mj_deleteModel(m);
}
