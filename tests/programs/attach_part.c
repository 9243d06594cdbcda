// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Attach parts of one model to another and go on editing them through the pointers that one has.
#include "program.h"

static const char* const kBase =
    "<mujoco model='base'><worldbody><frame name='left' pos='-1 0 .5'/>"
    "<frame name='right' pos='1 0 .5'/><body name='hull' pos='0 0 1'><freejoint name='root'/><geom name='hull' "
    "size='.2'/>"
    "<site name='mount' pos='0 0 .2'/></body></worldbody></mujoco>";

static void report(const char* what, mjSpec* s) {
  mjModel* m = mj_compile(s, NULL);
  printf("%s: ", what);
  if (!m) {
    printf("cannot be compiled\n");
    return;
  }
  for (int i = 1; i < m->nbody; i++) printf(" %s", mj_id2name(m, mjOBJ_BODY, i));
  for (int i = 0; i < m->nu; i++) printf(" %s", mj_id2name(m, mjOBJ_ACTUATOR, i));
  for (int i = 0; i < m->nsensor; i++) printf(" %d", m->sensor_type[i]);
  printf("\n");
  show("pos", m->body_pos, 3 * m->nbody);
  show("mass", m->body_mass, m->nbody);
  show("gear", m->actuator_gear, 6 * m->nu);
  show("key", m->key_qpos, m->nkey * m->nq);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 40; i++) mj_step(m, d);
  show("qpos", d->qpos, m->nq);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void byReference(void) {
  mjSpec* base = mj_parseXMLString(kBase, NULL, NULL, 0);
  mjSpec* part = mj_parseXMLString(kModel, NULL, NULL, 0);
  mjsBody* upper = mjs_findBody(part, "upper");
  mjsElement* site = mjs_findElement(base, mjOBJ_SITE, "mount");
  mjsElement* e = mjs_attach(site, upper->element, "arm_", "_1");
  printf("the same %d, of the base %d, found %d %d\n", e == upper->element, mjs_getSpec(upper->element) == base,
         mjs_findBody(base, "arm_upper_1") == upper, mjs_findSpec(base, mjs_getString(part->modelname)) == part);
  upper->pos[2] = 0.1;
  mjs_addGeom(upper, NULL)->size[0] = 0.05;
  report("base", base);
  report("part", part);
  mj_deleteSpec(part);
  mjs_setName(upper->element, "renamed");
  report("without part", base);
  mjs_delete(base, upper->element);
  report("without arm", base);
  mj_deleteSpec(base);
}

static void deepCopies(void) {
  mjSpec* base = mj_parseXMLString(kBase, NULL, NULL, 0);
  mjSpec* part = mj_parseXMLString(kModel, NULL, NULL, 0);
  mjs_setDeepCopy(base, 1);
  mjsBody* upper = mjs_findBody(part, "upper");
  const char* names[2] = {"left", "right"};
  for (int i = 0; i < 2; i++) {
    mjsFrame* frame = mjs_findFrame(base, names[i]);
    mjsElement* e = mjs_attach(frame->element, upper->element, names[i], "");
    printf("the same %d\n", e == upper->element);
  }
  upper->pos[0] = 3;
  report("base", base);
  report("part", part);
  mj_deleteSpec(base);
  mj_deleteSpec(part);
}

int main(void) {
  byReference();
  deepCopies();
  return 0;
}
