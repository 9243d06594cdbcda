// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/shelf.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "models/registry.h"

void srv_shelf_init(srv_shelf* s) {
  *s = (srv_shelf){0};
  if (getrandom(&s->seed, sizeof s->seed, GRND_NONBLOCK) != sizeof s->seed) {
    s->seed = (uint64_t)time(NULL) ^ (uintptr_t)s << 16;
  }
}

// The hash is as good as random, but its bits are the client's choice; a product with an odd secret mixes them.
static srv_model** find_place(srv_shelf* s, const uint8_t hash[SHEAF_HASH_BYTES]) {
  uint64_t bits;
  memcpy(&bits, hash, sizeof bits);
  bits = (bits ^ s->seed) * (s->seed | 1);
  bits = (bits ^ bits >> 32) * 0x9e3779b97f4a7c15ull;
  return &s->place[bits >> 50];
}

// what points to the model in the list of its place, or to the end
static srv_model** find_link(srv_shelf* s, const uint8_t hash[SHEAF_HASH_BYTES]) {
  srv_model** link = find_place(s, hash);
  while (*link && (s->looked++, memcmp((*link)->hash, hash, SHEAF_HASH_BYTES) != 0)) link = &(*link)->same;
  return link;
}

srv_model* srv_shelf_find(srv_shelf* s, const uint8_t hash[SHEAF_HASH_BYTES]) { return *find_link(s, hash); }

static void enter_order(srv_shelf* s, srv_model* model) {
  model->prev = NULL;
  model->next = s->first;
  *(s->first ? &s->first->prev : &s->last) = model;
  s->first = model;
}

static void leave_order(srv_shelf* s, srv_model* model) {
  *(model->prev ? &model->prev->next : &s->first) = model->next;
  *(model->next ? &model->next->prev : &s->last) = model->prev;
}

void srv_shelf_put(srv_shelf* s, srv_model* model) {
  srv_model** place = find_place(s, model->hash);
  model->same = *place;
  *place = model;
  enter_order(s, model);
}

void srv_shelf_take(srv_shelf* s, srv_model* model) {
  *find_link(s, model->hash) = model->same;
  leave_order(s, model);
}

void srv_shelf_use(srv_shelf* s, srv_model* model) {
  leave_order(s, model);
  enter_order(s, model);
}
