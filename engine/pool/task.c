// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Thread pools of users: tasks run in the order in which they were put into a queue, by threads that
// know nothing of models. Putting a task into a full queue waits; tasks that no thread has begun when
// the pool is destroyed are dropped. Steps do not use a pool that is bound to their data: to compute states in
// parallel, use the batch interface.

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include <mujoco/mujoco.h>

enum { CAPACITY = 640, MAXTHREADS = 1 << 16 };

typedef struct {
  mjThreadPool pub;  // first, so that mjThreadPool* is Pool*
  pthread_mutex_t lock;
  pthread_cond_t filled, emptied;
  mjTask* queue[CAPACITY];  // a ring
  int first, num;
  int closing;
  pthread_t thread[];
} Pool;

// the next task, or NULL when the pool closes
static mjTask* take(Pool* pool) {
  mjTask* task = NULL;
  pthread_mutex_lock(&pool->lock);
  while (!pool->num && !pool->closing) pthread_cond_wait(&pool->filled, &pool->lock);
  if (!pool->closing) {
    task = pool->queue[pool->first];
    pool->first = (pool->first + 1) % CAPACITY;
    pool->num--;
    pthread_cond_signal(&pool->emptied);
  }
  pthread_mutex_unlock(&pool->lock);
  return task;
}

static void* work(void* arg) {
  mjTask* task;
  while ((task = take(arg))) {
    task->func(task->args);
    // mju_taskJoin returns after this line, and its caller may free the task at once, so do not touch the task again
    __atomic_store_n(&task->status, mjTASK_COMPLETED, __ATOMIC_RELEASE);
  }
  return NULL;
}

static void closePool(Pool* pool) {
  pthread_mutex_lock(&pool->lock);
  pool->closing = 1;
  pthread_cond_broadcast(&pool->filled);
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < pool->pub.nworker; i++) pthread_join(pool->thread[i], NULL);
  pthread_mutex_destroy(&pool->lock);
  pthread_cond_destroy(&pool->filled);
  pthread_cond_destroy(&pool->emptied);
  mju_free(pool);
}

mjThreadPool* mju_threadPoolCreate(size_t number_of_threads) {
  if (number_of_threads > MAXTHREADS) mju_error("a pool can have at most %d threads", MAXTHREADS);
  size_t size = sizeof(Pool) + number_of_threads * sizeof(pthread_t);
  Pool* pool = mju_malloc(size);
  if (!pool) mju_error("no memory for a pool of %d threads", (int)number_of_threads);
  memset(pool, 0, size);
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->filled, NULL);
  pthread_cond_init(&pool->emptied, NULL);
  for (; pool->pub.nworker < (int)number_of_threads; pool->pub.nworker++) {
    if (!pthread_create(pool->thread + pool->pub.nworker, NULL, work, pool)) continue;
    int n = pool->pub.nworker;
    closePool(pool);
    mju_error("the system does not start more than %d of %d threads", n, (int)number_of_threads);
  }
  return &pool->pub;
}

void mju_threadPoolDestroy(mjThreadPool* thread_pool) {
  if (thread_pool) closePool((Pool*)thread_pool);
}

void mju_bindThreadPool(mjData* d, void* thread_pool) {
  if (d->threadpool) mju_error("the data has a thread pool already");
  d->threadpool = (uintptr_t)thread_pool;
}

void mju_threadPoolEnqueue(mjThreadPool* thread_pool, mjTask* task) {
  if (!task->func) mju_error("the task has no function");
  int status = mjTASK_NEW;
  if (!__atomic_compare_exchange_n(&task->status, &status, mjTASK_QUEUED, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    mju_error("the task is not new: it was put into a queue before");
  }
  Pool* pool = (Pool*)thread_pool;
  pthread_mutex_lock(&pool->lock);
  while (pool->num == CAPACITY) pthread_cond_wait(&pool->emptied, &pool->lock);
  pool->queue[(pool->first + pool->num++) % CAPACITY] = task;
  pthread_cond_signal(&pool->filled);
  pthread_mutex_unlock(&pool->lock);
}

void mju_defaultTask(mjTask* task) { memset(task, 0, sizeof *task); }

void mju_taskJoin(mjTask* task) {
  while (__atomic_load_n(&task->status, __ATOMIC_ACQUIRE) != mjTASK_COMPLETED) sched_yield();
}
