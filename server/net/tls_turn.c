// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/tls_turn.h"

#include <stdlib.h>
#include <string.h>

enum { TURN_NS = 500000, HALVE_MS = 1000 };

struct srv_tls_wait {
  srv_tls_wait* next;
  srv_conn* conn;
  uint32_t* recent;  // of its place
  size_t n;
  uint8_t bytes[];
};

// ---- places

// two hosts with the same hash count each other's turns, so both may wait a little longer
static uint32_t* recent_of(srv_tls_turns* t, const char* place) {
  uint32_t h = 2166136261u;
  for (; *place; place++) h = (h ^ (uint8_t)*place) * 16777619u;
  return &t->recent[h % SRV_TLS_PLACES];
}

static void forget(srv_tls_turns* t) {
  uint64_t now = uv_now(t->timer.loop);
  if (now - t->forgot < HALVE_MS) return;
  t->forgot = now;
  for (int i = 0; i < SRV_TLS_PLACES; i++) t->recent[i] /= 2;
}

// the link to the message whose host had fewest turns; of several, to the one that waits longest
static srv_tls_wait** find_next(srv_tls_turns* t) {
  srv_tls_wait** best = &t->first;
  for (srv_tls_wait** link = best; *link; link = &(*link)->next) {
    if (*(*link)->recent < *(*best)->recent) best = link;
  }
  return best;
}

// ---- turns

static void unlink_wait(srv_tls_turns* t, srv_tls_wait** link) {
  srv_tls_wait* wait = *link;
  *link = wait->next;
  if (t->end == &wait->next) t->end = link;
}

static bool rests(const srv_tls_turns* t) { return uv_hrtime() < t->rest_until; }

static void on_timer(uv_timer_t* timer) {
  srv_tls_turns* t = timer->data;
  while (t->first && !rests(t)) {
    srv_tls_wait** link = find_next(t);
    srv_tls_wait* wait = *link;
    unlink_wait(t, link);
    t->go_on(wait->conn, wait->bytes, wait->n);
    free(wait);
  }
  if (!t->first) uv_timer_stop(timer);
}

void srv_tls_turns_init(srv_tls_turns* t, uv_loop_t* loop, void (*go_on)(srv_conn*, const uint8_t*, size_t)) {
  *t = (srv_tls_turns){.go_on = go_on};
  t->end = &t->first;
  uv_timer_init(loop, &t->timer);
  t->timer.data = t;
}

void srv_tls_turns_close(srv_tls_turns* t) { uv_close((uv_handle_t*)&t->timer, NULL); }

// a new client goes after those that wait
bool srv_tls_turn_free(const srv_tls_turns* t) { return !t->first && !rests(t); }

void srv_tls_turn_took(srv_tls_turns* t, const char* place, uint64_t ns) {
  forget(t);
  ++*recent_of(t, place);
  t->spent += ns;
  if (t->spent < TURN_NS) return;
  t->rest_until = uv_hrtime() + t->spent;
  t->spent = 0;
}

srv_tls_wait* srv_tls_turn_wait(srv_tls_turns* t, srv_conn* conn, const char* place, const uint8_t* bytes, size_t n) {
  srv_tls_wait* wait = n <= SRV_TLS_FIRST_BYTES ? malloc(sizeof *wait + n) : NULL;
  if (!wait) return NULL;
  *wait = (srv_tls_wait){.conn = conn, .recent = recent_of(t, place), .n = n};
  memcpy(wait->bytes, bytes, n);
  *t->end = wait;
  t->end = &wait->next;
  if (!uv_is_active((uv_handle_t*)&t->timer)) uv_timer_start(&t->timer, on_timer, 1, 1);
  return wait;
}

void srv_tls_turn_leave(srv_tls_turns* t, srv_tls_wait* wait) {
  if (!wait) return;
  srv_tls_wait** link = &t->first;
  while (*link != wait) link = &(*link)->next;
  unlink_wait(t, link);
  free(wait);
}
