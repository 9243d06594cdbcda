// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Does a model get the same bits one, four and eight states at a time, and when its rollouts pause after every step?
// Prints whether it runs in lanes, and the results that differ. compare.py --lanes runs this program over many models.
//   same_lanes MODEL

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>
#include <sheaf/batch.h>

#include "model/lanes_ok.h"
#include "same_bits/states.h"

// eleven rows leave lanes of the last group of four or eight without a row
enum { NBATCH = 11, HORIZON = 10, MAXRESULT = 24 };

// numbers of NBATCH rows
typedef struct {
  const char* name;
  size_t n;
  mjtNum* data;
} Result;

typedef struct {
  Result result[MAXRESULT];
  int n;
} Results;

static mjtNum* make(size_t n) { return calloc(n + 1, sizeof(mjtNum)); }

static mjtNum* add(Results* r, const char* name, size_t n) {
  r->result[r->n] = (Result){name, NBATCH * n, make(NBATCH * n)};
  return r->result[r->n++].data;
}

// what requests start from
typedef struct {
  unsigned int spec;
  mjtNum *state, *control, *qpos, *qvel, *qacc, *ctrl;
} Inputs;

// a row of all that a rollout may be controlled with, near what the data holds
static void drawRow(const mjModel* m, mjData* d, unsigned int spec, mjtNum* row, uint64_t* seed) {
  drawControls(m, d->ctrl, seed);
  for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = 0.1 * draw(seed);
  for (int i = 6; i < 6 * m->nbody; i++) d->xfrc_applied[i] = 0.1 * draw(seed);
  for (int i = 0; i < 3 * m->nmocap; i++) d->mocap_pos[i] += 0.01 * draw(seed);
  for (int i = 0; i < 4 * m->nmocap; i++) d->mocap_quat[i] += 0.01 * draw(seed);
  for (int i = 0; i < m->neq; i++) d->eq_active[i] = draw(seed) < 0.7;
  mj_getState(m, d, row, spec);
}

static Inputs drawInputs(const mjModel* m, mjData* d) {
  uint64_t seed = SEED;
  Inputs in = {.spec = mjSTATE_CTRL | mjSTATE_QFRC_APPLIED | mjSTATE_XFRC_APPLIED};
  if (m->nmocap) in.spec |= mjSTATE_MOCAP_POS | mjSTATE_MOCAP_QUAT;
  if (m->neq) in.spec |= mjSTATE_EQ_ACTIVE;
  size_t nx = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS), nc = (size_t)mj_stateSize(m, in.spec);
  size_t nq = (size_t)m->nq, nv = (size_t)m->nv, nu = (size_t)m->nu;
  in.state = make(NBATCH * nx);
  in.control = make(NBATCH * HORIZON * nc);
  in.qpos = make(NBATCH * nq);
  in.qvel = make(NBATCH * nv);
  in.qacc = make(NBATCH * nv);
  in.ctrl = make(NBATCH * nu);
  for (size_t i = 0; i < NBATCH; i++) {
    start(m, d, &seed);
    mj_getState(m, d, in.state + i * nx, mjSTATE_FULLPHYSICS);
    for (int t = 0; t < HORIZON; t++) drawRow(m, d, in.spec, in.control + (i * HORIZON + (size_t)t) * nc, &seed);
    mju_copy(in.ctrl + i * nu, d->ctrl, (int)nu);

    // states a few steps later, each at its own time
    for (size_t t = 0; t < i; t++) mj_step(m, d);
    mju_copy(in.qpos + i * nq, d->qpos, (int)nq);
    mju_copy(in.qvel + i * nv, d->qvel, (int)nv);
    for (size_t k = 0; k < nv; k++) in.qacc[i * nv + k] = draw(&seed);
  }
  return in;
}

static void freeInputs(Inputs* in) {
  mjtNum* all[] = {in->state, in->control, in->qpos, in->qvel, in->qacc, in->ctrl};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
}

static void told(int failed, const char* what, const sheafStatus* status) {
  if (failed) printf("%s: %s %s\n", what, status->field, status->message);
}

static void rollouts(sheafPool* pool, const mjModel* m, const Inputs* in, Results* out) {
  sheafRollout r = {.size = sizeof r,
                    .nbatch = NBATCH,
                    .nstep = HORIZON,
                    .state0 = in->state,
                    .nstate0 = NBATCH,
                    .control_spec = in->spec,
                    .control = in->control,
                    .ncontrol = NBATCH,
                    .ncontrolstep = HORIZON};
  r.state = add(out, "rollout", HORIZON * (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS));
  r.sensordata = add(out, "rollout sensors", HORIZON * (size_t)m->nsensordata);
  sheafStatus status;
  told(sheaf_rollout(pool, m, &r, &status), "rollout", &status);
}

static void forward(sheafPool* pool, const mjModel* m, const Inputs* in, Results* out) {
  static const char* const name[] = {"qacc",          "qfrc_passive",    "qfrc_damper",     "qfrc_bias",
                                     "qfrc_actuator", "qfrc_constraint", "actuator_length", "actuator_velocity",
                                     "ten_length",    "ten_velocity",    "sensordata",      "energy"};
  enum { NOUTPUT = sizeof name / sizeof name[0] };
  sheafOutput output[NOUTPUT];
  for (int k = 0; k < NOUTPUT; k++) {
    output[k] = (sheafOutput){name[k], add(out, name[k], (size_t)sheaf_outputSize(m, name[k], NULL))};
  }
  sheafForward r = {.size = sizeof r,
                    .nbatch = NBATCH,
                    .qpos = in->qpos,
                    .nqpos = NBATCH,
                    .qvel = in->qvel,
                    .nqvel = NBATCH,
                    .ctrl = in->ctrl,
                    .nctrl = NBATCH,
                    .output = output,
                    .noutput = NOUTPUT};
  sheafStatus status;
  told(sheaf_forward(pool, m, &r, &status), "forward", &status);
}

static void inverse(sheafPool* pool, const mjModel* m, const Inputs* in, Results* out) {
  sheafOutput sensors = {"sensordata", add(out, "inverse sensors", (size_t)m->nsensordata)};
  sheafInverse r = {.size = sizeof r,
                    .nbatch = NBATCH,
                    .qpos = in->qpos,
                    .nqpos = NBATCH,
                    .qvel = in->qvel,
                    .nqvel = NBATCH,
                    .qacc = in->qacc,
                    .nqacc = NBATCH,
                    .output = &sensors,
                    .noutput = 1};
  r.qfrc_inverse = add(out, "inverse", (size_t)m->nv);
  sheafStatus status;
  told(sheaf_inverse(pool, m, &r, &status), "inverse", &status);
}

static void derivatives(sheafPool* pool, const mjModel* m, const Inputs* in, Results* out) {
  if (m->opt.integrator == mjINT_RK4 || m->nv > MAX_DERIVATIVE_DOFS) return;
  size_t nx = 2 * (size_t)m->nv + (size_t)m->na, nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  sheafTransitionFD r = {
      .size = sizeof r, .nbatch = NBATCH, .state = in->state, .ctrl = in->ctrl, .nctrl = NBATCH, .eps = 1e-6};
  r.A = add(out, "A", nx * nx);
  r.B = add(out, "B", nx * nu);
  r.C = add(out, "C", ns * nx);
  sheafStatus status;
  told(sheaf_transitionFD(pool, m, &r, &status), "transition_fd", &status);
}

static Results compute(const mjModel* m, const Inputs* in, int nlane, double piece) {
  sheafPoolConfig config = sheaf_defaultPoolConfig();
  config.nthread = 1;
  config.nlane = nlane;
  config.piece = piece;
  sheafPool* pool = sheaf_openPool(&config, NULL);
  Results out = {.n = 0};
  rollouts(pool, m, in, &out);
  forward(pool, m, in, &out);
  inverse(pool, m, in, &out);
  derivatives(pool, m, in, &out);
  sheaf_closePool(pool);
  return out;
}

// not a number is the same as not a number, whatever its sign
static int equal(mjtNum a, mjtNum b) { return !memcmp(&a, &b, sizeof a) || (isnan(a) && isnan(b)); }

static int compare(const Results* one, const Results* many, const char* how) {
  int ndiffer = 0;
  for (int k = 0; k < one->n; k++) {
    const Result* a = one->result + k;
    const mjtNum* b = many->result[k].data;
    size_t i = 0;
    while (i < a->n && equal(a->data[i], b[i])) i++;
    if (i == a->n) continue;
    printf("differ %s, %s, row %zu: %.17g, %.17g\n", a->name, how, i / (a->n / NBATCH), a->data[i], b[i]);
    ndiffer++;
  }
  return ndiffer;
}

static void freeResults(Results* r) {
  for (int k = 0; k < r->n; k++) free(r->result[k].data);
}

int main(int argc, char** argv) {
  static const struct {
    int nlane;
    double piece;
    const char* name;
  } ways[] = {{4, 0, "4 lanes"},
              {8, 0, "8 lanes"},
              {1, 1e-9, "1 lane in pieces"},
              {4, 1e-9, "4 lanes in pieces"},
              {8, 1e-9, "8 lanes in pieces"}};
  char error[1024] = "";
  mju_user_warning = silence;
  mjModel* m = argc > 1 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
  if (!m) return printf("refused %s\n", error), 0;
  mjData* d = mj_makeData(m);
  if (!d) return printf("no data\n"), 0;
  puts(mji_lanesOk(m) ? "runs in lanes" : "runs in one lane");
  Inputs in = drawInputs(m, d);
  Results one = compute(m, &in, 1, 0);
  int ndiffer = 0;
  for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
    Results many = compute(m, &in, ways[k].nlane, ways[k].piece);
    ndiffer += compare(&one, &many, ways[k].name);
    freeResults(&many);
  }
  freeResults(&one);
  freeInputs(&in);
  mj_deleteData(d);
  mj_deleteModel(m);
  return ndiffer > 0;
}
