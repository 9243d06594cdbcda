// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Whose bytes are read next, and when a connection has to rest.
#include "support/test.h"

#include <string.h>

#include "net/read_turn.h"

enum { MANY = 40, LONG_NS = 2000000 };

typedef struct {
  uv_loop_t loop;
  srv_read_turns turns;
  srv_identity busy, other;
  srv_read_turn crowd[MANY], light;
} scene;

static void setup(scene* s) {
  memset(s, 0, sizeof *s);
  uv_loop_init(&s->loop);
  srv_read_turns_init(&s->turns, &s->loop);
  for (int i = 0; i < MANY; i++) s->crowd[i].who = &s->busy;
  srv_read_turns_begin(&s->turns);
}

static void teardown(scene* s) {
  srv_read_turns_close(&s->turns);
  uv_run(&s->loop, UV_RUN_DEFAULT);
  uv_loop_close(&s->loop);
}

// the connection sends so much that it has to rest
static void send_much(scene* s, srv_read_turn* turn) {
  CHECK(srv_read_turn_took(&s->turns, turn, 10000, LONG_NS));
  srv_read_turn_rest(&s->turns, turn, true);
}

// all of the crowd have sent something; the first has a turn, so the others have none
static void crowd_sends(scene* s) {
  send_much(s, &s->crowd[0]);
  for (int i = 1; i < MANY; i++) {
    CHECK(srv_read_turn_over(&s->turns, &s->crowd[i]));
    srv_read_turn_rest(&s->turns, &s->crowd[i], false);
  }
}

TEST(an_identity_has_a_millisecond_of_a_round_and_others_have_their_own) {
  static scene s;
  setup(&s);
  CHECK(!srv_read_turn_over(&s.turns, &s.crowd[0]));
  CHECK(!srv_read_turn_took(&s.turns, &s.crowd[0], 100, 600000));
  CHECK(!srv_read_turn_over(&s.turns, &s.crowd[1]));
  CHECK(srv_read_turn_took(&s.turns, &s.crowd[1], 100, 600000));
  CHECK(srv_read_turn_over(&s.turns, &s.crowd[2]));
  s.light.who = &s.other;
  CHECK(!srv_read_turn_over(&s.turns, &s.light));
  s.light.who = NULL;  // it has not said Hello
  CHECK(!srv_read_turn_over(&s.turns, &s.light) && !srv_read_turn_took(&s.turns, &s.light, 100, 10));
  srv_read_turns_begin(&s.turns);
  CHECK(!srv_read_turn_over(&s.turns, &s.crowd[2]));
  teardown(&s);
}

TEST(connections_that_had_no_turn_go_first) {
  static scene s;
  setup(&s);
  crowd_sends(&s);
  for (int round = 1; round < 2 * MANY; round++) {
    srv_read_turns_begin(&s.turns);
    srv_read_turn* turn = srv_read_turns_next(&s.turns);
    CHECK(turn == &s.crowd[round % MANY] && !turn->rests);
    srv_read_turn* later[MANY];
    int n = 0;
    while ((later[n] = srv_read_turns_next(&s.turns))) n++;
    CHECK(n == 15 && uv_is_active((uv_handle_t*)&s.turns.idle));
    send_much(&s, turn);
    for (int i = 0; i < n; i++) srv_read_turn_rest(&s.turns, later[i], false);
  }
  for (int i = 0; i < MANY; i++) srv_read_turn_leave(&s.turns, &s.crowd[i]);
  srv_read_turns_begin(&s.turns);
  CHECK(!srv_read_turns_next(&s.turns) && !uv_is_active((uv_handle_t*)&s.turns.idle));
  teardown(&s);
}

TEST(who_sent_least_of_an_identity_has_a_turn_whatever_the_others_do) {
  static scene s;
  setup(&s);
  for (int i = 0; i < MANY; i++) s.crowd[i].sent_lately = 1000;
  s.light.who = &s.busy;
  crowd_sends(&s);
  srv_read_turn_rest(&s.turns, &s.light, false);
  srv_read_turns_begin(&s.turns);
  CHECK(srv_read_turns_next(&s.turns) == &s.light);
  CHECK(srv_read_turns_next(&s.turns) == &s.crowd[1]);
  send_much(&s, &s.crowd[1]);
  CHECK(srv_read_turn_over(&s.turns, &s.crowd[2]) && !srv_read_turn_over(&s.turns, &s.light));
  srv_read_turns_begin(&s.turns);
  CHECK(!srv_read_turn_over(&s.turns, &s.light));
  teardown(&s);
}

TEST(a_connection_that_closes_rests_no_more) {
  static scene s;
  setup(&s);
  crowd_sends(&s);
  s.light.who = &s.other;
  srv_read_turn_rest(&s.turns, &s.light, false);
  for (int i = 0; i < MANY; i += 2) srv_read_turn_leave(&s.turns, &s.crowd[i]);
  srv_read_turn_leave(&s.turns, &s.crowd[0]);  // it rests no more, so nothing happens
  srv_read_turns_begin(&s.turns);
  int n = 0, seen = 0;
  for (srv_read_turn* turn; (turn = srv_read_turns_next(&s.turns)); n++) {
    CHECK(turn == &s.light || (turn - s.crowd) % 2 == 1);
    seen += turn == &s.light;
  }
  CHECK(seen == 1 && n == 16 + 1);
  teardown(&s);
}
