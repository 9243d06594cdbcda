// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/batch/derivative_job.c: requests for derivatives return outputs of the states that they are at. In
// any lanes, threads and pieces these have the bits of forward and inverse dynamics, and derivatives the bits that they
// have alone.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "support/models.h"
#include "support/test.h"
#include "support/variants.h"

enum { B = 11, NX = 64, NV = 24, NDX = 2 * NV, NU = 8, NOUT = 4, SIZE = NV * NV };

static const char* const kNominal[NOUT] = {"nominal.M", "nominal.contact[4]", "nominal.qfrc_bias", "nominal.ncon"};

typedef struct {
  mjModel* m;
  mjtNum state[B * NX], qpos[B * NX], qvel[B * NV], ctrl[B * NU];
} Scene;

typedef struct {
  mjtNum named[NOUT][B * SIZE], A[B * NDX * NDX], B_[B * NDX * NU], matrix[3][B * NV * NV], force[B * NV];
  int32_t status[B];
} Results;

static Scene s;
static Results want, got;

static void fill(void) {
  s.m = test_model(kBiped);
  int nx = mj_stateSize(s.m, mjSTATE_FULLPHYSICS);
  CHECK(nx <= NX && s.m->nv <= NV && s.m->nu <= NU);
  mjData* d = mj_makeData(s.m);
  for (int i = 0; i < B; i++) {
    for (int k = 0; k < s.m->nu; k++) s.ctrl[i * (int)s.m->nu + k] = d->ctrl[k] = sin(i + k);
    for (int t = 0; t < 40; t++) mj_step(s.m, d);
    mj_getState(s.m, d, s.state + i * nx, mjSTATE_FULLPHYSICS);
    memcpy(s.qpos + i * (int)s.m->nq, d->qpos, sizeof(mjtNum) * (size_t)s.m->nq);
    memcpy(s.qvel + i * (int)s.m->nv, d->qvel, sizeof(mjtNum) * (size_t)s.m->nv);
  }
  mj_deleteData(d);
}

typedef struct {
  int nthread, nlane;
  double piece;
} Pool;

// the outputs of a request; without SHEAF_NOMINAL for one that is not of derivatives
static void name(sheafOutput output[NOUT], Results* r, int nominal) {
  for (int k = 0; k < NOUT; k++) {
    output[k] = (sheafOutput){kNominal[k] + (nominal ? 0 : strlen(SHEAF_NOMINAL)), r->named[k]};
  }
}

static void run(const Pool* p, sheafKind kind, const void* request) {
  sheafPoolConfig cfg = {.size = sizeof cfg, .nthread = p->nthread, .nlane = p->nlane, .piece = p->piece};
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafStatus st = {0};
  sheafJob* job = sheaf_submit(pool, s.m, kind, request, NULL, NULL, &st);
  CHECK_TEXT(st.message, "");
  if (job) CHECK_EQ(sheaf_wait(job, &st), 0);
  if (job) sheaf_freeJob(job);
  sheaf_closePool(pool);
}

// the kinds whose rows are states, with outputs or without
static void ofStates(const Pool* p, sheafKind kind, int mode, Results* r, int noutput) {
  sheafOutput output[NOUT];
  name(output, r, 1);
  if (kind == SHEAF_TRANSITION_FD) {
    run(p, kind,
        &(sheafTransitionFD){.size = sizeof(sheafTransitionFD),
                             .nbatch = B,
                             .state = s.state,
                             .ctrl = s.ctrl,
                             .nctrl = B,
                             .A = r->A,
                             .B = r->B_,
                             .status = r->status,
                             .output = output,
                             .noutput = noutput});
  } else {
    run(p, kind,
        &(sheafTransitionDerivatives){.size = sizeof(sheafTransitionDerivatives),
                                      .nbatch = B,
                                      .state = s.state,
                                      .ctrl = s.ctrl,
                                      .nctrl = B,
                                      .mode = mode,
                                      .A = r->A,
                                      .B = r->B_,
                                      .status = r->status,
                                      .output = output,
                                      .noutput = noutput});
  }
}

static void ofInverse(const Pool* p, sheafKind kind, int mode, Results* r, int noutput) {
  sheafOutput output[NOUT];
  name(output, r, 1);
  if (kind == SHEAF_INVERSE_FD) {
    run(p, kind,
        &(sheafInverseFD){.size = sizeof(sheafInverseFD),
                          .nbatch = B,
                          .qpos = s.qpos,
                          .nqpos = B,
                          .qvel = s.qvel,
                          .nqvel = B,
                          .DfDq = r->matrix[0],
                          .DfDv = r->matrix[1],
                          .DfDa = r->matrix[2],
                          .status = r->status,
                          .output = output,
                          .noutput = noutput});
  } else {
    run(p, kind,
        &(sheafInverseDerivatives){.size = sizeof(sheafInverseDerivatives),
                                   .nbatch = B,
                                   .qpos = s.qpos,
                                   .nqpos = B,
                                   .qvel = s.qvel,
                                   .nqvel = B,
                                   .mode = mode,
                                   .DfDq = r->matrix[0],
                                   .DfDv = r->matrix[1],
                                   .DfDa = r->matrix[2],
                                   .status = r->status,
                                   .output = output,
                                   .noutput = noutput});
  }
}

static const Pool kPlain = {1, 1, 0},
                  kPools[] = {{1, 1, 0}, {2, 4, 0}, {3, 8, 0}, {2, 8, 1e-9}, {1, 1, 1e-9}, {3, 4, 1e-9}};

// outputs are those of the plain request, derivatives those without outputs
static void compare(void (*ask)(const Pool*, sheafKind, int, Results*, int), sheafKind kind, int mode) {
  ask(&kPlain, kind, mode, &want, 0);
  for (size_t k = 0; k < sizeof kPools / sizeof kPools[0]; k++) {
    if (!test_hasLanes(kPools[k].nlane)) continue;
    memset(&got, 0, sizeof got);
    ask(&kPools[k], kind, mode, &got, NOUT);
    CHECK_EQ(memcmp(want.named, got.named, sizeof got.named), 0);
    CHECK_EQ(memcmp(want.A, got.A, sizeof got.A), 0);
    CHECK_EQ(memcmp(want.B_, got.B_, sizeof got.B_), 0);
    CHECK_EQ(memcmp(want.matrix, got.matrix, sizeof got.matrix), 0);
    CHECK_EQ(memcmp(want.status, got.status, sizeof got.status), 0);
  }
}

TEST(derivatives_of_steps_bring_outputs_of_forward_dynamics) {
  fill();
  memset(&want, 0, sizeof want);
  sheafOutput output[NOUT];
  name(output, &want, 0);
  run(&kPlain, SHEAF_FORWARD,
      &(sheafForward){.size = sizeof(sheafForward),
                      .nbatch = B,
                      .qpos = s.qpos,
                      .nqpos = B,
                      .qvel = s.qvel,
                      .nqvel = B,
                      .ctrl = s.ctrl,
                      .nctrl = B,
                      .output = output,
                      .noutput = NOUT});
  mjtNum most = 0;
  for (int i = 0; i < B; i++) most = fmax(most, want.named[3][i]);
  CHECK(most > 0);  // contacts
  compare(ofStates, SHEAF_TRANSITION_FD, 0);
  compare(ofStates, SHEAF_TRANSITION_DERIVATIVES, 1);
  compare(ofStates, SHEAF_TRANSITION_DERIVATIVES, 2);
  mj_deleteModel(s.m);
}

TEST(derivatives_of_inverse_dynamics_bring_its_outputs) {
  fill();
  memset(&want, 0, sizeof want);
  sheafOutput output[NOUT];
  name(output, &want, 0);
  run(&kPlain, SHEAF_INVERSE,
      &(sheafInverse){.size = sizeof(sheafInverse),
                      .nbatch = B,
                      .qpos = s.qpos,
                      .nqpos = B,
                      .qvel = s.qvel,
                      .nqvel = B,
                      .output = output,
                      .noutput = NOUT});
  compare(ofInverse, SHEAF_INVERSE_FD, 0);
  compare(ofInverse, SHEAF_INVERSE_DERIVATIVES, 1);
  compare(ofInverse, SHEAF_INVERSE_DERIVATIVES, 2);
  mj_deleteModel(s.m);
}

TEST(a_request_of_outputs_alone_computes_no_columns_by_numbers) {
  fill();
  sheafOutput output[NOUT];
  name(output, &got, 1);
  memset(&got, 0, sizeof got);
  run(&kPlain, SHEAF_INVERSE_REGRESSOR,
      &(sheafInverseRegressor){.size = sizeof(sheafInverseRegressor),
                               .nbatch = B,
                               .qpos = s.qpos,
                               .nqpos = B,
                               .qfrc_inverse = got.force,
                               .output = output,
                               .noutput = NOUT});
  CHECK(got.named[0][0] > 0 && got.force[2] != 0);
  mj_deleteModel(s.m);
}

TEST(nominal_names_are_of_derivatives_alone) {
  fill();
  sheafPoolConfig cfg = {.size = sizeof cfg, .nthread = 1};
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafStatus st = {0};
  sheafOutput output = {"nominal.xpos", got.A};
  sheafForward forward = {.size = sizeof forward, .nbatch = 1, .output = &output, .noutput = 1};
  CHECK_EQ(sheaf_forward(pool, s.m, &forward, &st), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(st.field, "output");
  sheafInverseFD plain = {.size = sizeof plain, .nbatch = 1, .output = &output, .noutput = 1};
  CHECK_EQ(sheaf_inverseFD(pool, s.m, &plain, &st), 0);
  output.name = "xpos";
  CHECK_EQ(sheaf_inverseFD(pool, s.m, &plain, &st), SHEAF_INVALID_ARGUMENT);
  output.name = "nominal.body_mass";
  CHECK_EQ(sheaf_inverseFD(pool, s.m, &plain, &st), SHEAF_INVALID_ARGUMENT);
  output.name = "nominal.";
  CHECK_EQ(sheaf_inverseFD(pool, s.m, &plain, &st), SHEAF_INVALID_ARGUMENT);
  sheaf_closePool(pool);
  mj_deleteModel(s.m);
}

// In builds with assertions the solver must not take what follows from such a state for a mistake of its own.
TEST(a_state_that_is_not_a_number_leaves_its_neighbours_with_contacts_alone) {
  fill();
  memset(&want, 0, sizeof want);
  memset(&got, 0, sizeof got);
  sheafOutput output[NOUT];
  sheafForward r = {.size = sizeof r, .nbatch = B, .qpos = s.qpos, .nqpos = B, .qvel = s.qvel, .nqvel = B};
  r.output = output, r.noutput = 1;
  for (int bad = 0; bad < 2; bad++) {
    Results* to = bad ? &got : &want;
    if (bad) s.qpos[3 * s.m->nq + 1] = NAN;
    output[0] = (sheafOutput){"qacc", to->force};
    r.status = to->status;
    run(&(Pool){1, 8, 0}, SHEAF_FORWARD, &r);
  }
  size_t nv = (size_t)s.m->nv;
  for (size_t i = 0; i < B; i++) {
    CHECK_EQ(got.status[i], i == 3 ? SHEAF_ROW_BADQPOS : 0);
    if (i != 3) CHECK_EQ(memcmp(want.force + i * nv, got.force + i * nv, nv * sizeof(mjtNum)), 0);
  }
  mj_deleteModel(s.m);
}
