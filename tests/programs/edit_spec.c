// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Build a model without XML: bodies, joints, geoms, defaults, tendons, actuators, sensors; change
// it and compile again.
#include "program.h"

static void addChain(mjSpec* s) {
  mjsDefault* thick = mjs_addDefault(s, "thick", NULL);
  thick->geom->size[0] = 0.08;
  thick->geom->friction[0] = 0.7;

  mjsBody* world = mjs_findBody(s, "world");
  mjsGeom* floor = mjs_addGeom(world, NULL);
  floor->type = mjGEOM_PLANE;
  floor->size[0] = floor->size[1] = 2;
  floor->size[2] = 0.1;
  mjs_setName(floor->element, "floor");

  mjsBody* parent = world;
  for (int i = 0; i < 3; i++) {
    char name[20];
    mjsBody* body = mjs_addBody(parent, NULL);
    snprintf(name, sizeof name, "link%d", i);
    mjs_setName(body->element, name);
    body->pos[2] = i ? 0.4 : 0.6;
    body->alt.type = mjORIENTATION_EULER;
    body->alt.euler[0] = 10 * i;
    mjsJoint* joint = mjs_addJoint(body, NULL);
    joint->type = i == 1 ? mjJNT_BALL : mjJNT_HINGE;
    joint->axis[0] = 0, joint->axis[1] = 1, joint->axis[2] = 0;
    joint->damping = 0.3;
    snprintf(name, sizeof name, "joint%d", i);
    mjs_setName(joint->element, name);
    mjsGeom* geom = mjs_addGeom(body, thick);
    geom->type = mjGEOM_CAPSULE;
    double fromto[6] = {0, 0, 0, 0, 0, 0.35};
    for (int k = 0; k < 6; k++) geom->fromto[k] = fromto[k];
    mjsSite* site = mjs_addSite(body, NULL);
    site->pos[0] = 0.1;
    snprintf(name, sizeof name, "site%d", i);
    mjs_setName(site->element, name);
    parent = body;
  }
}

static void addRope(mjSpec* s) {
  mjsTendon* tendon = mjs_addTendon(s, NULL);
  mjs_setName(tendon->element, "rope");
  tendon->stiffness = 20;
  mjs_wrapSite(tendon, "site0");
  mjs_wrapSite(tendon, "site2");
  mjsActuator* motor = mjs_addActuator(s, NULL);
  motor->trntype = mjTRN_JOINT;
  mjs_setString(motor->target, "joint0");
  mjs_setToPosition(motor, 15, (double[]){1.5}, (double[]){0}, (double[]){0}, 0);
  mjsSensor* sensor = mjs_addSensor(s);
  sensor->type = mjSENS_TENDONPOS;
  sensor->objtype = mjOBJ_TENDON;
  mjs_setString(sensor->objname, "rope");
}

static void run(const mjModel* m) {
  printf("model %s nq %d nv %d ngeom %d nsite %d nu %d\n", m->names, (int)m->nq, (int)m->nv, (int)m->ngeom,
         (int)m->nsite, (int)m->nu);
  show("mass", m->body_mass, m->nbody);
  show("inertia", m->body_inertia, 3 * m->nbody);
  mjData* d = mj_makeData(m);
  d->ctrl[0] = 0.5;
  for (int t = 0; t < 100; t++) mj_step(m, d);
  show("qpos", d->qpos, m->nq);
  show("sensor", d->sensordata, m->nsensordata);
  mj_deleteData(d);
}

int main(void) {
  mjSpec* s = mj_makeSpec();
  s->option.timestep = 0.005;
  mjs_setString(s->modelname, "built");
  addChain(s);
  addRope(s);
  mjModel* m = mj_compile(s, NULL);
  if (!m) {
    printf("cannot compile: %s\n", mjs_getError(s));
    return 1;
  }
  run(m);
  mj_deleteModel(m);

  // the last link gets a hand
  mjsGeom* hand = mjs_addGeom(mjs_findBody(s, "link2"), NULL);
  hand->type = mjGEOM_SPHERE;
  hand->size[0] = 0.1;
  hand->pos[2] = 0.4;
  m = mj_compile(s, NULL);
  run(m);
  mj_deleteModel(m);
  mj_deleteSpec(s);
  return 0;
}
