// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Compute requests, by the rows of sheaf/request_table.h: arguments become a message with tensors, results go to the
// addresses in the arguments.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client_model.h"
#include "retry.h"
#include "shared.h"
#include "requests.h"

#define SHEAF_ARGS(Type, name) sheafc_##name##_args
#define SHEAF_CONTROL_FIELD how
#define SHEAF_CONTROL_END (offsetof(Args, how) + offsetof(sheafc_how, user) + sizeof(void*))
#include <sheaf/request_rows.h>

// the arguments of any kind, of this version
typedef union {
  struct {
    size_t size;
    int nbatch;
  } any;
#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc) sheafc_##name##_args name;
#include <sheaf/request_table.h>
} arguments;

// the message of any kind
typedef union {
  ProtobufCMessage base;
#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc) Sheaf__##Type name;
#include <sheaf/request_table.h>
} any_message;

enum {
  PARAM_NAME = 64,      // bytes of "params.NAME"
  CANCEL_MS = 1000,     // time to tell a server to stop
  ANSWER_MS = 5000,     // in which rows of a stopped call come
  ROW_CANCELLED = 101,  // SHEAF_ROW_CANCELLED
};

// a request under construction
typedef struct {
  const sheafRequest* row;
  int kind;
  const sheafc_model* model;
  arguments args;
  sheafc_how how;
  int first;  // first row of the batch that is asked for; an earlier attempt brought those before it
  packing pack;
  char param_name[CALL_OUTPUTS][PARAM_NAME];
  char* outputs[CALL_OUTPUTS];
  Sheaf__Place place[CALL_OUTPUTS];
  Sheaf__Place* places[CALL_OUTPUTS];
  Sheaf__Work work;
} build;

const sheafRequest* sheafc_request_info(int kind) { return sheaf_rowOf(kind); }

// ---- fields

static const void* get_pointer(const void* args, size_t offset) {
  const void* value;
  memcpy(&value, (const char*)args + offset, sizeof value);
  return value;
}

static int get_int(const void* args, size_t offset) {
  int value;
  memcpy(&value, (const char*)args + offset, sizeof value);
  return value;
}

static double get_option(const void* args, const sheafField* f) {
  double value;
  if (f->type == SHEAF_TYPE_real) return memcpy(&value, (const char*)args + f->offset, sizeof value), value;
  int n = get_int(args, f->offset);
  return f->type == SHEAF_TYPE_bits ? (double)(unsigned)n : n;
}

static const sheafField* find_field(int kind, const char* name) {
  const sheafField* f = sheaf_rowOf(kind)->fields;
  while (f->name && strcmp(f->name, name)) f++;
  return f->name ? f : NULL;
}

// ---- shapes

// numbers that the mjtState bits hold
static int64_t control_size(const sheafc_model_info* i, unsigned spec) {
  const int size[] = {[5] = i->nu,         [6] = i->nv,          [7] = 6 * i->nbody, [8] = i->neq,
                      [9] = 3 * i->nmocap, [10] = 4 * i->nmocap, [11] = i->nuserdata};
  int64_t n = 0;
  for (unsigned bit = 5; bit < 12; bit++) n += spec >> bit & 1 ? size[bit] : 0;
  return n;
}

// the list of columns of a request; NULL and 0: all
static const int32_t* get_columns(int kind, const void* args, int* n) {
  const sheafField* f = find_field(kind, "column");
  const int32_t* column = f ? get_pointer(args, f->offset) : NULL;
  *n = column && get_int(args, f->count) > 0 ? get_int(args, f->count) : 0;
  return column;
}

static int64_t size_of(const sheafc_model* m, int kind, const void* args, const char* word) {
  double value = 0;
  if (word[0] >= '0' && word[0] <= '9') return atoi(word);
  const sheafField* f = find_field(kind, word);
  if (f && (f->role == SHEAF_ROLE_OPTION || f->role == SHEAF_ROLE_SIZE)) return get_int(args, f->offset);
  if (!strcmp(word, "nrecord")) {
    double nstep = get_option(args, find_field(kind, "nstep")), every = get_option(args, find_field(kind, "every"));
    return every < 0 ? 1 : every > 1 ? (int64_t)nstep / (int64_t)every : (int64_t)nstep;
  }
  if (!strcmp(word, "ntrajectory")) return 1 + get_int(args, find_field(kind, "ntop")->offset);
  if (!strcmp(word, "ncontrol")) {
    f = find_field(kind, "control_spec");
    double spec = get_option(args, f);
    return control_size(&m->info, (unsigned)(spec != 0 ? spec : f->initial));
  }
  if (!strcmp(word, "ndxu")) return m->info.ndx + m->info.nu;
  int ncolumn;
  const int32_t* column = get_columns(kind, args, &ncolumn);
  int64_t columns = sheaf_columnSize(word, m->info.nv, m->info.na, m->info.nu, column, ncolumn);
  if (columns >= 0) return columns;
  sheaf_message_get(&m->reply->base, word, &value);
  return (int64_t)value;
}

int sheafc_field_shape(const sheafc_model* m, int kind, const void* args, const sheafField* field, int64_t shape[4]) {
  int n = 0;
  for (const char* p = field->shape + strcspn(field->shape, " "); *p && n < 4;) {
    char word[32];
    p += strspn(p, " ");
    size_t len = strcspn(p, " ");
    snprintf(word, sizeof word, "%.*s", (int)len, p);
    shape[n++] = size_of(m, kind, args, word);
    p += len;
  }
  return n;
}

static uint64_t number_bytes(const build* b, const sheafField* f) {
  if (f->type == SHEAF_TYPE_i32) return sizeof(int32_t);
  const sheafField* dtype = f->type == SHEAF_TYPE_num ? find_field(b->kind, "dtype") : NULL;
  return dtype && get_option(&b->args, dtype) == sizeof(float) ? sizeof(float) : sizeof(double);
}

static uint64_t row_bytes(const build* b, const sheafField* f) {
  int64_t shape[4];
  uint64_t bytes = number_bytes(b, f);
  int n = sheafc_field_shape(b->model, b->kind, &b->args, f, shape);
  for (int k = 0; k < n; k++) bytes *= shape[k] > 0 ? (uint64_t)shape[k] : 0;
  return bytes;
}

// ---- inputs

static Sheaf__Tensor* add_tensor(packing* p, const char* name, int count, int rank, const int64_t* shape) {
  int i = p->n++;
  Sheaf__Tensor* t = p->pointer[i] = &p->tensor[i];
  sheaf__tensor__init(t);
  t->name = (char*)name;
  t->shape = p->shape[i];
  t->shape[t->n_shape++] = (uint64_t)count;
  for (int k = 0; k < rank; k++) t->shape[t->n_shape++] = shape[k] > 0 ? (uint64_t)shape[k] : 0;
  return t;
}

static void add_input(build* b, const sheafField* f, const uint8_t* data, int count) {
  int64_t shape[4];
  int rank = sheafc_field_shape(b->model, b->kind, &b->args, f, shape);
  Sheaf__Tensor* t = add_tensor(&b->pack, f->name, count, rank, shape);
  t->dtype = f->type == SHEAF_TYPE_i32 ? SHEAF__DTYPE__DTYPE_I32 : SHEAF__DTYPE__DTYPE_F64;
  t->offset = sheafc_pack_bytes(&b->pack, data, row_bytes(b, f) * (uint64_t)count);
}

// a parameter is sent as the input "params.NAME"
static int add_param(build* b, const sheafc_param* p, char name[PARAM_NAME], sheafc_status* st) {
  int size, dims[2], count = p->nrow, nbatch = b->args.any.nbatch;
  if (!p->name || (size = sheafc_param_size(b->model, p->name, dims)) < 0) {
    return sheafc_fail_field(st, "param", "a name that the server knows", "\"%s\"", p->name ? p->name : "(null)");
  }
  if (count != 1 && count != nbatch) return sheafc_fail_field(st, p->name, "nbatch rows or 1", "%d", count);
  if (!size) return 0;
  if (!p->data) return sheafc_fail_field(st, p->name, "an array", "NULL");
  const double* data = p->data;
  if (count == nbatch && b->first) {
    count -= b->first;
    data += (size_t)size * (size_t)b->first;
  }
  const int64_t shape[] = {dims[0], dims[1]};
  snprintf(name, PARAM_NAME, "params.%s", p->name);
  Sheaf__Tensor* t = add_tensor(&b->pack, name, count, dims[1] == 1 ? 1 : 2, shape);
  t->offset = sheafc_pack_bytes(&b->pack, data, (uint64_t)size * sizeof *data * (uint64_t)count);
  return 0;
}

static int add_params(build* b, sheafc_status* st) {
  const sheafField* f = b->row->fields;
  while (f->name && f->role != SHEAF_ROLE_PARAMS) f++;
  if (!f->name) return 0;
  const sheafc_param* list = get_pointer(&b->args, f->offset);
  int n = get_int(&b->args, f->count), err = 0, room = CALL_OUTPUTS - b->pack.n;
  if (n < 0 || n > room || (n && !list)) {
    char expected[64];
    snprintf(expected, sizeof expected, "0 to %d parameters", room);
    return sheafc_fail_field(st, "nparam", expected, "%d%s", n, list ? "" : ", NULL");
  }
  for (int i = 0; i < n && !err; i++) err = add_param(b, &list[i], b->param_name[i], st);
  return err;
}

static int add_inputs(build* b, sheafc_status* st) {
  int nbatch = b->args.any.nbatch;
  for (const sheafField* f = b->row->fields; f->name; f++) {
    const uint8_t* data = f->role == SHEAF_ROLE_INPUT ? get_pointer(&b->args, f->offset) : NULL;
    int count = data && f->count ? get_int(&b->args, f->count) : nbatch;
    if (!data) continue;
    if (count == 0) count = nbatch;
    if (count != 1 && count != nbatch) {
      char name[64];
      snprintf(name, sizeof name, "n%s", f->name);
      return sheafc_fail_field(st, name, "nbatch or 1", "%d", count);
    }
    if (count == nbatch && b->first) {
      count -= b->first;
      data += row_bytes(b, f) * (uint64_t)b->first;
    }
    add_input(b, f, data, count);
  }
  int err = add_params(b, st);
  b->work.n_inputs = (size_t)b->pack.n;
  b->work.inputs = b->pack.pointer;
  return err;
}

// ---- outputs

static void add_output(build* b, sheafc_call* call, const sheafField* f, const char* name, const void* data,
                       uint64_t bytes, bool ask) {
  uint8_t* rows = data ? (uint8_t*)data + bytes * (uint64_t)b->first : NULL;
  call->destinations[call->ndestination++] = (destination){name, rows, f->type != SHEAF_TYPE_i32, (size_t)bytes};
  if (ask) b->outputs[b->work.n_outputs++] = (char*)name;
}

static int add_named(build* b, const sheafField* f, sheafc_call* call, sheafc_status* st) {
  const sheafc_output* named = get_pointer(&b->args, f->offset);
  int n = get_int(&b->args, f->count);
  for (int i = 0; i < n; i++) {
    const char* name = named[i].name;
    bool nominal = name && !strncmp(name, SHEAF_NOMINAL, strlen(SHEAF_NOMINAL));
    int size, err = sheafc_output_shape(b->model, nominal ? name + strlen(SHEAF_NOMINAL) : name, &size, st);
    if (err) return err;
    if (call->ndestination == CALL_OUTPUTS) return sheafc_fail_field(st, "noutput", "fewer", "%d", n);
    uint64_t bytes = nominal ? number_bytes(b, f) : row_bytes(b, f);
    add_output(b, call, f, name, named[i].data, bytes * (uint64_t)size, true);
  }
  return 0;
}

static int add_outputs(build* b, sheafc_call* call, sheafc_status* st) {
  int err = 0;
  for (const sheafField* f = b->row->fields; !err && f->name; f++) {
    const void* data = f->role == SHEAF_ROLE_OUTPUT ? get_pointer(&b->args, f->offset) : NULL;
    if (data) add_output(b, call, f, f->name, data, row_bytes(b, f), f->when != SHEAF_WHEN_ALWAYS);
    if (f->role == SHEAF_ROLE_NAMED) err = add_named(b, f, call, st);
  }
  // no name at all would mean the default outputs
  if (!err && b->work.n_outputs == 0) b->outputs[b->work.n_outputs++] = (char*)"status";
  b->work.outputs = b->outputs;
  return err;
}

// the server writes outputs that lie in one block of shared memory there, and does not send them
static void place_outputs(build* b, sheafc_call* call) {
  for (int i = 0; i < call->ndestination; i++) {
    destination* d = &call->destinations[i];
    uint64_t bytes = d->row_bytes * (uint64_t)call->nbatch;
    bool may = d->data && d->reals && bytes && (uintptr_t)d->data % sizeof(double) == 0;
    sheafc_block* block = may ? sheafc_find_block(call->client, d->data, bytes) : NULL;
    if (!block || (call->block && call->block != block)) continue;
    call->block = block;
    Sheaf__Place* p = &b->place[b->work.n_places];
    sheaf__place__init(p);
    p->output = (char*)d->name;
    p->offset = (uint64_t)(d->data - block->memory);
    b->places[b->work.n_places++] = p;
  }
  if (call->block) b->work.region = call->block->region;
  b->work.places = b->places;
}

// ---- begin

static int copy_arguments(build* b, const void* args, sheafc_status* st) {
  memset(&b->args, 0, sizeof b->args);
  int err = sheafc_copy_version(&b->args, b->row->size, b->row->first, args, st);
  if (err || b->args.any.nbatch >= 1) return err;
  return sheafc_fail_field(st, "nbatch", "at least 1", "%d", b->args.any.nbatch);
}

// Of requests without one. Servers cut it to the largest that they allow; a request that names none ends earlier.
static const uint64_t no_timeout_us = UINT64_C(1000000000000000);

static void init_work(build* b) {
  sheaf__work__init(&b->work);
  b->work.model = (ProtobufCBinaryData){SHEAF_HASH_BYTES, (uint8_t*)b->model->info.hash};
  b->work.nbatch = (uint32_t)(b->args.any.nbatch - b->first);
  b->work.timeout_us = b->how.timeout > 0 ? (uint64_t)(1e6 * b->how.timeout) : no_timeout_us;
  b->work.priority = b->how.priority;
  if (b->how.trace) b->work.traceparent = (char*)b->how.trace;
  b->work.progress = b->how.progress != NULL;
  b->work.partial = b->how.partial;
}

static int init_build(build* b, const sheafc_model* m, int kind, const void* args, int first, sheafc_status* st) {
  b->row = sheaf_rowOf(kind);
  b->first = first;
  b->kind = kind;
  b->model = m;
  b->pack.n = b->pack.ndata = 0;
  b->pack.length = 0;
  if (!b->row) return sheafc_fail_field(st, "kind", "a sheafKind", "%d", kind);
  int err = copy_arguments(b, args, st);
  if (err) return err;
  const sheafField* f = b->row->fields;
  while (f->role != SHEAF_ROLE_CONTROL) f++;
  memcpy(&b->how, (const char*)&b->args + f->offset, sizeof b->how);
  init_work(b);
  return 0;
}

static void fill_message(build* b, any_message* message) {
  protobuf_c_message_init(sheaf_message_of(b->kind), message);
  sheaf_message_set_work(&message->base, &b->work);
  for (const sheafField* f = b->row->fields; f->name; f++) {
    if (f->role == SHEAF_ROLE_OPTION) sheaf_message_set(&message->base, f->name, get_option(&b->args, f));
  }
  int n;
  const int32_t* column = get_columns(b->kind, &b->args, &n);
  if (n) sheaf_message_set_list(&message->base, "columns", column, (size_t)n);
}

// until a row comes, its status says that it did not
static int mark_missing(sheafc_call* call, sheafc_status* st) {
  for (int i = 0; i < call->ndestination; i++) {
    const destination* d = &call->destinations[i];
    if (strcmp(d->name, "status") || !d->data) continue;
    for (int row = 0; row < call->nbatch; row++) ((int32_t*)(void*)d->data)[row] = ROW_CANCELLED;
    return 0;
  }
  return sheafc_fail_field(st, "status", "an array, which tells the rows that are done (how.partial)", "NULL");
}

// ask for the rows from `first` on, in what is left of the time
static sheafc_call* begin_rows(sheafc* c, const sheafc_model* m, int kind, const void* args, int first,
                               sheafc_status* st) {
  build b;
  any_message message;
  if (init_build(&b, m, kind, args, first, st) || add_inputs(&b, st)) return NULL;
  if (c->end)
    b.work.timeout_us =
        1000 * (uint64_t)(sheafc_left(c, -1) > c->answer_ms ? sheafc_left(c, -1) - c->answer_ms + 1 : 1);
  sheafc_call* call = sheafc_make_call(c, sheaf_message_type(kind));
  if (!call) {
    sheafc_fail(st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
    return NULL;
  }
  call->nbatch = b.args.any.nbatch - first;
  call->first = first;
  call->progress = b.how.progress;
  call->user = b.how.user;
  int err = add_outputs(&b, call, st);
  if (!err && b.how.partial) err = mark_missing(call, st);
  place_outputs(&b, call);
  fill_message(&b, &message);
  if (!err) err = sheafc_send(call, &message.base, b.pack.data, b.pack.ndata, st);
  if (!err) return call;
  call->done = true;
  sheafc_free_call(call);
  return NULL;
}

sheafc_call* sheafc_begin(sheafc* c, const sheafc_model* m, int kind, const void* args, sheafc_status* st) {
  memset(st, 0, sizeof *st);
  if (!c->calls) sheafc_receive(c);  // the server may have closed the connection or said that it will
  return sheafc_use(c, st) ? NULL : begin_rows(c, m, kind, args, 0, st);
}

// ---- ask and wait

// one attempt; *first becomes the first row that has not come
static int try_rows(sheafc* c, const sheafc_model* m, int kind, const void* args, int* first, sheafc_status* st) {
  sheafc_call* call = begin_rows(c, m, kind, args, *first, st);
  if (!call) return st->code;
  int err = sheafc_wait(call, sheafc_left(c, -1), st);

  // after an Error the parts that came are void; after a lost connection they are rows of the result and are kept
  if (c->broken.code && call->rows < call->nbatch) *first += call->rows;
  if (err == SHEAFC_PENDING) c->end = sheafc_now_ms() + CANCEL_MS;
  sheafc_free_call(call);
  return err;
}

// has the server forgotten the model, or is it a new one?
static bool forgotten(const sheafc_status* st) { return st->code == SHEAFC_NOT_FOUND && !strcmp(st->field, "model"); }

static bool is_over(const attempts* a, const sheafc_status* st) {
  return st->code == SHEAFC_PENDING || st->code == SHEAFC_DEADLINE_EXCEEDED || (a->end && sheafc_now_ms() >= a->end);
}

static int run(sheafc* c, const sheafc_model* m, int kind, const void* args, attempts* a, sheafc_status* st) {
  int first = 0;
  bool put = false;
  for (;;) {
    bool connected = !sheafc_use(c, st);
    if (connected && !try_rows(c, m, kind, args, &first, st)) return 0;
    if (is_over(a, st)) return sheafc_over(a, st);
    if (forgotten(st)) {
      if (put && sheafc_failed(a, true, false, st)) return st->code;
      put = true;
      if (!sheafc_put_again(c, m, st)) continue;
    }
    if (sheafc_failed(a, st->retriable, connected && c->broken.code && !c->leaving, st)) return st->code;
  }
}

static sheafc_how how_of(int kind, const void* args) {
  const sheafRequest* row = sheaf_rowOf(kind);
  sheafc_status ignored;
  sheafc_how how = {0};
  arguments copy;
  if (!row || sheafc_copy_version(&copy, row->size, row->first, args, &ignored)) return how;
  const sheafField* f = row->fields;
  while (f->role != SHEAF_ROLE_CONTROL) f++;
  memcpy(&how, (const char*)&copy + f->offset, sizeof how);
  return how;
}

int sheafc_run(sheafc* c, const sheafc_model* m, int kind, const void* args, sheafc_status* st) {
  attempts a;
  memset(st, 0, sizeof *st);
  sheafc_how how = how_of(kind, args);
  sheafc_begin_attempts(&a, c, how.timeout, how.partial && how.timeout > 0 ? ANSWER_MS : 0);
  int err = run(c, m, kind, args, &a, st);
  c->end = 0;
  sheafc_leave(c);
  return err;
}

// the three functions of each kind
#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc)                                                  \
  sheafc_##name##_args sheafc_##name##_default(void) {                                                    \
    return (sheafc_##name##_args){.size = sizeof(sheafc_##name##_args)};                                  \
  }                                                                                                       \
  int sheafc_##name(sheafc* c, const sheafc_model* m, const sheafc_##name##_args* a, sheafc_status* st) { \
    return sheafc_run(c, m, SHEAF_##KIND, a, st);                                                         \
  }                                                                                                       \
  sheafc_call* sheafc_##name##_begin(sheafc* c, const sheafc_model* m, const sheafc_##name##_args* a,     \
                                     sheafc_status* st) {                                                 \
    return sheafc_begin(c, m, SHEAF_##KIND, a, st);                                                       \
  }
#include <sheaf/request_table.h>
