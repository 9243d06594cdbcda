// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models: upload them and ask the server about them.
#include "client_model.h"
#include "requests.h"
#include "retry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- upload

static ProtobufCBinaryData hash_bytes(const sheafc_model* m) {
  return (ProtobufCBinaryData){SHEAF_HASH_BYTES, (uint8_t*)m->info.hash};
}

// keep the files in one block, each at a multiple of 64, as they are sent
static int keep_files(sheafc_model* m, const char* main, const sheafc_file* files, int nfile, sheafc_status* st) {
  m->main = strdup(main);
  m->files = calloc((size_t)nfile + 1, sizeof *m->files);
  for (int i = 0; i < nfile; i++) m->nbyte = sheaf_frame_align(m->nbyte) + files[i].size;
  m->bytes = calloc(1, m->nbyte + 1);
  if (!m->main || !m->files || !m->bytes) return sheafc_fail(st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
  uint64_t at = 0;
  for (int i = 0; i < nfile; i++) {
    at = sheaf_frame_align(at);
    char* name = strdup(files[i].name);
    if (!name) return sheafc_fail(st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
    m->files[m->nfile++] = (sheaf_file){name, m->bytes + at, files[i].size};
    if (files[i].size) memcpy(m->bytes + at, files[i].data, files[i].size);
    at += files[i].size;
  }
  return 0;
}

static void describe_files(const sheafc_model* m, Sheaf__ModelFile* files, Sheaf__ModelFile** pointers) {
  for (size_t i = 0; i < m->nfile; i++) {
    sheaf__model_file__init(&files[i]);
    files[i].name = (char*)m->files[i].name;
    files[i].offset = (uint64_t)((const uint8_t*)m->files[i].data - m->bytes);
    files[i].size = m->files[i].size;
    pointers[i] = &files[i];
  }
}

static sheafc_call* put(sheafc* c, const sheafc_model* m, sheafc_status* st) {
  Sheaf__ModelPut message = SHEAF__MODEL_PUT__INIT;
  Sheaf__ModelFile* files = calloc(m->nfile + 1, sizeof *files);
  Sheaf__ModelFile** pointers = calloc(m->nfile + 1, sizeof *pointers);
  sheafc_call* call = NULL;
  if (files && pointers) {
    describe_files(m, files, pointers);
    message.hash = hash_bytes(m);
    message.main = m->main;
    message.n_files = m->nfile;
    message.files = pointers;
    struct iovec data = {m->bytes, m->nbyte};
    call = sheafc_ask(c, SHEAF__FRAME_TYPE__FRAME_MODEL_PUT, &message.base, &data, m->nbyte ? 1 : 0, st);
  } else {
    sheafc_fail(st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
  }
  free(files);
  free(pointers);
  return call;
}

int sheafc_put_again(sheafc* c, const sheafc_model* m, sheafc_status* st) {
  sheafc_call* call = put(c, m, st);
  sheafc_free_call(call);
  return call ? 0 : st->code;
}

// ---- description

static void copy_info(sheafc_model_info* i, const Sheaf__ModelInfoReply* m) {
  i->nq = m->nq, i->nv = m->nv, i->nu = m->nu, i->na = m->na;
  i->nbody = m->nbody, i->njnt = m->njnt, i->ngeom = m->ngeom, i->nsite = m->nsite;
  i->nsensor = m->nsensor, i->nsensordata = m->nsensordata;
  i->nmocap = m->nmocap, i->nkey = m->nkey, i->neq = m->neq, i->ntendon = m->ntendon;
  i->nuserdata = m->nuserdata, i->nstate = m->nstate, i->ndx = m->ndx;
  i->integrator = m->integrator, i->lanes = m->lanes;
  i->timestep = m->timestep;
}

// the model takes over what the call received
static int keep_reply(sheafc_model* m, sheafc_call* call, sheafc_status* st) {
  m->reply = sheaf__model_info_reply__unpack(NULL, call->control_len, call->control);
  m->data = call->data;
  m->data_len = call->data_len;
  call->data = NULL;
  if (!m->reply) return sheafc_fail(st, SHEAFC_INTERNAL, "the server's answer cannot be read");
  copy_info(&m->info, m->reply);
  return 0;
}

// ask for the description; put the model if the server does not have it
static int fetch(sheafc* c, sheafc_model* m, sheafc_status* st) {
  Sheaf__ModelInfo ask = SHEAF__MODEL_INFO__INIT;
  ask.hash = hash_bytes(m);
  sheafc_call* call = sheafc_ask(c, SHEAF__FRAME_TYPE__FRAME_MODEL_INFO, &ask.base, NULL, 0, st);
  if (!call && st->code == SHEAFC_NOT_FOUND) call = put(c, m, st);
  if (!call) return st->code;
  memset(st, 0, sizeof *st);
  int err = keep_reply(m, call, st);
  sheafc_free_call(call);
  return err;
}

sheafc_model* sheafc_load_files(sheafc* c, const char* main, const sheafc_file* files, int nfile, sheafc_status* st) {
  memset(st, 0, sizeof *st);
  sheafc_model* m = calloc(1, sizeof *m);
  if (!m) {
    sheafc_fail(st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
    return NULL;
  }
  m->client = c;
  m->shapes = calloc(1, sizeof *m->shapes);
  int err = m->shapes ? 0 : sheafc_fail(st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
  if (!err) err = keep_files(m, main, files, nfile, st);
  if (!err && sheaf_manifest_hash(main, m->files, m->nfile, m->info.hash)) {
    err = sheafc_fail(st, SHEAFC_INTERNAL, "the hash of the model cannot be computed");
  }
  attempts a;
  sheafc_begin_attempts(&a, c, 0, 0);
  while (!err) {
    err = sheafc_use(c, st);
    if (!err) err = fetch(c, m, st);
    if (!err) return m;
    err = sheafc_failed(&a, st->retriable, c->broken.code, st);
  }
  sheafc_free_model(m);
  return NULL;
}

void sheafc_free_model(sheafc_model* m) {
  if (!m) return;
  for (size_t i = 0; i < m->nfile; i++) free((char*)m->files[i].name);
  while (m->shapes && *m->shapes) {
    sheafc_shape* next = (*m->shapes)->next;
    free(*m->shapes);
    *m->shapes = next;
  }
  free(m->shapes);
  sheaf__model_info_reply__free_unpacked(m->reply, NULL);
  free(m->main);
  free(m->files);
  free(m->bytes);
  free(m->data);
  free(m);
}

// ---- questions

const sheafc_model_info* sheafc_get_model_info(const sheafc_model* m) { return &m->info; }

const char* sheafc_model_warning(const sheafc_model* m) { return m->reply->warning; }

const double* sheafc_model_array(const sheafc_model* m, const char* name, size_t* n) {
  for (size_t i = 0; i < m->reply->n_tensors; i++) {
    const Sheaf__Tensor* t = m->reply->tensors[i];
    if (strcmp(t->name, name) || t->dtype != SHEAF__DTYPE__DTYPE_F64) continue;
    size_t count = 1;
    for (size_t k = 0; k < t->n_shape; k++) count *= t->shape[k];
    if (t->offset > m->data_len || count > (m->data_len - t->offset) / sizeof(double)) return NULL;
    if (n) *n = count;
    return (const double*)(m->data + t->offset);
  }
  return NULL;
}

static const Sheaf__ElementTable* find_table(const sheafc_model* m, const char* kind) {
  for (size_t i = 0; i < m->reply->n_tables; i++) {
    if (!strcmp(m->reply->tables[i]->kind, kind)) return m->reply->tables[i];
  }
  return NULL;
}

int sheafc_name2id(const sheafc_model* m, const char* kind, const char* name) {
  const Sheaf__ElementTable* t = find_table(m, kind);
  for (size_t i = 0; t && i < t->n_name; i++) {
    if (!strcmp(t->name[i], name)) return (int)i;
  }
  return -1;
}

const char* sheafc_id2name(const sheafc_model* m, const char* kind, int id) {
  const Sheaf__ElementTable* t = find_table(m, kind);
  return t && id >= 0 && (size_t)id < t->n_name ? t->name[id] : NULL;
}

// ---- outputs

static const Sheaf__OutputInfo* find_info(Sheaf__OutputInfo** list, size_t n, const char* name) {
  for (size_t i = 0; i < n; i++) {
    if (!strcmp(list[i]->name, name)) return list[i];
  }
  return NULL;
}

static int info_size(const Sheaf__OutputInfo* o, int shape[2]) {
  if (!o) return -1;
  shape[0] = o->n_shape > 0 ? (int)o->shape[0] : 1;
  shape[1] = o->n_shape > 1 ? (int)o->shape[1] : 1;
  return shape[0] * shape[1];
}

// the server's answer about one output, kept for the next time
static int keep_shape(const sheafc_model* m, const char* name, const Sheaf__ModelInfoReply* reply, int* size,
                      sheafc_status* st) {
  if (!reply || reply->n_outputs != 1) return sheafc_fail(st, SHEAFC_INTERNAL, "the server's answer cannot be read");
  size_t n = strlen(name) + 1;
  sheafc_shape* shape = malloc(sizeof *shape + n);
  if (!shape) return sheafc_fail(st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
  int own[2];
  shape->size = *size = info_size(reply->outputs[0], own);
  memcpy(shape->name, name, n);
  shape->next = *m->shapes;
  *m->shapes = shape;
  return 0;
}

// the reply to a question about names, NULL with the reason in status; free it with free_unpacked
static Sheaf__ModelInfoReply* ask_names(const sheafc_model* m, Sheaf__ModelInfo* ask, sheafc_status* st) {
  ask->hash = hash_bytes(m);
  sheafc_call* call = sheafc_ask(m->client, SHEAF__FRAME_TYPE__FRAME_MODEL_INFO, &ask->base, NULL, 0, st);
  if (!call) {
    if (st->code == SHEAFC_NOT_FOUND) strcpy(st->field, "model");  // as computing would say
    return NULL;
  }
  Sheaf__ModelInfoReply* reply = sheaf__model_info_reply__unpack(NULL, call->control_len, call->control);
  sheafc_free_call(call);
  if (!reply) sheafc_fail(st, SHEAFC_INTERNAL, "the server's answer cannot be read");
  return reply;
}

static int ask_shape(const sheafc_model* m, const char* name, int* size, sheafc_status* st) {
  Sheaf__ModelInfo ask = SHEAF__MODEL_INFO__INIT;
  char* names[] = {(char*)name};
  ask.n_outputs = 1;
  ask.outputs = names;
  Sheaf__ModelInfoReply* reply = ask_names(m, &ask, st);
  if (!reply) return st->code;
  int err = keep_shape(m, name, reply, size, st);
  sheaf__model_info_reply__free_unpacked(reply, NULL);
  return err;
}

int sheafc_cost_elements(const sheafc_model* m, const char* of, sheafCostTerm* term, sheafc_status* st) {
  Sheaf__ModelInfo ask = SHEAF__MODEL_INFO__INIT;
  char* names[] = {(char*)of};
  ask.n_costs = 1;
  ask.costs = names;
  int err = sheafc_use(m->client, st);
  Sheaf__ModelInfoReply* reply = err ? NULL : ask_names(m, &ask, st);
  if (!reply) return st->code;
  if (reply->n_costs == 1) {
    term->source = reply->costs[0]->source;
    term->first = reply->costs[0]->first;
    term->count = reply->costs[0]->count;
  } else {
    err = sheafc_fail(st, SHEAFC_INTERNAL, "the server does not know cost terms by name");
  }
  sheaf__model_info_reply__free_unpacked(reply, NULL);
  return err;
}

int sheafc_columns(const sheafc_model* m, int kind, const char* name, int32_t* column, int room, sheafc_status* st) {
  Sheaf__ModelInfo ask = SHEAF__MODEL_INFO__INIT;
  char* names[] = {(char*)name};
  ask.n_columns = 1;
  ask.columns = names;
  ask.columns_of = sheafc_request_info(kind) ? (uint32_t)sheaf_message_type(kind) : 0;
  Sheaf__ModelInfoReply* reply = sheafc_use(m->client, st) ? NULL : ask_names(m, &ask, st);
  if (!reply) return -1;
  int n = reply->n_columns == 1 ? (int)reply->columns[0]->n_number : -1;
  for (int i = 0; i < n && i < room; i++) column[i] = reply->columns[0]->number[i];
  if (n < 0) sheafc_fail(st, SHEAFC_INTERNAL, "the server does not know columns by name");
  sheaf__model_info_reply__free_unpacked(reply, NULL);
  return n;
}

int sheafc_output_shape(const sheafc_model* m, const char* name, int* size, sheafc_status* st) {
  int own[2];
  const Sheaf__OutputInfo* known = find_info(m->reply->outputs, m->reply->n_outputs, name);
  if (known) return *size = info_size(known, own), 0;
  for (const sheafc_shape* s = *m->shapes; s; s = s->next) {
    if (!strcmp(s->name, name)) return *size = s->size, 0;
  }
  int err = sheafc_use(m->client, st);
  return err ? err : ask_shape(m, name, size, st);
}

int sheafc_output_size(const sheafc_model* m, const char* name) {
  sheafc_status ignored;
  int size;
  return sheafc_output_shape(m, name, &size, &ignored) ? -1 : size;
}

int sheafc_param_size(const sheafc_model* m, const char* name, int shape[2]) {
  int own[2];
  return info_size(find_info(m->reply->params, m->reply->n_params, name), shape ? shape : own);
}

const char* sheafc_param_name(const sheafc_model* m, int i) {
  return i >= 0 && (size_t)i < m->reply->n_params ? m->reply->params[i]->name : NULL;
}
