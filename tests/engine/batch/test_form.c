// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/batch/form.c and form_value.c: outputs whose brackets say what to compute.

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "support/models.h"
#include "support/test.h"

// two balls on the floor, one above it; a finger with a tip that looks down
static const char kScene[] =
    "<mujoco><worldbody><geom name='floor' type='plane' size='5 5 .1'/>"
    "<body name='left' pos='0 0 .09'><freejoint/><geom name='ball' size='.1' mass='1'/></body>"
    "<body name='right' pos='1 0 .09'><freejoint/><geom name='other ball' size='.1' mass='1'/></body>"
    "<body name='high' pos='0 1 2'><freejoint/><geom name='free' size='.2' mass='1'/></body>"
    "<body name='finger' pos='3 0 1'><joint name='bend' axis='0 1 0'/><geom name='bone' type='capsule' size='.05' "
    "fromto='0 0 0 1 0 0' contype='0' conaffinity='0'/><site name='tip' pos='1 0 0' euler='180 0 0'/>"
    "<site name='a, b' pos='1 0 0'/></body></worldbody></mujoco>";

static mjModel* scene(void) { return test_model(kScene); }

// ---- shapes and what is refused

static void expectShape(const mjModel* m, const char* name, int rows, int columns) {
  int shape[2] = {-1, -1};
  sheafStatus status = {0};
  test_check(sheaf_outputShape(m, name, shape, &status) == rows * columns, __FILE__, __LINE__, name);
  CHECK_EQ(shape[0], rows);
  CHECK_EQ(shape[1], columns);
  CHECK_TEXT(status.message, "");
}

TEST(shapes_of_forms_are_known_from_their_names) {
  mjModel* m = scene();
  int nv = (int)m->nv;
  expectShape(m, "jac_body", 6 * (int)m->nbody, nv);
  expectShape(m, "jacp_site[tip]", 3, nv);
  expectShape(m, "jac_site[tip, 1]", 12, nv);
  expectShape(m, "jacr_geom[1:4]", 9, nv);
  expectShape(m, "jac_subtree_com[left]", 3, nv);
  expectShape(m, "jac_point[finger at 1 0 -.5, right]", 12, nv);
  expectShape(m, "contact[5]", 5, 24);
  expectShape(m, "contact[1]", 1, 24);
  expectShape(m, "contact_dist[16]", 16, 1);
  expectShape(m, "efc_J[20]", 20, nv);
  expectShape(m, "efc_force[20]", 20, 1);
  expectShape(m, "ray[tip]", 5, 1);
  expectShape(m, "jac_site[a, b]", 6, nv);
  expectShape(m, "distance[ball to other ball]", 7, 1);
  mj_deleteModel(m);
}

static void refuse(const mjModel* m, const char* name, const char* expected) {
  sheafStatus status = {0};
  CHECK_EQ(sheaf_outputShape(m, name, NULL, &status), -1);
  CHECK_EQ(status.code, SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(status.field, "output");
  test_check(strstr(status.message, expected) != NULL, __FILE__, __LINE__, status.message);
}

TEST(brackets_that_mean_nothing_are_refused_with_what_there_is) {
  mjModel* m = scene();
  refuse(m, "contact", "a number of rows from 1 to 65536");
  refuse(m, "contact[]", "a number of rows from 1 to 65536");
  refuse(m, "contact[0]", "a number of rows");
  refuse(m, "contact[-3]", "a number of rows");
  refuse(m, "contact[65537]", "a number of rows");
  refuse(m, "contact[99999999999999999999]", "a number of rows");
  refuse(m, "contact[5", "between [ and ]");
  refuse(m, "contacts[5]", "expected one of contact");
  refuse(m, "jac_site[tp]", "tip");
  refuse(m, "jac_site[7]", "a row from 0 to 1");
  refuse(m, "jac_point[finger at 1 0]", "three numbers behind \"at\"");
  refuse(m, "jac_point[finger at 1 0 nan]", "three numbers behind \"at\"");
  refuse(m, "jac_point[finger at 1 0 0 0]", "three numbers behind \"at\"");
  refuse(m, "jac_point[fingr]", "finger");
  refuse(m, "jac_point", "BODY at X Y Z");
  refuse(m, "ray", "SITE along X Y Z");
  refuse(m, "ray[0 0 1]", "\"along\" and a direction");
  refuse(m, "ray[tip along 0 0 0]", "a direction of three numbers");
  refuse(m, "ray[tip along 0 0 inf]", "a direction of three numbers");
  refuse(m, "ray[0 0 1e300 along 0 0 1]", "one of the sites");
  refuse(m, "ray[]", "one of the sites");
  refuse(m, "ray[tip,]", "one of the sites");
  refuse(m, "distance[ball]", "GEOM to GEOM");
  refuse(m, "distance[ball to bal]", "ball");
  refuse(m, "distance[ball to free within -1]", "0 or more behind \"within\"");
  refuse(m, "distance[ball to free within x]", "0 or more behind \"within\"");
  refuse(m, "distance[floor to 0]", "one at most is a plane");
  mj_deleteModel(m);
}

static char* repeated(const char* begin, const char* item, int n) {
  char* text = malloc(strlen(begin) + strlen(item) * (size_t)n + 2);
  strcpy(text, begin);
  char* at = text + strlen(text);
  for (int i = 0; i < n; i++) at += sprintf(at, "%s", item);
  strcpy(at - 1, "]");
  return text;
}

TEST(long_brackets_are_refused_before_anything_is_allocated) {
  mjModel* m = scene();
  char *many = repeated("ray[", "tip,", 257),
       *much = repeated("jac_point[", "finger at 0.00000000000000000000 0 0,", 500);
  char* most = repeated("ray[", "tip,", 256);
  refuse(m, many, "at most 256");
  refuse(m, much, "at most 16384 characters");
  expectShape(m, most, 256, 5);
  free(many);
  free(much);
  free(most);

  // a chain of 100 dofs: 65536 rows of the Jacobian are too many numbers
  char* xml = malloc(20000);
  char* at = xml + sprintf(xml, "<mujoco><worldbody>");
  for (int i = 0; i < 100; i++) at += sprintf(at, "<body pos='.1 0 0'><joint axis='0 1 0'/><geom size='.01'/>");
  for (int i = 0; i < 100; i++) at += sprintf(at, "</body>");
  sprintf(at, "</worldbody></mujoco>");
  mjModel* chain = test_model(xml);
  refuse(chain, "efc_J[65536]", "at most 4194304 numbers");
  expectShape(chain, "efc_J[41943]", 41943, 100);
  mj_deleteModel(chain);
  free(xml);
  mj_deleteModel(m);
}

// ---- numbers that can be written down

static void forwardStage(const mjModel* m, const char* name, mjtNum* to, int stage, sheafStatus* status) {
  sheafPoolConfig config = {.size = sizeof config, .nthread = 1, .nlane = 4};
  sheafPool* pool = sheaf_openPool(&config, NULL);
  sheafOutput out = {name, to};
  sheafForward r = {.size = sizeof r, .nbatch = 3, .output = &out, .noutput = 1, .stage = stage};
  sheaf_forward(pool, m, &r, status);
  sheaf_closePool(pool);
}

static void forward(const mjModel* m, const char* name, mjtNum* to) {
  sheafStatus status = {0};
  forwardStage(m, name, to, 0, &status);
  CHECK_TEXT(status.message, "");
}

TEST(contacts_have_their_geoms_and_forces) {
  mjModel* m = scene();
  mjtNum con[3][4][24], ncon[3], nefc[3];
  forward(m, "contact[4]", con[0][0]);
  forward(m, "ncon", ncon);
  forward(m, "nefc", nefc);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ((int)ncon[i], 2);
    CHECK_EQ((int)nefc[i], 8);
    for (int k = 0; k < 4; k++) {
      const mjtNum* c = con[i][k];
      const mjtNum geom[] = {0, k + 1, 0, k + 1, 3, -.01};
      if (k < 2) CHECK_ARRAY(c, geom, 6, 1e-12);
      if (k < 2) CHECK_NEAR(c[6], k, 1e-12);              // x of the point
      if (k < 2) CHECK_NEAR(c[8], -.005, 1e-12);          // half as deep as the ball
      if (k < 2) CHECK_NEAR(c[11], 1, 1e-12);             // normal, upward
      if (k < 2) CHECK(c[18] > 9 && fabs(c[19]) < 1e-9);  // at least the weight, no friction
      for (int j = 0; j < 24 && k >= 2; j++) CHECK_EQ(c[j], j < 4 ? -1 : 0);
    }
  }

  // what does not fit is counted
  forward(m, "contact_geom[1]", con[0][0]);
  CHECK_EQ((int)con[0][0][1], 1);
  mj_deleteModel(m);
}

TEST(rays_and_distances_are_those_of_the_scene) {
  mjModel* m = scene();
  mjtNum ray[3][4][5], dist[3][3][7];
  forward(m, "ray[tip, 1, .05 0 3 along 0 0 -2, 0 1 5 along 1 0 0]", ray[0][0]);
  forward(m, "distance[ball to other ball, free to 0, ball to free within .3]", dist[0][0]);
  mjtNum height = sqrt(.01 - .0025) + .09;
  const mjtNum hits[4][5] = {{1, 0, 0, 0, 1}, {-1, -1, 0, 0, 0}, {3 - height, 1, .5, 0, sqrt(.75)}, {-1, -1, 0, 0, 0}};
  const mjtNum apart[3][7] = {{.8, .1, 0, .09, .9, 0, .09}, {1.8, 0, 1, 1.8, 0, 1, 0}, {.3, 0, 0, 0, 0, 0, 0}};
  for (int i = 0; i < 3; i++) {
    CHECK_ARRAY(ray[i][0], hits[0], 20, 1e-9);
    CHECK_ARRAY(dist[i][0], apart[0], 21, 1e-9);
  }
  mj_deleteModel(m);
}

TEST(jacobians_of_points_are_lever_arms) {
  mjModel* m = scene();
  int nv = (int)m->nv;
  mjtNum* J = calloc((size_t)(3 * 6 * nv), sizeof *J);
  forward(m, "jac_point[finger at 1 0 .5]", J);
  const mjtNum want[6] = {.5, 0, -1, 0, 1, 0};  // about y
  for (int i = 0; i < 6; i++) {
    CHECK_NEAR(J[i * nv + nv - 1], want[i], 1e-12);
    for (int k = 0; k < nv - 1; k++) CHECK_EQ(J[i * nv + k], 0);
  }
  free(J);
  mj_deleteModel(m);
}

// numbers between brackets have points, whatever the program's locale has
TEST(numbers_do_not_depend_on_the_locale) {
  mjModel* m = scene();
  mjtNum ray[3][5];
  const char* before = setlocale(LC_NUMERIC, "de_DE.UTF-8");
  forward(m, "ray[0.5 0.5 2.5 along 0 0 -0.5]", ray[0]);
  CHECK_NEAR(ray[0][0], 2.5, 1e-12);
  if (before) setlocale(LC_NUMERIC, "C");
  mj_deleteModel(m);
}

TEST(stages_that_do_not_make_an_output_are_refused) {
  mjModel* m = scene();
  mjtNum con[3][2][6];
  sheafStatus status = {0};
  forwardStage(m, "contact_force[2]", con[0][0], 1, &status);
  CHECK_EQ(status.code, SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(status.field, "stage");
  CHECK_TEXT(status.message, "expected 3 or more for the output \"contact_force\", got 1");
  forwardStage(m, "contact_force[2]", con[0][0], 3, &status);
  CHECK_EQ(status.code, 0);
  mj_deleteModel(m);
}

// ---- nothing that was not asked for

static int npassive, ncontrol, nsensor;

static void countPassive(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
  npassive++;
}
static void countControl(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
  ncontrol++;
}
static void countSensor(const mjModel* m, mjData* d, int stage) {
  (void)m;
  (void)d;
  nsensor += stage == mjSTAGE_POS;
}

static void countRollout(const mjModel* m, const char* name, int every, int aligned, mjtNum* to) {
  sheafPoolConfig config = {.size = sizeof config, .nthread = 1};
  sheafPool* pool = sheaf_openPool(&config, NULL);
  sheafOutput out = {name, to};
  mjtNum* x0 = calloc((size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS), sizeof *x0);
  mju_copy(x0 + 1, m->qpos0, (int)m->nq);
  sheafRollout r = {.size = sizeof r,
                    .nbatch = 2,
                    .nstep = 10,
                    .state0 = x0,
                    .nstate0 = 1,
                    .output = &out,
                    .noutput = 1,
                    .every = every,
                    .aligned = aligned};
  npassive = ncontrol = nsensor = 0;
  CHECK_EQ(sheaf_rollout(pool, m, &r, NULL), 0);
  sheaf_closePool(pool);
  free(x0);
}

// calls of user code tell how often each stage ran
TEST(stages_run_as_often_as_the_outputs_need) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body name='head'><joint/><geom size='.1'/></body></worldbody>"
      "<sensor><user dim='1' needstage='pos'/></sensor></mujoco>");
  mjtNum to[200];
  mjcb_passive = countPassive, mjcb_control = countControl, mjcb_sensor = countSensor;
  static const struct {
    const char* name;
    int passive, control;
  } cases[] = {{"xpos[head]", 0, 0}, {"ray[0 0 1 along 0 0 -1]", 0, 0}, {"cvel[head]", 3, 0}, {"qacc", 3, 3}};
  for (int i = 0; i < 4; i++) {
    npassive = ncontrol = nsensor = 0;
    forward(m, cases[i].name, to);
    CHECK_EQ(npassive, cases[i].passive);
    CHECK_EQ(ncontrol, cases[i].control);
    CHECK_EQ(nsensor, 0);
  }
  forward(m, "sensordata", to);
  CHECK_EQ(nsensor, 3);

  // 2 rollouts of 10 steps; aligned ones have one more evaluation, as far as the output needs
  countRollout(m, "xpos[head]", -1, 0, to);
  CHECK(npassive == 20 && ncontrol == 20 && nsensor == 0);
  countRollout(m, "xpos[head]", -1, 1, to);
  CHECK(npassive == 20 && ncontrol == 20 && nsensor == 0);
  countRollout(m, "qacc", -1, 1, to);
  CHECK(npassive == 22 && ncontrol == 22 && nsensor == 0);
  mjcb_passive = NULL, mjcb_control = NULL, mjcb_sensor = NULL;
  mj_deleteModel(m);
}

// derivatives of outputs are those of arrays: a form has none, and says so
TEST(forms_have_no_derivatives) {
  mjModel* m = scene();
  mjtNum* x = calloc((size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS), sizeof *x);
  mju_copy(x + 1, m->qpos0, (int)m->nq);
  mjtNum* to = calloc(20000, sizeof *to);
  sheafPoolConfig config = {.size = sizeof config, .nthread = 1};
  sheafPool* pool = sheaf_openPool(&config, NULL);
  static const char* const names[] = {"contact[4]", "jac_site[tip]", "ray[tip]", "distance[ball to free]", "M", "ncon"};
  for (int k = 0; k < 6; k++) {
    sheafOutput out = {names[k], to};
    sheafTransitionDerivatives r = {.size = sizeof r, .nbatch = 1, .state = x, .output = &out, .noutput = 1};
    sheafStatus status = {0};
    CHECK_EQ(sheaf_transitionDerivatives(pool, m, &r, &status), SHEAF_INVALID_ARGUMENT);
    CHECK_TEXT(status.message, "expected an output that has derivatives");
  }
  sheaf_closePool(pool);
  free(to);
  free(x);
  mj_deleteModel(m);
}
