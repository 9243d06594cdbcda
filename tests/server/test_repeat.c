// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of jobs that connections keep for a request that says the same.
#include <stdlib.h>
#include <string.h>

#include "jobs/repeat.h"
#include "net/pressure.h"
#include "support/test.h"

enum { TYPE = 40, OFFSET = 64 };

static char said[] = "rollout of a model";
static uint8_t data[2][256];
static srv_ledger ledger;
static srv_net net = {.ledger = &ledger};

// a connection that keeps a job which was read from this call
static void keep(srv_conn* conn, srv_call* call) {
  srv_job* job = calloc(1, sizeof *job);
  ledger = (srv_ledger){.limit = 100000};
  *conn = (srv_conn){.state = SRV_CONN_OPEN, .net = &net};
  *call = (srv_call){.conn = conn, .type = TYPE, .control = (uint8_t*)said, .control_len = sizeof said};
  call->data.bytes = data[0];
  call->data_len = sizeof data[0];
  srv_arena_init(&call->arena, 1000);
  srv_arena_alloc(&call->arena, 10);
  job->call = call;
  job->checks = true;
  job->input[0] = (srv_job_input){.param = -1, .pointer = offsetof(sheafRollout, state0), .offset = OFFSET};
  job->input[1] = (srv_job_input){.param = 0, .offset = OFFSET + 8};
  job->input[2] = (srv_job_input){.param = -1, .here = true, .pointer = offsetof(sheafRollout, control)};
  job->ninput = 3;
  job->request.rollout.control = (const mjtNum*)(void*)said;
  srv_job_read(job, NULL);
  CHECK(!call->arena.blocks && job->arena.blocks);
  job->next_row = 7;
  job->failure.code = 3;
  srv_job_end(job, conn);
}

static void forget(srv_conn* conn) {
  srv_conn_forget(conn);
  CHECK(!conn->kept && !ledger.kept);
}

TEST(a_request_that_says_the_same_takes_the_kept_job_with_its_own_arrays) {
  srv_conn conn;
  srv_call call;
  keep(&conn, &call);
  CHECK(ledger.kept >= sizeof(srv_job) + sizeof said);
  call.data.bytes = data[1];
  srv_job* job = srv_job_again(&call);
  CHECK(job && !conn.kept && !ledger.kept);
  if (!job) return;
  CHECK(job->request.rollout.state0 == (const void*)(data[1] + OFFSET));
  CHECK(job->param[0].data == (const void*)(data[1] + OFFSET + 8));
  CHECK(job->request.rollout.control == (const void*)said);
  CHECK(job->unchecked && !job->next_row && !job->failure.code && job->call == &call);
  CHECK(!srv_job_again(&call));
  srv_job_end(job, &conn);
  CHECK(conn.kept);
  forget(&conn);
}

TEST(a_request_that_says_something_else_does_not) {
  srv_conn conn;
  srv_call call;
  keep(&conn, &call);
  srv_call other = call;
  other.type++;
  CHECK(!srv_job_again(&other));
  other = call, other.data_len--;
  CHECK(!srv_job_again(&other));
  other = call, other.control_len--;
  CHECK(!srv_job_again(&other));
  char text[sizeof said];
  memcpy(text, said, sizeof said);
  text[sizeof said - 2]++;
  other = call, other.control = (uint8_t*)text;
  CHECK(!srv_job_again(&other));
  CHECK(conn.kept);
  forget(&conn);
}

TEST(nothing_is_kept_for_a_connection_that_closes_nor_a_long_message) {
  srv_conn conn;
  srv_call call;
  keep(&conn, &call);
  srv_job* job = srv_job_again(&call);
  conn.state = SRV_CONN_CLOSED;
  srv_job_end(job, &conn);
  CHECK(!conn.kept);

  static uint8_t message[SRV_KEPT_MESSAGE + 1];
  conn.state = SRV_CONN_OPEN;
  call = (srv_call){.conn = &conn, .control = message, .control_len = sizeof message};
  job = calloc(1, sizeof *job);
  job->call = &call;
  srv_job_read(job, NULL);
  srv_job_end(job, &conn);
  CHECK(!conn.kept);
}

TEST(while_memory_is_short_nothing_is_kept) {
  srv_conn conn;
  srv_call call;
  keep(&conn, &call);
  net.conns = &conn;
  srv_pressure_relieve(&net);
  CHECK(conn.kept);
  ledger.result = 80001;
  srv_pressure_relieve(&net);
  CHECK(!conn.kept && !ledger.kept);
  net.conns = NULL;

  keep(&conn, &call);
  srv_job* job = srv_job_again(&call);
  ledger.request = 80001 - sizeof *job;
  srv_job_end(job, &conn);
  CHECK(!conn.kept && !ledger.kept);
}

TEST(the_message_of_an_answer_is_packed_once) {
  srv_conn conn;
  srv_call call;
  Sheaf__Result message = SHEAF__RESULT__INIT, other = SHEAF__RESULT__INIT;
  message.rows = 300;
  uint8_t bytes[16];
  size_t n = protobuf_c_message_pack(&message.base, bytes);
  keep(&conn, &call);
  uint64_t without = ledger.kept;
  for (int i = 0; i < 2; i++) {
    srv_job* job = srv_job_again(&call);
    const ProtobufCBinaryData* answer = srv_job_answer(job, i ? &other.base : &message.base);
    CHECK(answer && answer->len == n && !memcmp(answer->data, bytes, n));
    srv_job_end(job, &conn);
    CHECK_EQ(ledger.kept, without + n);
  }
  forget(&conn);
  CHECK(!srv_job_answer(&(srv_job){0}, &message.base));
}
