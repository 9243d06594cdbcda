// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mj_recompile. What is kept: asked of MuJoCo 3.4.0.

#include "support/test.h"

static const char* scene =
    "<mujoco><size nuserdata='1'/><worldbody><body name='m' mocap='true' pos='1 0 0'/>"
    "<body name='a'><joint name='ja' type='slide' ref='.3'/><geom size='.1'/>"
    "<body name='c' pos='0 0 1'><joint name='jc' type='ball'/><geom size='.1'/></body></body>"
    "<body name='b' pos='2 0 0'><freejoint name='jb'/><geom size='.1'/></body></worldbody>"
    "<actuator><general name='x' joint='ja' dyntype='filter'/><motor name='y' joint='ja'/>"
    "<general name='z' joint='ja' dyntype='integrator'/></actuator></mujoco>";

typedef struct {
  mjSpec* s;
  mjModel* m;
  mjData* d;
} Scene;

// every number of the state is another one
static Scene makeScene(void) {
  Scene w = {mj_parseXMLString(scene, NULL, NULL, 0), NULL, NULL};
  w.m = mj_compile(w.s, NULL);
  w.d = mj_makeData(w.m);
  w.d->time = 7;
  for (int i = 0; i < w.m->nq; i++) w.d->qpos[i] = 0.1 + i;
  for (int i = 0; i < w.m->nv; i++) w.d->qvel[i] = 20 + i;
  for (int i = 0; i < w.m->na; i++) w.d->act[i] = 40 + i;
  for (int i = 0; i < w.m->nu; i++) w.d->ctrl[i] = 50 + i;
  for (int i = 0; i < 3; i++) w.d->mocap_pos[i] = 60 + i;
  w.d->qacc_warmstart[0] = w.d->qfrc_applied[0] = w.d->xfrc_applied[6] = w.d->userdata[0] = 1;
  return w;
}

static void freeScene(Scene w) {
  mj_deleteData(w.d);
  mj_deleteModel(w.m);
  mj_deleteSpec(w.s);
}

TEST(state_survives_a_recompilation_and_the_rest_is_reset) {
  Scene w = makeScene();
  CHECK_EQ(mj_recompile(w.s, NULL, w.m, w.d), 0);
  CHECK_EQ(w.d->time, 7);
  CHECK_EQ(w.d->qpos[0], 0.1);
  CHECK_EQ(w.d->qpos[11], 11.1);
  CHECK_EQ(w.d->qvel[9], 29);
  CHECK_EQ(w.d->act[1], 41);
  CHECK_EQ(w.d->ctrl[2], 52);
  CHECK_EQ(w.d->mocap_pos[1], 61);
  CHECK_EQ(w.d->qacc_warmstart[0], 0);
  CHECK_EQ(w.d->qfrc_applied[0], 0);
  CHECK_EQ(w.d->xfrc_applied[6], 0);
  CHECK_EQ(w.d->userdata[0], 0);
  freeScene(w);
}

TEST(state_goes_with_its_elements) {
  Scene w = makeScene();
  // before the others: a hinge inside a, a mocap body; gone: c
  mjsBody* arm = mjs_addBody(mjs_findBody(w.s, "a"), NULL);
  mjs_addJoint(arm, NULL)->ref = 90;
  mjs_addGeom(arm, NULL)->size[0] = 0.1;
  mjs_delete(w.s, mjs_findBody(w.s, "c")->element);
  mjsBody* mocap = mjs_addBody(mjs_findBody(w.s, "world"), NULL);
  mocap->mocap = 1;
  mocap->pos[0] = 5;
  mjs_setName(mjs_findElement(w.s, mjOBJ_JOINT, "jb"), "renamed");
  CHECK_EQ(mj_recompile(w.s, NULL, w.m, w.d), 0);

  // slide, new hinge, free
  CHECK_EQ(w.m->nq, 9);
  CHECK_EQ(w.d->qpos[0], 0.1);
  CHECK_NEAR(w.d->qpos[1], mjPI / 2, 1e-15);
  CHECK_EQ(w.d->qpos[2], 5.1);
  CHECK_EQ(w.d->qvel[1], 0);
  CHECK_EQ(w.d->qvel[2], 24);
  CHECK_EQ(w.d->mocap_pos[0], 60);
  CHECK_EQ(w.d->mocap_pos[3], 5);
  mj_step(w.m, w.d);
  CHECK(w.d->time > 7);
  freeScene(w);
}

TEST(activations_go_with_actuators_and_controls_keep_their_places) {
  Scene w = makeScene();
  mjs_delete(w.s, mjs_findElement(w.s, mjOBJ_ACTUATOR, "x"));
  CHECK_EQ(mj_recompile(w.s, NULL, w.m, w.d), 0);
  CHECK_EQ(w.m->na, 1);
  CHECK_EQ(w.d->act[0], 41);
  CHECK_EQ(w.d->ctrl[0], 50);
  CHECK_EQ(w.d->ctrl[1], 51);
  freeScene(w);
}

TEST(a_joint_of_another_size_starts_anew) {
  Scene w = makeScene();
  mjs_asJoint(mjs_findElement(w.s, mjOBJ_JOINT, "jc"))->type = mjJNT_HINGE;
  CHECK_EQ(mj_recompile(w.s, NULL, w.m, w.d), 0);
  CHECK_EQ(w.d->qpos[1], 0);
  CHECK_EQ(w.d->qpos[2], 5.1);
  freeScene(w);
}

TEST(a_model_that_was_not_compiled_from_the_specification_keeps_time_only) {
  Scene w = makeScene();
  mjSpec* other = mj_parseXMLString(scene, NULL, NULL, 0);
  CHECK_EQ(mj_recompile(other, NULL, w.m, w.d), 0);
  CHECK_EQ(w.d->time, 7);
  CHECK_EQ(w.d->qpos[0], 0.3);
  CHECK_EQ(w.d->mocap_pos[0], 1);
  mj_deleteSpec(other);
  freeScene(w);
}

TEST(recompilation_works_without_data) {
  Scene w = makeScene();
  mj_deleteData(w.d);
  w.s->option.timestep = 0.25;
  CHECK_EQ(mj_recompile(w.s, NULL, w.m, NULL), 0);
  CHECK_EQ(w.m->opt.timestep, 0.25);
  w.d = NULL;
  freeScene(w);
}

// model and data are gone: the address sanitizer watches that nothing is freed twice or kept
TEST(a_failed_recompilation_frees_model_and_data) {
  Scene w = makeScene();
  mjs_setName(mjs_findElement(w.s, mjOBJ_JOINT, "ja"), "elsewhere");
  CHECK_EQ(mj_recompile(w.s, NULL, w.m, w.d), -1);
  CHECK_TEXT(mjs_getError(w.s), "ja");
  mj_deleteSpec(w.s);
}
