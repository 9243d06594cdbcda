// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/read_turn.h"

enum {
  TURN_NS = 1000000,
  FADE = 8,          // the part of what was sent earlier that is forgotten
  CONNECTIONS = 16,  // of an identity that may have a turn in a round: there is time for no more if all send much
};

// ---- queues

static void clear(srv_read_queue* q) { *q = (srv_read_queue){.end = &q->first}; }

static void push(srv_read_queue* q, srv_read_turn* turn) {
  turn->next = NULL;
  turn->link = q->end;
  *q->end = turn;
  q->end = &turn->next;
}

// move all of b behind a
static void append(srv_read_queue* a, srv_read_queue* b) {
  if (!b->first) return;
  *a->end = b->first;
  b->first->link = a->end;
  a->end = b->end;
  clear(b);
}

static void take(srv_read_turns* t, srv_read_turn* turn) {
  srv_read_queue* const queues[] = {&t->resting, &t->passed, &t->served};
  *turn->link = turn->next;
  if (turn->next) turn->next->link = turn->link;
  for (int i = 0; i < 3; i++) {
    if (queues[i]->end == &turn->next) queues[i]->end = turn->link;
  }
  turn->rests = false;
}

// ---- rounds

static void on_idle(uv_idle_t* idle) { (void)idle; }

void srv_read_turns_init(srv_read_turns* t, uv_loop_t* loop) {
  clear(&t->resting);
  clear(&t->passed);
  clear(&t->served);
  t->round = 0;
  uv_idle_init(loop, &t->idle);
}

void srv_read_turns_close(srv_read_turns* t) { uv_close((uv_handle_t*)&t->idle, NULL); }

// the connection that sent least lately; of several, the one that waits longest
static srv_read_turn* find_lightest(const srv_read_turns* t) {
  srv_read_turn* lightest = t->resting.first;
  for (srv_read_turn* turn = lightest; turn; turn = turn->next) {
    if (turn->sent_lately < lightest->sent_lately) lightest = turn;
  }
  return lightest;
}

void srv_read_turns_begin(srv_read_turns* t) {
  t->round++;
  append(&t->passed, &t->resting);
  append(&t->passed, &t->served);
  append(&t->resting, &t->passed);
  srv_read_turn* lightest = find_lightest(t);
  if (!lightest) return;
  take(t, lightest);
  push(&t->passed, lightest);
  append(&t->passed, &t->resting);
  append(&t->resting, &t->passed);
  lightest->rests = true;
  lightest->first_in = t->round;
}

// what the identity has had in this round
static srv_read_share* share_of(const srv_read_turns* t, srv_identity* who) {
  if (!who) return NULL;
  if (who->reading.round != t->round) who->reading = (srv_read_share){.round = t->round};
  return &who->reading;
}

srv_read_turn* srv_read_turns_next(srv_read_turns* t) {
  srv_read_turn* turn = t->resting.first;
  for (; turn; turn = turn->next) {
    srv_read_share* had = share_of(t, turn->who);
    if (had && had->turns == CONNECTIONS) continue;
    if (had) had->turns++;
    take(t, turn);
    break;
  }

  // those that still rest may have sent something, of which the system does not tell
  if (turn || !t->resting.first) {
    uv_idle_stop(&t->idle);
  } else {
    uv_idle_start(&t->idle, on_idle);
  }
  return turn;
}

// ---- turns

bool srv_read_turn_over(const srv_read_turns* t, const srv_read_turn* turn) {
  const srv_read_share* had = share_of(t, turn->who);
  return had && had->ns > TURN_NS && turn->first_in != t->round;
}

bool srv_read_turn_took(srv_read_turns* t, srv_read_turn* turn, uint64_t bytes, uint64_t ns) {
  srv_read_share* had = share_of(t, turn->who);
  if (had) had->ns += ns;
  turn->sent_lately += bytes;
  return (had ? had->ns : ns) > TURN_NS;
}

void srv_read_turn_rest(srv_read_turns* t, srv_read_turn* turn, bool served) {
  turn->rests = true;
  push(served ? &t->served : &t->passed, turn);
}

void srv_read_turn_fade(srv_read_turn* turn) { turn->sent_lately -= turn->sent_lately / FADE; }

void srv_read_turn_leave(srv_read_turns* t, srv_read_turn* turn) {
  if (turn->rests) take(t, turn);
}
