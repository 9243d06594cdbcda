// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Edit a model while it runs: add, delete and change elements, and go on from the same state.
#include "program.h"

static void report(const char* what, const mjModel* m, mjData* d, mjSpec* s) {
  printf("%s: nq %d nv %d nu %d na %d nbody %d\n", what, (int)m->nq, (int)m->nv, (int)m->nu, (int)m->na, (int)m->nbody);
  show("time", &d->time, 1);
  show("qpos", d->qpos, m->nq);
  show("qvel", d->qvel, m->nv);
  show("act", d->act, m->na);
  show("ctrl", d->ctrl, m->nu);
  printf("ids");
  for (int type = mjOBJ_BODY; type <= mjOBJ_KEY; type++) {
    for (mjsElement* e = mjs_firstElement(s, type); e; e = mjs_nextElement(s, e)) {
      printf(" %d:%d", type, mjs_getId(e));
    }
  }
  printf("\n");
  for (int i = 0; i < 50; i++) mj_step(m, d);
  show("after", d->qpos, m->nq);
}

static void recompile(const char* what, mjSpec* s, mjModel* m, mjData* d) {
  printf("returns %d\n", mj_recompile(s, NULL, m, d));
  report(what, m, d, s);
}

int main(void) {
  mjSpec* s = mj_parseXMLString(kModel, NULL, NULL, 0);
  while (mjs_firstElement(s, mjOBJ_KEY)) mjs_delete(s, mjs_firstElement(s, mjOBJ_KEY));
  mjModel* m = mj_compile(s, NULL);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = 0.1 * (i + 1);
  report("first", m, d, s);
  recompile("unchanged", s, m, d);

  // an antenna on the base, moved by a new actuator
  mjsBody* antenna = mjs_addBody(mjs_findBody(s, "base"), NULL);
  antenna->pos[2] = 0.1;
  mjsJoint* joint = mjs_addJoint(antenna, NULL);
  mjs_setName(joint->element, "antenna");
  joint->axis[0] = 1, joint->axis[2] = 0;
  joint->ref = 10;
  mjsGeom* geom = mjs_addGeom(antenna, NULL);
  geom->type = mjGEOM_CAPSULE;
  geom->size[0] = 0.02;
  geom->fromto[0] = geom->fromto[1] = geom->fromto[2] = geom->fromto[3] = geom->fromto[4] = 0;
  geom->fromto[5] = 0.2;
  mjsActuator* actuator = mjs_addActuator(s, NULL);
  actuator->trntype = mjTRN_JOINT;
  actuator->dyntype = mjDYN_INTEGRATOR;
  mjs_setString(actuator->target, "antenna");
  recompile("antenna", s, m, d);

  // the ball goes, and an actuator
  d->ctrl[3] = 0.2;
  mjs_delete(s, mjs_findBody(s, "ball")->element);
  mjs_delete(s, mjs_findElement(s, mjOBJ_ACTUATOR, "m1"));
  recompile("without ball", s, m, d);

  // settings and sizes
  s->option.timestep = 0.001;
  mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "base"))->size[0] = 0.3;
  mjs_findBody(s, "upper")->pos[0] = 0.2;
  recompile("larger", s, m, d);

  // numbers of the model that were changed by hand are gone
  m->opt.timestep = 5;
  m->body_mass[1] = 100;
  recompile("by hand", s, m, d);
  show("mass", m->body_mass, m->nbody);

  printf("copy back %d\n", mj_copyBack(s, m));
  mjs_addSite(mjs_findBody(s, "base"), NULL);
  printf("after an addition %d\n", mj_copyBack(s, m));
  mjs_setString(mjs_asActuator(mjs_firstElement(s, mjOBJ_ACTUATOR))->target, "nothing");
  printf("broken %d\n", mj_recompile(s, NULL, m, d));
  printf("not compiled %d\n", mj_copyBack(s, NULL));
  mj_deleteSpec(s);
  return 0;
}
