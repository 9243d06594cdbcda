// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Check that kernels give the same bits for any lane count and instruction set.
//
// lanes_check runs a function on random states one at a time, with the baseline kernels, and then
// with every other table that this CPU can run, on groups of as many states as it has lanes; then
// it compares arrays.
#ifndef SHEAF_TESTS_SUPPORT_LANES_CHECK_H_
#define SHEAF_TESTS_SUPPORT_LANES_CHECK_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"

#include "lanes/kernels.h"
#include "model/lanes_ok.h"
#include "model/work.h"

// an mjtNum array of mjData and its length
typedef struct {
  const char* name;
  size_t offset;
  int n;
} LaneArray;

#define LANE_ARRAY(field, length) \
  { #field, offsetof(mjData, field), (length) }

typedef void (*LaneRun)(const mjiKernels* kernels, const mjModel* m, mjData* d);

enum { LANES_STATES = 16 };

// number in [-1, 1)
static inline mjtNum lanes_random(uint64_t* seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (mjtNum)(int64_t)(*seed & ~(uint64_t)0x7ff) / 9223372036854775808.0;
}

// a state near qpos0 and inputs, a function of the seed
static inline void lanes_state(const mjModel* m, mjData* d, uint64_t seed) {
  mj_resetData(m, d);
  for (int i = 0; i < 4; i++) lanes_random(&seed);
  mj_markStack(d);
  mjtNum* move = mj_stackAllocNum(d, m->nv);
  for (int i = 0; i < m->nv; i++) {
    move[i] = 0.5 * lanes_random(&seed);
    d->qvel[i] = lanes_random(&seed);
    d->qfrc_applied[i] = lanes_random(&seed);
  }
  mj_integratePos(m, d->qpos, move, 1);
  mj_freeStack(d);
  for (int i = 0; i < m->na; i++) d->act[i] = lanes_random(&seed);
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = lanes_random(&seed);
}

static inline const mjtNum* lanes_array(const mjData* d, const LaneArray* array) {
  return *(mjtNum* const*)((const char*)d + array->offset);
}

// one lane of a group against the same state alone
static inline void lanes_compare(const mjData* group, int lane, const mjData* alone, int state, const LaneArray* array,
                                 const char* isa) {
  int nlane = mji_work(group)->nlane;
  for (int i = 0; i < array->n; i++) {
    mjtNum got = lanes_array(group, array)[i * nlane + lane], want = lanes_array(alone, array)[i];
    if (!memcmp(&got, &want, sizeof got)) continue;
    char what[200];
    snprintf(what, sizeof what, "%s[%d] of state %d, %d lanes (%s): %.17g alone %.17g", array->name, i, state, nlane,
             isa, got, want);
    test_check(0, __FILE__, __LINE__, what);
    return;
  }
}

static inline void lanes_checkTable(const mjModel* m, const mjiKernels* kernels, LaneRun run, mjData* const* alone,
                                    const LaneArray* array, int narray) {
  int nlane = kernels->nlane;
  const unsigned int spec = mjSTATE_INTEGRATION;
  mjtNum* state = mju_malloc(mj_stateSize(m, spec) * sizeof(mjtNum) + 8);
  mjData* group = mji_makeLaneData(m, nlane);
  mjData* input = mj_makeData(m);
  for (int first = 0; first < LANES_STATES; first += nlane) {
    for (int lane = 0; lane < nlane; lane++) {
      lanes_state(m, input, first + lane);
      mj_getState(m, input, state, spec);
      mji_putLane(m, group, lane, state, spec);
    }
    run(kernels, m, group);
    for (int lane = 0; lane < nlane; lane++) {
      for (int k = 0; k < narray; k++) {
        lanes_compare(group, lane, alone[first + lane], first + lane, array + k, kernels->isa);
      }
    }
  }
  mj_deleteData(input);
  mj_deleteData(group);
  mju_free(state);
}

extern const mjiKernels mji_kernels_b1;

static inline void lanes_check(const mjModel* m, LaneRun run, const LaneArray* array, int narray) {
  mjData* alone[LANES_STATES];
  for (int i = 0; i < LANES_STATES; i++) {
    alone[i] = mj_makeData(m);
    lanes_state(m, alone[i], i);
    run(&mji_kernels_b1, m, alone[i]);
  }
  for (int nlane = 1; nlane <= 8; nlane *= 2) {
    const mjiKernels* kernels = mji_kernels(nlane);
    if (kernels) lanes_checkTable(m, kernels, run, alone, array, narray);
  }
  for (int i = 0; i < LANES_STATES; i++) mj_deleteData(alone[i]);
}

#endif  // SHEAF_TESTS_SUPPORT_LANES_CHECK_H_
