// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Takes the place of server/models/compiler_process.c in fuzz targets: no processes, but every end that a helper may
// have. The last byte of a model's files chooses it; most bytes mean that the helper leaves the same small model.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sheaf/batch.h>

#include "models/compiler_process.h"
#include "models/exchange.h"
#include "sheaf.pb-c.h"
#include "stand_in_compiler.h"
#include "use_model.h"

struct srv_spawned {
  uv_timer_t timer;
};

typedef struct {
  srv_exchange_output head;
  double* states;
  void* model;
} result;

// what a helper leaves for a model that compiles
static const result* good_result(void) {
  static result r;
  if (r.model) return &r;
  mjModel* m = fuzz_compile(stand_in_model, "unused", NULL, 0);
  mjData* d = m ? mj_makeData(m) : NULL;
  if (!d) abort();
  r.head.size = (uint64_t)mj_sizeModel(m);
  r.head.bytes = sheaf_modelBytes(m);
  r.head.nrow = 1 + (uint64_t)m->nkey;
  r.head.nstate = (uint64_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  r.states = calloc(r.head.nrow * r.head.nstate, sizeof *r.states);
  r.model = malloc(r.head.size);
  if (!r.states || !r.model) abort();
  mj_getState(m, d, r.states, mjSTATE_FULLPHYSICS);
  for (int key = 0; key < m->nkey; key++) {
    mj_resetDataKeyframe(m, d, key);
    mj_getState(m, d, r.states + r.head.nstate * (1 + (uint64_t)key), mjSTATE_FULLPHYSICS);
  }
  mj_saveModel(m, NULL, r.model, (int)r.head.size);
  mj_deleteData(d);
  mj_deleteModel(m);
  return &r;
}

static void put(int fd, const void* bytes, size_t n) {
  if (write(fd, bytes, n) != (ssize_t)n) abort();
}

static void leave_result(int output, char fate) {
  const result* r = good_result();
  srv_exchange_output head = r->head;
  if (fate == STAND_IN_ERROR) head.size = 0, strcpy(head.error, "m.xml:1: a model that does not compile");
  if (fate == STAND_IN_WARNS) strcpy(head.warning, "a warning, \xff\x01 and half a letter: \xc3");
  if (fate == STAND_IN_LIES) head.nrow = UINT64_MAX / 8;
  put(output, &head, sizeof head);
  if (!head.size || fate == STAND_IN_HALF) return;
  put(output, r->states, r->head.nrow * r->head.nstate * sizeof *r->states);
  put(output, r->model, fate == STAND_IN_SHORT ? head.size - 1 : head.size);
  uint8_t changed = (uint8_t)(1 ^ ((uint8_t*)r->model)[head.size / 2]);
  if (fate == STAND_IN_DAMAGED && pwrite(output, &changed, 1, (off_t)(sizeof head + head.size / 2)) != 1) abort();
}

static char read_fate(int input) {
  char fate = 0;
  off_t size = lseek(input, 0, SEEK_END);
  if (size > 0 && pread(input, &fate, 1, size - 1) != 1) abort();
  return fate;
}

// the helper's fate travels in the upper bits of its id
static char fate_of(const srv_helper* helper) { return (char)(helper->id >> 32); }

static void end_helper(srv_helper* helper) {
  switch (fate_of(helper)) {
    case STAND_IN_KILLED: helper->ended(helper, SRV_HELPER_ENDED, SIGKILL); break;
    case STAND_IN_CRASHED: helper->ended(helper, SRV_HELPER_ENDED, SIGSEGV); break;
    case STAND_IN_LATE: helper->ended(helper, SRV_HELPER_ENDED, SIGXCPU); break;
    case STAND_IN_EXIT: helper->ended(helper, SRV_HELPER_ENDED, 2 << 8); break;
    case STAND_IN_NOT_STARTED: helper->ended(helper, SRV_HELPER_NOT_STARTED, EAGAIN); break;
    case STAND_IN_LOST: helper->ended(helper, SRV_HELPER_LOST, 0); break;
    default: helper->ended(helper, SRV_HELPER_ENDED, 0);
  }
}

// a slow one runs until it is killed
static void on_timer(uv_timer_t* timer) {
  srv_compiler* c = timer->data;
  for (srv_helper** link = &c->helpers; *link;) {
    srv_helper* helper = *link;
    if (fate_of(helper) == STAND_IN_SLOW) {
      link = &helper->next;
      continue;
    }
    *link = helper->next;
    end_helper(helper);
    link = &c->helpers;
  }
}

void srv_compiler_open(srv_compiler* c, uv_loop_t* loop, const char* executable) {
  *c = (srv_compiler){.loop = loop, .executable = executable, .spawned = calloc(1, sizeof *c->spawned)};
  if (!c->spawned) abort();
  uv_timer_init(loop, &c->spawned->timer);
  c->spawned->timer.data = c;
}

static void on_closed(uv_handle_t* handle) { free(handle); }

void srv_compiler_close(srv_compiler* c) {
  if (c->helpers) abort();
  uv_close((uv_handle_t*)&c->spawned->timer, on_closed);
  c->spawned = NULL;
}

int srv_compiler_spawn(srv_compiler* c, srv_helper* helper, int input, int output, const srv_sandbox_limits* limits,
                       srv_error* error) {
  char fate = read_fate(input);
  (void)limits;
  if (fate == STAND_IN_REFUSED) {
    return srv_error_busy(error, SHEAF__CODE__CODE_UNAVAILABLE, 200000, "the model compiler does not take more work");
  }
  leave_result(output, fate);
  helper->id = ++c->last_id | (uint64_t)(uint8_t)fate << 32;
  helper->next = c->helpers;
  c->helpers = helper;
  uv_timer_start(&c->spawned->timer, on_timer, 0, 0);
  return 0;
}

void srv_compiler_kill(srv_compiler* c, const srv_helper* helper) {
  srv_helper** link = &c->helpers;
  while (*link && *link != helper) link = &(*link)->next;
  if (!*link) return;
  (*link)->id = helper->id % ((uint64_t)1 << 32) | (uint64_t)STAND_IN_KILLED << 32;
  uv_timer_start(&c->spawned->timer, on_timer, 0, 0);
}

pid_t srv_compiler_pid(const srv_compiler* c) { return c->spawned ? getpid() : 0; }
