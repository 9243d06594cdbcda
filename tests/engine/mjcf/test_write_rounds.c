// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What is written compiles to the model that it was written from.

#include "support/models.h"
#include "support/saved.h"

static void checkRound(const char* xml) {
  mjModel* m = NULL;
  mjSpec* s = saved_compile(xml, &m);
  if (s) saved_rounds(s, m);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

TEST(golden_models) {
  static const char* const names[] = {"arm", "limb", "stack", "terrain", "walker"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[600], error[600];
    snprintf(path, sizeof path, "%s/golden/models/%s.xml", SHEAF_TEST_DIR, names[i]);
    mjSpec* s = mj_parseXML(path, NULL, error, sizeof error);
    mjModel* m = s ? mj_compile(s, NULL) : NULL;
    CHECK(m != NULL);
    if (m) saved_rounds(s, m);
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
  checkRound(kBiped);
}

TEST(assets) {
  checkRound(
      "<mujoco><default><mesh scale='2 2 2'/><default class='m'><material shininess='.25'/></default></default>"
      "<asset><texture name='t' type='2d' builtin='checker' width='8' height='8' mark='cross'/>"
      "<texture type='skybox' builtin='gradient' width='4' height='4' rgb1='.3 .4 .5'/>"
      "<material name='a' class='m' texture='t' texrepeat='2 3'/><material name='b'><layer role='rgb' "
      "texture='t'/><layer role='normal' texture='t'/></material>"
      "<mesh name='tet' vertex='0 0 0 1 0 0 0 1 0 0 0 1' refpos='.1 .2 .3' refquat='1 1 0 0' material='a'/>"
      "<mesh name='ball' builtin='sphere' params='1' scale='.1 .1 .1' inertia='shell'/>"
      "<hfield name='h' nrow='2' ncol='3' size='1 2 3 4' elevation='1 2 3 4 5 6.5'/></asset><worldbody>"
      "<geom type='hfield' hfield='h'/><body pos='0 0 5'><freejoint/><geom type='mesh' mesh='tet' pos='1 2 3' "
      "euler='10 20 30'/><geom type='mesh' mesh='ball' mass='1'/><geom type='box' mesh='tet' pos='1 0 0'/>"
      "<geom type='capsule' mesh='ball' material='b' fitscale='1.5'/></body></worldbody></mujoco>");
}

TEST(skins) {
  checkRound(
      "<mujoco><worldbody><body name='a'><joint/><geom size='1'/></body></worldbody><deformable>"
      "<skin name='s' vertex='0 0 0 1 0 0 0 1 0' face='0 1 2' texcoord='0 0 1 0 0 1' inflate='.5' rgba='1 0 0 1'>"
      "<bone body='a' bindpos='0 0 1' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 .5 .25'/></skin>"
      "</deformable></mujoco>");
}

TEST(links) {
  checkRound(
      "<mujoco><default><tendon width='.02'/><default class='te'><tendon springlength='.1 .3' rgba='1 0 0 "
      "1'/></default>"
      "<default class='eq'><equality solref='.03'/></default><default class='po'><position kp='4'/></default><default "
      "class='mu'><muscle force='3'/>"
      "</default></default><worldbody><site name='w' pos='1 1 1'/><geom name='cy' type='cylinder' size='.1 1'/>"
      "<body name='a' pos='1 0 0'><joint name='j' range='-10 30'/><joint name='k' type='slide' axis='1 1 0' "
      "springdamper='.1 1'/><geom name='ga' size='.1'/><site name='s'/><site name='s2' pos='1 1 0'/>"
      "<body name='b' pos='0 0 1'><joint type='ball' range='0 40'/><geom name='gb' "
      "size='.1'/></body></body></worldbody>"
      "<contact><pair geom1='ga' geom2='cy' friction='1 2 3'/><exclude name='e' body1='b' body2='world'/></contact>"
      "<equality><connect class='eq' body1='a' anchor='1 2 3'/><connect site1='w' site2='s'/><weld body1='a' body2='b' "
      "torquescale='2'/><weld body1='b' relpose='1 2 3 1 0 0 0' anchor='.1 0 0'/><weld site1='s' site2='w'/>"
      "<joint joint1='j' joint2='k' polycoef='.1 .2 .3' active='false'/><tendon tendon1='t' tendon2='f'/></equality>"
      "<tendon><spatial name='t' class='te' range='0 9'><site site='w'/><geom geom='cy' sidesite='w'/><site site='s'/>"
      "<pulley divisor='2'/><site site='s'/><site site='s2'/></spatial><fixed name='f' frictionloss='.5' "
      "springlength='1'>"
      "<joint joint='j' coef='2'/><joint joint='k' coef='-.5'/></fixed></tendon><actuator>"
      "<motor name='m' tendon='t' ctrlrange='-1 1'/><position class='po' joint='j' dampratio='1' "
      "inheritrange='1'/><intvelocity "
      "joint='j' kp='2' actrange='-1 1'/><damper joint='k' ctrlrange='0 2'/><cylinder joint='j' diameter='.2'/>"
      "<muscle class='mu' tendon='f' lengthrange='1 2'/><general jointinparent='j' gear='1 2'/><general site='s' "
      "refsite='w' gear='0 1 0 0 0 1'/><general cranksite='s' slidersite='w' cranklength='2'/><adhesion body='a' "
      "ctrlrange='0 1'/><general joint='j' dyntype='user' actdim='3' actearly='true' user='1 2'/></actuator></mujoco>");
}

TEST(sensors_custom_fields_and_keyframes) {
  checkRound(
      "<mujoco><worldbody><body name='m' mocap='true'><geom name='gm' size='.1' contype='0'/></body><body name='a'>"
      "<joint name='j' range='-10 10'/><geom name='g' size='.1'/><site name='s' type='box' size='1 1 1'/>"
      "<camera name='c' fovy='30'/><camera sensorsize='1 2' focal='1 1' resolution='20 30' principalpixel='1 2'/>"
      "<light type='point' mode='trackcom' cutoff='30'/></body></worldbody><actuator><motor "
      "joint='j'/></actuator><sensor>"
      "<touch site='s'/><rangefinder site='s' cutoff='2'/><camprojection site='s' camera='c'/><jointpos joint='j' "
      "noise='.1' "
      "user='1 2 3'/><jointlimitpos joint='j'/><framepos objtype='xbody' objname='a' reftype='camera' refname='c'/>"
      "<framequat objtype='site' objname='s'/><subtreecom body='a'/><insidesite objtype='geom' objname='g' site='s'/>"
      "<distance geom1='g' body2='m' cutoff='3'/><fromto body1='a' geom2='gm' cutoff='1'/><contact/><contact body1='a' "
      "data='found force tangent' reduce='maxforce' num='3'/><contact site='s' subtree2='a'/><e_kinetic/><clock "
      "name='t'/>"
      "<user name='u' dim='3' datatype='axis' needstage='pos' objtype='body' objname='a'/><user dim='2'/></sensor>"
      "<custom><numeric name='n' size='4' data='1 2'/><text name='x' data='a &lt;b&gt;'/><tuple name='tu'><element "
      "objtype='body' objname='a' prm='2'/><element objtype='site' objname='s'/></tuple></custom>"
      "<size nkey='4' nuser_body='3'/><keyframe><key/><key name='k' time='2' qpos='.5' qvel='1' ctrl='3' mpos='1 2 3' "
      "mquat='0 1 0 0'/></keyframe></mujoco>");
}

TEST(settings_that_the_compiler_consumes) {
  // discarded, aligned, with the masses that there were
  checkRound(
      "<mujoco><compiler discardvisual='true' alignfree='true' inertiafromgeom='true' "
      "eulerseq='zyx' angle='radian'/><asset><material name='m'/><mesh name='tet' vertex='0 0 0 1 0 0 0 1 0 0 0 "
      "1'/><mesh name='unused' vertex='0 0 0 1 0 0 0 1 0 0 0 1' material='m'/></asset>"
      "<default><geom material='m'/></default>"
      "<worldbody><body><freejoint/><geom size='1' pos='1 2 3'/><geom size='.5' contype='0' conaffinity='0'/></body>"
      "<body><joint/><geom size='.3'/><geom type='mesh' mesh='tet'/><body pos='1 0 0' euler='1 2 3'><geom type='box' "
      "size='1 2 3'/><site "
      "name='s'/></body></body></worldbody></mujoco>");
  checkRound(
      "<mujoco><compiler boundmass='.5' boundinertia='.25' balanceinertia='true' settotalmass='9' "
      "inertiagrouprange='1 2'/><worldbody><body><joint/><geom size='.1' group='1'/><geom size='1'/></body>"
      "<body><joint/><inertial pos='1 0 0' mass='1' fullinertia='2 3 4 .5 .25 .125'/></body></worldbody></mujoco>");
  checkRound(
      "<mujoco><compiler inertiafromgeom='false'/><worldbody><body pos='1 2 3'><geom size='1'/></body>"
      "</worldbody></mujoco>");
}

// bodies that were merged leave bounding volumes behind, which no document can say; all else comes again
TEST(merged_bodies_are_written_as_one) {
  static const char* const xml =
      "<mujoco><compiler fusestatic='true'/><worldbody><body pos='1 0 0'><joint/><geom size='.3'/><body pos='1 0 0' "
      "euler='1 2 3'>"
      "<geom type='box' size='1 2 3'/><site name='s'/><body pos='0 1 0'><geom "
      "size='.2'/></body></body></body></worldbody></mujoco>";
  mjModel *m = NULL, *again = NULL;
  char* text = saved_text(xml);
  mjSpec *s = saved_compile(xml, &m), *t = text ? saved_compile(text, &again) : NULL;
  CHECK(m && again && m->nbody == 2 && again->nbody == 2 && again->ngeom == 3 && again->nsite == 1);
  if (m && again) {
    CHECK_ARRAY(again->geom_pos, m->geom_pos, 9, 1e-14);
    CHECK_ARRAY(again->geom_quat, m->geom_quat, 12, 1e-14);
    CHECK_ARRAY(again->site_pos, m->site_pos, 3, 1e-14);
    CHECK_ARRAY(again->body_ipos, m->body_ipos, 6, 1e-12);
    CHECK_ARRAY(again->body_inertia, m->body_inertia, 6, 1e-9);
    CHECK_ARRAY(again->body_mass, m->body_mass, 2, 1e-9);
    saved_rounds(t, again);
  }
  mj_deleteModel(m);
  mj_deleteModel(again);
  mj_deleteSpec(s);
  mj_deleteSpec(t);
  free(text);
}

TEST(attached_parts_with_settings_of_their_own) {
  char error[300];
  mjSpec* kid = mj_parseXMLString(
      "<mujoco><compiler angle='radian' autolimits='false' boundmass='2' inertiagrouprange='0 1'/><default><geom "
      "rgba='1 0 0 1'/><default class='q'><geom size='2'/></default></default><worldbody><body name='top'><joint "
      "name='j' range='0 1' limited='true'/><geom class='q' density='1' euler='.5 0 0'/><geom group='3'/></body>"
      "</worldbody></mujoco>",
      NULL, error, sizeof error);
  mjSpec* s = mj_parseXMLString(
      "<mujoco><worldbody><frame name='f' pos='1 0 0' euler='90 0 0'/><body><joint/><geom size='1' density='1' "
      "group='4'/>"
      "</body></worldbody></mujoco>",
      NULL, error, sizeof error);
  CHECK(kid && s);
  if (kid && s) {
    mjs_asGeom(mjs_firstElement(kid, mjOBJ_GEOM))->size[0] = 1;
    mjs_asGeom(mjs_nextElement(kid, mjs_firstElement(kid, mjOBJ_GEOM)))->size[0] = 1;
    CHECK(mjs_attach(mjs_findFrame(s, "f")->element, mjs_findBody(kid, "top")->element, "k_", "") != NULL);
    mjModel* m = mj_compile(s, NULL);
    if (!m) printf("  %s\n", mjs_getError(s));
    CHECK(m != NULL);
    if (m) saved_rounds(s, m);
    mj_deleteModel(m);
  }
  mj_deleteSpec(kid);
  mj_deleteSpec(s);
}

// what a model weighs after its total was set is written for each body, and not set once more
TEST(a_total_mass_that_was_copied_back) {
  mjModel* m = NULL;
  mjSpec* s = saved_compile(
      "<mujoco><compiler boundmass='.5' boundinertia='.01' balanceinertia='true' "
      "settotalmass='2'/><worldbody><body><joint/>"
      "<geom size='.1' mass='3'/><body pos='1 0 0'><joint/><inertial pos='0 0 0' mass='4' diaginertia='1 1 5'/><geom "
      "size='.2'/>"
      "</body><body><geom size='.1' mass='.1'/></body></body></worldbody></mujoco>",
      &m);
  if (m) {
    CHECK_EQ(mj_copyBack(s, m), 1);
    saved_rounds(s, m);
  }
  mj_deleteModel(m);
  mj_deleteSpec(s);
}
