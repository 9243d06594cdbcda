// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models that must be rejected, with the element and the reason in the message.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"

static const struct {
  const char* xml;
  const char* expect;
} rejected[] = {
    {"<body name='b'><joint/></body>", "body 'b': mass and inertia of a moving body"},
    {"<body><joint type='ball'/><joint name='j'/><geom size='1'/></body>",
     "joint 'j': no rotation can follow a ball joint"},
    {"<body><body><freejoint name='f'/><geom size='1'/></body></body>", "joint 'f': only children"},
    {"<body><joint name='j' axis='0 0 0'/><geom size='1'/></body>", "joint 'j': the axis is too short"},
    {"<geom name='g' type='box' size='1'/>", "geom 'g': size[1] is 0, it must be above zero"},
    {"<geom name='g' size='1' material='m'/>", "geom 'g': there is no material named 'm'"},
    {"<geom name='g' size='1' condim='2'/>", "condim must be 1, 3, 4 or 6, not 2"},
    {"<geom type='capsule' size='1' fromto='0 0 0 0 0 0'/>", "the two points are too close"},
    {"<geom name='g' type='mesh'/>", "geom 'g': a geom of type mesh must name a mesh"},
    {"<body><joint/><geom type='plane' size='1 1 1'/></body>", "a plane can only belong to a static body"},
    {"<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body>", "sum of the other two"},
    {"<body mocap='true' name='m'><joint/><geom size='1'/></body>", "body 'm': a mocap body must be"},
    {"<camera fovy='180' name='c'/>", "camera 'c': fovy must be below 180"},
    {"<light dir='0 0 0'/>", "light 0: the direction is too short"},
};

TEST(reasons_name_the_element) {
  for (size_t i = 0; i < sizeof rejected / sizeof rejected[0]; i++) {
    char xml[1000];
    snprintf(xml, sizeof xml, "<mujoco><worldbody>%s</worldbody></mujoco>", rejected[i].xml);
    test_rejects(xml, rejected[i].expect);
  }
}

TEST(reasons_name_the_line) {
  test_rejects("<mujoco>\n<worldbody>\n<geom name='g' size='0'/>\n</worldbody>\n</mujoco>",
               "test.xml:3: geom 'g': size[0] is 0");
}

TEST(links_to_nothing) {
  static const char body[] =
      "<worldbody><body name='a'><joint name='j'/><geom name='g' size='1'/><site name='s'/></body></worldbody>";
  static const struct {
    const char* xml;
    const char* expect;
  } links[] = {
      {"<contact><pair geom1='g' geom2='x'/></contact>", "there is no geom named 'x'"},
      {"<contact><exclude body1='a' body2='x'/></contact>", "there is no body named 'x'"},
      {"<equality><joint joint1='x'/></equality>", "there is no joint named 'x'"},
      {"<equality><weld body1='a' body2='a'/></equality>", "the two objects must differ"},
      {"<tendon><spatial name='t'><site site='s'/><site site='x'/></spatial></tendon>",
       "tendon 't': there is no site named 'x'"},
      {"<actuator><motor joint='x' name='m'/></actuator>", "actuator 'm': there is no joint named 'x'"},
      {"<actuator><motor name='m'/></actuator>", "actuator 'm': there is no transmission"},
      {"<sensor><touch site='x'/></sensor>", "there is no site named 'x'"},
      {"<sensor><jointlimitpos joint='j'/></sensor>", "needs a joint with limits"},
      {"<keyframe><key qpos='1 2'/></keyframe>", "qpos has 2 numbers, the model has 1"},
  };
  for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
    char xml[1000];
    snprintf(xml, sizeof xml, "<mujoco>%s%s</mujoco>", body, links[i].xml);
    test_rejects(xml, links[i].expect);
  }
}

TEST(sizes_are_limited) {
  test_rejects("<mujoco><size nkey='2000000000'/></mujoco>", "nkey");
  test_rejects("<mujoco><size njmax='2000000000'/></mujoco>", "njmax");
  test_rejects("<mujoco><size memory='9000000000000000'/></mujoco>", "memory");
}

TEST(geom_of_type_sdf_needs_a_mesh) {
  mjSpec* s = mj_makeSpec();
  mjsGeom* geom = mjs_addGeom(mjs_findBody(s, "world"), NULL);
  geom->type = mjGEOM_SDF;
  mjs_setName(geom->element, "gear");
  CHECK(!mj_compile(s, NULL));
  CHECK_TEXT(mjs_getError(s), "geom 'gear': a geom of type sdf must name a mesh");
  mj_deleteSpec(s);
}

TEST(error_is_forgotten_after_success) {
  mjSpec* s = mj_makeSpec();
  mjsGeom* geom = mjs_addGeom(mjs_findBody(s, "world"), NULL);
  CHECK(!mj_compile(s, NULL));
  CHECK_TEXT(mjs_getError(s), "size[0] is 0");
  geom->size[0] = 1;
  mjModel* m = mj_compile(s, NULL);
  CHECK(m);
  CHECK_EQ(mjs_getError(s)[0], 0);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void checkError(mjSpec* s, const char* message) {
  mjModel* m = mj_compile(s, NULL);
  CHECK(!m);
  CHECK_TEXT(mjs_getError(s), message);
  CHECK_EQ(strncmp(mjs_getError(s), message, strlen(message)), 0);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

TEST(elements_that_come_from_no_document_are_named) {
  mjSpec* s = mj_makeSpec();
  mjsGeom* geom = mjs_addGeom(mjs_findBody(s, "world"), NULL);
  mjs_setName(geom->element, "g");
  checkError(s, "geom 'g': size[0] is 0");
  s = mj_makeSpec();
  mjs_addGeom(mjs_findBody(s, "world"), NULL);
  checkError(s, "geom 0: size[0] is 0");
  s = mj_makeSpec();
  mjs_setName(mjs_addActuator(s, NULL)->element, "a");
  checkError(s, "actuator 'a': there is no transmission");
  s = mj_makeSpec();
  s->nuserdata = -1;
  checkError(s, "size: nuserdata");
}

TEST(elements_of_a_document_are_placed_by_the_compiler) {
  mjSpec* s = mj_parseXMLString("<mujoco>\n<worldbody>\n<geom name='g'/></worldbody></mujoco>", NULL, NULL, 0);
  checkError(s, "string:3: geom 'g': size[0] is 0");
}

TEST(attached_elements_keep_their_document) {
  static const char kid[] = "<mujoco>\n<worldbody>\n\n<body name='k'><geom name='g'/></body></worldbody></mujoco>";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "kid.xml", kid, (int)strlen(kid));
  mjSpec* s = mj_parseXMLString("<mujoco/>", NULL, NULL, 0);
  mjSpec* child = mj_parseXML("kid.xml", &vfs, NULL, 0);
  mjsFrame* frame = mjs_addFrame(mjs_findBody(s, "world"), NULL);
  CHECK(mjs_attach(frame->element, mjs_findBody(child, "k")->element, "p", "") != NULL);
  mj_deleteSpec(child);
  mj_deleteVFS(&vfs);
  checkError(s, "kid.xml:4: geom 'pg': size[0] is 0");
}

TEST(numbers_must_be_finite) {
  mjSpec* s = mj_makeSpec();
  s->option.gravity[2] = INFINITY;
  checkError(s, "option: gravity is inf");
  s = mj_makeSpec();
  s->option.timestep = NAN;
  checkError(s, "option: timestep is nan");
  s = mj_makeSpec();
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjsGeom* geom = mjs_addGeom(body, NULL);
  mjsJoint* joint = mjs_addJoint(body, NULL);
  geom->size[0] = 1;
  joint->type = mjJNT_HINGE;
  joint->damping = INFINITY;
  mjs_setName(joint->element, "j");
  checkError(s, "joint 'j': dof_damping is inf");
  test_rejects("<mujoco><worldbody>\n<geom size='1' pos='0 nan 0'/></worldbody></mujoco>",
               "test.xml:2: geom: pos must have numbers only");
  test_rejects("<mujoco><option gravity='0 0 -inf'/></mujoco>", "test.xml: option: gravity is -inf");

  // a bound may be infinite
  mjModel* m =
      test_model("<mujoco><worldbody><body><joint range='-inf inf'/><geom size='1'/></body></worldbody></mujoco>");
  CHECK(m && m->jnt_limited[0] && isinf(m->jnt_range[1]));
  mj_deleteModel(m);
}
