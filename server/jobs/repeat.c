// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/repeat.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void srv_job_free(srv_job* job) {
  if (!job) return;
  srv_arena_close(&job->arena);
  free(job->said.control);
  free(job->said.answer.data);
  free(job);
}

static void free_kept(srv_kept* kept) { srv_job_free((srv_job*)(void*)kept); }

void srv_job_read(srv_job* job, const Sheaf__Work* work) {
  srv_call* call = job->call;
  job->kept.free = free_kept;
  job->work = work;
  srv_arena_move(&job->arena, &call->arena);
  if (call->control_len > SRV_KEPT_MESSAGE || srv_arena_bytes(&job->arena) > SRV_KEPT_ARENA) return;
  uint8_t* copy = malloc(call->control_len);
  if (!copy) return;
  memcpy(copy, call->control, call->control_len);
  job->said =
      (srv_said){.control = copy, .control_len = call->control_len, .type = call->type, .data_len = call->data_len};
}

static bool says(const srv_call* call, const srv_said* said) {
  return call->type == said->type && call->control_len == said->control_len && call->data_len == said->data_len &&
         !memcmp(call->control, said->control, said->control_len);
}

// the arrays of this call instead of those of the last one
static void point_inputs(srv_job* job) {
  for (int i = 0; i < job->ninput; i++) {
    const srv_job_input* in = &job->input[i];
    if (in->here) continue;
    const uint8_t* at = job->call->data.bytes + in->offset;
    if (in->param >= 0) {
      job->param[in->param].data = (const mjtNum*)(const void*)at;
    } else {
      memcpy((char*)&job->request + in->pointer, &at, sizeof at);
    }
  }
}

srv_job* srv_job_again(srv_call* call) {
  srv_conn* conn = call->conn;
  srv_job* job = (srv_job*)(void*)conn->kept;
  if (!job || !says(call, &job->said)) return NULL;
  srv_conn_take(conn);
  memset((char*)job + offsetof(srv_job, tag), 0, sizeof *job - offsetof(srv_job, tag));
  job->call = call;
  job->model = NULL;
  job->region = NULL;
  job->unchecked = job->checks;
  point_inputs(job);
  return job;
}

const ProtobufCBinaryData* srv_job_answer(srv_job* job, const ProtobufCMessage* message) {
  ProtobufCBinaryData* answer = &job->said.answer;
  if (answer->data) return answer;
  size_t n = job->said.control ? protobuf_c_message_get_packed_size(message) : 0;
  answer->data = n && n <= SRV_KEPT_MESSAGE ? malloc(n) : NULL;
  if (!answer->data) return NULL;
  answer->len = protobuf_c_message_pack(message, answer->data);
  return answer;
}

uint64_t srv_job_bytes(const srv_job* job) {
  return sizeof *job + job->said.control_len + job->said.answer.len + srv_arena_bytes(&job->arena);
}

void srv_job_end(srv_job* job, srv_conn* conn) {
  if (!conn || conn->state != SRV_CONN_OPEN || !job->said.control) {
    srv_job_free(job);
    return;
  }
  job->kept.bytes = srv_job_bytes(job);
  srv_conn_keep(conn, &job->kept);
}
