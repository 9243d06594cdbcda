// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The requests of sheaf/request_table.h: a message and its tensors become a job, by the rows of the table.
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "jobs/job.h"
#include "request/admission.h"
#include "request/handlers.h"
#include "requests.h"

// a request being read
typedef struct {
  srv_service* service;
  srv_call* call;
  const ProtobufCMessage* message;
  const Sheaf__Work* work;
  const sheafRequest* row;
  srv_model* model;
  srv_job* job;
  srv_region* region;  // memory shared with the client, NULL: none
  srv_error error;
} reading;

// ---- begin

static int find_model(reading* r) {
  if (r->work->model.len != SHEAF_HASH_BYTES) {
    return srv_error_field(&r->error, "model", "a hash of 32 bytes", "%zu", r->work->model.len);
  }
  r->model = srv_service_model(r->service, r->call, r->work->model.data);
  if (r->model) return 0;
  srv_error_set(&r->error, SHEAF__CODE__CODE_NOT_FOUND, "model: no such model here; put it");
  strcpy(r->error.field, "model");
  return -r->error.code;
}

static int check_work(reading* r) {
  const Sheaf__Work* w = r->work;
  if (!w) return srv_error_field(&r->error, "work", "a Work message", "none");
  if (w->nbatch < 1 || w->nbatch > INT_MAX) {
    return srv_error_field(&r->error, "nbatch", "1 to 2147483647", "%u", w->nbatch);
  }
  if (w->priority < -1 || w->priority > 1) {
    return srv_error_field(&r->error, "priority", "-1, 0 or 1", "%d", w->priority);
  }
  if (w->n_inputs > r->service->limits->tensors) {
    return srv_error_field(&r->error, "inputs", "at most 32 tensors", "%zu", w->n_inputs);
  }
  if (w->n_outputs > r->service->limits->outputs) {
    return srv_error_field(&r->error, "outputs", "at most 64 names", "%zu", w->n_outputs);
  }
  return find_model(r);
}

static int make_job(reading* r, int kind) {
  srv_job* job = r->job = calloc(1, sizeof *job);
  if (!job) return srv_error_busy(&r->error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 100000, "out of memory");
  job->call = r->call;
  job->model = r->model;
  job->kind = kind;
  job->request.any.size = r->row->size;
  job->request.any.nbatch = (int)r->work->nbatch;
  return 0;
}

// ---- options

static void* field_at(const reading* r, size_t offset) { return (char*)&r->job->request + offset; }

static const sheafField* find_field(const reading* r, sheafRole role, const char* name) {
  const sheafField* f = r->row->fields;
  while (f->name && (f->role != role || strcmp(f->name, name))) f++;
  return f->name ? f : NULL;
}

static int read_option(reading* r, const sheafField* f) {
  double value = 0;
  sheaf_message_get(r->message, f->name, &value);
  if (f->type == SHEAF_TYPE_real) {
    memcpy(field_at(r, f->offset), &value, sizeof value);
    return 0;
  }
  if (f->type == SHEAF_TYPE_int && (value < INT_MIN || value > INT_MAX)) {
    char expected[64];
    snprintf(expected, sizeof expected, "%.10g to %.10g", f->least, f->most);
    return srv_error_field(&r->error, f->name, expected, "%.10g", value);
  }
  unsigned bits = (unsigned)(int64_t)value;
  memcpy(field_at(r, f->offset), &bits, sizeof bits);
  return 0;
}

static int read_options(reading* r) {
  sheafStatus status = {0};
  for (const sheafField* f = r->row->fields; f->name; f++) {
    if (f->role != SHEAF_ROLE_OPTION) continue;
    int err = read_option(r, f);
    if (err) return err;
    if (!sheaf_checkField(r->model->loaded.m, r->job->kind, &r->job->request, f, &status)) continue;
    srv_job_error(&r->error, &status);
    return -status.code;
  }
  return 0;
}

// ---- columns of derivatives

// their list stays in the message, which lives as long as the call
static int read_columns(reading* r) {
  sheafStatus status = {0};
  const sheafField* f = find_field(r, SHEAF_ROLE_COLUMNS, "column");
  size_t n = 0;
  const int32_t* list = f ? sheaf_message_list(r->message, "columns", &n) : NULL;
  int count = n < INT_MAX ? (int)n : INT_MAX;
  if (!n) return 0;
  memcpy(field_at(r, f->offset), &list, sizeof list);
  memcpy(field_at(r, f->count), &count, sizeof count);
  if (!sheaf_checkField(r->model->loaded.m, r->job->kind, &r->job->request, f, &status)) return 0;
  srv_job_error(&r->error, &status);
  return -status.code;
}

// ---- inputs

enum { SHAPE_TEXT = 160, CHECKED_AT_ONCE = 256 << 10 };

static Sheaf__DType wire_type(const reading* r, const sheafField* f) {
  if (f->type == SHEAF_TYPE_i32) return SHEAF__DTYPE__DTYPE_I32;
  bool narrow = f->type == SHEAF_TYPE_num && sheaf_numberBytes(r->job->kind, &r->job->request) == sizeof(float);
  return narrow ? SHEAF__DTYPE__DTYPE_F32 : SHEAF__DTYPE__DTYPE_F64;
}

// does the dimension come with the array?
static bool is_free(const reading* r, const sheafField* f, int k) {
  const sheafField* size = sheaf_fieldSize(r->job->kind, f, k);
  return size && size->role == SHEAF_ROLE_SIZE;
}

// "(4 or 1, 21)"
static const char* expected_shape(char out[SHAPE_TEXT], const reading* r, const sheafField* f) {
  int64_t shape[4];
  int rank = sheaf_fieldShape(r->model->loaded.m, r->job->kind, &r->job->request, f, shape);
  int n = snprintf(out, SHAPE_TEXT, !f->count || r->work->nbatch == 1 ? "(%u" : "(%u or 1", r->work->nbatch);
  for (int k = 0; k < rank; k++) {
    if (is_free(r, f, k) && !shape[k]) {
      n += snprintf(out + n, (size_t)(SHAPE_TEXT - n), ", any number >= 1");
    } else {
      n += snprintf(out + n, (size_t)(SHAPE_TEXT - n), ", %" PRId64, shape[k]);
    }
  }
  snprintf(out + n, (size_t)(SHAPE_TEXT - n), rank ? ")" : ",)");
  return out;
}

static bool shape_fits(const reading* r, const sheafField* f, const srv_tensor* t) {
  int64_t shape[4];
  int rank = sheaf_fieldShape(r->model->loaded.m, r->job->kind, &r->job->request, f, shape);
  if (t->rank != 1 + rank) return false;
  if (t->shape[0] != r->work->nbatch && (t->shape[0] != 1 || !f->count)) return false;
  for (int k = 0; k < rank; k++) {
    uint64_t n = t->shape[k + 1];
    bool set = shape[k] > 0;  // by another input that has this size, too
    if (is_free(r, f, k) && !set ? n < 1 || n > INT_MAX : n != (uint64_t)shape[k]) return false;
  }
  return true;
}

// put the input's address and sizes into the engine's request
static void set_input(reading* r, const sheafField* f, const srv_tensor* t, bool shared) {
  srv_job* job = r->job;
  int count = (int)t->shape[0];
  for (int k = 0; k + 1 < t->rank; k++) {
    int n = (int)t->shape[k + 1];
    if (is_free(r, f, k)) memcpy(field_at(r, sheaf_fieldSize(job->kind, f, k)->offset), &n, sizeof n);
  }
  if (t->count == 0) return;
  memcpy(field_at(r, f->offset), &t->data, sizeof t->data);
  if (f->count) memcpy(field_at(r, f->count), &count, sizeof count);
  uint64_t row_bytes = t->count / t->shape[0] * srv_dtype_size(t->dtype);
  job->input[job->ninput++] =
      (srv_job_input){.param = -1,
                      .pointer = f->offset,
                      .count = f->count,
                      .here = shared,
                      .offset = shared ? 0 : (uint64_t)((const uint8_t*)t->data - r->call->data.bytes),
                      .row_bytes = row_bytes,
                      .stride = count == 1 ? 0 : row_bytes};
  job->unchecked |= f->type == SHEAF_TYPE_i32 || f->type == SHEAF_TYPE_times;
  job->uneven |= f->type == SHEAF_TYPE_i32;
}

// "one of a, b, c"
static const char* input_names(char* out, size_t size, const reading* r) {
  size_t n = (size_t)snprintf(out, size, "one of");
  const char* comma = "";
  for (const sheafField* f = r->row->fields; f->name && n < size; f++) {
    if (f->role != SHEAF_ROLE_INPUT) continue;
    n += (size_t)snprintf(out + n, size - n, "%s %s", comma, f->name);
    comma = ",";
  }
  return out;
}

// ---- parameters: inputs whose name begins with "params."

static const char* const param_prefix = "params.";

static const char* param_name(const char* input) {
  size_t n = strlen(param_prefix);
  return strncmp(input, param_prefix, n) ? NULL : input + n;
}

static int check_param_shape(reading* r, const srv_tensor* t, const int shape[2]) {
  char expected[SHAPE_TEXT], got[SRV_SHAPE_TEXT];
  int rank = shape[1] == 1 ? 1 : 2;
  bool fits = t->rank == 1 + rank && (t->shape[0] == r->work->nbatch || t->shape[0] == 1);
  for (int k = 0; k < rank; k++) fits = fits && t->shape[k + 1] == (uint64_t)shape[k];
  if (fits) return 0;
  int n = snprintf(expected, sizeof expected, r->work->nbatch == 1 ? "(%u" : "(%u or 1", r->work->nbatch);
  for (int k = 0; k < rank; k++) n += snprintf(expected + n, sizeof expected - (size_t)n, ", %d", shape[k]);
  snprintf(expected + n, sizeof expected - (size_t)n, ")");
  return srv_error_field(&r->error, t->name, expected, "%s", srv_shape_text(got, t->rank, t->shape));
}

static int read_param(reading* r, const srv_tensor* t) {
  srv_job* job = r->job;
  const sheafField* f = find_field(r, SHEAF_ROLE_PARAMS, "param");
  int shape[2], size = f ? sheaf_paramSize(r->model->loaded.m, param_name(t->name), shape) : -1;
  if (size < 0) {
    return srv_error_field(&r->error, "inputs", "names of parameters of the model", "\"%.100s\"", t->name);
  }
  if (t->dtype != SHEAF__DTYPE__DTYPE_F64) {
    return srv_error_field(&r->error, t->name, "F64", "%s", srv_dtype_name(t->dtype));
  }
  int err = check_param_shape(r, t, shape);
  if (err || !size) return err;
  if (job->nparam == SRV_JOB_PARAMS) {
    return srv_error_field(&r->error, "inputs", "at most 32 parameters", "more");
  }
  uint64_t row_bytes = (uint64_t)size * sizeof(mjtNum);
  job->input[job->ninput++] = (srv_job_input){.param = job->nparam,
                                              .offset = (uint64_t)((const uint8_t*)t->data - r->call->data.bytes),
                                              .row_bytes = row_bytes,
                                              .stride = t->shape[0] == 1 ? 0 : row_bytes};
  job->param[job->nparam++] = (sheafParam){param_name(t->name), t->data, (int)t->shape[0]};
  job->param_field = f->offset;
  const sheafParam* list = job->param;
  memcpy(field_at(r, f->offset), &list, sizeof list);
  memcpy(field_at(r, f->count), &job->nparam, sizeof job->nparam);
  job->unchecked = true;
  return 0;
}

// May the client write to this input while workers read it? Only if its numbers are computed with and nothing else:
// what is checked first and believed afterwards must not change in between. Requests that sample believe their seeds.
static bool may_share(const reading* r, const sheafField* f) {
  return f && f->type == SHEAF_TYPE_f64 && !find_field(r, SHEAF_ROLE_OPTION, "nsample");
}

// an array in the data section, or in the region
static int read_tensor(reading* r, const Sheaf__Tensor* from, srv_tensor* t) {
  const srv_region* region = from->in_region ? r->region : NULL;
  if (from->in_region && !region) return srv_error_field(&r->error, "region", "one for inputs that lie there", "none");
  const uint8_t* base = region ? region->memory : r->call->data.bytes;
  return srv_tensor_read(t, from, base, region ? region->bytes : r->call->data_len, r->service->limits, &r->error);
}

static int read_input(reading* r, const Sheaf__Tensor* from, uint64_t* seen) {
  char text[SHAPE_TEXT], got[SRV_SHAPE_TEXT];
  srv_tensor t;
  int err = read_tensor(r, from, &t);
  if (err) return err;
  const sheafField* f = find_field(r, SHEAF_ROLE_INPUT, t.name);
  if (from->in_region && !may_share(r, f)) {
    return srv_error_field(&r->error, t.name, "an array that is sent, because the server checks it",
                           "one in the region");
  }
  if (param_name(t.name)) return read_param(r, &t);
  if (!f) return srv_error_field(&r->error, "inputs", input_names(text, sizeof text, r), "\"%s\"", t.name);
  if (t.dtype != wire_type(r, f)) {
    return srv_error_field(&r->error, t.name, srv_dtype_name(wire_type(r, f)), "%s", srv_dtype_name(t.dtype));
  }
  if (!shape_fits(r, f, &t)) {
    return srv_error_field(&r->error, t.name, expected_shape(text, r, f), "%s", srv_shape_text(got, t.rank, t.shape));
  }
  uint64_t bit = UINT64_C(1) << (f - r->row->fields);
  if (*seen & bit) return srv_error_field(&r->error, "inputs", "each name once", "%s twice", t.name);
  *seen |= bit;
  set_input(r, f, &t, from->in_region);
  return 0;
}

static int read_inputs(reading* r) {
  uint64_t seen = 0;
  for (size_t i = 0; i < r->work->n_inputs; i++) {
    int err = read_input(r, r->work->inputs[i], &seen);
    if (err) return err;
  }
  sheafStatus status = {0};
  const sheafField* params = find_field(r, SHEAF_ROLE_PARAMS, "param");
  if (params && sheaf_checkField(r->model->loaded.m, r->job->kind, &r->job->request, params, &status)) {
    srv_job_error(&r->error, &status);
    return -status.code;
  }
  for (const sheafField* f = r->row->fields; f->name; f++) {
    char text[SHAPE_TEXT];
    if (f->role == SHEAF_ROLE_INPUT && f->when == SHEAF_WHEN_REQUIRED && !(seen >> (f - r->row->fields) & 1)) {
      return srv_error_field(&r->error, f->name, expected_shape(text, r, f), "nothing");
    }
  }
  return 0;
}

// Numbers in arrays that are still coming are looked at when they are here, and those of long ones before their slices
// are made (sched.c), because this is the loop thread.
static int check_numbers(reading* r) {
  srv_job* job = r->job;
  sheafStatus status = {0};
  if (!job->unchecked || srv_call_coming(r->call) || r->call->data_len > CHECKED_AT_ONCE) return 0;
  job->unchecked = false;
  int code = sheaf_checkNumbers(r->model->loaded.m, job->kind, &job->request, 0, job->request.any.nbatch, &status);
  if (code) srv_job_error(&r->error, &status);
  return code;
}

// ---- outputs

static bool measure(srv_job_output* out) {
  out->row_bytes = srv_dtype_size(out->dtype);
  for (int i = 0; i < out->rank; i++) {
    if (!srv_mul(out->row_bytes, out->shape[i], &out->row_bytes)) return false;
  }
  return true;
}

static int add_output(reading* r, const srv_job_output* out) {
  srv_job* job = r->job;
  for (int i = 0; i < job->noutput; i++) {
    if (!strcmp(job->output[i].name, out->name)) {
      return srv_error_field(&r->error, "outputs", "each name once", "%s twice", out->name);
    }
  }
  srv_job_output* o = &job->output[job->noutput++];
  *o = *out;
  if (!measure(o) || !srv_add(job->row_bytes, o->row_bytes, &job->row_bytes) ||
      job->row_bytes > r->service->limits->row_bytes) {
    srv_error_set(&r->error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED,
                  "outputs: expected at most %" PRIu64
                  " bytes for one row of the batch, got more; "
                  "ask for fewer steps or outputs",
                  r->service->limits->row_bytes);
    strcpy(r->error.field, "outputs");
    return -r->error.code;
  }
  return 0;
}

static void add_shape(const reading* r, const sheafField* f, srv_job_output* out) {
  int64_t shape[4];
  int rank = sheaf_fieldShape(r->model->loaded.m, r->job->kind, &r->job->request, f, shape);
  for (int k = 0; k < rank; k++) out->shape[out->rank++] = (uint64_t)shape[k];
}

static int add_field(reading* r, const sheafField* f) {
  srv_job_output out = {.name = f->name, .dtype = wire_type(r, f), .field = f->offset};
  add_shape(r, f, &out);
  return add_output(r, &out);
}

// one of the engine's outputs by name
static int add_named(reading* r, const char* name) {
  int shape[2] = {0, 1};
  sheafStatus status = {0};
  const sheafField* f = find_field(r, SHEAF_ROLE_NAMED, "output");
  if (!f) return srv_error_field(&r->error, "outputs", "names of outputs of this request", "\"%.100s\"", name);
  if (sheaf_namedShape(r->model->loaded.m, r->job->kind, name, shape, &status) < 0) {
    strcpy(status.field, "outputs");
    srv_job_error(&r->error, &status);
    return -r->error.code;
  }
  srv_job_output out = {.name = name, .dtype = wire_type(r, f)};
  r->job->noutput_field = f->offset;
  r->job->noutput_count = f->count;
  if (strncmp(name, SHEAF_NOMINAL, strlen(SHEAF_NOMINAL)) != 0) add_shape(r, f, &out);
  out.shape[out.rank++] = (uint64_t)shape[0];
  if (shape[1] != 1) out.shape[out.rank++] = (uint64_t)shape[1];
  return add_output(r, &out);
}

static int add_asked(reading* r, const char* name) {
  const sheafField* f = find_field(r, SHEAF_ROLE_OUTPUT, name);
  if (!f) return add_named(r, name);
  return f->when == SHEAF_WHEN_ALWAYS ? 0 : add_field(r, f);
}

// the outputs that come when none is asked for, and those that always come
static int add_unasked(reading* r, const sheafField* f, bool none) {
  if (f->role == SHEAF_ROLE_NAMED) return none && f->text[0] ? add_named(r, f->text) : 0;
  bool comes = f->when == SHEAF_WHEN_ALWAYS || (f->when == SHEAF_WHEN_DEFAULT && none);
  return f->role == SHEAF_ROLE_OUTPUT && comes ? add_field(r, f) : 0;
}

static int read_outputs(reading* r) {
  size_t n = r->work->n_outputs, nfield = 0;
  while (r->row->fields[nfield].name) nfield++;
  r->job->output = srv_arena_alloc(&r->call->arena, (n + nfield) * sizeof *r->job->output);
  if (!r->job->output) return srv_error_set(&r->error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
  int err = 0;
  for (size_t i = 0; !err && i < n; i++) err = add_asked(r, r->work->outputs[i]);
  for (const sheafField* f = r->row->fields; !err && f->name; f++) err = add_unasked(r, f, n == 0);
  return err;
}

// ---- places: outputs that the client reads from memory that it shares with us

static srv_job_output* find_output(const reading* r, const char* name) {
  for (int i = 0; i < r->job->noutput; i++) {
    if (!strcmp(r->job->output[i].name, name)) return &r->job->output[i];
  }
  return NULL;
}

static int read_place(reading* r, srv_region* region, const Sheaf__Place* from) {
  srv_job_output* out = find_output(r, from->output);
  uint64_t bytes, end;
  if (!out || out->dtype == SHEAF__DTYPE__DTYPE_I32 || out->place) {
    return srv_error_field(&r->error, "places", "each output of real numbers once", "\"%.100s\"", from->output);
  }
  bool fits = srv_mul(out->row_bytes, r->work->nbatch, &bytes) && srv_add(from->offset, bytes, &end);
  if (!fits || end > region->bytes || from->offset % sizeof(double)) {
    return srv_error_field(&r->error, out->name, "a place inside the region, at a multiple of 8",
                           "offset %" PRIu64 " of %" PRIu64 " bytes", from->offset, region->bytes);
  }
  out->place = region->memory + from->offset;
  r->job->row_bytes -= out->row_bytes;
  return 0;
}

static int find_region(reading* r) {
  uint64_t id = r->work->region;
  r->region = id ? srv_region_find(r->call->conn, id) : NULL;
  if (!id || r->region) return 0;
  srv_error_set(&r->error, SHEAF__CODE__CODE_NOT_FOUND, "region: no such region on this connection");
  strcpy(r->error.field, "region");
  return -r->error.code;
}

static int read_places(reading* r) {
  const Sheaf__Work* w = r->work;
  srv_region* region = r->region;
  if (!region && w->n_places) return srv_error_field(&r->error, "places", "none without a region", "%zu", w->n_places);
  int err = 0;
  for (size_t i = 0; !err && i < w->n_places; i++) err = read_place(r, region, w->places[i]);
  if (err || !region) return err;
  r->job->region = region;
  region->refs++;
  return 0;
}

// ---- how to run it

static void set_deadline(reading* r) {
  const srv_limits* limits = r->service->limits;
  uint64_t asked = r->work->timeout_us, most = (uint64_t)limits->deadline_most_ms * 1000;
  r->job->patient = !asked;
  if (!asked) asked = (uint64_t)limits->deadline_ms * 1000;
  r->job->deadline = r->call->arrived + 1000 * (asked < most ? asked : most);
}

static int check_priority(reading* r) {
  int most = r->call->conn->who->may.priority - 1;  // counted from 0 for low
  if (r->work->priority <= most) return 0;
  srv_error_set(&r->error, SHEAF__CODE__CODE_PERMISSION_DENIED,
                "priority: identity \"%s\" may ask for at most %d, not %d", r->call->conn->who->name, most,
                r->work->priority);
  strcpy(r->error.field, "priority");
  return -r->error.code;
}

// the cost of a row of the batch: work, and memory in addition to its arrays
static int measure_rows(reading* r) {
  double units, bytes, most = 4e18 / r->work->nbatch;
  sheaf_requestSize(r->model->loaded.m, r->job->kind, &r->job->request, &units, &bytes);
  if (units > most) return srv_error_field(&r->error, "nstep", "fewer steps", "%.3g for a row", units);
  if (bytes > (double)r->service->limits->row_bytes) {
    srv_error_set(&r->error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED,
                  "a row of the batch needs %.3g bytes of memory, expected at most %" PRIu64
                  "; ask for fewer steps, knots or samples",
                  bytes, r->service->limits->row_bytes);
    return -r->error.code;
  }
  const sheafField* samples = find_field(r, SHEAF_ROLE_OPTION, "nsample");
  r->job->row_width = 1;
  if (samples) memcpy(&r->job->row_width, field_at(r, samples->offset), sizeof r->job->row_width);
  if (r->job->row_width < 1) r->job->row_width = 1;
  r->job->row_units = (uint64_t)units;
  r->job->work_bytes = (uint64_t)bytes;
  return 0;
}

void srv_req_compute(srv_service* service, srv_call* call, const void* unpacked) {
  int kind = sheaf_message_kind(call->type);
  reading r = {.service = service,
               .call = call,
               .message = unpacked,
               .work = sheaf_message_work(unpacked),
               .row = sheaf_requestInfo(kind)};
  if (r.work) call->trace = r.work->traceparent;
  if (r.work && r.work->model.len == SHEAF_HASH_BYTES) call->model = r.work->model.data;
  if (check_work(&r) || check_priority(&r) || srv_admit_call(service, call, r.model, &r.error) || make_job(&r, kind) ||
      find_region(&r) || read_options(&r) || read_columns(&r) || measure_rows(&r) || read_inputs(&r) ||
      check_numbers(&r) || read_outputs(&r) || read_places(&r)) {
    free(r.job);
    srv_call_fail(call, &r.error);
    return;
  }
  srv_job* job = r.job;
  job->priority = r.work->priority;
  job->progress = r.work->progress;
  job->partial = r.work->partial;
  set_deadline(&r);
  call->work = job;
  if (srv_admit_job(service, job, job->deadline - call->arrived, &r.error) ||
      srv_sched_add(service->sched, job, &r.error)) {
    call->work = NULL;
    srv_region_unref(job->region);
    free(job);
    srv_call_fail(call, &r.error);
  }
}

void srv_req_compute_stop(srv_service* service, srv_call* call, const srv_error* error) {
  srv_sched_fail(service->sched, call->work, error);
}
