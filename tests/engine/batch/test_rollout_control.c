// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/batch/rollout_control.c: splines, delays and feedback next to loops that set d->ctrl by hand.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "support/models.h"
#include "support/same_noise.h"
#include "support/test.h"
#include "support/variants.h"

enum { B = 6, T = 17, K = 5 };

// a free joint, a ball, activations, a range that clamps
static const char kBody[] =
    "<mujoco><option timestep='.005'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .4'><freejoint/><geom type='capsule' size='.08 .15'/>"
    "<body pos='0 0 -.2'><joint name='hip' axis='0 1 0' damping='.3'/><geom type='capsule' fromto='0 0 0 .05 0 -.25' "
    "size='.04'/>"
    "<body pos='.05 0 -.25'><joint name='ankle' type='ball' damping='.1'/><geom type='box' size='.08 .05 .02'/></body>"
    "</body></body></worldbody><actuator>"
    "<motor joint='hip' gear='12' ctrllimited='true' ctrlrange='-.2 .3'/>"
    "<general joint='hip' dyntype='filter' dynprm='.05' gainprm='5'/></actuator>"
    "<sensor><jointpos joint='hip'/></sensor></mujoco>";

static mjtNum* filled(size_t n, mjtNum scale) {
  mjtNum* x = calloc(n ? n : 1, sizeof *x);
  for (size_t i = 0; i < n; i++) x[i] = scale * noise();
  return x;
}

typedef struct {
  mjModel* m;
  int nx, nu, ndx;
  mjtNum *x0, *u, *state, *ctrl;
  int32_t status[B], badstep[B];
  sheafOutput output;
} Case;

static Case makeCase(void) {
  Case c = {.m = test_model(kBody)};
  const mjModel* m = c.m;
  seed = 5;
  c.nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  c.nu = (int)m->nu;
  c.ndx = (int)(2 * m->nv + m->na);
  c.x0 = filled((size_t)B * c.nx, 0);
  c.u = filled((size_t)B * T * c.nu, 0.5);
  c.state = filled((size_t)B * T * c.nx, 0);
  c.ctrl = filled((size_t)B * T * c.nu, 0);
  c.output = (sheafOutput){"ctrl", c.ctrl};
  mjData* d = mj_makeData(m);
  for (int i = 0; i < B; i++) {
    for (int t = 0; t < 3; t++) mj_step(m, d);
    mj_getState(m, d, c.x0 + (size_t)i * c.nx, mjSTATE_FULLPHYSICS);
  }
  mj_deleteData(d);
  return c;
}

static void freeCase(Case* c) {
  free(c->x0);
  free(c->u);
  free(c->state);
  free(c->ctrl);
  mj_deleteModel(c->m);
}

static sheafRollout request(Case* c) {
  return (sheafRollout){.size = sizeof(sheafRollout),
                        .nbatch = B,
                        .nstep = T,
                        .state0 = c->x0,
                        .nstate0 = B,
                        .control = c->u,
                        .ncontrol = B,
                        .ncontrolstep = T,
                        .state = c->state,
                        .output = &c->output,
                        .noutput = 1,
                        .status = c->status,
                        .badstep = c->badstep};
}

static const struct {
  int nthread, nlane;
  double piece;
} kWays[] = {{1, 1, 0}, {2, 4, 0}, {1, 8, 0}, {3, 4, 1e-9}, {2, 1, 1e-9}};

enum { NWAY = sizeof kWays / sizeof kWays[0] };

static int run(Case* c, const sheafRollout* r, int way, sheafStatus* status) {
  sheafPoolConfig config = {
      .size = sizeof config, .nthread = kWays[way].nthread, .nlane = kWays[way].nlane, .piece = kWays[way].piece};
  sheafPool* pool = sheaf_openPool(&config, NULL);
  int code = sheaf_rollout(pool, c->m, r, status);
  sheaf_closePool(pool);
  return code;
}

// the controls of row i in step t, at the state of d
typedef void (*Controller)(const Case* c, const sheafRollout* r, const mjData* d, int i, int t, mjtNum* u);

// every way of running the request is the loop of steps with this controller, bit by bit
static void compareWithLoop(Case* c, const sheafRollout* r, Controller control) {
  const mjModel* m = c->m;
  mjtNum* want = filled((size_t)B * T * c->nx, 0);
  mjtNum* applied = filled((size_t)B * T * c->nu, 0);
  for (int i = 0; i < B; i++) {
    mjData* d = mj_makeData(m);
    mj_setState(m, d, c->x0 + (size_t)i * c->nx, mjSTATE_FULLPHYSICS);
    for (int t = 0; t < T; t++) {
      mjtNum* u = applied + ((size_t)i * T + t) * c->nu;
      control(c, r, d, i, t, u);
      mju_copy(d->ctrl, u, c->nu);
      mj_step(m, d);
      mj_getState(m, d, want + ((size_t)i * T + t) * c->nx, mjSTATE_FULLPHYSICS);
    }
    mj_deleteData(d);
  }
  for (int k = 0; k < NWAY; k++) {
    if (!test_hasLanes(kWays[k].nlane)) continue;
    sheafStatus status = {0};
    CHECK_EQ(run(c, r, k, &status), 0);
    CHECK_TEXT(status.message, "");
    CHECK_EQ(memcmp(c->ctrl, applied, sizeof(mjtNum) * B * T * (size_t)c->nu), 0);
    CHECK_EQ(memcmp(c->state, want, sizeof(mjtNum) * B * T * (size_t)c->nx), 0);
    for (int i = 0; i < B; i++) CHECK_EQ(c->status[i], 0);
  }
  free(want);
  free(applied);
}

// ---- knots

static mjtNum knotTime(const sheafRollout* r, mjtNum dt, int j) {
  if (r->knot_times) return r->knot_times[j];
  if (r->knots == 1) return dt * ((mjtNum)j * T / K);
  return dt * ((mjtNum)j * (T - 1) / (K - 1));
}

static mjtNum slope(const mjtNum* p, const mjtNum* t, int j) {
  mjtNum back = j ? (p[j] - p[j - 1]) / (t[j] - t[j - 1]) : 0,
         ahead = j < K - 1 ? (p[j + 1] - p[j]) / (t[j + 1] - t[j]) : 0;
  return j == 0 ? ahead : j == K - 1 ? back : (back + ahead) / 2;
}

// the formulas of the header
static mjtNum splineAt(int order, const mjtNum* p, const mjtNum* t, mjtNum x) {
  if (x <= t[0]) return p[0];
  if (x >= t[K - 1]) return p[K - 1];
  int j = 0;
  while (x >= t[j + 1]) j++;
  mjtNum h = t[j + 1] - t[j], s = (x - t[j]) / h;
  if (order == 1) return p[j];
  if (order == 2) return (1 - s) * p[j] + s * p[j + 1];
  return (2 * s * s * s - 3 * s * s + 1) * p[j] + (s * s * s - 2 * s * s + s) * h * slope(p, t, j) +
         (3 * s * s - 2 * s * s * s) * p[j + 1] + (s * s * s - s * s) * h * slope(p, t, j + 1);
}

static void compareKnots(const mjtNum* times, int order, int hold) {
  Case c = makeCase();
  sheafRollout r = request(&c);
  r.ncontrolstep = K;
  r.knots = order;
  r.knot_times = times;
  r.nknot_times = 1;
  r.hold = hold;
  mjtNum dt = c.m->opt.timestep, at[K], p[K];
  for (int j = 0; j < K; j++) at[j] = knotTime(&r, dt, j);
  for (int k = 0; k < NWAY; k++) {
    if (!test_hasLanes(kWays[k].nlane)) continue;
    CHECK_EQ(run(&c, &r, k, NULL), 0);
    for (int i = 0; i < B; i++) {
      for (int t = 0; t < T; t++) {
        for (int a = 0; a < c.nu; a++) {
          for (int j = 0; j < K; j++) p[j] = c.u[((size_t)i * K + j) * c.nu + a];
          CHECK_NEAR(c.ctrl[((size_t)i * T + t) * c.nu + a], splineAt(order, p, at, dt * (t - t % hold)), 1e-12);
        }
      }
    }
  }
  freeCase(&c);
}

TEST(controls_between_knots_are_splines) {
  static const mjtNum times[K] = {0.0051, 0.02, 0.0333, 0.06, 0.0701};
  for (int order = 1; order <= 3; order++) {
    compareKnots(NULL, order, 1);
    compareKnots(times, order, 1);
    compareKnots(times, order, 4);
  }
}

// ---- delay

static void delayed(const Case* c, const sheafRollout* r, const mjData* d, int i, int t, mjtNum* u) {
  (void)d;
  int s = t - r->delay;
  const mjtNum* row = s < 0 ? r->earlier + (size_t)t * c->nu : r->control + ((size_t)i * T + s) * c->nu;
  mju_copy(u, row, c->nu);
}

static void nothing(const Case* c, const sheafRollout* r, const mjData* d, int i, int t, mjtNum* u) {
  if (t < r->delay) delayed(c, r, d, i, t, u);
  else mju_zero(u, c->nu);
}

TEST(delayed_controls_come_later) {
  Case c = makeCase();
  sheafRollout r = request(&c);
  mjtNum* earlier = filled((size_t)4 * c.nu, 0.1);
  r.delay = 4;
  r.earlier = earlier;
  r.nearlier = 1;
  compareWithLoop(&c, &r, delayed);
  r.control = NULL;
  compareWithLoop(&c, &r, nothing);
  mju_zero(earlier, 4 * c.nu);
  r.control = c.u;
  compareWithLoop(&c, &r, delayed);
  r.earlier = NULL;
  mjtNum* state = filled((size_t)B * T * c.nx, 0);
  memcpy(state, c.state, sizeof(mjtNum) * B * T * (size_t)c.nx);
  CHECK_EQ(run(&c, &r, 0, NULL), 0);
  CHECK_EQ(memcmp(state, c.state, sizeof(mjtNum) * B * T * (size_t)c.nx), 0);
  free(state);
  free(earlier);
  freeCase(&c);
}

// ---- feedback

static void closedLoop(const Case* c, const sheafRollout* r, const mjData* d, int i, int t, mjtNum* u) {
  const mjModel* m = c->m;
  int nu = c->nu, ndx = c->ndx, nq = (int)m->nq, nv = (int)m->nv, na = (int)m->na;
  mjtNum dx[100], du[10];
  const mjtNum *X = r->feedback_state + (size_t)t * c->nx, *gain = r->feedback_gain + (size_t)t * nu * ndx;
  mj_differentiatePos(m, dx, 1, X + 1, d->qpos);
  mju_sub(dx + nv, d->qvel, X + 1 + nq, nv);
  mju_sub(dx + 2 * nv, d->act, X + 1 + nq + nv, na);
  mju_mulMatVec(du, gain, dx, nu, ndx);
  for (int k = 0; k < nu; k++) {
    mjtNum open = r->control ? r->control[((size_t)i * T + t) * nu + k] : 0;
    u[k] = open * (r->step_size ? r->step_size[i] : 1) + r->feedback_ctrl[((size_t)i * T + t) * nu + k] + du[k];
  }
  u[0] = mju_clip(u[0], -.2, .3);
}

TEST(feedback_is_a_loop_of_steps) {
  Case c = makeCase();
  sheafRollout r = request(&c);
  CHECK_EQ(run(&c, &r, 0, NULL), 0);
  mjtNum *X = filled((size_t)T * c.nx, 0), *U = filled((size_t)B * T * c.nu, 0.3);
  mjtNum *gain = filled((size_t)T * c.nu * c.ndx, 0.2), *step = filled(B, 1);
  memcpy(X, c.state, sizeof(mjtNum) * T * (size_t)c.nx);
  r.feedback_state = X, r.nfeedback_state = 1;
  r.feedback_ctrl = U, r.nfeedback_ctrl = B;
  r.feedback_gain = gain, r.nfeedback_gain = 1;
  compareWithLoop(&c, &r, closedLoop);
  r.step_size = step, r.nstep_size = B;
  compareWithLoop(&c, &r, closedLoop);
  r.control = NULL;
  compareWithLoop(&c, &r, closedLoop);
  int nclamped = 0;
  for (int i = 0; i < B * T; i++) nclamped += c.ctrl[(size_t)i * c.nu] == .3 || c.ctrl[(size_t)i * c.nu] == -.2;
  CHECK(nclamped > 5 && nclamped < B * T - 5);

  // a reference that is not a number ends the row, and no other
  r.control = c.u;
  mjtNum* two = filled((size_t)B * T * c.nx, 0);
  for (int i = 0; i < B; i++) memcpy(two + (size_t)i * T * c.nx, X, sizeof(mjtNum) * T * (size_t)c.nx);
  two[((size_t)2 * T + 7) * c.nx + 3] = NAN;
  r.feedback_state = two, r.nfeedback_state = B;
  for (int k = 0; k < NWAY; k++) {
    if (!test_hasLanes(kWays[k].nlane)) continue;
    CHECK_EQ(run(&c, &r, k, NULL), 0);
    for (int i = 0; i < B; i++) CHECK_EQ(c.status[i], i == 2 ? SHEAF_ROW_BADCTRL : 0);
    CHECK_EQ(c.badstep[2], 7);
  }
  free(X);
  free(U);
  free(gain);
  free(step);
  free(two);
  freeCase(&c);
}

// what feedback gave is kept, and applied `delay` steps later
static mjtNum waiting[B][T][10];

static void delayedLoop(const Case* c, const sheafRollout* r, const mjData* d, int i, int t, mjtNum* u) {
  int first = t - t % r->hold, s = t - r->delay;
  if (first == t) closedLoop(c, r, d, i, t, waiting[i][t]);
  else mju_copy(waiting[i][t], waiting[i][first], c->nu);
  if (s < 0) delayed(c, r, d, i, t, u);
  else mju_copy(u, waiting[i][s], c->nu);
}

TEST(feedback_may_be_delayed) {
  Case c = makeCase();
  sheafRollout r = request(&c);
  CHECK_EQ(run(&c, &r, 0, NULL), 0);
  mjtNum *X = filled((size_t)T * c.nx, 0), *U = filled((size_t)B * T * c.nu, 0.3);
  mjtNum *gain = filled((size_t)T * c.nu * c.ndx, 0.2), *earlier = filled((size_t)(T + 5) * c.nu, 0.2);
  memcpy(X, c.state, sizeof(mjtNum) * T * (size_t)c.nx);
  r.feedback_state = X, r.nfeedback_state = 1;
  r.feedback_ctrl = U, r.nfeedback_ctrl = B;
  r.feedback_gain = gain, r.nfeedback_gain = 1;
  r.earlier = earlier, r.nearlier = 1;
  static const int delays[] = {1, 3, 4, 7, T + 5};
  for (int k = 0; k < 5; k++) {
    r.delay = delays[k], r.hold = 1, r.control = c.u;
    compareWithLoop(&c, &r, delayedLoop);
    r.hold = 3, r.control = NULL;
    compareWithLoop(&c, &r, delayedLoop);
  }
  double units, bytes;
  sheaf_requestSize(c.m, SHEAF_ROLLOUT, &r, &units, &bytes);
  CHECK(bytes >= 8. * T / 3 * c.nu && bytes < 8. * T * c.nu);
  r.delay = 0;
  sheaf_requestSize(c.m, SHEAF_ROLLOUT, &r, &units, &bytes);
  CHECK_EQ(bytes, 0);
  free(X);
  free(U);
  free(gain);
  free(earlier);
  freeCase(&c);
}

// ---- what is refused

static void expectField(Case* c, sheafRollout r, const char* field) {
  sheafStatus status = {0};
  CHECK_EQ(run(c, &r, 0, &status), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(status.field, field);
  CHECK_TEXT(status.message, "got");
}

TEST(controls_that_cannot_be_are_refused) {
  Case c = makeCase();
  mjtNum* many = filled((size_t)T * c.nu * c.ndx + (size_t)T * c.nx, 0);
  static const mjtNum falls[K] = {0, 1, 1, 2, 3}, no[K] = {0, 1, 2, NAN, 3};
  sheafRollout r = request(&c), q;
  q = r, q.ncontrolstep = T + 1, expectField(&c, q, "control");
  q = r, q.hold = 2, expectField(&c, q, "control");
  q = r, q.knot_times = falls, q.nknot_times = 1, q.ncontrolstep = K, expectField(&c, q, "knot");
  q = r, q.knots = 1, q.knot_times = falls, q.nknot_times = 1, q.ncontrolstep = K, expectField(&c, q, "knot_times");
  q = r, q.knots = 1, q.knot_times = no, q.nknot_times = 1, q.ncontrolstep = K, expectField(&c, q, "knot_times");
  q = r, q.knots = 4, expectField(&c, q, "knots");
  q = r, q.knots = 2, q.control = NULL, expectField(&c, q, "control");
  q = r, q.delay = -1, expectField(&c, q, "delay");
  q = r, q.feedback_gain = many, q.nfeedback_gain = 1, expectField(&c, q, "feedback_state");
  q = r, q.feedback_state = many, q.nfeedback_state = 1, expectField(&c, q, "feedback_gain");
  q.feedback_gain = many, q.nfeedback_gain = 1;
  q.control_spec = mjSTATE_QFRC_APPLIED, q.control = NULL, expectField(&c, q, "control_spec");
  free(many);
  freeCase(&c);
}
