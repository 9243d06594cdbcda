// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Arguments that may be missing or out of range, and what mj_setConst leaves of the data of a program that is running.

#include "program.h"

static void missing(void) {
  char error[100] = "";
  mj_deleteVFS(NULL);
  mj_deleteModel(NULL);
  mj_deleteData(NULL);
  mj_deleteSpec(NULL);
  mjModel* m = mj_loadXML(NULL, NULL, error, sizeof error);
  printf("model without a file: %d, a reason: %d\n", m != NULL, *error != 0);
  *error = 0;
  mjSpec* s = mj_parseXML(NULL, NULL, error, sizeof error);
  printf("specification without a file: %d, a reason: %d\n", s != NULL, *error != 0);
}

// nothing to copy, and a problem without unknowns
static void emptyWork(void) {
  char text[4] = "abc";
  printf("%s %s %s\n", mju_strncpy(text, NULL, 3), mju_strncpy(text, "xy", 0), mju_strncpy(text, "vwxyz", 4));
  mjtNum x[1] = {0}, R[7];
  int index[1];
  if (!setjmp(back)) printf("%d unknowns are free\n", mju_boxQP(x, R, index, x, x, 0, NULL, NULL));
  else printf("no unknowns\n");
}

// what mj_name2id says of an unknown name is an object at rest, and no body that a force may act on
static void unknown(const mjModel* m, mjData* d) {
  const int types[] = {mjOBJ_BODY, mjOBJ_GEOM, mjOBJ_SITE};
  for (int k = 0; k < 3; k++) {
    mjtNum motion[6] = {1, 2, 3, 4, 5, 6};
    mj_objectVelocity(m, d, types[k], mj_name2id(m, types[k], "nobody"), motion, k);
    show("velocity of nobody", motion, 6);
    mj_objectAcceleration(m, d, types[k], 1000, motion, k);
    show("acceleration of nobody", motion, 6);
  }
  const mjtNum force[3] = {1, 2, 3};
  mjtNum* target = calloc(m->nv, sizeof *target);
  if (!setjmp(back)) mj_applyFT(m, d, force, force, force, -1, target);
  else printf("no force on body -1\n");
  if (!setjmp(back)) mj_applyFT(m, d, force, force, force, m->nbody, target);
  else printf("no force on body nbody\n");
  show("forces", target, m->nv);
  free(target);
}

static void frames(mjData* d) {
  const mjtNum pos[3] = {.1, .2, .3}, quat[4] = {.6, .8, 0, 0};
  for (int same = mjSAMEFRAME_NONE; same <= mjSAMEFRAME_INERTIAROT; same++) {
    mjtNum xpos[3] = {7, 7, 7}, xmat[9] = {7, 7, 7};
    mj_local2Global(d, xpos, xmat, NULL, NULL, 1, (mjtByte)same);
    show("nothing", xpos, 3);
    show("nothing", xmat, 3);
    mj_local2Global(d, xpos, xmat, pos, quat, 1, (mjtByte)same);
    show("position", xpos, 3);
    show("orientation", xmat, 9);
  }
}

static void denseM(const mjModel* m, mjData* d) {
  int index[400] = {0};
  mjtNum* M = calloc((size_t)m->nv * m->nv, sizeof *M);
  mj_addM(m, d, M, NULL, NULL, NULL);
  mj_addM(m, d, M, index, NULL, NULL);
  mj_addM(m, d, M, index, index, NULL);
  show("three times M", M, m->nv * m->nv);
  free(M);
}

// a program that changes masses while it runs, and moves on
static void heavier(mjModel* m, mjData* d) {
  for (int i = 0; i < 30; i++) {
    d->ctrl[0] = .1 * i;
    mj_step(m, d);
  }
  mjtNum* qpos = calloc(m->nq, sizeof *qpos);
  mju_copy(qpos, d->qpos, m->nq);
  m->body_mass[1] *= 1.5;
  d->mocap_pos[2] += .5;
  d->userdata[0] = 3;
  d->xfrc_applied[6] = 1;
  mj_setConst(m, d);
  printf("time %.7g, contacts %d, rows %d, user %g\n", d->time, d->ncon, d->nefc, d->userdata[0]);
  show("springs", d->qpos, m->nq);
  show("bodies at springs", d->xpos, 3 * m->nbody);
  show("lengths", d->ten_length, m->ntendon);
  show("lengths at qpos0", m->tendon_length0, m->ntendon);
  show("velocities", d->qvel, m->nv);
  show("controls", d->ctrl, m->nu);
  show("activations", d->act, m->na);
  show("anchor", m->eq_data, 6);
  mju_copy(d->qpos, qpos, m->nq);
  free(qpos);
  for (int i = 0; i < 10; i++) mj_step(m, d);
  show("later", d->qpos, m->nq);
}

// defaults may be written over elements, which stay in their specification
static void defaultsAgain(void) {
  mjSpec* s = mj_makeSpec();
  mjsBody* b = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjsGeom* g = mjs_addGeom(b, NULL);
  mjs_addFreeJoint(b);
  mjsKey* key = mjs_addKey(s);
  const double qpos[7] = {1, 2, 3, 1};
  mjs_setDouble(key->qpos, qpos, 7);
  mjs_defaultKey(key);
  key->time = 4;
  g->type = mjGEOM_BOX;
  mjs_defaultGeom(g);
  g->size[0] = .3;
  printf("no element in a frame: %d, no plugin: %d\n", mjs_setFrame(NULL, NULL), mjs_activatePlugin(NULL, "none"));
  mjModel* m = mj_compile(s, NULL);
  printf("%d keyframe at %g, geom %d of size %g\n", (int)m->nkey, m->key_time[0], m->geom_type[0], m->geom_size[0]);
  show("key", m->key_qpos, m->nq);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static const char* const kScene =
    "<mujoco><size nuserdata='2'/><worldbody><geom type='plane' size='3 3 .1'/>"
    "<body name='base' pos='0 0 .095'><freejoint/><geom type='box' size='.2 .1 .1' pos='.02 0 0'/><site name='s'/>"
    "<body pos='.2 0 .1'><joint name='j' axis='0 1 0' stiffness='2' springref='20' ref='5' damping='.2'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .2 0 .1'/><site name='e' pos='.2 0 .1'/></body></body>"
    "<body name='hand' mocap='true' pos='0 1 1'><site name='m'/></body></worldbody>"
    "<tendon><spatial name='t' springlength='-1'><site site='m'/><site site='e'/></spatial></tendon>"
    "<equality><connect body1='hand' body2='base' anchor='0 0 0' active='false'/></equality>"
    "<actuator><motor joint='j'/><general joint='j' dyntype='integrator'/></actuator></mujoco>";

int main(void) {
  mju_user_error = goBack;
  missing();
  defaultsAgain();
  emptyWork();
  mjModel* m = loadText(kScene);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = .1 * i;
  mj_forward(m, d);
  unknown(m, d);
  frames(d);
  denseM(m, d);
  heavier(m, d);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
