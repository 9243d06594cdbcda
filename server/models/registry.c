// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/registry.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "models/loaded.h"
#include "sheaf.pb-c.h"

void srv_registry_init(srv_registry* r, uv_loop_t* loop, const srv_limits* limits, srv_ledger* ledger,
                       const char* executable) {
  *r = (srv_registry){.loop = loop, .limits = limits, .ledger = ledger};
  srv_shelf_init(&r->shelf);
  srv_compile_queue_init(&r->queue);
  srv_compiler_open(&r->compiler, loop, executable);
}

static srv_model* model_of(srv_shelf_node* node) {
  return node ? (srv_model*)(void*)((char*)node - offsetof(srv_model, shelf)) : NULL;
}

srv_model* srv_registry_first(const srv_registry* r) { return model_of(r->shelf.first); }

srv_model* srv_model_next(const srv_model* model) { return model_of(model->shelf.next); }

static void unlink_model(srv_model* model) { srv_shelf_take(&model->registry->shelf, &model->shelf); }

// end the model's turn in the queue: it is compiled, or will not be
static void release_turn(srv_model* model) {
  srv_registry* r = model->registry;
  srv_compile_queue_leave(&r->queue, &model->turn, uv_hrtime());
  if (model->input >= 0) close(model->input);
  model->input = -1;
  r->ledger->request -= model->input_bytes;
  model->input_bytes = 0;
  r->making -= model->making;
  model->making = 0;
}

static void free_model(srv_model* model) {
  srv_registry* r = model->registry;
  release_turn(model);
  if (model->worker_bytes) r->on_free(r->user, model);
  if (model->ready) {
    r->count--;
    r->bytes -= model->loaded.bytes;
  }
  while (model->owners) {
    srv_owner* owner = model->owners;
    model->owners = owner->next;
    free(owner);
  }
  srv_description_free(&model->description);
  srv_model_unload(&model->loaded);
  free(model);
}

static bool over_limit(const srv_registry* r, uint64_t more) {
  return r->bytes + r->making + more > r->limits->cache_bytes;
}

srv_model* srv_registry_idle(const srv_registry* r, bool with_data) {
  srv_model* model = model_of(r->shelf.last);
  while (model && (!model->ready || model->refs || (with_data && !model->worker_bytes))) {
    model = model_of(model->shelf.prev);
  }
  return model;
}

void srv_registry_forget(srv_model* model) {
  srv_log(SRV_LOG_INFO, "model_forgotten", "bytes=%" PRIu64, model->loaded.bytes);
  unlink_model(model);
  free_model(model);
}

// forget unused models, oldest first, until `more` bytes fit into the cache
static void evict(srv_registry* r, uint64_t more) {
  for (srv_model* oldest; over_limit(r, more) && (oldest = srv_registry_idle(r, false));) srv_registry_forget(oldest);
}

srv_model* srv_registry_find(srv_registry* r, const uint8_t hash[SHEAF_HASH_BYTES]) {
  srv_model* model = model_of(srv_shelf_find(&r->shelf, hash));
  if (!model || !model->ready) return NULL;
  srv_shelf_use(&r->shelf, &model->shelf);
  return model;
}

// the owner that was found moves to the front, so an identity that asks often is found at once
bool srv_model_owned(srv_model* model, const srv_identity* who) {
  srv_owner** link = &model->owners;
  while (*link && strcmp((*link)->name, who->name) != 0) link = &(*link)->next;
  srv_owner* owner = *link;
  if (!owner) return false;
  *link = owner->next;
  owner->next = model->owners;
  model->owners = owner;
  return true;
}

bool srv_model_own(srv_model* model, const srv_identity* who) {
  if (srv_model_owned(model, who)) return true;
  srv_owner* owner = malloc(sizeof *owner);
  if (!owner) return false;
  owner->next = model->owners;
  memcpy(owner->name, who->name, sizeof owner->name);
  model->owners = owner;
  return true;
}

void srv_model_ref(srv_model* model) { model->refs++; }

void srv_model_unref(srv_model* model) {
  if (--model->refs) return;
  if (model->dropped) free_model(model);
  else evict(model->registry, 0);
}

bool srv_model_disown(srv_model* model, const srv_identity* who) {
  if (!srv_model_owned(model, who)) return false;  // which puts it first in the list
  srv_owner* owner = model->owners;
  model->owners = owner->next;
  free(owner);
  if (model->owners) return false;
  if (!model->refs) {
    srv_registry_forget(model);
  } else {
    unlink_model(model);
    model->dropped = true;
  }
  return true;
}

// ---- compiling

static void tell_waiters(srv_model* model, const srv_error* error) {
  // a waiter may call the registry again, so take it off the list first; the reference keeps the model alive meanwhile
  model->refs++;
  while (model->waiters) {
    srv_waiter* waiter = model->waiters;
    model->waiters = waiter->next;
    waiter->ready(waiter, error ? NULL : model, error);
  }
  model->refs--;
}

static void start_waiting(srv_registry* r);

// make room in the cache for what a helper made, before anything is allocated for it
static int admit(void* user, uint64_t announced, srv_error* error) {
  srv_model* model = user;
  srv_registry* r = model->registry;
  const uint64_t bytes = announced + SRV_MODEL_EXTRA;
  if (bytes > r->limits->cache_bytes) {
    return srv_error_set(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED,
                         "the compiled model has %" PRIu64 " bytes, all models together may have %" PRIu64, bytes,
                         r->limits->cache_bytes);
  }
  evict(r, bytes);
  if (over_limit(r, bytes)) {
    return srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 500000, "models in use fill the cache");
  }
  model->making = bytes;
  r->making += bytes;
  return 0;
}

// on a thread of libuv's pool; the loop thread does not look at the model until `done`
static void load(void* user, const srv_compiled* compiled) {
  srv_model* model = user;
  if (srv_model_load(&model->loaded, compiled, model->registry->limits, compiled->error)) return;
  if (model->loaded.bytes > model->making) {
    srv_error_set(compiled->error, SHEAF__CODE__CODE_INTERNAL,
                  "the model has %" PRIu64 " bytes, its compiler announced %" PRIu64, model->loaded.bytes,
                  model->making);
    return;
  }
  if (srv_description_make(&model->description, &model->loaded, model->shelf.hash, compiled->error)) return;
  model->loaded.bytes += model->description.bytes;
}

static void refuse_model(srv_model* model, const srv_error* error) {
  unlink_model(model);
  tell_waiters(model, error);
  free_model(model);
}

static void accept_model(srv_model* model) {
  srv_registry* r = model->registry;
  release_turn(model);
  model->ready = true;
  r->count++;
  r->bytes += model->loaded.bytes;
  tell_waiters(model, NULL);
  evict(r, 0);
}

static void end_compile(srv_model* model, const srv_error* error) {
  char hex[2 * SHEAF_HASH_BYTES + 1], text[400];
  const uint64_t ms = (uv_hrtime() - model->turn.began) / 1000000;
  sheaf_manifest_hex(hex, model->shelf.hash);
  model->compile = NULL;
  if (error->code) {
    srv_log(SRV_LOG_INFO, "model_refused", "hash=%.16s ms=%" PRIu64 " code=%d message=%s", hex, ms, error->code,
            srv_log_quote(text, sizeof text, error->message));
    refuse_model(model, error);
  } else {
    srv_log(SRV_LOG_INFO, "model_ready", "hash=%.16s ms=%" PRIu64 " bytes=%" PRIu64, hex, ms, model->loaded.bytes);
    accept_model(model);
  }
}

static void on_done(void* user, const srv_error* error) {
  srv_model* model = user;
  srv_registry* r = model->registry;
  r->compiling--;
  if (model->left) {
    free_model(model);
  } else {
    end_compile(model, error);
  }
  start_waiting(r);
}

static int start(srv_model* model, srv_error* error) {
  static const srv_compile_events events = {admit, load, on_done};
  srv_registry* r = model->registry;
  int input = model->input;
  model->input = -1;
  model->compile = srv_compile_start(&r->compiler, input, r->limits, &events, model, error);
  if (!model->compile) return -error->code;
  r->compiling++;
  return 0;
}

// start helpers for models that wait for one
static void start_waiting(srv_registry* r) {
  for (srv_turn* turn; (turn = srv_compile_queue_start(&r->queue, uv_hrtime()));) {
    srv_model* model = (srv_model*)((char*)turn - offsetof(srv_model, turn));
    srv_error error;
    if (start(model, &error)) end_compile(model, &error);
  }
}

static srv_model* make_model(srv_registry* r, const uint8_t hash[SHEAF_HASH_BYTES], srv_waiter* waiter) {
  srv_model* model = calloc(1, sizeof *model);
  if (!model) return NULL;
  *model = (srv_model){.registry = r, .waiters = waiter};
  memcpy(model->shelf.hash, hash, SHEAF_HASH_BYTES);
  if (srv_compile_queue_push(&r->queue, &model->turn, waiter->asker)) return model;
  free(model);
  return NULL;
}

// start to compile a model that the registry does not have, or queue it
static int add_model(srv_registry* r, const uint8_t hash[SHEAF_HASH_BYTES], int input, uint64_t bytes,
                     srv_waiter* waiter, srv_error* error) {
  if (over_limit(r, 0)) {
    // models that requests use fill the cache, and they cannot be forgotten before the requests end
    close(input);
    return srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 500000, "models in use fill the cache");
  }
  srv_model* model = srv_ledger_room(r->ledger, bytes) ? make_model(r, hash, waiter) : NULL;
  if (!model) {
    close(input);
    return srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, srv_compile_queue_hint(&r->queue, uv_hrtime()),
                          "too many models are being compiled");
  }
  model->input = input;
  model->input_bytes = bytes;
  r->ledger->request += bytes;
  srv_shelf_put(&r->shelf, &model->shelf);
  waiter->next = NULL;
  waiter->model = model;
  start_waiting(r);
  return 0;
}

int srv_registry_put(srv_registry* r, const uint8_t hash[SHEAF_HASH_BYTES], int input, uint64_t bytes,
                     srv_waiter* waiter, srv_error* error) {
  srv_model* model = model_of(srv_shelf_find(&r->shelf, hash));
  if (!model) return add_model(r, hash, input, bytes, waiter, error);
  close(input);
  if (model->ready) {
    waiter->ready(waiter, srv_registry_find(r, hash), NULL);
  } else {
    waiter->next = model->waiters;
    waiter->model = model;
    model->waiters = waiter;
  }
  return 0;
}

// ---- the end of compilations

// End a compilation for which nobody waits. A model that is being loaded already becomes ready all the same.
static void abandon(srv_model* model) {
  srv_error why;
  srv_error_set(&why, SHEAF__CODE__CODE_CANCELLED, "all clients that put the model are gone");
  if (!model->compile) {
    unlink_model(model);
    free_model(model);
  } else if (srv_compile_kill(model->compile, &why)) {
    unlink_model(model);
    model->left = true;
  }
}

void srv_registry_leave(srv_waiter* waiter) {
  srv_model* model = waiter->model;
  srv_waiter** link = &model->waiters;
  while (*link != waiter) link = &(*link)->next;
  *link = waiter->next;
  if (!model->waiters) abandon(model);
}

// a model that waits for a compiler
static srv_model* find_waiting(const srv_registry* r) {
  srv_model* model = srv_registry_first(r);
  while (model && (model->ready || model->compile)) model = srv_model_next(model);
  return model;
}

void srv_registry_stop(srv_registry* r, const srv_error* why) {
  // waiters may call the registry again, so begin the search anew after each
  for (srv_model* model; (model = find_waiting(r));) refuse_model(model, why);
  for (srv_model* model = srv_registry_first(r); model; model = srv_model_next(model)) {
    if (model->compile) srv_compile_kill(model->compile, why);
  }
}

void srv_registry_close(srv_registry* r) {
  srv_error why;
  srv_error_busy(&why, SHEAF__CODE__CODE_UNAVAILABLE, 1000000, "the server is shutting down");
  srv_registry_stop(r, &why);
  for (srv_model *model = srv_registry_first(r), *next; model; model = next) {
    next = srv_model_next(model);
    if (model->compile || model->refs) continue;
    unlink_model(model);
    free_model(model);
  }
  srv_compiler_close(&r->compiler);
}
