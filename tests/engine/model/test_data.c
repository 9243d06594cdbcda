// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "lanes/kernels.h"
#include "model/head.h"
#include "model/work.h"

static const char* const XML =
    "<mujoco><size nuserdata='3'/><worldbody>"
    "  <geom type='plane' size='1 1 1'/>"
    "  <body name='target' mocap='true' pos='1 2 3' quat='2 0 0 0'/>"
    "  <body name='fixed' pos='4 0 0'><geom size='.1'/></body>"
    "  <body name='free' pos='0 0 1'><freejoint/><geom size='.1'/>"
    "    <body pos='0 0 1'><joint name='hinge'/><geom size='.1'/></body></body>"
    "</worldbody>"
    "<actuator><motor joint='hinge'/><intvelocity joint='hinge' kp='1' actrange='-1 1'/></actuator>"
    "<equality><weld body1='free' active='false'/><weld body1='free'/></equality>"
    "<keyframe><key time='2' qpos='1 2 3 1 0 0 0 .5' qvel='1 2 3 4 5 6 7' act='.25' ctrl='.5 -.5'"
    "  mpos='7 8 9' mquat='0 1 0 0'/></keyframe></mujoco>";

TEST(new_data_is_the_initial_state) {
  mjModel* m = test_model(XML);
  if (!m) return;
  mjData* d = mj_makeData(m);
  CHECK_ARRAY(d->qpos, ((mjtNum[]){0, 0, 1, 1, 0, 0, 0, 0}), 8, 0);
  CHECK_ARRAY(d->mocap_pos, ((mjtNum[]){1, 2, 3}), 3, 0);
  CHECK_ARRAY(d->mocap_quat, ((mjtNum[]){1, 0, 0, 0}), 4, 0);
  CHECK(d->eq_active[0] == 0 && d->eq_active[1] == 1);
  CHECK(mju_isZero(d->qvel, m->nv) && mju_isZero(d->ctrl, m->nu) && d->time == 0);
  CHECK(d->ntree_awake == 1 && d->nbody_awake == 5 && d->nparent_awake == 4 && d->nv_awake == 7);
  CHECK(d->body_awake[0] == mjS_STATIC && d->body_awake[1] == mjS_AWAKE && d->body_awake[2] == mjS_STATIC);
  CHECK(d->ncon == 0 && d->nefc == 0 && d->parena == 0 && d->pstack == 0);
  CHECK_EQ(d->tree_asleep[0], -11);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// bytes of these pages that are in memory
static size_t resident(const char* p, size_t bytes) {
  enum { PAGE = 4096 };
  static unsigned char in[32 << 20 >> 12];
  const char* first = p + -(uintptr_t)p % PAGE;
  size_t n = (size_t)(p + bytes - first) / PAGE, sum = 0;
  if (mincore((void*)(uintptr_t)first, n * PAGE, in)) return bytes;
  for (size_t i = 0; i < n; i++) sum += in[i] & 1;
  return sum * PAGE;
}

TEST(an_arena_in_memory_that_was_used_before_takes_no_pages) {
  mjModel* m = test_model(XML);
  if (!m) return;
  m->narena = 8 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  size_t size = 24 << 20;
  char* used = malloc(size);
  void* behind = malloc(100);  // what is freed stays in the heap
  memset(used, 1, size);
  CHECK(resident(used, size) > size / 2);
  free(used);
  mjData* d = mj_makeData(m);
  CHECK(resident(d->arena, (size_t)m->narena) < 1 << 20);
  mj_deleteData(d);
  free(behind);
  mj_deleteModel(m);
}

static void* noMemory(size_t size) {
  (void)size;
  return NULL;
}

static int nwarning;

static void countWarning(const char* text) {
  (void)text;
  nwarning++;
}

TEST(data_without_memory_is_NULL) {
  mjModel* m = test_model(XML);
  if (!m) return;
  nwarning = 0;
  mju_user_warning = countWarning;
  mju_user_malloc = noMemory;
  CHECK(!mj_makeData(m));
  mju_user_malloc = NULL;
  m->narena = (mjtSize)1 << 60;  // more than any machine has
  CHECK(!mj_makeData(m));
  mju_user_warning = NULL;
  CHECK_EQ(nwarning, 2);
  mj_deleteModel(m);
}

TEST(reset_to_keyframe) {
  mjModel* m = test_model(XML);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, 0);
  CHECK_EQ(d->time, 2);
  CHECK_ARRAY(d->qpos, ((mjtNum[]){1, 2, 3, 1, 0, 0, 0, 0.5}), 8, 0);
  CHECK_ARRAY(d->qvel, ((mjtNum[]){1, 2, 3, 4, 5, 6, 7}), 7, 0);
  CHECK_ARRAY(d->ctrl, ((mjtNum[]){0.5, -0.5}), 2, 0);
  CHECK_ARRAY(d->mocap_pos, ((mjtNum[]){7, 8, 9}), 3, 0);
  CHECK_EQ(d->act[0], 0.25);

  // a key that is not there is the initial state
  mj_resetDataKeyframe(m, d, 5);
  CHECK(d->time == 0 && d->qpos[2] == 1);

  // and back into the model
  d->time = 9;
  d->qpos[0] = -3;
  mj_setKeyframe(m, d, 0);
  CHECK(m->key_time[0] == 9 && m->key_qpos[0] == -3);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(debug_reset_fills_what_is_computed) {
  mjModel* m = test_model(XML);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_resetDataDebug(m, d, 7);
  CHECK(mju_isZero(d->qvel, m->nv) && mju_isZero(d->userdata, m->nuserdata) && mju_isZero(d->qM, m->nM));
  CHECK(((unsigned char*)d->xpos)[0] == 7 && ((unsigned char*)d->cfrc_ext)[0] == 7);
  CHECK_EQ(d->qpos[2], 1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(copy_is_complete_and_separate) {
  mjModel* m = test_model(XML);
  if (!m) return;
  mjData* d = mj_makeData(m);
  d->qpos[2] = 0.05;
  mj_forward(m, d);
  mjData* copy = mj_copyData(NULL, m, d);
  CHECK(copy->ncon == d->ncon && copy->ncon > 0 && copy->nefc == d->nefc);
  CHECK(copy->contact != d->contact && copy->efc_force != d->efc_force);
  CHECK_ARRAY(copy->efc_force, d->efc_force, d->nefc, 0);
  CHECK_ARRAY(copy->contact[0].pos, d->contact[0].pos, 3, 0);
  CHECK_EQ(mji_work(copy)->nblock, mji_work(d)->nblock);

  // both go on alike, although the first is gone by then
  mj_step(m, d);
  mjtNum qpos[8];
  mju_copy(qpos, d->qpos, 8);
  mj_deleteData(d);
  mj_step(m, copy);
  CHECK_ARRAY(copy->qpos, qpos, 8, 0);
  mj_deleteData(copy);
  mj_deleteModel(m);
}

TEST(copied_structs_share_memory_but_not_time) {
  mjModel* m = test_model(XML);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mjData user = *d;
  user.time = 5;
  CHECK(mji_time(&user) == &user.time && *mji_time(d) == 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(model_copy_has_its_own_arrays) {
  mjModel* m = test_model(XML);
  if (!m) return;
  mjModel* copy = mj_copyModel(NULL, m);
  CHECK(copy->body_mass != m->body_mass && mji_plan(copy) != mji_plan(m));
  CHECK_ARRAY(copy->body_mass, m->body_mass, m->nbody, 0);
  m->body_mass[3] = 17;
  CHECK(mj_copyModel(copy, m) == copy);
  CHECK_EQ(copy->body_mass[3], 17);
  mj_deleteModel(m);
  CHECK_EQ(mj_name2id(copy, mjOBJ_BODY, "free"), 3);
  mj_deleteModel(copy);
}

TEST(lane_data_hold_states_side_by_side) {
  mjModel* m = test_model(XML);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mjData* lanes = mji_makeLaneData(m, 4);
  enum { MAXSTATE = 200 };
  mjtNum state[MAXSTATE], back[MAXSTATE];
  int n = mj_stateSize(m, mjSTATE_INTEGRATION);
  CHECK(n <= MAXSTATE);
  CHECK(lanes->qpos[2 * 4] == 1 && lanes->qpos[2 * 4 + 3] == 1);
  CHECK(!((uintptr_t)lanes->qpos % MJI_ALIGN) && !((uintptr_t)lanes->cfrc_ext % MJI_ALIGN));

  // one lane in, the same lane out, the others untouched
  mj_resetDataKeyframe(m, d, 0);
  mj_getState(m, d, state, mjSTATE_INTEGRATION);
  mji_putLane(m, lanes, 2, state, mjSTATE_INTEGRATION);
  mji_getLane(m, lanes, 2, back, mjSTATE_INTEGRATION);
  CHECK_ARRAY(back, state, n, 0);
  CHECK(lanes->qpos[2] == 1 && lanes->qpos[1] == 0 && lanes->qpos[0] == 0);
  CHECK(mji_work(lanes)->time[2] == 2 && mji_work(lanes)->time[0] == 0);

  mjData* copy = mj_copyData(NULL, m, lanes);
  CHECK(mji_work(copy)->nlane == 4 && mji_work(copy)->time[2] == 2);
  CHECK_ARRAY(copy->qpos, lanes->qpos, 4 * m->nq, 0);
  mj_deleteData(copy);
  mj_deleteData(lanes);
  mj_deleteData(d);
  mj_deleteModel(m);
}
