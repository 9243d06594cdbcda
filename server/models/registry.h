// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Compiled models by content hash.
//
// If several clients put a model at the same time, it is compiled once: they wait together, and when the last of them
// leaves, the compilation ends. Jobs hold references. When the cache is full, models without references are forgotten,
// least recently used first. A compiled model gets its room in the cache before memory is allocated for it.
#ifndef SHEAF_SERVER_MODELS_REGISTRY_H_
#define SHEAF_SERVER_MODELS_REGISTRY_H_

#include <uv.h>

#include <mujoco/mujoco.h>
#include <sheaf/request_rows.h>

#include "auth/identity.h"
#include "base/failure.h"
#include "base/ledger.h"
#include "base/limits.h"
#include "manifest.h"
#include "models/compilation.h"
#include "models/compile_queue.h"
#include "models/description.h"
#include "models/loaded.h"
#include "models/shelf.h"

typedef struct srv_model srv_model;
typedef struct srv_waiter srv_waiter;

// A request that waits for a model. On success error is NULL; the registry adds no reference for the waiter.
struct srv_waiter {
  void (*ready)(srv_waiter* waiter, srv_model* model, const srv_error* error);
  srv_waiter* next;
  srv_model* model;  // for which it waits
  srv_asker asker;
};

typedef struct srv_registry {
  uv_loop_t* loop;
  const srv_limits* limits;
  srv_ledger* ledger;
  srv_compiler compiler;
  srv_compile_queue queue;
  srv_shelf shelf;
  unsigned count;                                 // of ready models
  uint64_t bytes;                                 // of ready models
  uint64_t making;                                // bytes of models that are being loaded
  unsigned compiling;                             // helpers that run, and models that are being loaded
  void (*on_free)(void* user, srv_model* model);  // a model with workers' data goes
  void* user;
} srv_registry;

// An identity that has uploaded a model.
typedef struct srv_owner {
  struct srv_owner* next;
  char name[SRV_IDENTITY_NAME];
} srv_owner;

struct srv_model {
  srv_registry* registry;
  srv_shelf_node shelf;  // with its hash
  bool ready;            // compiled: what follows may be used
  srv_loaded loaded;
  srv_description description;
  srv_owner* owners;
  int refs;
  bool dropped;                 // by its owners: no longer on the shelf, and freed with its last reference
  uint64_t rows, steps;         // rows and units of work that were computed with it
  uint64_t busy_us;             // time of worker threads for it
  double unit_ns[SHEAF_NKIND];  // measured time of a unit of work, by kind of job; 0: not known yet
  double sure_s[SHEAF_NKIND];   // seconds of recent work on which unit_ns rests

  uint64_t worker_bytes;  // bytes counted for the workers' data of this model; 0: there is none

  // while compiling
  srv_turn turn;
  srv_compile* compile;
  bool left;  // all waiters have left: it is not on the shelf any more, and is freed when the helper has ended
  srv_waiter* waiters;
  uint64_t making;       // bytes admitted
  int input;             // packed files, until the helper starts; -1 afterwards
  uint64_t input_bytes;  // in the ledger
};

// The model that was used last, and the one that was used before another; NULL if there is none.
srv_model* srv_registry_first(const srv_registry* r);
srv_model* srv_model_next(const srv_model* model);

// The model without references that was used longest ago, NULL if there is none. with_data: only of those with workers'
// data.
srv_model* srv_registry_idle(const srv_registry* r, bool with_data);

// Forget a model without references.
void srv_registry_forget(srv_model* model);

// Initialize a registry and start the spawner; `executable` is the path of this program.
void srv_registry_init(srv_registry* r, uv_loop_t* loop, const srv_limits* limits, srv_ledger* ledger,
                       const char* executable);

// End all compilations: those that wait at once, those that run as soon as their helper is killed. Their waiters get
// the error.
void srv_registry_stop(srv_registry* r, const srv_error* why);

// Stop, forget all models without references, and end the spawner.
void srv_registry_close(srv_registry* r);

// A ready model, now the most recently used; NULL if there is none.
srv_model* srv_registry_find(srv_registry* r, const uint8_t hash[SHEAF_HASH_BYTES]);

// Compile a model, or wait for it if it is being compiled; if it is ready, the waiter is called at once. `input` is the
// descriptor that srv_compile_pack made of `bytes` bytes of files; the registry owns it from now on. The waiter may be
// called before this function returns; on a negative return it will not be called.
int srv_registry_put(srv_registry* r, const uint8_t hash[SHEAF_HASH_BYTES], int input, uint64_t bytes,
                     srv_waiter* waiter, srv_error* error);

// Stop waiting. If nobody waits any more, the compilation ends.
void srv_registry_leave(srv_waiter* waiter);

// Has this identity uploaded the model?
bool srv_model_owned(srv_model* model, const srv_identity* who);

// Note that this identity has uploaded the model. False if memory is lacking.
bool srv_model_own(srv_model* model, const srv_identity* who);

// It needs the model no more. A model without owners is forgotten now, or with its last reference. True if it was.
bool srv_model_disown(srv_model* model, const srv_identity* who);

// Add and drop a reference. A model with references is never forgotten.
void srv_model_ref(srv_model* model);
void srv_model_unref(srv_model* model);

#endif  // SHEAF_SERVER_MODELS_REGISTRY_H_
