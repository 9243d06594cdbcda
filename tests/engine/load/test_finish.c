// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The first step that the compiler takes: what it warns of, and what is refused because it cannot be stepped.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

static void checkWarning(const char* xml, const char* expect) {
  mjSpec* s = mj_parseXMLString(xml, NULL, NULL, 0);
  mjModel* m = mj_compile(s, NULL);
  CHECK(m != NULL);
  CHECK_EQ(mjs_isWarning(s), 1);
  CHECK_TEXT(mjs_getError(s), expect);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

#define BODY(option, joints)                             \
  "<mujoco><option " option "/><worldbody><body>" joints \
  "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody></mujoco>"
#define SLIDE "<joint type='slide' axis='1 0 0'/>"
#define PUSHED "<joint type='slide' damping='-1'/>"
#define SAME_AXIS "<joint axis='1 0 0'/><joint axis='1 0 0'/>"

TEST(a_model_that_is_unstable_at_once_is_compiled_with_a_warning) {
  checkWarning(BODY("gravity='1e11 0 0'", SLIDE), "QACC at DOF 0");
  checkWarning(BODY("", "<joint type='slide' armature='-1'/>"), "QACC");
  checkWarning(BODY("", "<joint type='slide' ref='1e11'/>"), "QPOS");
  checkWarning(BODY("integrator='RK4'", SAME_AXIS), "QACC");
}

TEST(a_singular_matrix_of_the_implicit_integrator_is_a_warning) {
  checkWarning(BODY("integrator='implicit'", SAME_AXIS), "QACC");
  checkWarning(BODY("integrator='implicit' timestep='1'", PUSHED), "singular");

  // the other integrators do not factor this matrix
  mjModel* m = test_model(BODY("integrator='Euler' timestep='1'", PUSHED));
  mj_deleteModel(m);
  m = test_model(BODY("integrator='implicitfast' timestep='1'", PUSHED));
  mj_deleteModel(m);
}

#define LIGHT "<inertial pos='0 0 0' mass='1e-12' diaginertia='1e-12 1e-12 1e-12'/>"

// Joints that move the same, told apart by a tiny armature: the pivots of the solver's Hessian are kept above zero.
TEST(models_with_joints_that_move_the_same_run) {
  mjModel* m =
      test_model("<mujoco><option jacobian='sparse'/><worldbody><body>" LIGHT
                 "<joint type='slide' armature='5e-17'/><joint type='slide' range='1 2'/><body pos='1 0 0'>" LIGHT
                 "<joint axis='1 0 0'/></body></body><body pos='5 0 0'><joint type='slide'/><geom size='.1'/></body>"
                 "</worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 100; i++) mj_step(m, d);
  CHECK_NEAR(d->time, 0.2, 1e-9);
  for (int i = 0; i < m->nv; i++) CHECK(isfinite(d->qvel[i]));
  mj_deleteData(d);
  mj_deleteModel(m);
}

// ---- memory

// a chain of n hinges in so many bytes of memory
static char* chain(int n, const char* memory) {
  char* xml = malloc(300 + 80 * (size_t)n);
  char* p = xml + sprintf(xml, "<mujoco><size memory='%s'/><worldbody>", memory);
  for (int i = 0; i < n; i++) {
    p += sprintf(p, "<body><joint frictionloss='%d'/><geom size='1' contype='0'/>", i + 1 == n);
  }
  for (int i = 0; i < n; i++) p += sprintf(p, "</body>");
  sprintf(p, "</worldbody></mujoco>");
  return xml;
}

TEST(little_memory_is_enough_for_models_that_take_little) {
  char* xml = chain(3, "0");
  mjModel* m = test_model(xml);
  CHECK_EQ(m->narena, 0);
  mj_deleteModel(m);
  free(xml);
}

TEST(too_little_memory_is_refused_with_the_size_that_is_enough) {
  char error[500], *xml = chain(450, "100K");
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof error);
  CHECK(!mj_compile(s, NULL));
  CHECK_TEXT(mjs_getError(s), "memory of 102400 bytes is too little for a step, ");
  long long enough = 0;
  const char* number = strstr(mjs_getError(s), "step, ");
  if (number) sscanf(number, "step, %lld bytes", &enough);
  CHECK(enough > 102400);
  s->memory = enough;
  mjModel* m = mj_compile(s, NULL);
  CHECK(m != NULL);
  mj_deleteModel(m);
  mj_deleteSpec(s);
  free(xml);
}

TEST(a_tendon_may_connect_many_trees) {
  const char* xml =
      "<mujoco><worldbody><body><joint name='a'/><geom size='1'/></body><body pos='5 0 0'><joint name='b'/><geom "
      "size='1'/></body>"
      "<body pos='10 0 0'><joint name='c'/><geom size='1'/></body></worldbody><tendon><fixed frictionloss='1'>"
      "<joint joint='a' coef='1'/><joint joint='b' coef='1'/><joint joint='c' coef='1'/></fixed></tendon></mujoco>";
  mjModel* m = test_model(xml);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  CHECK_EQ(d->nisland, 1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static int calls;

static void count(const mjModel* m, mjData* d) {
  (void)m, (void)d;
  calls++;
}

static void failing(const mjModel* m, mjData* d) {
  (void)m, (void)d;
  mju_error("out of control");
}

TEST(callbacks_see_the_first_step) {
  mjcb_control = count;
  calls = 0;
  mj_deleteModel(test_model(BODY("", "<joint/>")));
  CHECK_EQ(calls, 1);
  mjcb_control = failing;
  test_rejects(BODY("", "<joint/>"), "out of control");
  mjcb_control = NULL;
}

TEST(a_warning_goes_with_the_next_compilation) {
  mjSpec* s = mj_parseXMLString(BODY("gravity='1e11 0 0'", SLIDE), NULL, NULL, 0);
  mj_deleteModel(mj_compile(s, NULL));
  CHECK_EQ(mjs_isWarning(s), 1);
  s->option.gravity[0] = 1;
  mj_deleteModel(mj_compile(s, NULL));
  CHECK_EQ(mjs_isWarning(s), 0);
  CHECK_EQ(*mjs_getError(s), 0);
  mj_deleteSpec(s);
}
