// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tasks in a pool of threads, a plugin, and questions about plugins that nobody registered.
#include <unistd.h>

#include "program.h"

static void ignore(const char* text) { (void)text; }

enum { NTASK = 3000 };
static int results[NTASK];

static void* square(void* arg) {
  int* x = arg;
  *x = *x * *x % 1000;
  return NULL;
}

static void* nap(void* arg) {
  usleep(*(useconds_t*)arg);
  return NULL;
}

// more tasks than a queue holds, by a number of threads
static void runTasks(int nthread) {
  mjTask* tasks = calloc(NTASK, sizeof *tasks);
  mjThreadPool* pool = mju_threadPoolCreate((size_t)nthread);
  for (int i = 0; i < NTASK; i++) {
    results[i] = i;
    mju_defaultTask(tasks + i);
    tasks[i].func = square;
    tasks[i].args = results + i;
    mju_threadPoolEnqueue(pool, tasks + i);
  }
  int sum = 0;
  for (int i = 0; i < NTASK; i++) {
    mju_taskJoin(tasks + i);
    sum += results[i];
  }
  printf("%d threads: %d, status %d %d\n", pool->nworker, sum, tasks[0].status, tasks[NTASK - 1].status);
  if (!setjmp(back)) {
    mju_threadPoolEnqueue(pool, tasks);
    printf("accepted\n");
  } else {
    printf("error\n");
  }
  mju_threadPoolDestroy(pool);
  free(tasks);
}

// a task that was begun is completed
static void destroyAtWork(void) {
  useconds_t time = 100000;
  mjTask task;
  mju_defaultTask(&task);
  printf("new %d %d %d\n", task.status, task.func == NULL, task.args == NULL);
  task.func = nap;
  task.args = &time;
  mjThreadPool* pool = mju_threadPoolCreate(1);
  mju_threadPoolEnqueue(pool, &task);
  usleep(time / 2);
  mju_threadPoolDestroy(pool);
  printf("after %d\n", task.status);
}

static void bind(void) {
  mjModel* m = loadText(kModel);
  mjData* d = mj_makeData(m);
  mjThreadPool* pool = mju_threadPoolCreate(2);
  mju_bindThreadPool(d, pool);
  mj_resetData(m, d);
  printf("bound %d\n", d->threadpool == (uintptr_t)pool);
  if (!setjmp(back)) {
    mju_bindThreadPool(d, pool);
    printf("accepted\n");
  } else {
    printf("error\n");
  }
  for (int i = 0; i < 20; i++) mj_step(m, d);
  show("qpos", d->qpos, m->nq);
  mj_deleteData(d);
  mj_deleteModel(m);
  mju_threadPoolDestroy(pool);
}

static int noState(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 0;
}

static void nothing(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m, (void)d, (void)instance, (void)capability;
}

// plugins may be there from the start, so counts and slots are told from that number on
static void registerPlugin(void) {
  int slot = 7, before = mjp_pluginCount();
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  const mjpPlugin* found = mjp_getPlugin("none", &slot);
  printf("default %d; unknown %d, slot %d\n", plugin.name != NULL, found != NULL, slot);
  plugin.name = "programs.nothing";
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nstate = noState;
  plugin.compute = nothing;
  int first = mjp_registerPlugin(&plugin), again = mjp_registerPlugin(&plugin);
  printf("slots %d %d of %d\n", first - before, again - before, mjp_pluginCount() - before);
  found = mjp_getPlugin("programs.nothing", &slot);
  printf("found %s in %d, %s\n", found->name, slot - before, mjp_getPluginAtSlot(first)->name);
  printf("after it %d, before all %d\n", mjp_getPluginAtSlot(first + 1) != NULL, mjp_getPluginAtSlot(-1) != NULL);
}

static void askForPlugins(void) {
  printf("providers %d: %d %d\n", mjp_resourceProviderCount(), mjp_getResourceProvider("a:b") != NULL,
         mjp_getResourceProviderAtSlot(1) != NULL);
  mjpResourceProvider provider;
  mjp_defaultResourceProvider(&provider);
  printf("register %d\n", mjp_registerResourceProvider(&provider));
  mjpDecoder decoder;
  mjp_defaultDecoder(&decoder);
  mjp_registerDecoder(&decoder);
  if (!setjmp(back)) {
    mj_loadPluginLibrary("nothing.so");
    printf("loaded\n");
  } else {
    printf("error\n");
  }
  mj_loadAllPluginLibraries("nowhere", NULL);
  mjModel* m = loadText(kModel);
  printf("config %d\n", mj_getPluginConfig(m, 0, "a") != NULL);
  mj_deleteModel(m);
  printf("no cache %d %d\n", (int)mj_getCacheSize(NULL), (int)mj_setCacheCapacity(NULL, 5));
  mj_clearCache(NULL);
}

int main(void) {
  mju_user_error = goBack;
  mju_user_warning = ignore;
  runTasks(1);
  runTasks(3);
  destroyAtWork();
  bind();
  registerPlugin();
  askForPlugins();
  return 0;
}
