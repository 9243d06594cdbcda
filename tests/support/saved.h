// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models as text and back.
#ifndef SHEAF_TESTS_SUPPORT_SAVED_H_
#define SHEAF_TESTS_SUPPORT_SAVED_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mjxmacro.h>

#include "support/test.h"

// Text of a compiled specification, to be freed; NULL fails the test.
static inline char* saved_spec(const mjSpec* s) {
  char error[600] = "";
  int size = mj_saveXMLString(s, NULL, 0, error, sizeof error);
  char* text = size > 0 ? malloc((size_t)size + 1) : NULL;
  int result = text ? mj_saveXMLString(s, text, size + 1, error, sizeof error) : -1;
  if (result) printf("  not saved: %s\n", error);
  CHECK_EQ(result, 0);
  if (!result) return text;
  free(text);
  return NULL;
}

// Parse and compile; NULL fails the test. The model is deleted unless it is asked for.
static inline mjSpec* saved_compile(const char* xml, mjModel** m) {
  char error[600] = "";
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof error);
  mjModel* compiled = s ? mj_compile(s, NULL) : NULL;
  if (!compiled) printf("  does not compile: %s\n", s ? mjs_getError(s) : error);
  CHECK(compiled != NULL);
  if (!compiled) mj_deleteSpec(s);
  if (m) *m = compiled;
  else mj_deleteModel(compiled);
  return compiled ? s : NULL;
}

// What is written of a document, to be freed; NULL fails the test.
static inline char* saved_text(const char* xml) {
  mjSpec* s = saved_compile(xml, NULL);
  char* text = s ? saved_spec(s) : NULL;
  mj_deleteSpec(s);
  return text;
}

// Name of the first array of two models that differs, NULL if none does. Numbers may differ by as
// much as a rotation that is normalized once more.
static inline const char* saved_difference(const mjModel* a, const mjModel* b) {
#define X(name) \
  if (strcmp(#name, "nbuffer") && a->name != b->name) return #name;
  MJMODEL_INTS
#undef X
  MJMODEL_POINTERS_PREAMBLE(a)
  (void)nuser_body, (void)nuser_jnt, (void)nuser_geom, (void)nuser_site, (void)nuser_cam;
  (void)nuser_tendon, (void)nuser_actuator, (void)nuser_sensor, (void)nq, (void)nv, (void)na;
  (void)nu, (void)nmocap;
#define X(type, name, rows, columns)                                        \
  for (size_t i = 0; i < (size_t)a->rows * (size_t)(columns); i++) {        \
    double x = (double)a->name[i], y = (double)b->name[i];                  \
    if (!(x == y || fabs(x - y) <= 1e-12 * fmax(1, fabs(x)))) return #name; \
  }
  MJMODEL_POINTERS
#undef X
  if (memcmp(&a->opt, &b->opt, sizeof a->opt)) return "opt";
  if (memcmp(&a->vis, &b->vis, sizeof a->vis)) return "vis";
  if (fabs(a->stat.extent - b->stat.extent) > 1e-12 * a->stat.extent) return "stat";
  return NULL;
}

// Save, read again, and compare; a difference fails the test.
static inline void saved_rounds(const mjSpec* s, const mjModel* m) {
  char* text = saved_spec(s);
  mjModel* again = NULL;
  mjSpec* t = text ? saved_compile(text, &again) : NULL;
  const char* differs = again ? saved_difference(m, again) : "everything";
  if (differs) printf("  %s differs; saved:\n%s\n", differs, text ? text : "");
  CHECK(!differs);
  mj_deleteModel(again);
  mj_deleteSpec(t);
  free(text);
}

#endif  // SHEAF_TESTS_SUPPORT_SAVED_H_
