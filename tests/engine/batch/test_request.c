// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/batch/request.c: requests by their rows, and structs of callers older or newer than the library.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "support/models.h"
#include "support/test.h"

// The structs of the first version, as callers of that time were compiled. They are not to be changed.
typedef struct {
  size_t size;
  int nbatch;
  int nstep;
  const int32_t* length;
  const mjtNum* state0;
  int nstate0;
  const mjtNum* warmstart0;
  int nwarmstart0;
  unsigned int control_spec;
  const mjtNum* control;
  int ncontrol;
  int ncontrolstep;
  int hold;
  mjtNum* state;
  mjtNum* sensordata;
  mjtNum* final_state;
  mjtNum* final_warmstart;
  const sheafOutput* output;
  int noutput;
  int32_t* status;
  int32_t* badstep;
  sheafProgress progress;
  void* user;
} Rollout1;

typedef struct {
  size_t size;
  int nbatch;
  const mjtNum* qpos;
  int nqpos;
  const mjtNum* qvel;
  int nqvel;
  const mjtNum* act;
  int nact;
  const mjtNum* ctrl;
  int nctrl;
  const mjtNum* qfrc_applied;
  int nqfrc_applied;
  const mjtNum* xfrc_applied;
  int nxfrc_applied;
  const mjtNum* mocap_pos;
  int nmocap_pos;
  const mjtNum* mocap_quat;
  int nmocap_quat;
  const mjtNum* warmstart;
  int nwarmstart;
  const mjtNum* time;
  int ntime;
  int stage;
  const sheafOutput* output;
  int noutput;
  int32_t* status;
  sheafProgress progress;
  void* user;
} Forward1;

typedef struct {
  size_t size;
  int nbatch;
  const mjtNum* state;
  const mjtNum* ctrl;
  int nctrl;
  const mjtNum* warmstart;
  int nwarmstart;
  mjtNum eps;
  int centered;
  mjtNum *A, *B, *C, *D;
  int32_t* status;
  sheafProgress progress;
  void* user;
} TransitionFD1;

TEST(first_versions_of_requests_have_kept_their_layout) {
  CHECK_EQ(sheaf_requestInfo(SHEAF_ROLLOUT)->first, sizeof(Rollout1));
  CHECK_EQ(sheaf_requestInfo(SHEAF_FORWARD)->first, sizeof(Forward1));
  CHECK_EQ(sheaf_requestInfo(SHEAF_TRANSITION_FD)->first, sizeof(TransitionFD1));
  CHECK_EQ(offsetof(sheafRollout, control), offsetof(Rollout1, control));
  CHECK_EQ(offsetof(sheafRollout, badstep), offsetof(Rollout1, badstep));
  CHECK_EQ(offsetof(sheafForward, stage), offsetof(Forward1, stage));
  CHECK_EQ(offsetof(sheafTransitionFD, D), offsetof(TransitionFD1, D));
  CHECK_EQ(offsetof(sheafInverse, qfrc_inverse), 96);
  CHECK_EQ(offsetof(sheafInverseFD, DfDa), 96);
}

// what follows the struct in a caller's memory is not the library's
typedef struct {
  Rollout1 r;
  char garbage[64];
} Caller;

TEST(a_caller_of_the_first_version_runs) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = sheaf_openPool(NULL, NULL);
  int nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  mjtNum *x0 = calloc((size_t)nx, sizeof *x0), *end = calloc(2 * (size_t)nx, sizeof *end);
  mjData* d = mj_makeData(m);
  mj_getState(m, d, x0, mjSTATE_FULLPHYSICS);
  Caller c;
  memset(&c, 0x5a, sizeof c);
  c.r = (Rollout1){.size = sizeof c.r, .nbatch = 1, .nstep = 5, .state0 = x0, .nstate0 = 1, .final_state = end};
  sheafStatus st = {0};
  CHECK_EQ(sheaf_rollout(pool, m, (const sheafRollout*)(const void*)&c, &st), 0);
  CHECK_TEXT(st.message, "");
  for (int i = 0; i < 5; i++) mj_step(m, d);
  mj_getState(m, d, end + nx, mjSTATE_FULLPHYSICS);
  CHECK_EQ(memcmp(end, end + nx, sizeof(mjtNum) * (size_t)nx), 0);

  // smaller is no version of this struct; larger is a newer one, whose fields must not matter
  c.r.size = sizeof c.r - 1;
  CHECK_EQ(sheaf_rollout(pool, m, (const sheafRollout*)(const void*)&c, &st), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(st.field, "size");
  c.r.size = sizeof c;
  CHECK_EQ(sheaf_rollout(pool, m, (const sheafRollout*)(const void*)&c, &st), SHEAF_INVALID_ARGUMENT);
  memset(c.garbage, 0, sizeof c.garbage);
  CHECK_EQ(sheaf_rollout(pool, m, (const sheafRollout*)(const void*)&c, &st), 0);
  free(x0);
  free(end);
  mj_deleteData(d);
  sheaf_closePool(pool);
  mj_deleteModel(m);
}

// a job of sheaf_submitAgain, waited for and freed; its code
static int again(sheafPool* pool, const mjModel* m, const sheafRollout* r, sheafStatus* st) {
  sheafJob* job = sheaf_submitAgain(pool, m, SHEAF_ROLLOUT, r, NULL, NULL, st);
  if (!job) return st->code;
  int code = sheaf_wait(job, st);
  sheaf_freeJob(job);
  return code;
}

TEST(a_request_that_was_taken_before_is_checked_for_its_numbers_alone) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = sheaf_openPool(NULL, NULL);
  size_t nx = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  mjtNum *x0 = calloc(4 * nx, sizeof *x0), *end = x0 + nx, *want = x0 + 3 * nx;
  double step[2] = {0.001, -1};
  sheafParam param = {"opt.timestep", step, 1};
  sheafStatus st = {.code = 7, .message = "of an earlier call"};
  mjData* d = mj_makeData(m);
  mj_getState(m, d, x0, mjSTATE_FULLPHYSICS);
  sheafRollout r = {
      .size = sizeof r, .nbatch = 1, .nstep = 5, .state0 = x0, .nstate0 = 1, .param = &param, .nparam = 1};
  r.final_state = want;
  CHECK_EQ(sheaf_rollout(pool, m, &r, &st), 0);
  r.final_state = end;
  r.nbatch = 2;
  CHECK_EQ(again(pool, m, &r, &st), 0);
  CHECK(!st.code && !st.field[0] && !st.message[0]);
  for (int row = 0; row < 2; row++) CHECK_EQ(memcmp(end + row * (int)nx, want, nx * sizeof *want), 0);

  // numbers are new in each request; its fields are not looked at again
  param.nrow = 2;
  CHECK_EQ(again(pool, m, &r, &st), SHEAF_INVALID_ARGUMENT);
  CHECK(strstr(st.field, "timestep") != NULL);
  r.nbatch = 0;
  CHECK_EQ(again(pool, m, &r, &st), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(st.field, "nbatch");
  mj_deleteData(d);
  free(x0);
  sheaf_closePool(pool);
  mj_deleteModel(m);
}

TEST(pool_configurations_may_grow) {
  struct {
    sheafPoolConfig c;
    int more;
  } c;
  memset(&c, 0, sizeof c);  // what a library does not know must be zero, padding too
  c.c = sheaf_defaultPoolConfig();
  c.c.size = sizeof c;
  c.c.nthread = 1;
  sheafPool* pool = sheaf_openPool(&c.c, NULL);
  CHECK(pool != NULL);
  sheaf_closePool(pool);
  c.more = 1;
  sheafStatus st = {0};
  CHECK(!sheaf_openPool(&c.c, &st));
  CHECK_TEXT(st.field, "size");
}

TEST(shapes_follow_from_model_and_request) {
  mjModel* m = test_model(kBiped);
  sheafRollout r = {.size = sizeof r, .nbatch = 2, .nstep = 7, .ncontrolstep = 3};
  r.control_spec = mjSTATE_CTRL | mjSTATE_MOCAP_POS;
  for (const sheafField* f = sheaf_requestInfo(SHEAF_ROLLOUT)->fields; f->name; f++) {
    int64_t shape[4] = {0};
    int n = sheaf_fieldShape(m, SHEAF_ROLLOUT, &r, f, shape);
    if (!strcmp(f->name, "state")) {
      CHECK_EQ(n, 2);
      CHECK_EQ(shape[0], 7);
      CHECK_EQ(shape[1], mj_stateSize(m, mjSTATE_FULLPHYSICS));
    } else if (!strcmp(f->name, "control")) {
      CHECK_EQ(n, 2);
      CHECK_EQ(shape[0], 3);
      CHECK_EQ(shape[1], mj_stateSize(m, r.control_spec));
    } else if (!strcmp(f->name, "length") || !strcmp(f->name, "status")) {
      CHECK_EQ(n, 0);
    }
  }
  CHECK(!sheaf_requestInfo(-1) && !sheaf_requestInfo(SHEAF_NKIND));
  mj_deleteModel(m);
}
