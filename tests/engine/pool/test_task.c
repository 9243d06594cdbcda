// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Pools and tasks of users.

#include <setjmp.h>
#include <stdio.h>
#include <stdatomic.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "support/test.h"

enum { NTASK = 2000 };  // more than a queue holds
static mjTask tasks[NTASK];
static int values[NTASK];
static jmp_buf failed;
static char reason[200];

static void* increment(void* arg) {
  ++*(int*)arg;
  return arg;
}

static void* waitFor(void* arg) {
  while (!atomic_load((atomic_int*)arg)) {
  }
  return NULL;
}

static void enqueue(mjThreadPool* pool, mjTask* task, mjfTask func, void* args) {
  mju_defaultTask(task);
  task->func = func;
  task->args = args;
  mju_threadPoolEnqueue(pool, task);
}

static void fail(const char* text) {
  snprintf(reason, sizeof reason, "%s", text);
  longjmp(failed, 1);
}

TEST(each_task_runs_once_and_its_result_is_seen_after_the_join) {
  for (int nthread = 1; nthread <= 3; nthread++) {
    mjThreadPool* pool = mju_threadPoolCreate((size_t)nthread);
    CHECK_EQ(pool->nworker, nthread);
    for (int i = 0; i < NTASK; i++) {
      values[i] = i;
      enqueue(pool, tasks + i, increment, values + i);
    }
    for (int i = 0; i < NTASK; i++) {
      mju_taskJoin(tasks + i);
      CHECK_EQ(values[i], i + 1);
      CHECK_EQ(tasks[i].status, mjTASK_COMPLETED);
    }
    mju_threadPoolDestroy(pool);
  }
}

TEST(tasks_that_nobody_has_begun_are_dropped_with_their_pool) {
  mjThreadPool* pool = mju_threadPoolCreate(0);
  int value = 0;
  enqueue(pool, tasks, increment, &value);
  mju_threadPoolDestroy(pool);
  CHECK_EQ(value, 0);
  CHECK_EQ(tasks[0].status, mjTASK_QUEUED);
}

TEST(a_task_waits_for_its_turn) {
  mjThreadPool* pool = mju_threadPoolCreate(1);
  atomic_int go = 0;
  int value = 0;
  enqueue(pool, tasks, waitFor, &go);
  enqueue(pool, tasks + 1, increment, &value);
  CHECK_EQ(tasks[1].status, mjTASK_QUEUED);
  atomic_store(&go, 1);
  mju_taskJoin(tasks + 1);
  CHECK_EQ(value, 1);
  mju_threadPoolDestroy(pool);
}

TEST(misuse_of_tasks_and_pools_is_an_error) {
  int value = 0;
  mjThreadPool* pool = mju_threadPoolCreate(1);
  enqueue(pool, tasks, increment, &value);
  mju_taskJoin(tasks);
  mju_user_error = fail;
  if (!setjmp(failed)) mju_threadPoolEnqueue(pool, tasks);
  CHECK_TEXT(reason, "the task is not new");
  if (!setjmp(failed)) enqueue(pool, tasks, NULL, NULL);
  CHECK_TEXT(reason, "the task has no function");
  mjData d = {0};
  mju_bindThreadPool(&d, pool);
  CHECK_EQ(d.threadpool, (uintptr_t)pool);
  if (!setjmp(failed)) mju_bindThreadPool(&d, pool);
  CHECK_TEXT(reason, "has a thread pool already");
  if (!setjmp(failed)) mju_threadPoolCreate((size_t)1 << 60);
  CHECK_TEXT(reason, "at most");
  mju_user_error = NULL;
  mju_threadPoolDestroy(pool);
  mju_threadPoolDestroy(NULL);
}
