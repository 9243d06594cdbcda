// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/compile_queue.h"

#include <stdlib.h>

static const uint64_t FIRST_MEAN_NS = 200000000, LEAST_HINT_US = 20000;

enum { MEAN_OVER = 8 };  // compilations

struct srv_lane {
  srv_lane* next;
  srv_asker asker;
  srv_turn* first;
  unsigned nwaiting, nrunning;
  uint64_t served;  // number of its last turn; lower goes first
};

void srv_compile_queue_init(srv_compile_queue* q) { *q = (srv_compile_queue){.mean_ns = FIRST_MEAN_NS}; }

// what points to an asker's lane, or to the end
static srv_lane** find_lane(srv_compile_queue* q, srv_asker asker) {
  srv_lane** link = &q->lanes;
  while (*link && ((*link)->asker.owner != asker.owner || (*link)->asker.lane != asker.lane)) link = &(*link)->next;
  return link;
}

typedef struct {
  unsigned nwaiting, nrunning;
  uint64_t served;
} owner_sum;

static owner_sum sum_owner(const srv_compile_queue* q, uint64_t owner) {
  owner_sum sum = {0};
  for (const srv_lane* lane = q->lanes; lane; lane = lane->next) {
    if (lane->asker.owner != owner) continue;
    sum.nwaiting += lane->nwaiting;
    sum.nrunning += lane->nrunning;
    if (lane->served > sum.served) sum.served = lane->served;
  }
  return sum;
}

static void drop_empty(srv_compile_queue* q, srv_lane** link) {
  srv_lane* lane = *link;
  if (lane->nwaiting || lane->nrunning) return;
  *link = lane->next;
  q->nlane--;
  free(lane);
}

bool srv_compile_queue_push(srv_compile_queue* q, srv_turn* turn, srv_asker asker) {
  if (q->nwaiting == SRV_COMPILE_WAITING) return false;
  if (sum_owner(q, asker.owner).nwaiting == SRV_COMPILE_OWNER_WAITING) return false;
  srv_lane** link = find_lane(q, asker);
  if (!*link) {
    *link = calloc(1, sizeof **link);
    if (!*link) return false;
    (*link)->asker = asker;
    q->nlane++;
  }
  srv_lane* lane = *link;
  srv_turn** last = &lane->first;
  while (*last) last = &(*last)->next;
  *turn = (srv_turn){.asker = asker, .state = SRV_TURN_WAITS};
  *last = turn;
  lane->nwaiting++;
  q->nwaiting++;
  return true;
}

// Choose the lane whose identity was served longest ago; among the lanes of one identity, the lane that was served
// longest ago. NULL if none may run a turn. There are few lanes, so looking at all pairs is cheap.
static srv_lane* choose_lane(const srv_compile_queue* q) {
  srv_lane* best = NULL;
  uint64_t best_owner = 0;
  for (srv_lane* lane = q->lanes; lane; lane = lane->next) {
    const owner_sum sum = sum_owner(q, lane->asker.owner);
    if (!lane->nwaiting || lane->nrunning == SRV_COMPILE_LANE_PLACES) continue;
    if (sum.nrunning == SRV_COMPILE_OWNER_PLACES) continue;
    bool sooner = best && (sum.served != best_owner ? sum.served < best_owner : lane->served < best->served);
    if (best && !sooner) continue;
    best = lane;
    best_owner = sum.served;
  }
  return best;
}

srv_turn* srv_compile_queue_start(srv_compile_queue* q, uint64_t now_ns) {
  unsigned place = 0;
  while (place < SRV_COMPILE_PLACES && q->places[place]) place++;
  srv_lane* lane = place < SRV_COMPILE_PLACES ? choose_lane(q) : NULL;
  if (!lane) return NULL;
  srv_turn* turn = lane->first;
  lane->first = turn->next;
  lane->nwaiting--;
  lane->nrunning++;
  lane->served = ++q->served;
  q->nwaiting--;
  q->nrunning++;
  q->places[place] = turn;
  turn->state = SRV_TURN_RUNS;
  turn->began = now_ns;
  return turn;
}

static void stop_waiting(srv_compile_queue* q, srv_lane* lane, srv_turn* turn) {
  srv_turn** link = &lane->first;
  while (*link != turn) link = &(*link)->next;
  *link = turn->next;
  lane->nwaiting--;
  q->nwaiting--;
}

static void stop_running(srv_compile_queue* q, srv_lane* lane, srv_turn* turn, uint64_t now_ns) {
  for (int i = 0; i < SRV_COMPILE_PLACES; i++) {
    if (q->places[i] == turn) q->places[i] = NULL;
  }
  lane->nrunning--;
  q->nrunning--;
  q->mean_ns = ((MEAN_OVER - 1) * q->mean_ns + (now_ns - turn->began)) / MEAN_OVER;
}

void srv_compile_queue_leave(srv_compile_queue* q, srv_turn* turn, uint64_t now_ns) {
  srv_lane** link = find_lane(q, turn->asker);
  if (turn->state == SRV_TURN_WAITS) {
    stop_waiting(q, *link, turn);
  } else if (turn->state == SRV_TURN_RUNS) {
    stop_running(q, *link, turn, now_ns);
  } else {
    return;
  }
  turn->state = SRV_TURN_NONE;
  drop_empty(q, link);
}

// Time until a place is free: the mean time of a compilation, less the time that it has had. A compilation that has had
// more than the mean is expected to take as long again.
static uint64_t next_place_ns(const srv_compile_queue* q, uint64_t now_ns) {
  uint64_t soonest = UINT64_MAX;
  for (int i = 0; i < SRV_COMPILE_PLACES; i++) {
    uint64_t age = q->places[i] ? now_ns - q->places[i]->began : q->mean_ns;
    uint64_t left = age < q->mean_ns ? q->mean_ns - age : q->places[i] ? age : 0;
    if (left < soonest) soonest = left;
  }
  return soonest;
}

uint64_t srv_compile_queue_hint(const srv_compile_queue* q, uint64_t now_ns) {
  uint64_t before = q->nlane ? q->nlane - 1 : 0;
  uint64_t hint = (next_place_ns(q, now_ns) + (before + 1) * q->mean_ns / SRV_COMPILE_PLACES) / 1000;
  return hint > LEAST_HINT_US ? hint : LEAST_HINT_US;
}
