// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/job.h"
#include "jobs/repeat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire_frame.h"
#include "sheaf.pb-c.h"

// ---- errors

void srv_job_error(srv_error* e, const sheafStatus* status) {
  const char *message = status->message, *got = strstr(message, ", got ");
  char expected[sizeof e->expected];
  if (status->field[0] && got && !strncmp(message, "expected ", 9)) {
    snprintf(expected, sizeof expected, "%.*s", (int)(got - message - 9), message + 9);
    srv_error_field(e, status->field, expected, "%s", got + 6);
    e->code = status->code;
    return;
  }
  srv_error_set(e, status->code ? status->code : SHEAF__CODE__CODE_INTERNAL, "%s",
                message[0] ? message : "the engine gave up");
  snprintf(e->field, sizeof e->field, "%s", status->field);
}

// ---- making

// of the arrays that are sent
static uint64_t result_size(const srv_job* job, int n) {
  uint64_t bytes = 0;
  for (int i = 0; i < job->noutput; i++) {
    if (!job->output[i].place) bytes += sheaf_frame_align(job->output[i].row_bytes * (uint64_t)n);
  }
  return bytes;
}

uint64_t srv_slice_size(const srv_job* job, int n) { return result_size(job, n) + job->work_bytes * (uint64_t)n; }

// the address field at an offset of a request
static void set_pointer(void* request, size_t offset, const void* value) {
  memcpy((char*)request + offset, &value, sizeof value);
}

static void set_int(void* request, size_t offset, int value) { memcpy((char*)request + offset, &value, sizeof value); }

// inputs that have a row for each row of the batch start at the slice's first
static void point_inputs(srv_slice* s, const srv_job* job) {
  memcpy(s->param, job->param, (size_t)job->nparam * sizeof *s->param);
  if (job->nparam) set_pointer(&s->request, job->param_field, s->param);
  for (int i = 0; i < job->ninput; i++) {
    const srv_job_input* in = &job->input[i];
    if (!in->stride) continue;
    if (in->param >= 0) {
      sheafParam* p = &s->param[in->param];
      p->data = (const mjtNum*)((const char*)p->data + in->stride * (uint64_t)s->first);
      p->nrow = s->count;
      continue;
    }
    const char* base;
    memcpy(&base, (const char*)&job->request + in->pointer, sizeof base);
    set_pointer(&s->request, in->pointer, base + in->stride * (uint64_t)s->first);
    if (in->count) set_int(&s->request, in->count, s->count);
  }
}

static void point_outputs(srv_slice* s, const srv_job* job) {
  uint64_t offset = 0;
  int nnamed = 0;
  for (int i = 0; i < job->noutput; i++) {
    const srv_job_output* out = &job->output[i];
    if (out->place) {
      s->array[i] = out->place + out->row_bytes * (uint64_t)s->first;
    } else {
      s->array[i] = s->memory.bytes + offset;
      offset += sheaf_frame_align(out->row_bytes * (uint64_t)s->count);
    }
    if (out->row_bytes == 0) continue;
    if (out->field) {
      set_pointer(&s->request, out->field, s->array[i]);
    } else {
      s->named[nnamed++] = (sheafOutput){out->name, (mjtNum*)s->array[i]};
    }
  }
  if (job->noutput_field) {
    set_pointer(&s->request, job->noutput_field, nnamed ? s->named : NULL);
    set_int(&s->request, job->noutput_count, nnamed);
  }
}

static srv_slice* make(srv_job* job, int first, int n, uint64_t counted, srv_ledger* ledger) {
  size_t narray = (size_t)job->noutput;
  uint64_t bytes = result_size(job, n);
  size_t nparam = (size_t)job->nparam;
  srv_slice* s = calloc(1, sizeof *s + narray * (sizeof *s->named + sizeof *s->array) + nparam * sizeof *s->param);
  uint64_t room = bytes ? bytes : SHEAF_FRAME_ALIGN;
  if (!s || !srv_section_make(&s->memory, room, room)) {
    free(s);
    return NULL;
  }
  s->job = job;
  s->first = first;
  s->count = n;
  s->units = job->row_units * (uint64_t)n;
  s->refs = 1;
  s->ledger = ledger;
  s->bytes = counted;
  s->named = (sheafOutput*)(s + 1);
  s->array = (uint8_t**)(s->named + narray);
  s->param = (sheafParam*)(s->array + narray);
  ledger->result += s->bytes;
  memcpy(&s->request, &job->request, sizeof s->request);
  s->request.any.nbatch = n;
  point_inputs(s, job);
  point_outputs(s, job);
  return s;
}

srv_slice* srv_slice_make(srv_job* job, int first, int n, srv_ledger* ledger) {
  return make(job, first, n, srv_slice_size(job, n), ledger);
}

srv_slice* srv_slice_make_arrays(srv_job* job, int first, int n, srv_ledger* ledger) {
  return make(job, first, n, result_size(job, n), ledger);
}

void srv_slice_unref(void* slice) {
  srv_slice* s = slice;
  if (--s->refs) return;
  sheaf_freeJob(s->work);
  s->ledger->result -= s->bytes;
  srv_section_close(&s->memory, s->ledger);
  free(s);
}

// ---- sending

// rows [from, from + n) of the slice, counted from its first
static void pack_rows(srv_pack* pack, const srv_slice* s, int from, int n) {
  const srv_job* job = s->job;
  srv_pack_init(pack);
  for (int i = 0; i < job->noutput; i++) {
    const srv_job_output* out = &job->output[i];
    if (out->place) continue;
    uint64_t shape[SRV_RANK] = {(uint64_t)n};
    for (int k = 0; k < out->rank; k++) shape[1 + k] = out->shape[k];
    srv_pack_add(pack, out->name, out->dtype, 1 + out->rank, shape, s->array[i] + out->row_bytes * (uint64_t)from);
  }
}

static Sheaf__Timing make_timing(const srv_job* job, int threads) {
  Sheaf__Timing t = SHEAF__TIMING__INIT;
  uint64_t now = uv_hrtime();
  t.queue_us = (job->started - job->call->arrived) / 1000;
  t.compute_us = (now - job->started) / 1000;
  t.total_us = (now - job->call->arrived) / 1000;
  t.steps = job->units_done;
  t.threads = (uint32_t)threads;
  return t;
}

// the last frame of the job, which holds a reference of the slice, if there is one
static void end_call(srv_job* job, srv_out* out, srv_slice* s) {
  if (out && s) s->refs++;
  srv_call_end(job->call, out, false);
  job->call = NULL;
}

static int reply_type(const srv_job* job) { return job->call->type | SHEAF__FRAME_TYPE__FRAME_REPLY; }

// A Result of the job; the last ends its call.
static void send_result(srv_job* job, Sheaf__Result* result, const srv_pack* pack, bool last, int threads,
                        srv_slice* s) {
  Sheaf__Timing timing;
  result->total_rows = (uint64_t)job->request.any.nbatch;
  if (last) {
    timing = make_timing(job, threads);
    result->timing = &timing;
    result->stopped = job->failure.code;
  }
  srv_out* out = srv_out_make(reply_type(job), last ? 0 : SHEAF_FRAME_MORE, job->call->id, &result->base, pack,
                              s ? srv_slice_unref : NULL, s);
  if (last) {
    end_call(job, out, s);
    return;
  }
  if (out && s) s->refs++;
  srv_call_send(job->call, out);
}

// The same with all rows of a job that did not fail. What its message says before the timing may be known.
static void send_whole(srv_job* job, Sheaf__Result* result, const srv_pack* pack, int threads, srv_slice* s) {
  result->total_rows = result->rows;
  const ProtobufCBinaryData* begin = srv_job_answer(job, &result->base);
  if (!begin) {
    send_result(job, result, pack, true, threads, s);
    return;
  }
  Sheaf__Result rest = SHEAF__RESULT__INIT;
  Sheaf__Timing timing = make_timing(job, threads);
  rest.timing = &timing;
  end_call(job, srv_out_begun(reply_type(job), job->call->id, *begin, &rest.base, pack, srv_slice_unref, s), s);
}

void srv_slice_send_rows(srv_slice* s, int from, int n, int threads) {
  srv_job* job = s->job;
  srv_pack pack;
  Sheaf__Result result = SHEAF__RESULT__INIT;
  pack_rows(&pack, s, from, n);
  result.first_row = (uint64_t)(s->first + from);
  result.rows = (uint64_t)n;
  result.n_tensors = pack.count;
  result.tensors = pack.pointer;
  if (n == job->request.any.nbatch && !job->failure.code) {
    send_whole(job, &result, &pack, threads, s);
  } else {
    send_result(job, &result, &pack, s->first + from + n == job->request.any.nbatch, threads, s);
  }
}

void srv_job_send_end(srv_job* job, int threads) {
  Sheaf__Result result = SHEAF__RESULT__INIT;
  result.first_row = (uint64_t)job->next_row;
  send_result(job, &result, NULL, true, threads, NULL);
}

void srv_slice_send(srv_slice* s, const srv_limits* limits, int threads) {
  uint64_t per_part = s->job->row_bytes ? limits->part_bytes / s->job->row_bytes : (uint64_t)s->count;
  int n = per_part < 1 ? 1 : per_part < (uint64_t)s->count ? (int)per_part : s->count;
  for (int from = 0; from < s->count; from += n) {
    srv_slice_send_rows(s, from, from + n < s->count ? n : s->count - from, threads);
  }
}
