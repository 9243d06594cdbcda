// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Clients take turns at the model compiler.
#include "support/test.h"

#include <stdlib.h>

#include "models/compile_queue.h"

static const uint64_t MS = 1000000;

TEST(clients_take_turns) {
  srv_compile_queue q;
  srv_turn hog[8] = {0}, mouse = {0}, other = {0};
  srv_compile_queue_init(&q);
  for (int i = 0; i < 8; i++) CHECK(srv_compile_queue_push(&q, &hog[i], (srv_asker){1, 1}));

  // a client never has all the places
  CHECK(srv_compile_queue_start(&q, 0) == &hog[0]);
  CHECK(srv_compile_queue_start(&q, 0) == &hog[1]);
  CHECK(!srv_compile_queue_start(&q, 0));
  CHECK(srv_compile_queue_push(&q, &mouse, (srv_asker){2, 1}));
  CHECK(srv_compile_queue_push(&q, &other, (srv_asker){3, 1}));
  CHECK(srv_compile_queue_start(&q, 0) == &mouse);
  CHECK(srv_compile_queue_start(&q, 0) == &other);
  CHECK(!srv_compile_queue_start(&q, 0));
  CHECK_EQ(q.nrunning, SRV_COMPILE_PLACES);

  // whoever comes again is served before the long line is
  srv_compile_queue_leave(&q, &mouse, MS);
  CHECK(srv_compile_queue_push(&q, &mouse, (srv_asker){2, 1}));
  CHECK(srv_compile_queue_start(&q, MS) == &mouse);
  srv_compile_queue_leave(&q, &hog[0], MS);
  srv_compile_queue_leave(&q, &hog[1], MS);
  CHECK(srv_compile_queue_start(&q, MS) == &hog[2]);
  CHECK(srv_compile_queue_start(&q, MS) == &hog[3]);

  // one that waits may leave
  srv_compile_queue_leave(&q, &hog[4], MS);
  srv_compile_queue_leave(&q, &hog[2], MS);
  CHECK(srv_compile_queue_start(&q, MS) == &hog[5]);
  srv_compile_queue_leave(&q, &mouse, MS);
  srv_compile_queue_leave(&q, &other, MS);
  for (int i = 3; i < 8; i++) srv_compile_queue_leave(&q, &hog[i], MS);
  srv_compile_queue_leave(&q, &hog[4], MS);  // again: nothing
  CHECK(!q.lanes && !q.nlane && !q.nwaiting && !q.nrunning);
}

TEST(many_connections_are_one_identity) {
  srv_compile_queue q;
  srv_turn hog[12] = {0}, same = {0}, other[3] = {0};
  srv_compile_queue_init(&q);
  for (uint64_t i = 0; i < 12; i++) CHECK(srv_compile_queue_push(&q, &hog[i], (srv_asker){1, i}));
  for (int i = 0; i < SRV_COMPILE_OWNER_PLACES; i++) CHECK(srv_compile_queue_start(&q, 0) == &hog[i]);
  CHECK(!srv_compile_queue_start(&q, 0));

  // another identity has its place at once, and every second turn from then on
  for (int i = 0; i < 3; i++) CHECK(srv_compile_queue_push(&q, &other[i], (srv_asker){2, 77}));
  CHECK(srv_compile_queue_start(&q, 0) == &other[0]);
  srv_compile_queue_leave(&q, &hog[0], 0);
  CHECK(srv_compile_queue_start(&q, 0) == &hog[3]);  // it was served longest ago
  srv_compile_queue_leave(&q, &hog[1], 0);
  CHECK(srv_compile_queue_start(&q, 0) == &other[1]);
  srv_compile_queue_leave(&q, &other[0], 0);
  CHECK(srv_compile_queue_start(&q, 0) == &hog[4]);
  srv_compile_queue_leave(&q, &other[1], 0);
  CHECK(srv_compile_queue_start(&q, 0) == &other[2]);

  // within an identity, a connection that was not served yet goes before one that was
  CHECK(srv_compile_queue_push(&q, &same, (srv_asker){1, 3}));
  srv_compile_queue_leave(&q, &hog[2], 0);
  CHECK(srv_compile_queue_start(&q, 0) == &hog[5]);
  srv_compile_queue_leave(&q, &same, 0);
  srv_compile_queue_leave(&q, &other[2], 0);
  for (int i = 0; i < 12; i++) srv_compile_queue_leave(&q, &hog[i], 0);
  CHECK(!q.lanes && !q.nwaiting && !q.nrunning);
}

TEST(lines_have_bounds) {
  srv_compile_queue q;
  srv_turn* turns = calloc(200, sizeof *turns);
  int n = 0;
  srv_compile_queue_init(&q);
  while (srv_compile_queue_push(&q, &turns[n], (srv_asker){1, 1})) n++;
  CHECK_EQ(n, SRV_COMPILE_OWNER_WAITING);
  while (n < 200 && srv_compile_queue_push(&q, &turns[n], (srv_asker){100 + (uint64_t)n, 1})) n++;
  CHECK_EQ(n, SRV_COMPILE_WAITING);
  CHECK_EQ(q.nlane, 1 + SRV_COMPILE_WAITING - SRV_COMPILE_OWNER_WAITING);
  for (int i = 0; i < n; i++) srv_compile_queue_leave(&q, &turns[i], 0);
  CHECK(!q.lanes && !q.nlane);
  free(turns);
}

TEST(the_hint_follows_what_compilations_took) {
  srv_compile_queue q;
  srv_turn turns[SRV_COMPILE_PLACES] = {0};
  uint64_t now = 0;
  srv_compile_queue_init(&q);
  for (int i = 0; i < 100; i++) {
    CHECK(srv_compile_queue_push(&q, &turns[0], (srv_asker){1, 1}));
    CHECK(srv_compile_queue_start(&q, now) == &turns[0]);
    now += 4000 * MS;
    srv_compile_queue_leave(&q, &turns[0], now);
  }
  CHECK_NEAR((double)q.mean_ns, 4000.0 * (double)MS, 1 * (double)MS);
  for (uint64_t i = 0; i < SRV_COMPILE_PLACES; i++) {
    CHECK(srv_compile_queue_push(&q, &turns[i], (srv_asker){i, 1}));
    CHECK(srv_compile_queue_start(&q, now) == &turns[i]);
  }

  // all places are taken for four seconds more; then four clients share them
  CHECK_NEAR((double)srv_compile_queue_hint(&q, now), 8e6, 1e4);
  CHECK_NEAR((double)srv_compile_queue_hint(&q, now + 3000 * MS), 5e6, 1e4);
  // what took longer than all others is expected to go on
  CHECK_NEAR((double)srv_compile_queue_hint(&q, now + 20000 * MS), 24e6, 1e4);
  for (int i = 0; i < SRV_COMPILE_PLACES; i++) srv_compile_queue_leave(&q, &turns[i], now);
}
