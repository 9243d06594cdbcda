// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the writer says of a compiled model, part by part.

#include "support/saved.h"

// the text of the document has all of `with` and nothing of `without`, each ended by NULL
static void checkText(const char* xml, const char* const* with, const char* const* without) {
  char* text = saved_text(xml);
  for (; text && *with; with++) CHECK_TEXT(text, *with);
  for (; text && *without; without++) {
    if (strstr(text, *without)) printf("  unwanted \"%s\" in:\n%s\n", *without, text);
    CHECK(!strstr(text, *without));
  }
  free(text);
}

#define LIST(...) \
  (const char* const[]) { __VA_ARGS__, NULL }
#define NOTHING \
  (const char* const[]) { NULL }

TEST(an_empty_model_has_its_name_its_units_and_a_world) {
  char* text = saved_text("<mujoco/>");
  CHECK_TEXT(text,
             "<mujoco model=\"MuJoCo Model\">\n  <compiler angle=\"radian\"/>\n\n"
             "  <worldbody/>\n</mujoco>\n");
  free(text);
}

TEST(angles_are_in_radians_and_orientations_quaternions) {
  checkText(
      "<mujoco><worldbody><body euler='0 0 180'><joint range='0 180' ref='90'/>"
      "<geom size='1' axisangle='1 0 0 180'/></body></worldbody></mujoco>",
      LIST("range=\"0 3.141592653589793\"", "ref=\"1.5707963267948966\"", "quat="),
      LIST("euler", "axisangle", "limited"));
}

TEST(what_equals_the_class_is_left_out) {
  checkText(
      "<mujoco><default><geom friction='.5'/><default class='big'><geom size='2' contype='4'/>"
      "<default class='red'><geom rgba='1 0 0 1'/></default></default></default><worldbody>"
      "<geom class='red'/><geom class='big' rgba='1 0 0 1' size='3'/></worldbody></mujoco>",
      LIST("<default>\n    <geom friction=\"0.5\"/>\n    <default class=\"big\">\n"
           "      <geom size=\"2\" contype=\"4\"/>\n      <default class=\"red\">\n"
           "        <geom rgba=\"1 0 0 1\"/>\n      </default>\n    </default>\n  </default>\n",
           "<geom class=\"red\"/>\n", "<geom class=\"big\" size=\"3\" rgba=\"1 0 0 1\"/>\n"),
      NOTHING);
}

TEST(a_class_that_holds_nothing_keeps_its_name) {
  checkText("<mujoco><default><default class='empty'/></default></mujoco>", LIST("<default class=\"empty\"/>"),
            NOTHING);
}

TEST(limits_are_written_where_a_reader_would_find_another_answer) {
  checkText(
      "<mujoco><compiler autolimits='false' angle='radian'/><default><default class='on'><joint "
      "limited='true' range='0 1'/></default></default><worldbody>"
      "<body><joint name='a' limited='true' range='0 1'/><geom size='1'/></body>"
      "<body><joint name='b' limited='false' range='0 1'/><geom size='1'/></body>"
      "<body><joint name='c' class='on'/><geom size='1'/></body>"
      "<body><joint name='d' class='on' limited='false'/><geom size='1'/></body>"
      "</worldbody></mujoco>",
      LIST("<joint name=\"a\" range=\"0 1\"/>", "<joint name=\"b\" limited=\"false\" range=\"0 1\"/>",
           "<joint name=\"c\" class=\"on\"/>", "<joint name=\"d\" class=\"on\" limited=\"false\"/>"),
      LIST("autolimits"));
}

TEST(segments_of_a_class_become_poses_of_its_elements) {
  checkText(
      "<mujoco><default><default class='f'><geom type='capsule' fromto='0 0 0 0 0 -2' size='.1' "
      "mass='3'/></default></default><worldbody><geom class='f'/></worldbody></mujoco>",
      LIST("<geom type=\"capsule\" size=\"0.1\"/>", "<geom class=\"f\" pos=\"0 0 -1\" size=\"0.1 1\" mass=\"3\"/>"),
      LIST("fromto"));
}

TEST(names_are_escaped) {
  char* text = saved_text(
      "<mujoco model='&lt;a&gt; &amp; &quot;b&quot;'><custom><text name=\"it's\" "
      "data='tab&#9;line&#10;end'/></custom></mujoco>");
  CHECK_TEXT(text, "model=\"&lt;a&gt; &amp; &quot;b&quot;\"");
  CHECK_TEXT(text, "<text name=\"it's\" data=\"tab&#9;line&#10;end\"/>");
  free(text);
}

TEST(elements_keep_their_order_across_frames) {
  const char* xml =
      "<mujoco><default><default class='c'/></default><worldbody>"
      "<frame name='F' pos='1 0 0' childclass='c'><geom name='a' size='1'/></frame>"
      "<geom name='b' size='1'/><frame name='G'><geom name='c' size='1'/>"
      "<body name='in'/></frame><body name='out'/><frame name='H'/></worldbody></mujoco>";
  char* text = saved_text(xml);
  CHECK_TEXT(text,
             "    <frame name=\"F\" childclass=\"c\">\n      <geom name=\"a\" pos=\"1 0 0\" size=\"1\"/>\n"
             "    </frame>\n    <geom name=\"b\" size=\"1\"/>\n    <frame name=\"G\">\n"
             "      <geom name=\"c\" size=\"1\"/>\n      <body name=\"in\"/>\n    </frame>\n"
             "    <body name=\"out\"/>\n    <frame name=\"H\"/>\n");
  free(text);
}

TEST(free_joints_are_short_if_they_can_be) {
  checkText(
      "<mujoco><default><joint damping='2'/></default><worldbody><body><freejoint name='a' group='2'/>"
      "<geom size='1'/></body><body><joint name='b' type='free'/><geom size='1'/></body>"
      "</worldbody></mujoco>",
      LIST("<freejoint name=\"a\" group=\"2\"/>", "<joint name=\"b\" type=\"free\"/>"), NOTHING);
}

TEST(inertia_is_written_where_geoms_do_not_say_it) {
  checkText(
      "<mujoco><worldbody><body><inertial pos='1 0 0' mass='2' diaginertia='1 2 3'/></body>"
      "<body><geom size='1'/></body></worldbody></mujoco>",
      LIST("<inertial pos=\"1 0 0\" mass=\"2\" diaginertia=\"1 2 3\"/>\n    </body>\n    <body>\n"
           "      <geom size=\"1\"/>"),
      NOTHING);
  checkText(
      "<mujoco><compiler saveinertial='true'/><worldbody><body><geom size='1' density='1'/></body>"
      "</worldbody></mujoco>",
      LIST("<inertial pos=\"0 0 0\" mass=\"4.18879020"), NOTHING);
}

TEST(actuators_are_general) {
  checkText(
      "<mujoco><worldbody><body><joint name='j' range='-90 90'/><geom size='1'/></body></worldbody>"
      "<actuator><position name='p' joint='j' kp='3' kv='1' inheritrange='1'/><motor joint='j' "
      "gear='2'/></actuator></mujoco>",
      LIST("<general name=\"p\" joint=\"j\" ctrlrange=\"-1.5707963267948966 1.5707963267948966\" "
           "gainprm=\"3\" biastype=\"affine\" biasprm=\"0 -3 -1\"/>",
           "<general joint=\"j\" gear=\"2\"/>"),
      LIST("inheritrange", "<position", "ctrllimited"));
}

TEST(numbers_are_as_short_as_they_can_be) {
  checkText(
      "<mujoco><option timestep='0.001' gravity='0.1 1e-20 0.30000000000000004'/><worldbody>"
      "<geom size='1' rgba='.1 .2 0.123456789 1'/></worldbody></mujoco>",
      LIST("timestep=\"0.001\"", "gravity=\"0.1 1e-20 0.30000000000000004\"", "rgba=\"0.1 0.2 0.12345679 1\""),
      LIST("0.002"));
}

TEST(flags_and_settings_that_differ_are_written) {
  checkText(
      "<mujoco><compiler boundmass='.5' settotalmass='3'><lengthrange accel='5'/></compiler>"
      "<option actuatorgroupdisable='1 30'><flag contact='disable' energy='enable'/></option>"
      "<size memory='3M' nuserdata='4'/><visual><map znear='.5'/></visual><statistic extent='7'/>"
      "</mujoco>",
      LIST("boundmass=\"0.5\" settotalmass=\"3\">\n    <lengthrange accel=\"5\"/>",
           "<option actuatorgroupdisable=\"1 30\">\n    <flag contact=\"disable\" energy=\"enable\"/>",
           "<size nuserdata=\"4\" memory=\"3M\"/>", "<map znear=\"0.5\"/>", "<statistic extent=\"7\"/>"),
      LIST("<global", "nkey", "nuser_body"));
}

TEST(user_values_of_a_class_are_taken_back_by_zeros) {
  mjModel* m;
  mjSpec* s = mj_makeSpec();
  double values[2] = {1, 2};
  mjs_setDouble(mjs_getSpecDefault(s)->geom->userdata, values, 2);
  mjsGeom* geom = mjs_addGeom(mjs_findBody(s, "world"), NULL);
  geom->size[0] = 1;
  mjs_setDouble(geom->userdata, NULL, 0);
  s->nuser_geom = 2;
  m = mj_compile(s, NULL);
  CHECK(m != NULL);
  if (m) saved_rounds(s, m);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// ---- what has no text is an error that names the element

static void checkRefusal(mjSpec* s, const char* reason) {
  char error[300] = "", text[100];
  mjModel* m = mj_compile(s, NULL);
  CHECK(m != NULL);
  CHECK_EQ(mj_saveXMLString(s, text, sizeof text, error, sizeof error), -1);
  CHECK_TEXT(error, reason);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

TEST(names_of_any_bytes_are_kept) {
  static const char* const kept[] = {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xff\xc0\x80", "\x7f", "a\x01\x1f",
                                     "\r\n\t\v\n "};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    mjSpec* s = mj_makeSpec();
    mjs_setName(mjs_addBody(mjs_findBody(s, "world"), NULL)->element, kept[i]);
    mjModel* m = mj_compile(s, NULL);
    if (m) saved_rounds(s, m);
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

TEST(pixels_in_memory_are_refused) {
  mjSpec* s = mj_makeSpec();
  mjsTexture* texture = mjs_addTexture(s);
  mjs_setName(texture->element, "grey");
  texture->type = mjTEXTURE_2D;
  texture->width = texture->height = 2;
  static const unsigned char pixels[12] = {1, 2, 3};
  mjs_setBuffer(texture->data, pixels, sizeof pixels);
  checkRefusal(s, "texture 'grey': pixels in memory have no attribute");
}

TEST(a_comment_is_kept_without_ending_early) {
  mjSpec* s = mj_makeSpec();
  mjs_setString(s->comment, "one -- two --> three-");
  mjModel* m = mj_compile(s, NULL);
  char* text = saved_spec(s);
  CHECK_TEXT(text, "<!--one -- two - -> three--->");
  if (m) saved_rounds(s, m);
  free(text);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// what a program left in fields that do not count would make the text unreadable
TEST(transmissions_are_written_without_what_they_do_not_have) {
  mjSpec* s = mj_makeSpec();
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjs_addGeom(body, NULL)->size[0] = 1;
  mjs_setName(mjs_addJoint(body, NULL)->element, "j");
  mjs_setName(mjs_addSite(body, NULL)->element, "s");
  mjsActuator* actuator = mjs_addActuator(s, NULL);
  actuator->trntype = mjTRN_JOINT;
  actuator->cranklength = 1;
  mjs_setString(actuator->target, "j");
  mjs_setString(actuator->slidersite, "s");
  mjs_setString(actuator->refsite, "s");
  mjModel* m = mj_compile(s, NULL);
  CHECK(m);

  char text[4000], error[300] = "";
  CHECK_EQ(mj_saveXMLString(s, text, sizeof text, error, sizeof error), 0);
  mjSpec* again = mj_parseXMLString(text, NULL, error, sizeof error);
  CHECK_TEXT(error, "");
  CHECK(again);
  mj_deleteSpec(again);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}
