// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/work.h"

static const char* const XML =
    "<mujoco><size memory='10K'/><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>";

TEST(frames_give_scratch_back) {
  mjModel* m = test_model(XML);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_markStack(d);
  size_t outer = d->pstack;
  mjtNum* a = mj_stackAllocNum(d, 10);
  mj_markStack(d);
  int* b = mj_stackAllocInt(d, 7);
  char* c = mj_stackAllocByte(d, 3, 1);
  mjtNum* aligned = mji_stackNum(d, 2);
  a[9] = 1, b[6] = 2, c[2] = 3, aligned[1] = 4;
  CHECK(!((uintptr_t)aligned % 64) && (mjtNum*)(void*)b < a);
  mj_freeStack(d);
  CHECK_EQ(a[9], 1);
  mj_freeStack(d);
  CHECK(d->pstack == 0 && d->pbase == 0 && outer > 0);
  CHECK(d->maxuse_stack >= (mjtSize)(10 * sizeof(mjtNum) + 7 * sizeof(int)));
  CHECK(mj_stackAllocNum(d, 0) == NULL);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(full_stack_is_an_error) {
  mjModel* m = test_model(XML);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mjiTrap trap;
  if (mji_tryBegin(&trap)) {
    CHECK_TEXT(trap.text, "insufficient memory");
  } else {
    mj_markStack(d);
    mj_stackAllocNum(d, 2000000);
    mji_tryEnd(&trap);
    CHECK(!"2000000 numbers fit into 10K and the room for scratch");
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(arrays_keep_to_the_arena_and_scratch_has_more) {
  mjModel* m = test_model(XML);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mjtNum* rows = mji_arenaNum(d, 100);
  CHECK(rows == d->arena && d->parena == 800);
  CHECK(mji_arenaNum(d, 2000) == NULL);
  mj_markStack(d);
  CHECK(mj_stackAllocNum(d, 20000) != NULL);
  CHECK(mji_arenaNum(d, 200) != NULL);
  mj_freeStack(d);
  CHECK(mji_arenaAlloc(d, 5, 4) != NULL);
  CHECK(d->maxuse_arena >= 160800);
  mji_clearArena(d);
  CHECK(d->parena == 0 && d->contact == d->arena && !d->efc_J);
  mj_deleteData(d);
  mj_deleteModel(m);
}
