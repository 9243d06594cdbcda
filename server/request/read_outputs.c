// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Outputs of a compute request.
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "request/reading.h"
#include "requests.h"

static bool measure(srv_job_output* out) {
  out->row_bytes = srv_dtype_size(out->dtype);
  for (int i = 0; i < out->rank; i++) {
    if (!srv_mul(out->row_bytes, out->shape[i], &out->row_bytes)) return false;
  }
  return true;
}

static int add_output(srv_reading* r, const srv_job_output* out) {
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

static void add_shape(const srv_reading* r, const sheafField* f, srv_job_output* out) {
  int64_t shape[4];
  int rank = sheaf_fieldShape(r->model->loaded.m, r->job->kind, &r->job->request, f, shape);
  for (int k = 0; k < rank; k++) out->shape[out->rank++] = (uint64_t)shape[k];
}

static int add_field(srv_reading* r, const sheafField* f) {
  srv_job_output out = {.name = f->name, .dtype = srv_reading_type(r, f), .field = f->offset};
  add_shape(r, f, &out);
  return add_output(r, &out);
}

// one of the engine's outputs by name
static int add_named(srv_reading* r, const char* name) {
  int shape[2] = {0, 1};
  sheafStatus status = {0};
  const sheafField* f = srv_reading_field(r, SHEAF_ROLE_NAMED, "output");
  if (!f) return srv_error_field(&r->error, "outputs", "names of outputs of this request", "\"%.100s\"", name);
  if (sheaf_namedShape(r->model->loaded.m, r->job->kind, name, shape, &status) < 0) {
    strcpy(status.field, "outputs");
    srv_job_error(&r->error, &status);
    return -r->error.code;
  }
  srv_job_output out = {.name = name, .dtype = srv_reading_type(r, f)};
  r->job->noutput_field = f->offset;
  r->job->noutput_count = f->count;
  if (strncmp(name, SHEAF_NOMINAL, strlen(SHEAF_NOMINAL)) != 0) add_shape(r, f, &out);
  out.shape[out.rank++] = (uint64_t)shape[0];
  if (shape[1] != 1) out.shape[out.rank++] = (uint64_t)shape[1];
  return add_output(r, &out);
}

static int add_asked(srv_reading* r, const char* name) {
  const sheafField* f = srv_reading_field(r, SHEAF_ROLE_OUTPUT, name);
  if (!f) return add_named(r, name);
  return f->when == SHEAF_WHEN_ALWAYS ? 0 : add_field(r, f);
}

// the outputs that come when none is asked for, and those that always come
static int add_unasked(srv_reading* r, const sheafField* f, bool none) {
  if (f->role == SHEAF_ROLE_NAMED) return none && f->text[0] ? add_named(r, f->text) : 0;
  bool comes = f->when == SHEAF_WHEN_ALWAYS || (f->when == SHEAF_WHEN_DEFAULT && none);
  return f->role == SHEAF_ROLE_OUTPUT && comes ? add_field(r, f) : 0;
}

int srv_read_outputs(srv_reading* r) {
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

static srv_job_output* find_output(const srv_reading* r, const char* name) {
  for (int i = 0; i < r->job->noutput; i++) {
    if (!strcmp(r->job->output[i].name, name)) return &r->job->output[i];
  }
  return NULL;
}

static int read_place(srv_reading* r, srv_region* region, const Sheaf__Place* from) {
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

int srv_read_places(srv_reading* r) {
  const Sheaf__Work* w = r->work;
  srv_region* region = r->region;
  if (!region && w->n_places) return srv_error_field(&r->error, "places", "none without a region", "%zu", w->n_places);
  int err = 0;
  for (size_t i = 0; !err && i < w->n_places; i++) err = read_place(r, region, w->places[i]);
  return err;
}
