// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of sheaf_poolBytes and sheaf_modelBytes: what the threads of a pool touch for a model, whatever it is asked
// for, was counted before, and so was the model.

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sheaf/batch.h>

#include "support/models.h"
#include "support/test.h"

enum { B = 9, T = 3 };

static size_t residentBytes(void) {
  long size = 0, resident = 0;
  FILE* f = fopen("/proc/self/statm", "r");
  if (f) {
    if (fscanf(f, "%ld %ld", &size, &resident) != 2) resident = 0;
    fclose(f);
  }
  return (size_t)resident * (size_t)sysconf(_SC_PAGESIZE);
}

typedef struct {
  mjtNum *state, *qpos, *qvel, *qacc, *result[3];
  int nx;
} Room;

// zeros in pages that are touched, so that results that are written later make none resident
static mjtNum* room(size_t n) {
  mjtNum* p = malloc((n + 1) * sizeof *p);
  for (size_t i = 0; p && i <= n; i++) ((volatile mjtNum*)p)[i] = 0;
  return p;
}

static Room makeRoom(const mjModel* m) {
  size_t nv = (size_t)m->nv, ndx = 2 * nv + (size_t)m->na;
  Room r = {.nx = mj_stateSize(m, mjSTATE_FULLPHYSICS)};
  r.state = room(B * (size_t)r.nx);
  r.qpos = room(B * (size_t)m->nq);
  r.qvel = room(B * nv);
  r.qacc = room(B * nv);
  for (int k = 0; k < 3; k++) r.result[k] = room(B * ndx * (ndx + (size_t)m->nu + T) + B * T * (size_t)r.nx);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < B; i++) {
    for (int k = 0; k < m->nv; k++) d->qvel[k] = 0.1 * (i + 1);
    mj_getState(m, d, r.state + i * r.nx, mjSTATE_FULLPHYSICS);
    memcpy(r.qpos + i * (int)m->nq, d->qpos, sizeof(mjtNum) * (size_t)m->nq);
  }
  mj_deleteData(d);
  return r;
}

static void freeRoom(Room* r) {
  mjtNum* all[] = {r->state, r->qpos, r->qvel, r->qacc, r->result[0], r->result[1], r->result[2]};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

// every kind of data that a thread makes: of lanes, of one state, of one lane beside them, of differences
static void askAll(sheafPool* pool, const mjModel* m, Room* r) {
  for (int n = 1; n <= B; n += B - 1) {
    sheafRollout rollout = {.size = sizeof rollout, .nbatch = n, .nstep = T, .state0 = r->state, .nstate0 = n};
    rollout.state = r->result[0];
    CHECK_EQ(sheaf_rollout(pool, m, &rollout, NULL), 0);
    sheafOutput output = {"xpos", r->result[1]};
    sheafForward forward = {
        .size = sizeof forward, .nbatch = n, .qpos = r->qpos, .nqpos = n, .output = &output, .noutput = 1};
    CHECK_EQ(sheaf_forward(pool, m, &forward, NULL), 0);
    sheafInverse inverse = {
        .size = sizeof inverse, .nbatch = n, .qpos = r->qpos, .nqpos = n, .qvel = r->qvel, .nqvel = n};
    inverse.qacc = r->qacc;
    inverse.nqacc = n;
    inverse.qfrc_inverse = r->result[1];
    CHECK_EQ(sheaf_inverse(pool, m, &inverse, NULL), 0);
    sheafTransitionFD fd = {.size = sizeof fd, .nbatch = n, .state = r->state, .eps = 1e-6};
    fd.A = r->result[1];
    CHECK_EQ(sheaf_transitionFD(pool, m, &fd, NULL), 0);
    sheafTransitionDerivatives step = {.size = sizeof step, .nbatch = n, .state = r->state};
    step.A = r->result[2];
    CHECK_EQ(sheaf_transitionDerivatives(pool, m, &step, NULL), 0);
  }
}

// What a copy of a model takes of the heap, which rounds large blocks up to pages, is what was counted.
static void isCounted(const mjModel* m, const char* name) {
  const size_t rounding = 3 * 4096;
  struct mallinfo2 before = mallinfo2();
  mjModel* copy = mj_copyModel(NULL, m);
  struct mallinfo2 after = mallinfo2();
  size_t took = after.uordblks - before.uordblks + after.hblkhd - before.hblkhd, counted = sheaf_modelBytes(m);
  if (took < counted || took > counted + rounding) printf("  %s: %zu bytes, expected %zu\n", name, took, counted);
  CHECK(took >= counted && took <= counted + rounding);
  mj_deleteModel(copy);
}

static void staysWithin(const mjModel* m, const char* name, int nlane) {
  sheafPoolConfig config = sheaf_defaultPoolConfig();
  config.nthread = 1;
  config.nlane = nlane;
  sheafPool* pool = sheaf_openPool(&config, NULL);
  Room r = makeRoom(m);
  size_t before = residentBytes(), bound = sheaf_poolBytes(pool, m);
  askAll(pool, m, &r);
  size_t after = residentBytes();
  // the heaps of threads, which other memory of a request comes from
  const size_t heap = (size_t)1 << 20;
  if (after > before + bound + heap)
    printf("  %s, %d lanes: %zu bytes, at most %zu expected\n", name, nlane, after - before, bound);
  CHECK(after <= before + bound + heap);
  sheaf_closePool(pool);
  freeRoom(&r);
}

static const char* const kFile[] = {"golden/models/arm.xml",        "golden/models/limb.xml",
                                    "golden/models/stack.xml",      "golden/models/terrain.xml",
                                    "golden/models/walker.xml",     "golden/models/robot.urdf",
                                    "../deploy/demo/quadruped.xml", "../bench/boxes_at_rest.xml"};

static void staysWithinFor(const mjModel* m, const char* name) {
  static const int lanes[] = {0, 1, 4};
  for (int k = 0; k < 3; k++) staysWithin(m, name, lanes[k]);
  isCounted(m, name);
}

// a model whose arena has the least room that it can ask for
static mjModel* small(const char* xml) {
  char text[8000];
  const char* body = strchr(xml, '>') + 1;
  snprintf(text, sizeof text, "%.*s<size memory='400K'/>%s", (int)(body - xml), xml, body);
  return test_model(text);
}

TEST(a_model_and_what_threads_touch_for_it_were_counted) {
  if (SANITIZED || test_emulated()) {
    test_skip("sanitizers and emulators have memory of their own");
    return;
  }
  mjModel* text[] = {test_model(kBiped), test_model(kLinked), small(kBiped), small(kLinked)};
  staysWithin(text[0], "libraries and heaps of threads, at first use", 0);
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    staysWithinFor(text[i], "a model of the tests");
    mj_deleteModel(text[i]);
  }
  for (size_t i = 0; i < sizeof kFile / sizeof *kFile; i++) {
    char path[500], error[500];
    snprintf(path, sizeof path, "%s/%s", SHEAF_TEST_DIR, kFile[i]);
    mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
    CHECK(m != NULL);
    if (m) staysWithinFor(m, kFile[i]);
    mj_deleteModel(m);
  }
}
