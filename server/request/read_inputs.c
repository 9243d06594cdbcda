// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Inputs of a compute request.
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "request/reading.h"

enum { SHAPE_TEXT = 160 };

// does the dimension come with the array?
static bool is_free(const srv_reading* r, const sheafField* f, int k) {
  const sheafField* size = sheaf_fieldSize(r->job->kind, f, k);
  return size && size->role == SHEAF_ROLE_SIZE;
}

// "(4 or 1, 21)"
static const char* expected_shape(char out[SHAPE_TEXT], const srv_reading* r, const sheafField* f) {
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

static bool shape_fits(const srv_reading* r, const sheafField* f, const srv_tensor* t) {
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

// An array without numbers, as controls of a model that has none: it is there, and one row of it serves all.
static void set_empty(srv_reading* r, const sheafField* f) {
  static const mjtNum none = 0;
  const mjtNum* at = &none;
  int one = 1;
  if (!f->count) return;
  memcpy(srv_reading_at(r, f->offset), &at, sizeof at);
  memcpy(srv_reading_at(r, f->count), &one, sizeof one);
}

// put the input's address and sizes into the engine's request
static void set_input(srv_reading* r, const sheafField* f, const srv_tensor* t, bool shared) {
  srv_job* job = r->job;
  int count = (int)t->shape[0];
  for (int k = 0; k + 1 < t->rank; k++) {
    int n = (int)t->shape[k + 1];
    if (is_free(r, f, k)) memcpy(srv_reading_at(r, sheaf_fieldSize(job->kind, f, k)->offset), &n, sizeof n);
  }
  if (t->count == 0) {
    set_empty(r, f);
    return;
  }
  memcpy(srv_reading_at(r, f->offset), &t->data, sizeof t->data);
  if (f->count) memcpy(srv_reading_at(r, f->count), &count, sizeof count);
  uint64_t row_bytes = t->count / t->shape[0] * srv_dtype_size(t->dtype);
  job->input[job->ninput++] =
      (srv_job_input){.param = -1,
                      .pointer = f->offset,
                      .count = f->count,
                      .here = shared,
                      .offset = shared ? 0 : (uint64_t)((const uint8_t*)t->data - r->call->data.bytes),
                      .row_bytes = row_bytes,
                      .stride = count == 1 ? 0 : row_bytes};
  job->checks |= f->type == SHEAF_TYPE_i32 || f->type == SHEAF_TYPE_times;
  job->uneven |= f->type == SHEAF_TYPE_i32;
}

// "one of a, b, c"
static const char* input_names(char* out, size_t size, const srv_reading* r) {
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

static int check_param_shape(srv_reading* r, const srv_tensor* t, const int shape[2]) {
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

static int read_param(srv_reading* r, const srv_tensor* t) {
  srv_job* job = r->job;
  const sheafField* f = srv_reading_field(r, SHEAF_ROLE_PARAMS, "param");
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
  memcpy(srv_reading_at(r, f->offset), &list, sizeof list);
  memcpy(srv_reading_at(r, f->count), &job->nparam, sizeof job->nparam);
  job->checks = true;
  return 0;
}

// May the client write to this input while workers read it? Only if its numbers are computed with and nothing else:
// what is checked first and believed afterwards must not change in between. Requests that sample believe their seeds.
static bool may_share(const srv_reading* r, const sheafField* f) {
  return f && f->type == SHEAF_TYPE_f64 && !srv_reading_field(r, SHEAF_ROLE_OPTION, "nsample");
}

// an array in the data section, or in the region
static int read_tensor(srv_reading* r, const Sheaf__Tensor* from, srv_tensor* t) {
  const srv_region* region = from->in_region ? r->region : NULL;
  if (from->in_region && !region) return srv_error_field(&r->error, "region", "one for inputs that lie there", "none");
  const uint8_t* base = region ? region->memory : r->call->data.bytes;
  return srv_tensor_read(t, from, base, region ? region->bytes : r->call->data_len, r->service->limits, &r->error);
}

static int read_input(srv_reading* r, const Sheaf__Tensor* from, uint64_t* seen) {
  char text[SHAPE_TEXT], got[SRV_SHAPE_TEXT];
  srv_tensor t;
  int err = read_tensor(r, from, &t);
  if (err) return err;
  const sheafField* f = srv_reading_field(r, SHEAF_ROLE_INPUT, t.name);
  if (from->in_region && !may_share(r, f)) {
    return srv_error_field(&r->error, t.name, "an array that is sent, because the server checks it",
                           "one in the region");
  }
  if (param_name(t.name)) return read_param(r, &t);
  if (!f) return srv_error_field(&r->error, "inputs", input_names(text, sizeof text, r), "\"%s\"", t.name);
  if (t.dtype != srv_reading_type(r, f)) {
    return srv_error_field(&r->error, t.name, srv_dtype_name(srv_reading_type(r, f)), "%s", srv_dtype_name(t.dtype));
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

int srv_read_inputs(srv_reading* r) {
  uint64_t seen = 0;
  for (size_t i = 0; i < r->work->n_inputs; i++) {
    int err = read_input(r, r->work->inputs[i], &seen);
    if (err) return err;
  }
  r->job->unchecked = r->job->checks;
  sheafStatus status = {0};
  const sheafField* params = srv_reading_field(r, SHEAF_ROLE_PARAMS, "param");
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
