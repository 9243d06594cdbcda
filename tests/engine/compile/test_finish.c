// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The first step that the compiler takes. What warns and what is refused: asked of MuJoCo 3.4.0.

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

#define BODY(option, joints)                                                             \
  "<mujoco><option " option "/><worldbody><body>" joints                                 \
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

TEST(the_implicit_integrator_needs_a_regular_matrix) {
  test_rejects(BODY("integrator='implicit'", SAME_AXIS), "singular");
  test_rejects(BODY("integrator='implicit' timestep='1'", PUSHED), "singular");

  // the other integrators do not factor this matrix
  mjModel* m = test_model(BODY("integrator='Euler' timestep='1'", PUSHED));
  mj_deleteModel(m);
  m = test_model(BODY("integrator='implicitfast' timestep='1'", PUSHED));
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
