// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// ModelPut and ModelInfo.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checked.h"
#include "jobs/job.h"
#include "wire_frame.h"
#include "models/registry.h"
#include "request/handlers.h"
#include "requests.h"

// a client that waits for a model; in the arena of its call
typedef struct {
  srv_waiter waiter;
  srv_service* service;
  srv_call* call;
  const Sheaf__ModelPut* message;
  sheaf_file* files;
  uint64_t bytes;  // of all files

  // hashing and packing, on a thread of libuv's pool
  uv_work_t work;
  bool preparing;
  uint8_t hash[SHEAF_HASH_BYTES];
  bool hashed;
  int input;          // packed files, or -1
  uint64_t packed;    // bytes in the ledger for them
  srv_error stopped;  // code 0: not stopped meanwhile
} putting;

static void release(void* model) { srv_model_unref(model); }

// The reply belongs to the model. The frame points into it, so it holds a reference until it is sent.
static void answer(srv_call* call, srv_model* model) {
  const srv_description* d = &model->description;
  int type = call->type | SHEAF__FRAME_TYPE__FRAME_REPLY;
  srv_out* out = srv_out_shared(type, call->id, &d->reply, release, model);
  if (out) srv_model_ref(model);
  srv_call_end(call, out, false);
}

static void on_ready(srv_waiter* waiter, srv_model* model, const srv_error* error) {
  srv_call* call = ((putting*)waiter)->call;
  call->work = NULL;
  if (error) {
    srv_call_fail(call, error);
  } else if (!srv_model_own(model, call->conn->who)) {
    srv_error memory;
    srv_error_busy(&memory, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 100000, "out of memory");
    srv_call_fail(call, &memory);
  } else {
    answer(call, model);
  }
}

void srv_req_model_put_stop(srv_service* service, srv_call* call, const srv_error* error) {
  putting* p = call->work;
  if (p->preparing) {
    p->stopped = *error;
  } else {
    srv_registry_leave(&p->waiter);
    srv_call_fail(call, error);
  }
}

static int read_file(sheaf_file* file, const Sheaf__ModelFile* from, const srv_call* call, srv_error* e) {
  const char* reason = sheaf_manifest_check_name(from->name);
  uint64_t end;
  if (reason) return srv_error_field(e, "files.name", "a plain relative path", "%s in \"%s\"", reason, from->name);
  if (from->size && from->offset % SHEAF_FRAME_ALIGN) {
    return srv_error_field(e, from->name, "an offset that is a multiple of 64", "%" PRIu64, from->offset);
  }
  if (!srv_add(from->offset, from->size, &end) || end > call->data_len) {
    return srv_error_field(e, from->name, "a file inside the data section",
                           "%" PRIu64 " bytes at offset %" PRIu64 " of %" PRIu64, from->size, from->offset,
                           call->data_len);
  }
  *file = (sheaf_file){from->name, call->data.bytes + from->offset, from->size};
  return 0;
}

// the sorted files have different names, one of them is the main one
static int check_names(const sheaf_file* files, size_t nfile, const char* main, srv_error* e) {
  bool found = false;
  for (size_t i = 0; i < nfile; i++) {
    if (i && !strcmp(files[i].name, files[i - 1].name)) {
      return srv_error_field(e, "files.name", "different names", "%s twice", files[i].name);
    }
    found |= !strcmp(files[i].name, main);
  }
  if (!found) return srv_error_field(e, "main", "the name of one of the files", "\"%s\"", main);
  return 0;
}

// the files of a request, checked
static int read_files(putting* p, srv_error* e) {
  const srv_limits* limits = p->service->limits;
  for (size_t i = 0; i < p->message->n_files; i++) {
    int err = read_file(&p->files[i], p->message->files[i], p->call, e);
    if (err) return err;
    if (!srv_add(p->bytes, p->files[i].size, &p->bytes) || p->bytes > limits->model_bytes) {
      return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED,
                           "files: expected at most %" PRIu64 " bytes together, got more", limits->model_bytes);
    }
  }
  return 0;
}

// stop counting the packed files here, because the registry counts them
static void give_back(putting* p) {
  p->service->ledger->request -= p->packed;
  p->packed = 0;
}

static int check_hash(const Sheaf__ModelPut* m, const uint8_t hash[SHEAF_HASH_BYTES], srv_error* e) {
  char want[2 * SHEAF_HASH_BYTES + 1];
  if (!m->hash.len) return 0;
  if (m->hash.len == SHEAF_HASH_BYTES && !memcmp(m->hash.data, hash, SHEAF_HASH_BYTES)) return 0;
  sheaf_manifest_hex(want, hash);
  srv_error_field(e, "hash", want, "another hash of %zu bytes", m->hash.len);
  e->code = SHEAF__CODE__CODE_DATA_LOSS;
  return -e->code;
}

// on a thread of libuv's pool, because hashing and packing of large files takes long
static void prepare(uv_work_t* work) {
  putting* p = work->data;
  size_t n = p->message->n_files;
  p->hashed = !sheaf_manifest_hash(p->message->main, p->files, n, p->hash);
  p->input = srv_compile_pack(p->message->main, p->files, n);
}

// ask the registry for the model, and hand it the packed files
static int ask_registry(putting* p, srv_error* e) {
  int input = p->input;
  int err = check_names(p->files, p->message->n_files, p->message->main, e);
  if (!err) err = check_hash(p->message, p->hash, e);
  if (!err && (!p->hashed || input < 0)) {
    err = srv_error_busy(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 500000, "no memory to compile a model");
  }
  if (!err) return srv_registry_put(p->service->registry, p->hash, input, p->bytes, &p->waiter, e);
  if (input >= 0) close(input);
  return err;
}

static void on_prepared(uv_work_t* work, int status) {
  putting* p = work->data;
  srv_call* call = p->call;
  srv_error error;
  (void)status;
  p->preparing = false;
  p->service->preparing--;
  give_back(p);
  if (p->stopped.code) {
    if (p->input >= 0) close(p->input);
    srv_call_fail(call, &p->stopped);
  } else if (ask_registry(p, &error)) {
    srv_call_fail(call, &error);
  }
}

static int put(srv_service* service, srv_call* call, const Sheaf__ModelPut* m, srv_error* e) {
  call->trace = m->traceparent;
  if (m->n_files > service->limits->model_files) {
    return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "files: expected at most %u, got %zu",
                         service->limits->model_files, m->n_files);
  }
  putting* p = srv_arena_alloc(&call->arena, sizeof *p);
  sheaf_file* files = srv_arena_alloc(&call->arena, (m->n_files + 1) * sizeof *files);
  if (!files || !p) return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
  *p = (putting){.waiter = {.ready = on_ready, .asker = {(uintptr_t)call->conn->who, call->conn->number}},
                 .service = service,
                 .call = call,
                 .message = m,
                 .files = files,
                 .preparing = true,
                 .input = -1,
                 .work.data = p};
  int err = read_files(p, e);
  if (err) return err;
  if (!srv_ledger_room(service->ledger, p->bytes)) {
    return srv_error_busy(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 500000, "no memory to copy the model's files");
  }
  err = uv_queue_work(service->net->loop, &p->work, prepare, on_prepared);
  if (err) return srv_error_set(e, SHEAF__CODE__CODE_INTERNAL, "%s", uv_strerror(err));
  call->work = p;
  srv_call_hold(call, sizeof *call + srv_arena_bytes(&call->arena));
  p->packed = p->bytes;
  service->ledger->request += p->packed;
  service->preparing++;
  return 0;
}

void srv_req_model_put(srv_service* service, srv_call* call, const void* unpacked) {
  srv_error error;
  if (put(service, call, unpacked, &error)) srv_call_fail(call, &error);
}

// A client that may find a model by its hash learns that some client has uploaded it; so by default it finds only the
// models that its own identity has uploaded.
static bool may_know(const srv_service* service, const srv_call* call, srv_model* model) {
  const srv_identity* who = call->conn->who;
  if (srv_auth_open(service->auth) || service->limits->shared_models || !who->may.upload) return true;
  return srv_model_owned(model, who);
}

srv_model* srv_service_model(srv_service* service, const srv_call* call, const uint8_t hash[SHEAF_HASH_BYTES]) {
  srv_model* model = srv_registry_find(service->registry, hash);
  return model && may_know(service, call, model) ? model : NULL;
}

// the shape of one output
static int describe_output(srv_call* call, const srv_model* model, char* name, Sheaf__OutputInfo** out, srv_error* e) {
  int shape[2];
  sheafStatus status = {0};
  if (sheaf_namedShape(model->loaded.m, -1, name, shape, &status) < 0) {
    strcpy(status.field, "outputs");
    srv_job_error(e, &status);
    return -e->code;
  }
  *out = srv_arena_alloc(&call->arena, sizeof **out);
  uint32_t* dims = srv_arena_alloc(&call->arena, 2 * sizeof *dims);
  if (!*out || !dims) return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
  sheaf__output_info__init(*out);
  for (int k = 0; k < 2; k++) dims[k] = (uint32_t)shape[k];
  (*out)->name = name;
  (*out)->shape = dims;
  (*out)->n_shape = shape[1] == 1 ? 1 : 2;
  return 0;
}

static int find_elements(srv_call* call, const srv_model* model, char* name, Sheaf__CostElements** out, srv_error* e) {
  sheafStatus status = {0};
  sheafCostTerm term = {0};
  if (sheaf_costElements(model->loaded.m, name, &term, &status)) {
    srv_job_error(e, &status);
    return -status.code;
  }
  *out = srv_arena_alloc(&call->arena, sizeof **out);
  if (!*out) return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
  sheaf__cost_elements__init(*out);
  (*out)->name = name;
  (*out)->source = (uint32_t)term.source;
  (*out)->first = (uint32_t)term.first;
  (*out)->count = (uint32_t)term.count;
  return 0;
}

static int find_columns(srv_call* call, const srv_model* model, const Sheaf__ModelInfo* m, const char* name,
                        Sheaf__Columns** out, srv_error* e) {
  sheafStatus status = {0};
  int kind = sheaf_message_kind((int)m->columns_of), n = sheaf_columns(model->loaded.m, kind, name, NULL, 0, &status);
  if (n < 0) {
    srv_job_error(e, &status);
    return -status.code;
  }
  *out = srv_arena_alloc(&call->arena, sizeof **out);
  int32_t* number = srv_arena_alloc(&call->arena, ((size_t)n + 1) * sizeof *number);
  if (!*out || !number) return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
  sheaf__columns__init(*out);
  (*out)->name = (char*)name;
  (*out)->number = number;
  (*out)->n_number = (size_t)sheaf_columns(model->loaded.m, kind, name, number, n, &status);
  return 0;
}

static int describe_columns(srv_service* service, srv_call* call, const srv_model* model, const Sheaf__ModelInfo* m,
                            Sheaf__ModelInfoReply* reply, srv_error* e) {
  if (m->n_columns > service->limits->outputs) {
    return srv_error_field(e, "columns", "at most 64 names", "%zu", m->n_columns);
  }
  reply->columns = srv_arena_alloc(&call->arena, (m->n_columns + 1) * sizeof *reply->columns);
  if (!reply->columns) return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
  for (size_t i = 0; i < m->n_columns; i++) {
    int err = find_columns(call, model, m, m->columns[i], &reply->columns[i], e);
    if (err) return err;
  }
  reply->n_columns = m->n_columns;
  return 0;
}

// nothing but the shapes of some outputs, elements of costs, and numbers of columns
static int answer_names(srv_service* service, srv_call* call, const srv_model* model, const Sheaf__ModelInfo* m,
                        srv_error* e) {
  Sheaf__ModelInfoReply reply = SHEAF__MODEL_INFO_REPLY__INIT;
  if (m->n_outputs > service->limits->outputs) {
    return srv_error_field(e, "outputs", "at most 64 names", "%zu", m->n_outputs);
  }
  reply.hash = m->hash;
  reply.outputs = srv_arena_alloc(&call->arena, (m->n_outputs + 1) * sizeof *reply.outputs);
  if (!reply.outputs) return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
  for (size_t i = 0; i < m->n_outputs; i++) {
    int err = describe_output(call, model, m->outputs[i], &reply.outputs[i], e);
    if (err) return err;
  }
  reply.n_outputs = m->n_outputs;
  if (m->n_costs > SHEAF_MAXCOST) return srv_error_field(e, "costs", "at most 256 names", "%zu", m->n_costs);
  reply.costs = srv_arena_alloc(&call->arena, (m->n_costs + 1) * sizeof *reply.costs);
  if (!reply.costs) return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
  for (size_t i = 0; i < m->n_costs; i++) {
    int err = find_elements(call, model, m->costs[i], &reply.costs[i], e);
    if (err) return err;
  }
  reply.n_costs = m->n_costs;
  int err = describe_columns(service, call, model, m, &reply, e);
  if (err) return err;
  int type = call->type | SHEAF__FRAME_TYPE__FRAME_REPLY;
  srv_call_end(call, srv_out_make(type, 0, call->id, &reply.base, NULL, NULL, NULL), false);
  return 0;
}

void srv_req_model_info(srv_service* service, srv_call* call, const void* unpacked) {
  const Sheaf__ModelInfo* m = unpacked;
  srv_error error;
  if (m->hash.len != SHEAF_HASH_BYTES) {
    srv_error_field(&error, "hash", "32 bytes", "%zu", m->hash.len);
    srv_call_fail(call, &error);
    return;
  }
  srv_model* model = srv_service_model(service, call, m->hash.data);
  // who begins to use a model of somebody else keeps it here; without memory it may go earlier
  if (model) srv_model_own(model, call->conn->who);
  if (model && (m->n_outputs || m->n_costs || m->n_columns)) {
    if (answer_names(service, call, model, m, &error)) srv_call_fail(call, &error);
    return;
  }
  if (model) {
    answer(call, model);
    return;
  }
  srv_error_set(&error, SHEAF__CODE__CODE_NOT_FOUND, "hash: no such model here; put it");
  strcpy(error.field, "hash");
  srv_call_fail(call, &error);
}
