// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Building, walking, copying and taking apart a specification through the public functions.

#include <setjmp.h>
#include <string.h>

#include "support/test.h"

static const char* nameOf(mjsElement* e) { return e ? mjs_getString(mjs_getName(e)) : "(none)"; }

// world -> b1 -> (b2 -> b5, b6), b4: one geom in each, named after the body
static mjSpec* makeTree(void) {
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  mjsBody* b1 = mjs_addBody(world, NULL);
  mjsBody* b4 = mjs_addBody(world, NULL);
  mjsBody* b2 = mjs_addBody(b1, NULL);
  mjsBody* b5 = mjs_addBody(b2, NULL);
  mjsBody* b6 = mjs_addBody(b1, NULL);
  mjsBody* bodies[5] = {b1, b2, b4, b5, b6};
  const char* names[5] = {"b1", "b2", "b4", "b5", "b6"};
  const char* geoms[5] = {"g1", "g2", "g4", "g5", "g6"};
  for (int i = 0; i < 5; i++) {
    mjs_setName(bodies[i]->element, names[i]);
    mjsGeom* geom = mjs_addGeom(bodies[i], NULL);
    geom->size[0] = 0.1;
    mjs_setName(geom->element, geoms[i]);
  }
  return s;
}

TEST(new_specification_has_a_world_and_a_main_class) {
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  CHECK(world);
  CHECK_EQ(mjs_getId(world->element), 0);
  CHECK(!mjs_getParent(world->element));
  CHECK_TEXT(mjs_getString(s->modelname), "MuJoCo Model");
  CHECK_EQ(mjs_findDefault(s, "main"), mjs_getSpecDefault(s));
  CHECK_EQ(mjs_getSpec(world->element), s);
  CHECK_EQ(s->element->elemtype, mjOBJ_MODEL);
  mj_deleteSpec(s);
}

TEST(elements_are_walked_depth_first) {
  mjSpec* s = makeTree();
  char seen[100] = "";
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_BODY); e; e = mjs_nextElement(s, e)) {
    strcat(strcat(seen, nameOf(e)), " ");
  }
  CHECK_TEXT(seen, "world b1 b2 b5 b6 b4 ");
  seen[0] = 0;
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_GEOM); e; e = mjs_nextElement(s, e)) {
    strcat(strcat(seen, nameOf(e)), " ");
  }
  CHECK_TEXT(seen, "g1 g2 g5 g6 g4 ");
  mj_deleteSpec(s);
}

TEST(children_are_walked_with_and_without_what_is_below) {
  mjSpec* s = makeTree();
  mjsBody* b1 = mjs_findBody(s, "b1");
  mjsElement* e = mjs_firstChild(b1, mjOBJ_BODY, 0);
  CHECK_TEXT(nameOf(e), "b2");
  e = mjs_nextChild(b1, e, 0);
  CHECK_TEXT(nameOf(e), "b6");
  CHECK(!mjs_nextChild(b1, e, 0));
  e = mjs_firstChild(b1, mjOBJ_BODY, 1);
  e = mjs_nextChild(b1, e, 1);
  CHECK_TEXT(nameOf(e), "b5");
  CHECK_EQ(mjs_findChild(b1, "b5"), mjs_findBody(s, "b5"));
  CHECK(!mjs_findChild(b1, "b4"));
  mj_deleteSpec(s);
}

TEST(names_are_unique_within_a_type) {
  mjSpec* s = makeTree();
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  CHECK_EQ(mjs_setName(body->element, "b1"), -1);
  CHECK_TEXT(mjs_getError(s), "'b1' is used by another body");
  mjsBody* third = mjs_addBody(mjs_findBody(s, "world"), NULL);
  CHECK_EQ(mjs_setName(third->element, "of its own"), -1);
  CHECK_EQ(mjs_setName(body->element, "g1"), 0);
  CHECK_EQ(mjs_findBody(s, "g1"), body);

  // the old name is free again
  CHECK_EQ(mjs_setName(body->element, "other"), 0);
  CHECK(!mjs_findBody(s, "g1"));
  mj_deleteSpec(s);
}

TEST(classes_are_copied_when_they_are_made) {
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  mjsDefault* a = mjs_addDefault(s, "a", NULL);
  a->geom->size[0] = 1;
  mjsDefault* b = mjs_addDefault(s, "b", a);
  a->geom->size[0] = 5;
  CHECK_EQ(b->geom->size[0], 1);
  CHECK(!mjs_addDefault(s, "a", NULL));

  // a body hands its class to what is added to it
  mjsBody* body = mjs_addBody(world, b);
  CHECK_TEXT(mjs_getString(body->childclass), "b");
  CHECK_EQ(mjs_addGeom(mjs_addBody(body, NULL), NULL)->size[0], 1);
  CHECK_EQ(mjs_addGeom(body, a)->size[0], 5);

  // setting a class does not change values
  mjsGeom* geom = mjs_addGeom(world, NULL);
  mjs_setDefault(geom->element, a);
  CHECK_EQ(geom->size[0], 0);
  CHECK_EQ(mjs_getDefault(geom->element), a);
  mj_deleteSpec(s);
}

TEST(free_joint_ignores_the_class) {
  mjSpec* s = mj_makeSpec();
  mjs_getSpecDefault(s)->joint->damping = 3;
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjsJoint* joint = mjs_addFreeJoint(body);
  CHECK_EQ(joint->type, mjJNT_FREE);
  CHECK_EQ(joint->damping, 0);
  CHECK_EQ(mjs_addJoint(body, NULL)->damping, 3);
  mj_deleteSpec(s);
}

TEST(containers_copy_what_they_are_given) {
  mjSpec* s = mj_makeSpec();
  mjsNumeric* numeric = mjs_addNumeric(s);
  double data[3] = {1, 2, 3};
  mjs_setDouble(numeric->data, data, 3);
  data[0] = 7;
  int n;
  const double* got = mjs_getDouble(numeric->data, &n);
  CHECK_EQ(n, 3);
  CHECK_EQ(got[0], 1);
  mjsMaterial* material = mjs_addMaterial(s, NULL);
  CHECK(mjs_setInStringVec(material->textures, mjTEXROLE_RGB, "wood"));
  mj_deleteSpec(s);
}

static jmp_buf escape;
static int numErrors, numWarnings;

static void leave(const char* text) {
  (void)text;
  numErrors++;
  longjmp(escape, 1);
}

static void countWarning(const char* text) {
  (void)text;
  numWarnings++;
}

TEST(text_beyond_a_list_is_an_error) {
  mjSpec* s = mj_makeSpec();
  mjsMaterial* material = mjs_addMaterial(s, NULL);
  static const int beyond[] = {-1, mjNTEXROLE};
  mju_user_error = leave;
  numErrors = 0;
  for (volatile int i = 0; i < 2; i++) {
    if (!setjmp(escape)) mjs_setInStringVec(material->textures, beyond[i], "wood");
  }
  mju_user_error = NULL;
  CHECK_EQ(numErrors, 2);
  mj_deleteSpec(s);
}

TEST(calls_without_what_they_need_are_errors) {
  mjSpec* s = makeTree();
  mjsElement* body = mjs_findBody(s, "b1")->element;
  mjsTendon* tendon = mjs_addTendon(s, NULL);
  mjs_wrapJoint(tendon, "j", 1);
  mju_user_error = leave;
  numErrors = 0;
  if (!setjmp(escape)) mjs_getError(NULL);
  if (!setjmp(escape)) mjs_attach(NULL, body, "", "");
  if (!setjmp(escape)) mjs_attach(body, NULL, "", "");
  if (!setjmp(escape)) mjs_getWrap(tendon, -1);
  if (!setjmp(escape)) mjs_getWrap(tendon, 1);
  mju_user_error = NULL;
  CHECK_EQ(numErrors, 5);
  CHECK(mjs_getWrap(tendon, 0));
  mj_deleteSpec(s);
}

TEST(list_can_be_set_to_a_part_of_itself) {
  mjSpec* s = mj_makeSpec();
  mjsNumeric* numeric = mjs_addNumeric(s);
  const double three[3] = {1, 2, 3};
  int n;
  mjs_setDouble(numeric->data, three, 3);
  mjs_setDouble(numeric->data, mjs_getDouble(numeric->data, &n) + 1, 2);
  const double* got = mjs_getDouble(numeric->data, &n);
  CHECK_EQ(n, 2);
  CHECK_EQ(got[0], 2);
  CHECK_EQ(got[1], 3);
  mj_deleteSpec(s);
}

TEST(next_child_stays_in_the_body) {
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  mjsBody* a = mjs_addBody(world, NULL);
  mjsBody* b = mjs_addBody(world, NULL);
  mjsGeom* inB = mjs_addGeom(b, NULL);
  CHECK(!mjs_nextChild(a, b->element, 1));
  CHECK(!mjs_nextChild(a, inB->element, 1));
  CHECK(!mjs_nextChild(a, a->element, 1));
  CHECK(mjs_nextChild(world, a->element, 1) == b->element);

  // bodies hold no tendons
  CHECK(!*mjs_getError(s));
  CHECK(!mjs_firstChild(world, mjOBJ_TENDON, 1));
  CHECK(*mjs_getError(s));
  mj_deleteSpec(s);
}

TEST(elements_of_a_path_know_their_target_and_number) {
  mjSpec* s = mj_makeSpec();
  mjsTendon* tendon = mjs_addTendon(s, NULL);
  mjsWrap* joint = mjs_wrapJoint(tendon, "elbow", 3);
  mjsWrap* pulley = mjs_wrapPulley(tendon, 2);
  mjsWrap* geom = mjs_wrapGeom(tendon, "ball", "nowhere");
  CHECK_TEXT(mjs_getString(mjs_getName(joint->element)), "elbow");
  CHECK_TEXT(mjs_getString(mjs_getName(pulley->element)), "");
  mju_user_warning = countWarning;
  numWarnings = 0;
  CHECK_EQ(mjs_getWrapCoef(joint), 3);
  CHECK_EQ(mjs_getWrapDivisor(pulley), 2);
  CHECK_EQ(numWarnings, 0);
  CHECK_EQ(mjs_getWrapCoef(pulley), 1);
  CHECK_EQ(mjs_getWrapDivisor(joint), 1);
  CHECK(!mjs_getWrapSideSite(geom));
  CHECK_EQ(numWarnings, 3);
  mju_user_warning = NULL;
  mj_deleteSpec(s);
}

TEST(a_frame_stays_in_frames_of_its_body) {
  mjSpec* s = mj_makeSpec();
  mjsBody *a = mjs_addBody(mjs_findBody(s, "world"), NULL), *b = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjsFrame* outer = mjs_addFrame(a, NULL);
  CHECK(mjs_getFrame(mjs_addFrame(a, outer)->element) == outer);
  CHECK(!mjs_addFrame(b, outer));
  CHECK(strstr(mjs_getError(s), "the frame around a new frame belongs to another body"));
  mjModel* m = mj_compile(s, NULL);
  CHECK(m && m->nbody == 3);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

TEST(free_joint_has_the_main_class) {
  mjSpec* s = mj_makeSpec();
  mjsDefault* c = mjs_addDefault(s, "c", NULL);
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), c);
  CHECK(mjs_getDefault(mjs_addJoint(body, NULL)->element) == c);
  CHECK(mjs_getDefault(mjs_addFreeJoint(body)->element) == mjs_getSpecDefault(s));
  mj_deleteSpec(s);

  // unless it was read: then it has the class of its body, but none of the values
  s = mj_parseXMLString(
      "<mujoco><default><default class='c'><joint damping='3'/></default></default><worldbody><body childclass='c'>"
      "<freejoint name='j'/></body></worldbody></mujoco>",
      NULL, NULL, 0);
  mjsJoint* joint = mjs_asJoint(mjs_findElement(s, mjOBJ_JOINT, "j"));
  CHECK(mjs_getDefault(joint->element) == mjs_findDefault(s, "c"));
  CHECK_EQ(joint->damping, 0);
  mj_deleteSpec(s);
}

TEST(deleted_body_takes_what_refers_to_it_along) {
  mjSpec* s = makeTree();
  mjsExclude* exclude = mjs_addExclude(s);
  mjs_setString(exclude->bodyname1, "b5");
  mjs_setString(exclude->bodyname2, "b4");
  mjsSensor* kept = mjs_addSensor(s);
  kept->type = mjSENS_CLOCK;
  mjsSensor* sensor = mjs_addSensor(s);
  sensor->type = mjSENS_FRAMEPOS;
  sensor->objtype = mjOBJ_GEOM;
  mjs_setString(sensor->objname, "g2");

  CHECK_EQ(mjs_delete(s, mjs_findBody(s, "b2")->element), 0);
  CHECK(!mjs_findBody(s, "b5"));
  CHECK(!mjs_findElement(s, mjOBJ_GEOM, "g5"));
  CHECK(!mjs_firstElement(s, mjOBJ_EXCLUDE));
  CHECK_EQ(mjs_firstElement(s, mjOBJ_SENSOR), kept->element);
  CHECK(!mjs_nextElement(s, kept->element));
  CHECK_EQ(mjs_delete(s, mjs_findBody(s, "world")->element), 0);
  CHECK(mjs_findBody(s, "world") != NULL);
  mj_deleteSpec(s);
}

TEST(body_becomes_a_frame) {
  mjSpec* s = makeTree();
  mjsBody *b1 = mjs_findBody(s, "b1"), *b2 = mjs_findBody(s, "b2");
  b2->pos[0] = 3;
  mjsFrame* frame = mjs_bodyToFrame(&b2);
  CHECK(!b2);
  CHECK_EQ(frame->pos[0], 3);
  CHECK_EQ(mjs_getParent(frame->element), b1);
  CHECK_EQ(mjs_getParent(mjs_findBody(s, "b5")->element), b1);
  CHECK_EQ(mjs_getFrame(mjs_findBody(s, "b5")->element), frame);
  CHECK_EQ(mjs_setFrame(mjs_findBody(s, "b4")->element, frame), -1);
  CHECK_TEXT(mjs_getError(s), "another body");
  mj_deleteSpec(s);
}

static int cleaned;

static void countCleanup(const void* data) {
  (void)data;
  cleaned++;
}

TEST(user_values_are_cleaned_up_once) {
  mjSpec* s = makeTree();
  mjsElement* e = mjs_findBody(s, "b4")->element;
  cleaned = 0;
  mjs_setUserValueWithCleanup(e, "key", "one", countCleanup);
  CHECK_TEXT(mjs_getUserValue(e, "key"), "one");
  mjs_setUserValueWithCleanup(e, "key", "two", countCleanup);
  CHECK_EQ(cleaned, 1);
  mjs_setUserValue(e, "other", "three");
  mjs_deleteUserValue(e, "other");
  CHECK(!mjs_getUserValue(e, "other"));
  mj_deleteSpec(s);
  CHECK_EQ(cleaned, 2);
}

TEST(copy_is_independent) {
  mjSpec* s = makeTree();
  mjs_addDefault(s, "a", NULL)->geom->size[0] = 9;
  mjs_setName(mjs_addJoint(mjs_findBody(s, "b1"), NULL)->element, "j");
  mjsTendon* tendon = mjs_addTendon(s, NULL);
  mjs_wrapJoint(tendon, "j", 2);
  mjs_wrapJoint(mjs_addTendon(s, NULL), "nowhere", 1);  // not copied
  mjSpec* copy = mj_copySpec(s);
  mjs_findBody(s, "b1")->pos[0] = 1;
  mjs_delete(s, mjs_findBody(s, "b4")->element);
  CHECK_EQ(mjs_findBody(copy, "b1")->pos[0], 0);
  CHECK(mjs_findBody(copy, "b4"));
  CHECK_EQ(mjs_findDefault(copy, "a")->geom->size[0], 9);
  tendon = mjs_asTendon(mjs_firstElement(copy, mjOBJ_TENDON));
  CHECK_EQ(mjs_getWrapNum(tendon), 1);
  CHECK_EQ(mjs_getWrapCoef(mjs_getWrap(tendon, 0)), 2);
  CHECK(!mjs_nextElement(copy, tendon->element));
  mj_deleteSpec(copy);

  mjsText* text = mjs_addText(s);
  mjs_setName(text->element, "t");
  mjs_setString(mjs_getName(mjs_addText(s)->element), "t");
  CHECK(!mj_copySpec(s));
  CHECK_TEXT(mjs_getError(s), "the name is used twice");
  mj_deleteSpec(s);
}

TEST(contact_sensor_counts_its_fields) {
  mjSpec* s = mj_makeSpec();
  mjsSensor* sensor = mjs_addSensor(s);
  sensor->type = mjSENS_CONTACT;
  sensor->intprm[0] = 1 << mjCONDATA_FORCE | 1 << mjCONDATA_DIST;
  sensor->intprm[2] = 3;
  CHECK_EQ(mjs_sensorDim(sensor), 12);
  sensor->type = mjSENS_BALLQUAT;
  CHECK_EQ(mjs_sensorDim(sensor), 4);
  mj_deleteSpec(s);
}

TEST(a_copy_has_the_signature_of_its_source) {
  mjSpec* s = mj_makeSpec();
  mjs_addGeom(mjs_findBody(s, "world"), NULL)->size[0] = 1;
  for (int compiled = 0; compiled < 2; compiled++) {
    mjSpec* copy = mj_copySpec(s);
    CHECK(s->element->signature != 0);
    CHECK(copy->element->signature == s->element->signature);
    mj_deleteSpec(copy);
    mj_deleteModel(mj_compile(s, NULL));
  }
  mj_deleteSpec(s);
}
