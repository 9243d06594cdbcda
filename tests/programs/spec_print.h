// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the programs that edit specifications share: names and ids of all elements, models and keyframes.
#ifndef SHEAF_TESTS_PROGRAMS_SPEC_PRINT_H_
#define SHEAF_TESTS_PROGRAMS_SPEC_PRINT_H_

#include "program.h"

static inline mjSpec* parseText(const char* xml) {
  char error[500] = "";
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof error);
  if (s) return s;
  printf("cannot parse: %s\n", error);
  exit(1);
}

static inline const char* nameOf(const mjsElement* e) {
  return e ? mjs_getString(mjs_getName((mjsElement*)e)) : "nothing";
}

static inline void showNames(mjSpec* s) {
  static const int types[] = {mjOBJ_BODY,   mjOBJ_JOINT,    mjOBJ_GEOM,     mjOBJ_SITE,    mjOBJ_CAMERA,
                              mjOBJ_FRAME,  mjOBJ_TENDON,   mjOBJ_ACTUATOR, mjOBJ_PAIR,    mjOBJ_EXCLUDE,
                              mjOBJ_SENSOR, mjOBJ_EQUALITY, mjOBJ_KEY,      mjOBJ_NUMERIC, mjOBJ_TEXT,
                              mjOBJ_TUPLE,  mjOBJ_MESH,     mjOBJ_SKIN,     mjOBJ_MATERIAL};
  for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
    mjsElement* e = mjs_firstElement(s, (mjtObj)types[t]);
    if (!e) continue;
    printf(" %d:", types[t]);
    for (; e; e = mjs_nextElement(s, e)) printf(" '%s' %d", nameOf(e), mjs_getId(e));
    printf("\n");
  }
}

static inline void showVec(const mjDoubleVec* v) {
  int n;
  const double* x = mjs_getDouble(v, &n);
  printf("[");
  for (int i = 0; i < n; i++) printf(" %.5g", fabs(x[i]) < 1e-10 ? 0.0 : x[i]);
  printf(" ]");
}

// the numbers that keyframes have in the specification
static inline void showKeys(mjSpec* s) {
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_KEY); e; e = mjs_nextElement(s, e)) {
    const mjsKey* key = mjs_asKey(e);
    printf(" key '%s' ", nameOf(e));
    showVec(key->qpos);
    showVec(key->qvel);
    showVec(key->ctrl);
    showVec(key->act);
    showVec(key->mpos);
    printf("\n");
  }
}

// whether it compiles, and to which poses and keyframes
static inline void showModel(mjSpec* s) {
  mjModel* m = mj_compile(s, NULL);
  printf("model %s\n", m ? "made" : "refused");
  if (!m) return;
  show(" pos", m->body_pos, 3 * m->nbody);
  show(" quat", m->body_quat, 4 * m->nbody);
  show(" site", m->site_pos, 3 * m->nsite);
  show(" time", m->key_time, m->nkey);
  show(" qpos", m->key_qpos, m->nkey * m->nq);
  show(" qvel", m->key_qvel, m->nkey * m->nv);
  show(" ctrl", m->key_ctrl, m->nkey * m->nu);
  show(" act", m->key_act, m->nkey * m->na);
  show(" mpos", m->key_mpos, 3 * m->nkey * m->nmocap);
  mj_deleteModel(m);
}

static inline void attach(mjsElement* to, mjsElement* what, const char* prefix, const char* suffix) {
  char name[64];
  snprintf(name, sizeof name, "%s", nameOf(what));
  mjsElement* e = mjs_attach(to, what, prefix, suffix);
  printf("attach '%s' to '%s': '%s' %d\n", name, nameOf(to), nameOf(e), e ? (int)e->elemtype : -1);
}

static inline mjsElement* find(mjSpec* s, mjtObj type, const char* name) { return mjs_findElement(s, type, name); }

#endif  // SHEAF_TESTS_PROGRAMS_SPEC_PRINT_H_
