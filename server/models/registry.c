// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/registry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "models/loaded.h"
#include "sheaf.pb-c.h"

enum { MAX_COMPILING = 2, MAX_WAITING = 16 };  // helpers at a time; models that wait for one

void srv_registry_init(srv_registry* r, uv_loop_t* loop, const srv_limits* limits, srv_ledger* ledger,
                       const char* helper) {
  *r = (srv_registry){.loop = loop, .limits = limits, .ledger = ledger, .helper = helper};
}

// what points to a model in the list
static srv_model** find_link(srv_registry* r, const uint8_t hash[SHEAF_HASH_BYTES]) {
  srv_model** link = &r->models;
  while (*link && memcmp((*link)->hash, hash, SHEAF_HASH_BYTES)) link = &(*link)->next;
  return link;
}

static void unlink_model(srv_model* model) {
  srv_model** link = find_link(model->registry, model->hash);
  *link = model->next;
}

static void free_model(srv_model* model) {
  srv_registry* r = model->registry;
  if (model->ready) {
    r->count--;
    r->bytes -= model->loaded.bytes;
  }
  if (model->input >= 0) close(model->input);
  r->ledger->request -= model->input_bytes;
  srv_model_unload(&model->loaded);
  free(model);
}

// forget unused models, oldest first, until the cache fits
static void evict(srv_registry* r) {
  while (r->bytes > r->limits->cache_bytes) {
    srv_model* oldest = NULL;
    for (srv_model* model = r->models; model; model = model->next) {
      if (model->ready && !model->refs) oldest = model;
    }
    if (!oldest) return;
    srv_log(SRV_LOG_INFO, "model_forgotten", "bytes=%" PRIu64, oldest->loaded.bytes);
    unlink_model(oldest);
    free_model(oldest);
  }
}

srv_model* srv_registry_find(srv_registry* r, const uint8_t hash[SHEAF_HASH_BYTES]) {
  srv_model* model = *find_link(r, hash);
  if (!model || !model->ready) return NULL;
  unlink_model(model);
  model->next = r->models;
  r->models = model;
  return model;
}

void srv_model_ref(srv_model* model) { model->refs++; }

void srv_model_unref(srv_model* model) {
  if (--model->refs == 0) evict(model->registry);
}

// ---- compiling

static void tell_waiters(srv_model* model, const srv_error* error) {
  // a waiter may do anything, so it is taken off first; the reference keeps the model alive meanwhile
  model->refs++;
  while (model->waiters) {
    srv_waiter* waiter = model->waiters;
    model->waiters = waiter->next;
    waiter->ready(waiter, error ? NULL : model, error);
  }
  model->refs--;
}

static void start_waiting(srv_registry* r);

// on a thread of libuv's pool; the loop thread does not look at the model until `done`
static void load(void* user, const srv_compiled* compiled) {
  srv_model* model = user;
  srv_model_load(&model->loaded, compiled, model->registry->limits, compiled->error);
}

static void end_compile(srv_model* model, const srv_error* error) {
  srv_registry* r = model->registry;
  char hex[2 * SHEAF_HASH_BYTES + 1], text[400];
  sheaf_manifest_hex(hex, model->hash);
  model->compile = NULL;
  r->ledger->request -= model->input_bytes;
  model->input_bytes = 0;
  if (error->code) {
    srv_log(SRV_LOG_INFO, "model_refused", "hash=%.16s code=%d message=%s", hex, error->code,
            srv_log_quote(text, sizeof text, error->message));
    unlink_model(model);
    tell_waiters(model, error);
    free_model(model);
  } else {
    srv_log(SRV_LOG_INFO, "model_ready", "hash=%.16s bytes=%" PRIu64, hex, model->loaded.bytes);
    model->ready = true;
    r->count++;
    r->bytes += model->loaded.bytes;
    tell_waiters(model, NULL);
    evict(r);
  }
}

static void on_done(void* user, const srv_error* error) {
  srv_model* model = user;
  srv_registry* r = model->registry;
  r->compiling--;
  end_compile(model, error);
  start_waiting(r);
}

static int start(srv_model* model, srv_error* error) {
  srv_registry* r = model->registry;
  int input = model->input;
  model->input = -1;
  model->compile = srv_compile_start(r->loop, r->helper, input, r->limits, load, on_done, model, error);
  if (!model->compile) return -error->code;
  r->compiling++;
  return 0;
}

// start helpers for models that wait for one
static void start_waiting(srv_registry* r) {
  while (r->compiling < MAX_COMPILING) {
    srv_model* oldest = NULL;
    for (srv_model* model = r->models; model; model = model->next) {
      if (model->input >= 0) oldest = model;
    }
    srv_error error;
    if (!oldest) return;
    if (start(oldest, &error)) end_compile(oldest, &error);
  }
}

static unsigned count_waiting(const srv_registry* r) {
  unsigned n = 0;
  for (const srv_model* model = r->models; model; model = model->next) n += model->input >= 0;
  return n;
}

// a model that is not there yet: start or queue it
static int add_model(srv_registry* r, const uint8_t hash[SHEAF_HASH_BYTES], int input, uint64_t bytes,
                     srv_waiter* waiter, srv_error* error) {
  if (r->bytes > r->limits->cache_bytes) {
    // over the limit, because requests hold models, which cannot be forgotten before the requests end
    close(input);
    return srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 500000, "models in use fill the cache");
  }
  bool room = count_waiting(r) < MAX_WAITING && srv_ledger_room(r->ledger, bytes);
  srv_model* model = room ? calloc(1, sizeof *model) : NULL;
  if (!model) {
    close(input);
    return srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 500000, "too many models are being compiled");
  }
  *model = (srv_model){.registry = r, .next = r->models, .waiters = waiter, .input = input, .input_bytes = bytes};
  memcpy(model->hash, hash, SHEAF_HASH_BYTES);
  r->ledger->request += bytes;
  r->models = model;
  waiter->next = NULL;
  start_waiting(r);
  return 0;
}

int srv_registry_put(srv_registry* r, const uint8_t hash[SHEAF_HASH_BYTES], int input, uint64_t bytes,
                     srv_waiter* waiter, srv_error* error) {
  srv_model* model = *find_link(r, hash);
  if (!model) return add_model(r, hash, input, bytes, waiter, error);
  close(input);
  if (model->ready) {
    waiter->ready(waiter, srv_registry_find(r, hash), NULL);
  } else {
    waiter->next = model->waiters;
    model->waiters = waiter;
  }
  return 0;
}

void srv_registry_leave(srv_registry* r, srv_waiter* waiter) {
  for (srv_model* model = r->models; model; model = model->next) {
    for (srv_waiter** link = &model->waiters; *link; link = &(*link)->next) {
      if (*link != waiter) continue;
      *link = waiter->next;
      return;
    }
  }
}

void srv_registry_close(srv_registry* r) {
  for (srv_model *model = r->models, *next; model; model = next) {
    next = model->next;
    if (model->compile) {
      srv_compile_kill(model->compile);
    } else if (!model->refs) {
      unlink_model(model);
      free_model(model);
    }
  }
}
