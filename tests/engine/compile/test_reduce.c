// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Bodies that are fused into their parents. Numbers: asked of MuJoCo 3.4.0.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"

#define FUSE "<mujoco><compiler fusestatic='true'/><worldbody>"

// one geom of the world; a body with one geom, into which one with two is fused
static const char* const fused = FUSE
    "<geom size='1 1 1' type='box'/><body pos='1 0 0'><joint/><geom size='.1'/>"
    "<body pos='0 1 0'><geom size='.2'/><geom size='.3' pos='1 1 1'/></body></body></worldbody></mujoco>";

TEST(inner_nodes_keep_what_they_held_as_leaves) {
  mjModel* m = test_model(fused);
  if (!m) return;
  static const int nodeid[] = {0, 1, 3, -1, 2, 1, 0};
  CHECK_EQ(m->nbvh, 7);
  CHECK_EQ(m->body_bvhnum[1], 5);
  for (int i = 0; i < m->nbvh; i++) CHECK_EQ(m->bvh_nodeid[i], nodeid[i]);

  // the row that no tree has
  for (int k = 0; k < 6; k++) CHECK_EQ(m->bvh_aabb[36 + k], 0);
  CHECK_EQ(m->bvh_child[12], 0);
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

TEST(bodies_before_one_that_is_referred_to_stay_once_its_number_is_too_large) {
  static const int want[] = {1, 1, 1, 1, 2, 4, 6};
  for (int i = 1; i <= 7; i++) CHECK_EQ(bodiesLeft(i), want[i - 1]);
}

TEST(mass_fused_into_a_massless_body_gets_principal_axes) {
  mjModel* m = test_model(FUSE "<body><joint/><geom size='.1'/><body name='p' pos='1 2 3'><body pos='1 0 0' euler='10 20 30'>"
                          "<inertial pos='.1 .2 .3' mass='1.5' diaginertia='.2 .3 .4'/></body></body></body></worldbody>"
                          "<sensor><framepos objtype='body' objname='p'/></sensor></mujoco>");
  if (!m) return;
  for (int k = 0; k < 3; k++) CHECK_NEAR(m->body_inertia[6 + k], .4 - .1 * k, 1e-12);
  CHECK_NEAR(m->body_iquat[8], 0, 1e-12);
  CHECK_NEAR(m->body_iquat[9], sqrt(.5), 1e-12);
  mj_deleteModel(m);
}
