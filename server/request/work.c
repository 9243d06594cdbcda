// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "request/work.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "request/handlers.h"

void srv_work_fail(srv_work* w) {
  free(w->job);
  srv_call_fail(w->call, &w->error);
}

void srv_work_refuse(srv_work* w, const char* field, const char* expected, double got) {
  srv_error_field(&w->error, field, expected, "%g", got);
  srv_work_fail(w);
}

// ---- begin

static int find_model(srv_work* w) {
  if (w->work->model.len != SHEAF_HASH_BYTES) {
    return srv_error_field(&w->error, "model", "a hash of 32 bytes", "%zu", w->work->model.len);
  }
  w->model = srv_registry_find(w->service->registry, w->work->model.data);
  if (w->model) return 0;
  srv_error_set(&w->error, SHEAF__CODE__CODE_NOT_FOUND, "model: no such model here; put it");
  strcpy(w->error.field, "model");
  return -w->error.code;
}

static int check_work(srv_work* w) {
  if (w->work->nbatch < 1 || w->work->nbatch > INT_MAX) {
    return srv_error_field(&w->error, "nbatch", "1 to 2147483647", "%u", w->work->nbatch);
  }
  if (w->work->priority < -1 || w->work->priority > 1) {
    return srv_error_field(&w->error, "priority", "-1, 0 or 1", "%d", w->work->priority);
  }
  if (w->work->n_inputs > w->service->limits->tensors) {
    return srv_error_field(&w->error, "inputs", "at most 32 tensors", "%zu", w->work->n_inputs);
  }
  if (w->work->n_outputs > w->service->limits->outputs) {
    return srv_error_field(&w->error, "outputs", "at most 64 names", "%zu", w->work->n_outputs);
  }
  return find_model(w);
}

static void set_sizes(uint64_t size[SRV_DIM_COUNT], const srv_model* model) {
  const mjModel* m = model->m;
  size[SRV_DIM_ONE] = 1, size[SRV_DIM_3] = 3, size[SRV_DIM_4] = 4, size[SRV_DIM_6] = 6;
  size[SRV_DIM_NQ] = (uint64_t)m->nq;
  size[SRV_DIM_NV] = (uint64_t)m->nv;
  size[SRV_DIM_NU] = size[SRV_DIM_NCONTROL] = (uint64_t)m->nu;
  size[SRV_DIM_NA] = (uint64_t)m->na;
  size[SRV_DIM_NBODY] = (uint64_t)m->nbody;
  size[SRV_DIM_NMOCAP] = (uint64_t)m->nmocap;
  size[SRV_DIM_NSTATE] = (uint64_t)model->nstate;
  size[SRV_DIM_NSENSORDATA] = (uint64_t)m->nsensordata;
  size[SRV_DIM_NDX] = (uint64_t)(2 * m->nv + m->na);
}

bool srv_work_begin(srv_work* w, srv_service* service, srv_call* call, const srv_work_table* table,
                    const Sheaf__Work* work) {
  *w = (srv_work){.service = service, .call = call, .table = table, .work = work};
  if (!work) {
    srv_error_field(&w->error, "work", "a Work message", "none");
  } else if (!check_work(w)) {
    w->job = calloc(1, sizeof *w->job);
    if (w->job) {
      w->job->call = call;
      w->job->model = w->model;
      w->job->kind = table->kind;
      w->job->request.any.size = table->size;
      w->job->request.any.nbatch = (int)work->nbatch;
      w->job->noutput_field = table->named;
      set_sizes(w->size, w->model);
      return true;
    }
    srv_error_busy(&w->error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 100000, "out of memory");
  }
  srv_work_fail(w);
  return false;
}

// ---- inputs

// "(4 or 1, 21)"
static const char* expected_shape(char out[SRV_SHAPE_TEXT], const srv_work* w, const srv_input_row* row) {
  int n = snprintf(out, SRV_SHAPE_TEXT, row->count < 0 || w->work->nbatch == 1 ? "(%u" : "(%u or 1", w->work->nbatch);
  bool single = true;
  for (int i = 0; i < 2 && row->shape[i]; i++) {
    single = false;
    if (row->shape[i] == SRV_DIM_ANY) {
      n += snprintf(out + n, (size_t)(SRV_SHAPE_TEXT - n), ", any number >= 1");
    } else {
      n += snprintf(out + n, (size_t)(SRV_SHAPE_TEXT - n), ", %" PRIu64, w->size[row->shape[i]]);
    }
  }
  snprintf(out + n, (size_t)(SRV_SHAPE_TEXT - n), single ? ",)" : ")");
  return out;
}

static bool shape_fits(const srv_work* w, const srv_input_row* row, const srv_tensor* t) {
  int rank = 1 + (row->shape[0] != 0) + (row->shape[1] != 0);
  if (t->rank != rank) return false;
  bool single = t->shape[0] == 1 && row->count >= 0;
  if (t->shape[0] != w->work->nbatch && !single) return false;
  for (int i = 1; i < rank; i++) {
    srv_dim dim = row->shape[i - 1];
    bool fits = dim == SRV_DIM_ANY ? t->shape[i] >= 1 && t->shape[i] <= INT_MAX : t->shape[i] == w->size[dim];
    if (!fits) return false;
  }
  return true;
}

// put the input's address and number of rows into the engine's request
static void set_input(srv_work* w, const srv_input_row* row, const srv_tensor* t) {
  srv_job* job = w->job;
  char* request = (char*)&job->request;
  int count = (int)t->shape[0];
  if (t->count == 0) return;
  memcpy(request + row->pointer, &t->data, sizeof t->data);
  if (row->count >= 0) memcpy(request + row->count, &count, sizeof count);
  bool shared = t->shape[0] == 1;
  uint64_t row_bytes = t->count / t->shape[0] * srv_dtype_size(t->dtype);
  job->input[job->ninput++] = (srv_job_input){
      .pointer = row->pointer, .count = row->count, .offset = (uint64_t)((const uint8_t*)t->data - w->call->data),
      .row_bytes = row_bytes, .stride = shared ? 0 : row_bytes};
  if (row->check) job->check = row->check;

  // the number of control rows belongs to the request, not to the batch
  if (row->shape[0] == SRV_DIM_ANY) job->request.rollout.ncontrolstep = (int)t->shape[1];
}

static const srv_input_row* find_input(const srv_work_table* table, const char* name) {
  const srv_input_row* row = table->inputs;
  while (row->name && strcmp(row->name, name)) row++;
  return row->name ? row : NULL;
}

// "one of a, b, c"
static const char* input_names(char* out, size_t size, const srv_work_table* table) {
  size_t n = (size_t)snprintf(out, size, "one of");
  for (const srv_input_row* row = table->inputs; row->name && n < size; row++) {
    n += (size_t)snprintf(out + n, size - n, "%s %s", row == table->inputs ? "" : ",", row->name);
  }
  return out;
}

static int read_input(srv_work* w, const Sheaf__Tensor* from, uint32_t* seen) {
  char text[160], got[SRV_SHAPE_TEXT];
  srv_tensor t;
  int err = srv_tensor_read(&t, from, w->call->data, w->call->data_len, w->service->limits, &w->error);
  if (err) return err;
  const srv_input_row* row = find_input(w->table, t.name);
  if (!row) {
    return srv_error_field(&w->error, "inputs", input_names(text, sizeof text, w->table), "\"%s\"", t.name);
  }
  if (t.dtype != row->dtype) {
    return srv_error_field(&w->error, t.name, srv_dtype_name(row->dtype), "%s", srv_dtype_name(t.dtype));
  }
  if (!shape_fits(w, row, &t)) {
    return srv_error_field(&w->error, t.name, expected_shape(text, w, row), "%s",
                           srv_shape_text(got, t.rank, t.shape));
  }
  uint32_t bit = 1u << (row - w->table->inputs);
  if (*seen & bit) return srv_error_field(&w->error, "inputs", "each name once", "%s twice", t.name);
  *seen |= bit;
  set_input(w, row, &t);
  return 0;
}

static int read_inputs(srv_work* w) {
  uint32_t seen = 0;
  for (size_t i = 0; i < w->work->n_inputs; i++) {
    int err = read_input(w, w->work->inputs[i], &seen);
    if (err) return err;
  }
  for (const srv_input_row* row = w->table->inputs; row->name; row++) {
    char text[SRV_SHAPE_TEXT];
    if (row->required && !(seen >> (row - w->table->inputs) & 1)) {
      return srv_error_field(&w->error, row->name, expected_shape(text, w, row), "nothing");
    }
  }
  return 0;
}

// ---- outputs

static bool measure(srv_job_output* out) {
  out->row_bytes = srv_dtype_size(out->dtype);
  for (int i = 0; i < out->rank; i++) {
    if (!srv_mul(out->row_bytes, out->shape[i], &out->row_bytes)) return false;
  }
  return true;
}

static int add_output(srv_work* w, const srv_job_output* out) {
  srv_job* job = w->job;
  for (int i = 0; i < job->noutput; i++) {
    if (!strcmp(job->output[i].name, out->name)) {
      return srv_error_field(&w->error, "outputs", "each name once", "%s twice", out->name);
    }
  }
  srv_job_output* o = &job->output[job->noutput++];
  *o = *out;
  if (!measure(o) || !srv_add(job->row_bytes, o->row_bytes, &job->row_bytes) ||
      job->row_bytes > w->service->limits->row_bytes) {
    srv_error_set(&w->error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED,
                  "outputs: expected at most %" PRIu64 " bytes for one row of the batch, got more; "
                  "ask for fewer steps or outputs", w->service->limits->row_bytes);
    strcpy(w->error.field, "outputs");
    return -w->error.code;
  }
  return 0;
}

static int add_table_output(srv_work* w, const srv_output_row* row) {
  srv_job_output out = {.name = row->name, .dtype = row->dtype, .field = row->field};
  for (int i = 0; i < 3 && row->shape[i]; i++) out.shape[out.rank++] = w->size[row->shape[i]];
  return add_output(w, &out);
}

// one of the engine's outputs; for a rollout there is one per step
static int add_named_output(srv_work* w, const char* name) {
  int shape[2] = {0, 1};
  srv_job_output out = {.name = name, .dtype = SHEAF__DTYPE__DTYPE_F64, .field = -1};
  if (w->table->named < 0 || sheaf_outputSize(w->model->m, name, shape) < 0) {
    return srv_error_field(&w->error, "outputs", "names of outputs of this request", "\"%.100s\"", name);
  }
  if (w->size[SRV_DIM_NSTEP]) out.shape[out.rank++] = w->size[SRV_DIM_NSTEP];
  out.shape[out.rank++] = (uint64_t)shape[0];
  if (shape[1] != 1) out.shape[out.rank++] = (uint64_t)shape[1];
  return add_output(w, &out);
}

static int add_asked_output(srv_work* w, const char* name) {
  for (const srv_output_row* row = w->table->outputs; row->name; row++) {
    if (strcmp(row->name, name) || row->field < 0) continue;
    return row->when == SRV_OUT_ALWAYS ? 0 : add_table_output(w, row);
  }
  return add_named_output(w, name);
}

static int add_default_output(srv_work* w, const srv_output_row* row) {
  return row->field < 0 ? add_named_output(w, row->name) : add_table_output(w, row);
}

static int read_outputs(srv_work* w) {
  size_t n = w->work->n_outputs, nrow = 0;
  while (w->table->outputs[nrow].name) nrow++;
  w->job->output = srv_arena_alloc(&w->call->arena, (n + nrow) * sizeof *w->job->output);
  if (!w->job->output) return srv_error_set(&w->error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
  int err = 0;
  for (size_t i = 0; !err && i < n; i++) err = add_asked_output(w, w->work->outputs[i]);
  for (const srv_output_row* row = w->table->outputs; !err && row->name; row++) {
    bool wanted = row->when == SRV_OUT_ALWAYS || (row->when == SRV_OUT_DEFAULT && n == 0);
    if (wanted) err = add_default_output(w, row);
  }
  return err;
}

// ---- finish

void srv_work_finish(srv_work* w) {
  srv_job* job = w->job;
  bool bad = read_inputs(w) || read_outputs(w);
  if (!bad && job->check && !w->call->coming) {
    bad = job->check(job, &w->error);
    job->check = NULL;
  }
  if (bad) {
    srv_work_fail(w);
    return;
  }
  uint64_t steps = w->size[SRV_DIM_NSTEP], total;
  job->row_units = steps ? steps : 1;
  job->priority = w->work->priority;
  job->progress = w->work->progress;
  if (w->work->timeout_us) {
    // a time past the end of the clock is no limit
    bool fits = srv_mul(w->work->timeout_us, 1000, &total) && srv_add(total, w->call->arrived, &total);
    job->deadline = fits ? total : 0;
  }
  w->call->work = job;
  srv_sched_add(w->service->sched, job);
}

void srv_req_work_stop(srv_service* service, srv_call* call, const srv_error* error) {
  srv_sched_fail(service->sched, call->work, error);
}
