// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A step takes no memory from the heap: neither from the engine's allocator nor, through a library,
// from the system's.

#include <malloc.h>

#include "base/memory.h"
#include "property/golden_models.h"

// of the whole process: calls of the engine's allocator, bytes in use that the system handed out
typedef struct {
  int64_t calls;
  size_t bytes;
} Heap;

static Heap heapNow(void) { return (Heap){mji_countMalloc(), mallinfo2().uordblks}; }

static void checkHeap(Heap before, const char* model, const char* what) {
  Heap now = heapNow();
  if (now.calls == before.calls && now.bytes == before.bytes) return;
  char text[200];
  snprintf(text, sizeof text, "%s of %s: %d allocations, %d bytes", what, model, (int)(now.calls - before.calls),
           (int)(now.bytes - before.bytes));
  test_check(0, __FILE__, __LINE__, text);
}

static void checkSteps(mjModel* m, const char* name) {
  static const int solvers[] = {mjSOL_NEWTON, mjSOL_CG, mjSOL_PGS};
  mjData* d = mj_makeData(m);
  for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
    for (int k = 0; k < 6; k++) {
      m->opt.integrator = integrator;
      m->opt.solver = solvers[k % 3];
      m->opt.cone = k < 3 ? mjCONE_PYRAMIDAL : mjCONE_ELLIPTIC;
      lanes_state(m, d, k);
      Heap before = heapNow();
      for (int i = 0; i < 5; i++) mj_step(m, d);
      mj_forward(m, d);
      mj_inverse(m, d);
      checkHeap(before, name, "a step");
    }
  }
  mj_deleteData(d);
}

static void checkLaneSteps(const mjModel* m, const char* name) {
  for (int nlane = 1; nlane <= 8; nlane *= 2) {
    const mjiKernels* kernels = mji_kernels(nlane);
    if (!kernels || !mji_lanesOk(m)) continue;
    mjData* d = mji_makeLaneData(m, nlane);
    Heap before = heapNow();
    for (int i = 0; i < 5; i++) kernels->step(m, d, MJI_POSITION, MJI_WANT_ALL);
    checkHeap(before, name, "a step in lanes");
    mj_deleteData(d);
  }
}

TEST(the_counter_counts) {
  Heap before = heapNow();
  void* p = mju_malloc(1000);
  CHECK_EQ(heapNow().calls, before.calls + 1);
  // sanitizers have a heap of their own, which this count does not see
  CHECK(heapNow().bytes >= before.bytes + 1000 || heapNow().bytes == 0);
  mju_free(p);
}

TEST(steps_do_not_allocate) {
  for (int i = 0; i < NGOLDEN; i++) {
    mjModel* m = goldenModel(i);
    if (!m) continue;
    checkLaneSteps(m, kGolden[i]);
    checkSteps(m, kGolden[i]);
    mj_deleteModel(m);
  }
}
