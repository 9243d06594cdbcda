// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Attaching. Expected names and poses: the same calls on MuJoCo 3.4.0. Keyframes: test_keyframe.c.

#include <string.h>

#include "support/test.h"

static mjSpec* parse(const char* xml) {
  char error[500] = "";
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof error);
  CHECK_TEXT(error, "");
  CHECK(s);
  return s;
}

static mjSpec* makeParent(void) {
  return parse(
      "<mujoco model='par'><worldbody><body name='base'><joint name='jb'/><geom name='gb' size='.1'/>"
      "<site name='sb' pos='1 2 3' euler='0 0 30'/><frame name='f' pos='0 0 1' euler='10 0 0'/></body>"
      "</worldbody><actuator><motor name='mb' joint='jb'/></actuator>"
      "<keyframe><key name='kp' qpos='.3' ctrl='.1'/></keyframe></mujoco>");
}

static mjSpec* makeChild(void) {
  return parse(
      "<mujoco model='sub'><compiler angle='radian'/><default><geom rgba='1 0 0 1'/>"
      "<default class='k'><geom size='.2'/></default></default><asset><material name='mat'/></asset>"
      "<worldbody><geom name='wg' size='.3'/><frame name='cf' pos='1 0 0'><body name='r' pos='0 1 0'>"
      "<joint name='j' range='-1 1'/><geom class='k' name='g' material='mat'/>"
      "<body name='r2' childclass='k'><joint name='j2'/><geom/></body></body>"
      "<geom name='fg' size='.05'/></frame><body name='o'><joint name='jo'/><geom size='.1'/></body>"
      "</worldbody><actuator><motor name='m' joint='j'/><motor name='mo' joint='jo'/></actuator>"
      "<sensor><jointpos name='sp' joint='j'/><jointpos name='spo' joint='jo'/></sensor>"
      "<contact><exclude name='e1' body1='r' body2='r2'/><exclude name='e2' body1='r' body2='o'/>"
      "<exclude name='e3' body1='r' body2='world'/></contact>"
      "<keyframe><key name='k' qpos='1 2 3' ctrl='4 5' time='2'/></keyframe></mujoco>");
}

// compile the parent after attaching; both specifications are deleted
static mjModel* attach(mjtObj totype, const char* to, mjtObj type, const char* what) {
  mjSpec *parent = makeParent(), *child = makeChild();
  mjsElement* e = type == mjOBJ_MODEL ? child->element : mjs_findElement(child, type, what);
  mjsElement* result = mjs_attach(mjs_findElement(parent, totype, to), e, "a-", "-z");
  CHECK(result);
  mj_deleteSpec(child);
  mjModel* m = mj_compile(parent, NULL);
  if (!m) CHECK_TEXT(mjs_getError(parent), "(no error)");
  mj_deleteSpec(parent);
  return m;
}

TEST(body_at_a_frame_brings_what_belongs_to_it) {
  mjModel* m = attach(mjOBJ_FRAME, "f", mjOBJ_BODY, "r");
  if (!m) return;
  CHECK_EQ(m->nbody, 4);
  CHECK_TEXT(mj_id2name(m, mjOBJ_BODY, 2), "a-r-z");
  CHECK_TEXT(mj_id2name(m, mjOBJ_MATERIAL, 0), "a-mat-z");
  CHECK_EQ(m->geom_matid[1], 0);

  // elements that refer to anything else stay behind
  CHECK_EQ(m->nu, 2);
  CHECK_EQ(m->nsensor, 1);
  CHECK_EQ(m->nexclude, 2);
  CHECK_TEXT(mj_id2name(m, mjOBJ_EXCLUDE, 0), "a-e3-z");

  // its own frame is left, its compiler settings and classes are kept
  const double pos[3] = {0, 0.984807753012208, 1.17364817766693};
  CHECK_ARRAY(m->body_pos + 6, pos, 3, 1e-14);
  CHECK_EQ(m->jnt_range[3], 1);
  CHECK_EQ(m->geom_size[3], 0.2);
  CHECK_EQ(m->geom_rgba[4], 1);
  mj_deleteModel(m);
}

TEST(frame_at_a_site_brings_what_is_in_it) {
  mjModel* m = attach(mjOBJ_SITE, "sb", mjOBJ_FRAME, "cf");
  if (!m) return;
  CHECK(mj_name2id(m, mjOBJ_GEOM, "a-fg-z") >= 0);
  CHECK_EQ(mj_name2id(m, mjOBJ_GEOM, "a-wg-z"), -1);
  const double pos[3] = {1.36602540378444, 3.36602540378444, 3};
  CHECK_ARRAY(m->body_pos + 6, pos, 3, 1e-14);
  mj_deleteModel(m);
}

TEST(a_part_can_be_attached_twice) {
  mjSpec *parent = makeParent(), *child = makeChild();
  mjs_setDeepCopy(parent, 1);
  mjsElement* frame = mjs_findFrame(parent, "f")->element;
  mjsElement* body = mjs_findBody(child, "r")->element;
  CHECK(mjs_attach(frame, body, "a-", ""));
  CHECK(mjs_attach(frame, body, "b-", ""));
  mjModel* m = mj_compile(parent, NULL);
  CHECK(m);
  if (m) CHECK_EQ(m->nbody, 6);
  mj_deleteModel(m);

  // not a second time under the same names
  CHECK(!mjs_attach(frame, body, "b-", ""));
  CHECK_TEXT(mjs_getError(parent), "the name is used by another");
  CHECK(!mj_compile(parent, NULL));
  CHECK_TEXT(mjs_getError(parent), "used twice");
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
}

TEST(body_at_a_body_is_an_error) {
  mjSpec *parent = makeParent(), *child = makeChild();
  CHECK(!mjs_attach(mjs_findBody(parent, "base")->element, mjs_findBody(child, "r")->element, "", ""));
  CHECK_TEXT(mjs_getError(parent), "only a frame can be attached to a body");
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
}

// the place may be inside of what is copied: it is copied once
TEST(a_specification_is_attached_to_itself) {
  mjSpec* s = makeParent();
  mjs_setDeepCopy(s, 1);
  mjModel* m = mj_compile(s, NULL);
  CHECK(m);
  int nbody = m ? (int)m->nbody : 0;
  mj_deleteModel(m);
  CHECK(mjs_attach(mjs_findFrame(s, "f")->element, s->element, "a-", ""));
  CHECK(mjs_attach(mjs_findBody(s, "base")->element, mjs_findFrame(s, "f")->element, "b-", ""));
  m = mj_compile(s, NULL);
  CHECK(m);
  if (m) CHECK(m->nbody >= 3 * (nbody - 1) + 1);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// as in MuJoCo 4.0.0; 3.4.0 does not find the materials, leaves the path out and the skin's name as it is
TEST(materials_skins_and_paths_around_geoms_come_along) {
  mjSpec* parent = makeParent();
  mjSpec* child = parse(
      "<mujoco><asset><material name='mat'/><mesh name='me' vertex='0 0 0 1 0 0 0 1 0 0 0 1' material='mat'/></asset>"
      "<worldbody><body name='k'><joint name='j'/><geom name='g' size='.1'/><geom type='mesh' mesh='me'/><site "
      "name='s1' "
      "pos='0 0 1'/><site name='s2' pos='1 0 0'/></body></worldbody><deformable><skin name='sk' material='mat' "
      "vertex='0 0 0 1 "
      "0 0 0 1 0' face='0 1 2'><bone body='k' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 "
      "1'/></skin>"
      "</deformable><tendon><spatial name='t' material='mat'><site site='s1'/><geom geom='g'/><site "
      "site='s2'/></spatial>"
      "</tendon><sensor><tendonpos tendon='t'/></sensor></mujoco>");
  CHECK(mjs_attach(mjs_findFrame(parent, "f")->element, mjs_findBody(child, "k")->element, "a-", ""));
  mj_deleteSpec(child);
  mjModel* m = mj_compile(parent, NULL);
  if (!m) CHECK_TEXT(mjs_getError(parent), "(no error)");
  CHECK(m);
  mj_deleteSpec(parent);
  if (!m) return;
  CHECK_TEXT(mj_id2name(m, mjOBJ_TENDON, 0), "a-t");
  CHECK_TEXT(mj_id2name(m, mjOBJ_SKIN, 0), "a-sk");
  CHECK_EQ(m->nsensor, 1);
  CHECK_EQ(m->nwrap, 3);
  CHECK_EQ(m->tendon_matid[0], 0);
  CHECK_EQ(m->skin_matid[0], 0);
  CHECK_EQ(m->geom_matid[m->ngeom - 1], 0);
  mj_deleteModel(m);
}

// The main class of the guest comes along under a new name, but what is attached has the main class of the host, and so
// has what is added to it.
TEST(what_is_added_to_attached_bodies_has_the_classes_of_the_host) {
  mjSpec* host =
      parse("<mujoco><default><geom density='500'/></default><worldbody><frame name='f'/></worldbody></mujoco>");
  mjSpec* guest = parse(
      "<mujoco><default><geom density='70'/><default class='k'><geom density='7'/></default></default><worldbody>"
      "<body name='a'><freejoint/><geom name='g' size='.1'/><body name='b' "
      "childclass='k'/></body></worldbody></mujoco>");
  CHECK(mjs_attach(mjs_findFrame(host, "f")->element, mjs_findBody(guest, "a")->element, "p_", ""));
  CHECK_EQ(mjs_asGeom(mjs_findElement(host, mjOBJ_GEOM, "p_g"))->density, 70);
  mjsBody *a = mjs_findBody(host, "p_a"), *b = mjs_findBody(host, "p_b");
  CHECK_EQ(mjs_addGeom(a, NULL)->density, 500);
  CHECK_EQ(mjs_addGeom(b, NULL)->density, 7);
  CHECK_TEXT(mjs_getString(a->childclass), "main");
  CHECK_TEXT(mjs_getString(b->childclass), "p_k");
  CHECK_EQ(mjs_findDefault(host, "p_main")->geom->density, 70);
  mj_deleteSpec(host);
  mj_deleteSpec(guest);
}

// MJCF has no width for a fixed tendon outside of classes
TEST(plugin_instances_come_along_if_an_attached_element_uses_them) {
  static const struct {
    const char* body;
    int instances;
  } CASES[] = {{"none", 0}, {"own", 1}, {"named", 1}, {"world", 2}};
  for (int i = 0; i < 4; i++) {
    mjSpec
        *host = makeParent(),
        *guest = parse(
            "<mujoco><extension><plugin plugin='mujoco.elasticity.cable'><instance name='a'><config key='twist' "
            "value='1'/>"
            "</instance><instance name='b'/></plugin></extension><worldbody><body name='none'><geom size='1'/></body>"
            "<body name='own'><geom type='capsule' size='.1 .1'/><plugin plugin='mujoco.elasticity.cable'/></body>"
            "<body name='named'><geom type='capsule' size='.1 .1'/><plugin plugin='mujoco.elasticity.cable' "
            "instance='a'/>"
            "</body></worldbody></mujoco>");
    mjsElement* what = mjs_findBody(guest, CASES[i].body)->element;
    if (i == 3) {
      mjsFrame* all = mjs_addFrame(mjs_findBody(guest, "world"), NULL);
      for (int k = 0; k < 3; k++) mjs_setFrame(mjs_findBody(guest, CASES[k].body)->element, all);
      what = all->element;
    }
    CHECK(mjs_attach(mjs_findFrame(host, "f")->element, what, "p_", ""));
    mjModel* m = mj_compile(host, NULL);
    CHECK(m);
    if (m) CHECK_EQ(m->nplugin, CASES[i].instances);
    mj_deleteModel(m);
    mj_deleteSpec(host);
    mj_deleteSpec(guest);
  }
}

TEST(width_of_an_attached_fixed_tendon_is_saved) {
  mjSpec* host =
      parse("<mujoco><default><tendon width='.05'/></default><worldbody><frame name='f'/></worldbody></mujoco>");
  mjSpec* guest = parse(
      "<mujoco><default><tendon width='.02'/></default><worldbody><body name='a'><joint name='j'/><geom size='.1'/>"
      "</body></worldbody><tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon></mujoco>");
  CHECK(mjs_attach(mjs_findFrame(host, "f")->element, mjs_findBody(guest, "a")->element, "p_", ""));
  mj_deleteModel(mj_compile(host, NULL));
  static char text[10000];
  CHECK_EQ(mj_saveXMLString(host, text, sizeof text, NULL, 0), 0);
  mjSpec* again = parse(text);
  mjModel* m = mj_compile(again, NULL);
  CHECK(m && m->ntendon == 1);
  if (m) CHECK_EQ(m->tendon_width[0], .02);
  mj_deleteModel(m);
  mj_deleteSpec(again);
  mj_deleteSpec(host);
  mj_deleteSpec(guest);
}
