// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The requests of sheaf/request_table.h: a message and its tensors become a job, by the rows of the table.
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs/ending.h"
#include "jobs/repeat.h"
#include "request/admission.h"
#include "request/handlers.h"
#include "request/reading.h"
#include "requests.h"

// ---- begin

static int find_model(srv_reading* r) {
  if (r->work->model.len != SHEAF_HASH_BYTES) {
    return srv_error_field(&r->error, "model", "a hash of 32 bytes", "%zu", r->work->model.len);
  }
  r->model = srv_service_model(r->service, r->call, r->work->model.data);
  if (r->model) return 0;
  srv_error_set(&r->error, SHEAF__CODE__CODE_NOT_FOUND, "model: no such model here; put it");
  strcpy(r->error.field, "model");
  return -r->error.code;
}

static int check_work(srv_reading* r) {
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

static int make_job(srv_reading* r, int kind) {
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

static int read_option(srv_reading* r, const sheafField* f) {
  double value = 0;
  sheaf_message_get(r->message, f->name, &value);
  if (f->type == SHEAF_TYPE_real) {
    memcpy(srv_reading_at(r, f->offset), &value, sizeof value);
    return 0;
  }
  if (f->type == SHEAF_TYPE_int && (value < INT_MIN || value > INT_MAX)) {
    char expected[64];
    snprintf(expected, sizeof expected, "%.10g to %.10g", f->least, f->most);
    return srv_error_field(&r->error, f->name, expected, "%.10g", value);
  }
  unsigned bits = (unsigned)(int64_t)value;
  memcpy(srv_reading_at(r, f->offset), &bits, sizeof bits);
  return 0;
}

static int read_options(srv_reading* r) {
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

// their list stays in the message, which lives as long as the job
static int read_columns(srv_reading* r) {
  sheafStatus status = {0};
  const sheafField* f = srv_reading_field(r, SHEAF_ROLE_COLUMNS, "column");
  size_t n = 0;
  const int32_t* list = f ? sheaf_message_list(r->message, "columns", &n) : NULL;
  int count = n < INT_MAX ? (int)n : INT_MAX;
  if (!n) return 0;
  memcpy(srv_reading_at(r, f->offset), &list, sizeof list);
  memcpy(srv_reading_at(r, f->count), &count, sizeof count);
  if (!sheaf_checkField(r->model->loaded.m, r->job->kind, &r->job->request, f, &status)) return 0;
  srv_job_error(&r->error, &status);
  return -status.code;
}

// ---- numbers

enum { CHECKED_AT_ONCE = 256 << 10 };

// Numbers in arrays that are still coming are looked at when they are here, and those of long ones before their slices
// are made (sched.c), because this is the loop thread.
static int check_numbers(srv_reading* r) {
  srv_job* job = r->job;
  sheafStatus status = {0};
  if (!job->unchecked || srv_call_coming(r->call) || r->call->data_len > CHECKED_AT_ONCE) return 0;
  job->unchecked = false;
  int code = sheaf_checkNumbers(r->model->loaded.m, job->kind, &job->request, 0, job->request.any.nbatch, &status);
  if (code) srv_job_error(&r->error, &status);
  return code;
}

// ---- shared memory

static int find_region(srv_reading* r) {
  uint64_t id = r->work->region;
  r->region = id ? srv_region_find(r->call->conn, id) : NULL;
  if (!id || r->region) return 0;
  srv_error_set(&r->error, SHEAF__CODE__CODE_NOT_FOUND, "region: no such region on this connection");
  strcpy(r->error.field, "region");
  return -r->error.code;
}

// ---- how to run it

static void set_deadline(srv_reading* r) {
  const srv_limits* limits = r->service->limits;
  uint64_t asked = r->work->timeout_us, most = (uint64_t)limits->deadline_most_ms * 1000;
  r->job->patient = !asked || asked >= most;
  if (!asked) asked = (uint64_t)limits->deadline_ms * 1000;
  r->job->deadline = r->call->arrived + 1000 * (asked < most ? asked : most);
}

static int check_priority(srv_reading* r) {
  int most = r->call->conn->who->may.priority - 1;  // counted from 0 for low
  if (r->work->priority <= most) return 0;
  srv_error_set(&r->error, SHEAF__CODE__CODE_PERMISSION_DENIED,
                "priority: identity \"%s\" may ask for at most %d, not %d", r->call->conn->who->name, most,
                r->work->priority);
  strcpy(r->error.field, "priority");
  return -r->error.code;
}

// the cost of a row of the batch: work, and memory in addition to its arrays
static int measure_rows(srv_reading* r) {
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
  const sheafField* samples = srv_reading_field(r, SHEAF_ROLE_OPTION, "nsample");
  r->job->row_width = 1;
  if (samples) memcpy(&r->job->row_width, srv_reading_at(r, samples->offset), sizeof r->job->row_width);
  if (r->job->row_width < 1) r->job->row_width = 1;
  r->job->row_units = (uint64_t)units;
  r->job->work_bytes = (uint64_t)bytes;
  return 0;
}

// the job is read, and goes to the scheduler
static void begin(srv_reading* r) {
  srv_job* job = r->job;
  job->region = r->region;
  if (r->region) r->region->refs++;
  set_deadline(r);
  r->call->work = job;
  srv_call_hold(r->call, sizeof *r->call + srv_job_bytes(job));
  if (!srv_admit_job(r->service, job, job->deadline - r->call->arrived, &r->error) &&
      !srv_sched_add(r->service->sched, job, &r->error)) {
    return;
  }
  r->call->work = NULL;
  srv_region_unref(job->region);
  srv_call_fail(r->call, &r->error);
  srv_job_free(job);
}

// what the report of the call names
static void name_work(const srv_reading* r) {
  if (!r->work) return;
  r->call->trace = r->work->traceparent;
  if (r->work->model.len == SHEAF_HASH_BYTES) r->call->model = r->work->model.data;
}

void srv_req_compute(srv_service* service, srv_call* call, const void* unpacked) {
  int kind = sheaf_message_kind(call->type);
  srv_reading r = {.service = service,
                   .call = call,
                   .message = unpacked,
                   .work = sheaf_message_work(unpacked),
                   .row = sheaf_requestInfo(kind)};
  name_work(&r);
  if (check_work(&r) || check_priority(&r) || srv_admit_call(service, call, r.model, &r.error) || make_job(&r, kind) ||
      find_region(&r) || read_options(&r) || read_columns(&r) || measure_rows(&r) || srv_read_inputs(&r) ||
      check_numbers(&r) || srv_read_outputs(&r) || srv_read_places(&r)) {
    srv_job_free(r.job);
    srv_call_fail(call, &r.error);
    return;
  }
  r.job->priority = r.work->priority;
  r.job->progress = r.work->progress;
  r.job->partial = r.work->partial;
  srv_job_read(r.job, r.work);
  begin(&r);
}

bool srv_req_compute_again(srv_service* service, srv_call* call) {
  srv_job* job = srv_job_again(call);
  if (!job) return false;
  srv_reading r = {.service = service, .call = call, .work = job->work, .job = job};
  name_work(&r);
  if (find_model(&r) || check_priority(&r) || srv_admit_call(service, call, r.model, &r.error) || find_region(&r) ||
      check_numbers(&r)) {
    srv_call_fail(call, &r.error);
    srv_job_free(job);
    return true;
  }
  job->model = r.model;
  begin(&r);
  return true;
}

void srv_req_compute_stop(srv_service* service, srv_call* call, const srv_error* error) {
  srv_ending_fail(service->sched, call->work, error);
}
