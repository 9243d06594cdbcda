// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Keyframes while the structure changes: numbers stay with their elements. Expected: the same calls on MuJoCo 4.0.0;
// 3.4.0 makes the keyframes of the host longer at their end, so that numbers come to other joints.

#include <string.h>

#include "support/test.h"

#define SLIDER(name) "<joint name='" name "' type='slide'/><geom size='.1'/>"

static mjSpec* parse(const char* xml) {
  char error[500] = "";
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof error);
  CHECK_TEXT(error, "");
  CHECK(s);
  mjs_setDeepCopy(s, 1);
  return s;
}

// j and j2 with a frame between them
static mjSpec* makeHost(void) {
  return parse("<mujoco><worldbody><body name='b'>" SLIDER("j") "<frame name='f'/></body><body name='b2'>" SLIDER(
      "j2") "</body></worldbody><actuator><motor name='m' joint='j'/><general name='act' joint='j2' dyntype='filter'/>"
            "</actuator><keyframe><key name='h' time='3' qpos='1 2' ctrl='3 4' act='5'/></keyframe></mujoco>");
}

static mjSpec* makePart(void) {
  return parse("<mujoco><worldbody><body name='c'><joint name='q' type='slide' ref='3'/><geom size='.1'/></body>"
               "<body name='d'>" SLIDER("q2") "</body></worldbody><actuator><motor name='n' joint='q'/></actuator>"
               "<keyframe><key name='k' time='4' qpos='5 6' ctrl='7'/></keyframe></mujoco>");
}

static mjsElement* frame(mjSpec* s) { return mjs_findFrame(s, "f")->element; }

static mjsElement* body(mjSpec* s, const char* name) { return mjs_findBody(s, name)->element; }

static mjModel* compile(mjSpec* s) {
  mjModel* m = mj_compile(s, NULL);
  if (!m) CHECK_TEXT(mjs_getError(s), "(no error)");
  CHECK(m);
  return m;
}

static void checkQpos(const mjModel* m, const char* name, const double* qpos) {
  int k = mj_name2id(m, mjOBJ_KEY, name);
  CHECK(k >= 0);
  if (k >= 0) CHECK_ARRAY(m->key_qpos + k * m->nq, qpos, (int)m->nq, 0);
}

TEST(numbers_stay_with_joints_when_a_part_comes_between_them) {
  mjSpec *s = makeHost(), *part = makePart();
  CHECK(mjs_attach(frame(s), body(part, "c"), "x_", ""));
  mj_deleteSpec(part);
  mjModel* m = compile(s);
  CHECK_EQ(m->nkey, 2);
  checkQpos(m, "h", (double[]){1, 3, 2});
  checkQpos(m, "x_k", (double[]){0, 5, 0});
  const double ctrl[6] = {3, 4, 0, 0, 0, 7};
  CHECK_ARRAY(m->key_ctrl, ctrl, 6, 0);
  CHECK_EQ(m->key_act[0], 5);
  CHECK_EQ(m->key_time[1], 4);

  // the lists of the specification are those of the model again
  int n;
  const double* qpos = mjs_getDouble(mjs_asKey(mjs_findElement(s, mjOBJ_KEY, "h"))->qpos, &n);
  CHECK_EQ(n, 3);
  CHECK_EQ(qpos[2], 2);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

TEST(two_copies_of_a_part_bring_a_keyframe_each) {
  for (int between = 0; between < 2; between++) {
    mjSpec *s = makeHost(), *part = makePart();
    CHECK(mjs_attach(frame(s), body(part, "c"), "x_", ""));
    if (between) mj_deleteModel(compile(s));
    CHECK(mjs_attach(frame(s), body(part, "c"), "y_", ""));
    mjModel* m = compile(s);
    CHECK_EQ(m->nkey, 3);
    checkQpos(m, "h", (double[]){1, 3, 3, 2});
    checkQpos(m, "x_k", (double[]){0, 5, 3, 0});
    checkQpos(m, "y_k", (double[]){0, 3, 5, 0});
    mj_deleteModel(m);
    mj_deleteSpec(s);
    mj_deleteSpec(part);
  }
}

// the reference warns that their names miss the second prefix
TEST(keyframes_of_a_part_of_a_part_have_both_prefixes) {
  mjSpec *s = makeHost(), *middle = makeHost(), *part = makePart();
  CHECK(mjs_attach(frame(middle), body(part, "c"), "x_", ""));
  CHECK(mjs_attach(frame(s), body(middle, "b"), "y_", ""));
  mj_deleteSpec(part);
  mj_deleteSpec(middle);
  mjModel* m = compile(s);
  checkQpos(m, "y_x_k", (double[]){0, 0, 5, 0});
  checkQpos(m, "y_h", (double[]){0, 1, 3, 0});
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

TEST(a_part_that_is_attached_by_reference_keeps_its_keyframes) {
  mjSpec *s = makeHost(), *part = makePart();
  mjs_setDeepCopy(s, 0);
  CHECK(mjs_attach(frame(s), part->element, "x_", ""));
  CHECK(mjs_attach(frame(s), part->element, "y_", ""));
  mjModel* m = compile(s);
  checkQpos(m, "x_k", (double[]){0, 5, 6, 3, 0, 0});
  checkQpos(m, "y_k", (double[]){0, 3, 0, 5, 6, 0});
  mj_deleteModel(m);
  mj_deleteSpec(s);
  mj_deleteSpec(part);
}

// what is not copied is meant itself
TEST(a_copy_within_a_specification_has_a_keyframe) {
  mjSpec* s = makeHost();
  mjs_addFrame(mjs_findBody(s, "world"), NULL);
  mjsElement* place = mjs_addFrame(mjs_findBody(s, "world"), NULL)->element;
  CHECK(mjs_attach(place, body(s, "b"), "x_", ""));
  mjModel* m = compile(s);
  CHECK_EQ(m->nkey, 2);
  checkQpos(m, "h", (double[]){1, 2, 0});
  checkQpos(m, "x_h", (double[]){0, 2, 1});
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

TEST(deleting_takes_the_numbers_of_what_goes) {
  mjSpec* s = makeHost();
  CHECK_EQ(mjs_delete(s, mjs_findElement(s, mjOBJ_ACTUATOR, "m")), 0);
  mjModel* m = compile(s);
  CHECK_EQ(m->key_ctrl[0], 4);
  checkQpos(m, "h", (double[]){1, 2});
  mj_deleteModel(m);

  // with its actuator
  CHECK_EQ(mjs_delete(s, body(s, "b2")), 0);
  m = compile(s);
  CHECK_EQ(m->nu, 0);
  CHECK_EQ(m->key_time[0], 3);
  checkQpos(m, "h", (double[]){1});
  mj_deleteModel(m);
  mj_deleteSpec(s);

  s = makeHost();
  CHECK_EQ(mjs_delete(s, mjs_findElement(s, mjOBJ_ACTUATOR, "m")), 0);
  CHECK_EQ(mjs_delete(s, mjs_findElement(s, mjOBJ_JOINT, "j")), 0);
  m = compile(s);
  checkQpos(m, "h", (double[]){2});
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

TEST(a_copy_of_a_specification_has_the_numbers_before_they_are_compiled) {
  mjSpec *s = makeHost(), *part = makePart();
  CHECK(mjs_attach(frame(s), body(part, "c"), "x_", ""));
  mjSpec* copy = mj_copySpec(s);
  CHECK(copy);
  mj_deleteSpec(s);
  mj_deleteSpec(part);
  mjModel* m = compile(copy);
  checkQpos(m, "h", (double[]){1, 3, 2});
  checkQpos(m, "x_k", (double[]){0, 5, 0});
  mj_deleteModel(m);
  mj_deleteSpec(copy);
}

TEST(what_a_program_writes_before_it_compiles_is_used) {
  mjSpec *s = makeHost(), *part = makePart();
  CHECK(mjs_attach(frame(s), body(part, "c"), "x_", ""));
  mjsKey* key = mjs_asKey(mjs_findElement(s, mjOBJ_KEY, "h"));
  mjs_setDouble(key->qpos, (double[]){7, 8, 9}, 3);
  mjModel* m = compile(s);
  checkQpos(m, "h", (double[]){7, 8, 9});
  CHECK_EQ(m->key_ctrl[1], 4);
  mj_deleteModel(m);
  mj_deleteSpec(s);
  mj_deleteSpec(part);
}

TEST(a_compilation_that_fails_leaves_keyframes_as_they_were) {
  mjSpec *s = makeHost(), *part = makePart();
  CHECK(mjs_attach(frame(s), body(part, "c"), "x_", ""));
  mjsGeom* bad = mjs_addGeom(mjs_findBody(s, "b2"), NULL);
  CHECK(!mj_compile(s, NULL));
  CHECK_EQ(mjs_delete(s, bad->element), 0);
  mjModel* m = compile(s);
  checkQpos(m, "h", (double[]){1, 3, 2});
  checkQpos(m, "x_k", (double[]){0, 5, 0});
  mj_deleteModel(m);
  mj_deleteSpec(s);
  mj_deleteSpec(part);
}

TEST(a_part_whose_keyframe_is_too_long_is_refused) {
  mjSpec *s = makeHost(), *part = makePart();
  mjs_setDouble(mjs_asKey(mjs_findElement(part, mjOBJ_KEY, "k"))->qpos, (double[]){1, 2, 3}, 3);
  CHECK(!mjs_attach(frame(s), body(part, "c"), "x_", ""));
  CHECK_TEXT(mjs_getError(s), "key 'k': qpos has 3 numbers, its model has 2");
  mj_deleteModel(compile(s));
  mj_deleteSpec(s);
  mj_deleteSpec(part);
}

// 3.4.0 refuses these, or brings a keyframe with every replica
TEST(a_document_gives_the_numbers_of_the_whole_model) {
  mjSpec* s = parse("<mujoco><worldbody><body>" SLIDER(
      "a") "</body>"
           "<replicate count='2' offset='1 0 0'><body>" SLIDER("r") "</body></replicate><body>" SLIDER(
               "z") "</body></worldbody>"
                    "<keyframe><key name='k' qpos='1 2 3 4'/><key name='short' qpos='5 6 7'/></keyframe></mujoco>");
  mjModel* m = compile(s);
  CHECK_EQ(m->nkey, 2);
  checkQpos(m, "k", (double[]){1, 2, 3, 4});
  checkQpos(m, "short", (double[]){5, 6, 7, 0});
  mj_deleteModel(m);
  mj_deleteSpec(s);
}
