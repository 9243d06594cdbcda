// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fuzz target: models that are built through the mjs_ functions, most of them valid. What compiles is simulated for
// some steps, and its states stay finite; saved and loaded again it makes the same steps.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "use_model.h"

enum { MOST_BODIES = 12, MOST_DOFS = 60, STEPS = 10, NAME = 16 };

typedef struct {
  const uint8_t* at;
  size_t left;
} input;

static unsigned take(input* in, unsigned most) {
  if (!in->left) return 0;
  in->left--;
  return *in->at++ % most;
}

static double between(input* in, double least, double most) { return least + (most - least) * take(in, 256) / 255.0; }

static void take_vector(input* in, double* out, int n, double most) {
  for (int i = 0; i < n; i++) out[i] = between(in, -most, most);
}

static void name(mjsElement* element, const char* kind, int i) {
  char text[NAME];
  snprintf(text, sizeof text, "%s%d", kind, i);
  mjs_setName(element, text);
}

// ---- pieces of a model

static void add_geom(input* in, mjsBody* body, int i) {
  static const int types[] = {mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_ELLIPSOID, mjGEOM_CYLINDER, mjGEOM_BOX};
  mjsGeom* g = mjs_addGeom(body, NULL);
  name(g->element, "geom", i);
  g->type = types[take(in, 5)];
  for (int k = 0; k < 3; k++) g->size[k] = between(in, .02, .4);
  take_vector(in, g->pos, 3, .3);
  g->condim = (const int[]){1, 3, 4, 6}[take(in, 4)];
  if (take(in, 4) == 0) g->margin = between(in, 0, .1);
  if (take(in, 8) == 0) g->contype = g->conaffinity = 0;
}

static int add_joints(input* in, mjsBody* body, int i, bool root) {
  static const int types[] = {mjJNT_HINGE, mjJNT_SLIDE, mjJNT_BALL, mjJNT_HINGE};
  if (root && take(in, 2)) {
    name(mjs_addFreeJoint(body)->element, "joint", i);
    return 6;
  }
  if (take(in, 6) == 0) return 0;
  mjsJoint* j = mjs_addJoint(body, NULL);
  name(j->element, "joint", i);
  j->type = types[take(in, 4)];
  take_vector(in, j->axis, 3, 1);
  j->axis[take(in, 3)] += 2;
  j->damping = between(in, 0, 2);
  j->armature = take(in, 3) ? 0 : between(in, 0, .1);
  j->frictionloss = take(in, 4) ? 0 : between(in, 0, .5);
  j->stiffness = take(in, 4) ? 0 : between(in, 0, 20);
  if (take(in, 3) == 0 && j->type != mjJNT_BALL) {
    j->limited = mjLIMITED_TRUE;
    j->range[0] = -between(in, 1, 60);
    j->range[1] = between(in, 1, 60);
  }
  return j->type == mjJNT_BALL ? 3 : 1;
}

static int add_bodies(input* in, mjSpec* spec, bool* jointed) {
  mjsBody* bodies[MOST_BODIES + 1] = {mjs_findBody(spec, "world")};
  int n = 1 + (int)take(in, MOST_BODIES), dofs = 0;
  for (int i = 1; i <= n && dofs < MOST_DOFS; i++) {
    int parent = (int)take(in, (unsigned)i);
    mjsBody* b = bodies[i] = mjs_addBody(bodies[parent], NULL);
    name(b->element, "body", i);
    take_vector(in, b->pos, 3, .6);
    if (take(in, 2)) take_vector(in, b->quat, 4, 1), b->quat[0] += 2;
    int ndof = add_joints(in, b, i, parent == 0);
    jointed[i] = ndof == 1;
    dofs += ndof;
    add_geom(in, b, i);
    name(mjs_addSite(b, NULL)->element, "site", i);
  }
  return n;
}

static void add_actuator(input* in, mjSpec* spec, int joint) {
  char target[NAME];
  snprintf(target, sizeof target, "joint%d", joint);
  mjsActuator* a = mjs_addActuator(spec, NULL);
  a->trntype = mjTRN_JOINT;
  mjs_setString(a->target, target);
  a->gear[0] = between(in, -5, 5);
  switch (take(in, 4)) {
    case 0: mjs_setToMotor(a); break;
    case 1: mjs_setToVelocity(a, between(in, .1, 3)); break;
    case 2:
      mjs_setToDamper(a, between(in, 0, 3));
      a->ctrllimited = mjLIMITED_TRUE;
      a->ctrlrange[1] = 1;
      break;
    default: {
      double kv = between(in, .1, 2), timeconst = between(in, .01, .5);
      mjs_setToPosition(a, between(in, 1, 50), &kv, NULL, &timeconst, 0);
    }
  }
}

static void add_sensor(input* in, mjSpec* spec, int body) {
  static const int types[] = {mjSENS_ACCELEROMETER, mjSENS_GYRO,       mjSENS_VELOCIMETER, mjSENS_FORCE,
                              mjSENS_TORQUE,        mjSENS_TOUCH,      mjSENS_RANGEFINDER, mjSENS_MAGNETOMETER,
                              mjSENS_FRAMEPOS,      mjSENS_FRAMELINACC};
  char target[NAME];
  snprintf(target, sizeof target, "site%d", body);
  mjsSensor* s = mjs_addSensor(spec);
  s->type = types[take(in, sizeof types / sizeof *types)];
  s->objtype = mjOBJ_SITE;
  mjs_setString(s->objname, target);
}

static void add_equality(input* in, mjSpec* spec, int first, int second) {
  char one[NAME], other[NAME];
  snprintf(one, sizeof one, "body%d", first);
  snprintf(other, sizeof other, "body%d", second);
  mjsEquality* e = mjs_addEquality(spec, NULL);
  e->type = take(in, 2) ? mjEQ_WELD : mjEQ_CONNECT;
  e->objtype = mjOBJ_BODY;
  mjs_setString(e->name1, one);
  mjs_setString(e->name2, other);
  take_vector(in, e->data, 3, .3);
}

static void add_tendon(input* in, mjSpec* spec, int n) {
  char site[NAME];
  mjsTendon* t = mjs_addTendon(spec, NULL);
  t->stiffness = between(in, 0, 50);
  t->damping = between(in, 0, 2);
  int points = 2 + (int)take(in, 3);
  for (int i = 0; i < points; i++) {
    snprintf(site, sizeof site, "site%d", 1 + (int)take(in, (unsigned)n));
    mjs_wrapSite(t, site);
  }
}

static void set_options(input* in, mjOption* o) {
  o->integrator = (int)take(in, 4);
  o->solver = (int)take(in, 3);
  o->cone = (int)take(in, 2);
  o->jacobian = (int)take(in, 3);
  o->timestep = between(in, .0005, .01);
  o->iterations = 1 + (int)take(in, 30);
  if (take(in, 4) == 0) o->density = 1000, o->viscosity = between(in, 0, 1);
  if (take(in, 4) == 0) o->enableflags |= 1 << take(in, mjNENABLE);
  if (take(in, 4) == 0) o->disableflags |= 1 << take(in, mjNDISABLE);
  if (take(in, 4) == 0) o->noslip_iterations = (int)take(in, 5);
}

static mjSpec* build(input* in) {
  bool jointed[MOST_BODIES + 1] = {false};
  mjSpec* spec = mj_makeSpec();
  if (!spec) abort();
  set_options(in, &spec->option);
  mjsGeom* floor = mjs_addGeom(mjs_findBody(spec, "world"), NULL);
  floor->type = mjGEOM_PLANE;
  floor->size[2] = 1;
  floor->pos[2] = -1;
  int n = add_bodies(in, spec, jointed);
  for (int i = 1; i <= n; i++) {
    if (jointed[i] && take(in, 2)) add_actuator(in, spec, i);
    if (take(in, 3) == 0) add_sensor(in, spec, i);
  }
  if (n > 1 && take(in, 3) == 0) add_equality(in, spec, 1 + (int)take(in, (unsigned)n - 1), n);
  if (n > 1 && take(in, 3) == 0) add_tendon(in, spec, n);
  return spec;
}

// ---- what must hold

// the state after some steps; nonzero controls
static void simulate(const mjModel* m, mjtNum* state) {
  mjData* d = mj_makeData(m);
  if (!d) abort();
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = .3 * (i % 3 - 1);
  for (int i = 0; i < STEPS; i++) mj_step(m, d);
  mj_getState(m, d, state, mjSTATE_INTEGRATION);
  for (int i = 0; i < mj_stateSize(m, mjSTATE_INTEGRATION); i++) {
    if (!isfinite(state[i])) abort();
  }
  mj_deleteData(d);
}

static mjModel* save_and_load(const mjModel* m) {
  int size = (int)mj_sizeModel(m);
  void* bytes = malloc((size_t)size);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  if (!bytes) abort();
  mj_saveModel(m, NULL, bytes, size);
  if (mj_addBufferVFS(&vfs, "m.mjb", bytes, size)) abort();
  mjModel* again = mj_loadModel("m.mjb", &vfs);
  if (!again) abort();
  mj_deleteVFS(&vfs);
  free(bytes);
  return again;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n) {
  input in = {bytes, n};
  fuzz_setHandlers();
  mjSpec* spec = build(&in);
  mjModel* m = mj_compile(spec, NULL);
  if (!m && !mjs_getError(spec)[0]) abort();
  if (m) {
    size_t size = (size_t)mj_stateSize(m, mjSTATE_INTEGRATION) * sizeof(mjtNum);
    mjtNum *first = malloc(size), *second = malloc(size);
    mjModel* again = save_and_load(m);
    if (!first || !second) abort();
    simulate(m, first);
    simulate(again, second);
    if (memcmp(first, second, size)) abort();
    fuzz_useModel(m, 1);
    free(first);
    free(second);
    mj_deleteModel(again);
  }
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 0;
}
