// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Hello: finds out who the client is, and tells it the limits. Tokens from a place that sent wrong ones are checked
// after a delay.
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "request/handlers.h"
#include "sheaf.pb-c.h"

enum { TICK_MS = 20 };

struct srv_hello_wait {
  struct srv_hello_wait* next;
  srv_call* call;
  const Sheaf__Hello* message;  // in the call's arena
};

// ---- the answer

static void reply_hello(srv_service* service, srv_call* call, const Sheaf__Hello* m) {
  srv_conn* conn = call->conn;
  char text[80];
  srv_log(SRV_LOG_DEBUG, "hello", "conn=%llu peer=%s identity=%s client=%s", (unsigned long long)conn->number,
          conn->peer, conn->who->name, srv_log_quote(text, sizeof text, m->client));
  srv_conn_greet(conn);
  Sheaf__HelloReply reply = SHEAF__HELLO_REPLY__INIT;
  Sheaf__Limits limits = srv_service_limits(service);
  reply.version = 1;
  reply.server = SRV_NAME;
  reply.build = (char*)sheaf_buildInfo();
  reply.limits = &limits;
  reply.leaving = service->leaving;
  srv_service_reply(call, &reply.base, true);
}

// refuse a client whose proof belongs to no identity
static void refuse(srv_service* service, srv_conn* conn) {
  srv_error error;
  if (conn->proof.has_token) {
    uint32_t wrong = srv_guess_wrong(&service->auth->guesses, conn->proof.place, uv_now(conn->net->loop));
    srv_log(SRV_LOG_WARN, "wrong_token", "conn=%llu peer=%s wrong=%u", (unsigned long long)conn->number, conn->peer,
            wrong);
    srv_error_set(&error, SHEAF__CODE__CODE_UNAUTHENTICATED, "token: not one that this server knows");
  } else {
    srv_error_set(&error, SHEAF__CODE__CODE_UNAUTHENTICATED, "token: this server wants one");
  }
  srv_conn_fail(conn, &error);
}

// The connection that the client had before, if the server has not noticed its loss; or NULL.
static srv_conn* find_old(const srv_conn* conn, const srv_identity* who, const Sheaf__Hello* m) {
  return m->session.len ? srv_session_find(&conn->net->sessions, who, m->session.data) : NULL;
}

// Its requests are repeated on the new connection, so their work ends here.
static void replace(srv_conn* old, const srv_conn* conn) {
  srv_error error;
  srv_log(SRV_LOG_INFO, "replaced", "conn=%llu peer=%s identity=%s by=%llu", (unsigned long long)old->number, old->peer,
          old->who->name, (unsigned long long)conn->number);
  srv_error_set(&error, SHEAF__CODE__CODE_FAILED_PRECONDITION, "another connection has said Hello with this session");
  srv_session_remove(&old->session);
  srv_conn_fail(old, &error);
}

// check what the client has shown
static void decide(srv_service* service, srv_call* call, const Sheaf__Hello* m) {
  srv_conn* conn = call->conn;
  srv_error error;
  srv_identity* who = srv_auth_find(service->auth, &conn->proof);
  if (!who) {
    refuse(service, conn);
    return;
  }
  srv_conn* old = find_old(conn, who, m);
  if (srv_identity_check_connection(who, old ? 1 : 0, &error)) {
    srv_identity_drop(&service->auth->all, who);
    srv_conn_fail(conn, &error);
    return;
  }
  if (old) replace(old, conn);
  conn->who = who;
  who->nconn++;
  if (m->session.len) {
    conn->session = (srv_session_node){.who = who, .conn = conn};
    memcpy(conn->session.key, m->session.data, SRV_SESSION_KEY);
    srv_session_add(&conn->net->sessions, &conn->session);
  }
  reply_hello(service, call, m);
}

// ---- waiting

static bool must_wait(const srv_service* service, const srv_conn* conn) {
  return conn->proof.has_token && srv_guess_wait(&service->auth->guesses, conn->proof.place, uv_now(conn->net->loop));
}

static struct srv_hello_wait* unlink_wait(struct srv_hello_wait** link) {
  struct srv_hello_wait* w = *link;
  *link = w->next;
  w->call->work = NULL;
  return w;
}

static void on_tick(uv_timer_t* timer) {
  srv_service* service = timer->data;
  srv_error error;
  for (struct srv_hello_wait** link = &service->hellos; *link;) {
    srv_call* call = (*link)->call;
    if (!service->draining && must_wait(service, call->conn)) {
      link = &(*link)->next;
      continue;
    }
    struct srv_hello_wait* w = unlink_wait(link);
    if (service->draining) {
      srv_service_leaving(&error);
      srv_conn_fail(call->conn, &error);
    } else {
      decide(service, call, w->message);
    }
    free(w);
  }
  if (!service->hellos) uv_timer_stop(timer);
}

static void wait_for_turn(srv_service* service, srv_call* call, const Sheaf__Hello* m) {
  srv_error error;
  struct srv_hello_wait* w = calloc(1, sizeof *w);
  if (!w) {
    srv_error_busy(&error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 1000000, "out of memory");
    srv_conn_fail(call->conn, &error);
    return;
  }
  *w = (struct srv_hello_wait){.call = call, .message = m};
  struct srv_hello_wait** end = &service->hellos;
  while (*end) end = &(*end)->next;
  *end = w;
  call->work = w;
  service->hello_timer->data = service;
  uv_timer_start(service->hello_timer, on_tick, TICK_MS, TICK_MS);
}

void srv_req_hello_stop(srv_service* service, srv_call* call, const srv_error* error) {
  struct srv_hello_wait** link = &service->hellos;
  while (*link != call->work) link = &(*link)->next;
  free(unlink_wait(link));
  srv_call_fail(call, error);
}

void srv_req_hello(srv_service* service, srv_call* call, const void* unpacked) {
  const Sheaf__Hello* m = unpacked;
  srv_proof* proof = &call->conn->proof;
  srv_error error;
  if (m->version != 1) {
    srv_error_field(&error, "version", "1", "%u", m->version);
    srv_conn_fail(call->conn, &error);
    return;
  }
  if (m->session.len && m->session.len != SRV_SESSION_KEY) {
    srv_error_field(&error, "session", "16 bytes, or none", "%zu", m->session.len);
    srv_conn_fail(call->conn, &error);
    return;
  }
  proof->has_token = m->token.len > 0 && !srv_auth_open(service->auth);
  if (proof->has_token && !srv_token_hash(proof->token, m->token.data, m->token.len)) {
    srv_error_set(&error, SHEAF__CODE__CODE_INTERNAL, "the token cannot be hashed");
    srv_conn_fail(call->conn, &error);
  } else if (must_wait(service, call->conn)) {
    wait_for_turn(service, call, m);
  } else {
    decide(service, call, m);
  }
}
