// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A user's program: build and change models, save them as MJCF, load what was saved.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

static const char* const document =
    "<mujoco model='pendulum'><compiler autolimits='true'/><default><geom density='500'/><default class='arm'>"
    "<geom type='capsule' size='.04' rgba='.25 .5 .75 1'/><joint damping='.5'/></default></default><worldbody>"
    "<geom name='floor' type='plane' size='1 1 .5'/><frame pos='0 0 1' euler='0 30 0'><body name='upper' "
    "childclass='arm'>"
    "<joint name='shoulder' axis='0 1 0' range='-90 90'/><geom name='upper' fromto='0 0 0 0 0 -.5'/>"
    "<body name='lower' pos='0 0 -.5'><joint name='elbow' axis='0 1 0' range='0 120' springref='45' stiffness='2'/>"
    "<geom name='lower' fromto='0 0 0 0 0 -.25'/><site name='tip' pos='0 0 -.25'/></body></body></frame></worldbody>"
    "<actuator><position name='servo' joint='elbow' kp='10' kv='1' inheritrange='1'/></actuator><sensor>"
    "<framepos name='tip' objtype='site' objname='tip'/></sensor><keyframe><key name='bent' qpos='.25 "
    "1'/></keyframe></mujoco>";

static void print(const char* what, const mjtNum* x, int n) {
  printf("%s", what);
  for (int i = 0; i < n; i++) printf(" %.5g", x[i]);
  printf("\n");
}

static void describe(const mjModel* m) {
  printf("nq %d nbody %d ngeom %d nu %d nkey %d\n", (int)m->nq, (int)m->nbody, (int)m->ngeom, (int)m->nu, (int)m->nkey);
  for (int i = 0; i < m->nbody; i++) printf("body %s\n", mj_id2name(m, mjOBJ_BODY, i));
  print("body_pos", m->body_pos, 3 * (int)m->nbody);
  print("body_quat", m->body_quat, 4 * (int)m->nbody);
  print("body_mass", m->body_mass, (int)m->nbody);
  print("geom_pos", m->geom_pos, 3 * (int)m->ngeom);
  print("geom_size", m->geom_size, 3 * (int)m->ngeom);
  print("jnt_range", m->jnt_range, 2 * (int)m->njnt);
  print("dof_damping", m->dof_damping, (int)m->nv);
  print("ctrlrange", m->actuator_ctrlrange, 2 * (int)m->nu);
  print("gainprm", m->actuator_gainprm, 3);
  print("key", m->key_qpos, (int)(m->nkey * m->nq));
  mjData* d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, 0);
  for (int i = 0; i < 20; i++) mj_step(m, d);
  print("qpos", d->qpos, (int)m->nq);
  mj_deleteData(d);
}

// what a text says, to those who did not write it
static void reload(const char* text) {
  char error[500] = "";
  mjSpec* s = mj_parseXMLString(text, NULL, error, sizeof error);
  mjModel* m = s ? mj_compile(s, NULL) : NULL;
  if (m) describe(m);
  else printf("not loaded: %s\n", error);
  mj_deleteModel(m);
  if (s) mj_deleteSpec(s);
}

// a texture of the role that documents have no word for, beside one that they have
static void roles(char* text, int size, int normal) {
  char error[500] = "";
  mjSpec* s = mj_makeSpec();
  mjsTexture* texture = mjs_addTexture(s);
  mjs_setName(texture->element, "t");
  texture->type = mjTEXTURE_2D;
  texture->builtin = mjBUILTIN_FLAT;
  texture->width = texture->height = 2;
  mjsMaterial* material = mjs_addMaterial(s, NULL);
  mjs_setName(material->element, "m");
  mjs_setInStringVec(material->textures, mjTEXROLE_USER, "t");
  if (normal) mjs_setInStringVec(material->textures, mjTEXROLE_NORMAL, "t");
  mjModel* m = mj_compile(s, NULL);
  printf("role %d saved %d\n", m->mat_texid[0], mj_saveXMLString(s, text, size, error, sizeof error));
  mj_deleteModel(m);
  mj_deleteSpec(s);
  s = mj_parseXMLString(text, NULL, error, sizeof error);
  m = mj_compile(s, NULL);
  for (int i = 0; i < mjNTEXROLE; i++) printf(" %d", m->mat_texid[i]);
  printf("\n");
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

int main(void) {
  static char text[1 << 16];
  char error[500] = "";

  // nothing was loaded, nothing is compiled
  printf("last %d\n", mj_saveLastXML("never.xml", NULL, error, sizeof error));
  mjSpec* s = mj_parseXMLString(document, NULL, error, sizeof error);
  printf("early %d\n", mj_saveXMLString(s, text, sizeof text, error, sizeof error));

  // saved, and read again
  mjModel* m = mj_compile(s, NULL);
  printf("saved %d\n", mj_saveXMLString(s, text, sizeof text, error, sizeof error));
  printf("short %d\n", mj_saveXMLString(s, text + 100, 100, NULL, 0) > 100);
  reload(text);

  // an edit shows after the next compilation, numbers of the model after they are copied back
  mjs_asBody(mjs_findElement(s, mjOBJ_BODY, "upper"))->gravcomp = 0.25;
  mjs_asBody(mjs_findElement(s, mjOBJ_BODY, "lower"))->gravcomp = 0.5;
  mjModel* edited = mj_compile(s, NULL);
  edited->dof_damping[1] = 3;
  edited->actuator_gainprm[0] = 20;
  edited->jnt_range[1] = 1.25;
  printf("copied %d\n", mj_copyBack(s, edited));
  printf("saved %d\n", mj_saveXMLString(s, text, sizeof text, error, sizeof error));
  reload(text);

  // to a file, which is the last loaded model from then on
  printf("file %d\n", mj_saveXML(s, "saved.xml", NULL, 0));
  mjModel* loaded = mj_loadXML("saved.xml", NULL, error, sizeof error);
  loaded->geom_size[4] = 0.5;
  printf("last %d\n", mj_saveLastXML("again.xml", loaded, error, sizeof error));
  mjModel* again = mj_loadXML("again.xml", NULL, error, sizeof error);
  describe(again);
  mj_freeLastXML();
  printf("last %d\n", mj_saveLastXML("never.xml", again, error, sizeof error));

  roles(text, sizeof text, 0);
  roles(text, sizeof text, 1);
  printf("schema %d\n", mj_printSchema(NULL, text, sizeof text, 0, 0));
  mj_deleteModel(again);
  mj_deleteModel(loaded);
  mj_deleteModel(edited);
  mj_deleteModel(m);
  mj_deleteSpec(s);
  return 0;
}
