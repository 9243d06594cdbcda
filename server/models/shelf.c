// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/shelf.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

void srv_shelf_init(srv_shelf* s) {
  *s = (srv_shelf){0};
  if (getrandom(&s->seed, sizeof s->seed, GRND_NONBLOCK) != sizeof s->seed) {
    s->seed = (uint64_t)time(NULL) ^ (uintptr_t)s << 16;
  }
}

// The hash is as good as random, but its bits are the client's choice; a product with an odd secret mixes them.
static srv_shelf_node** find_place(srv_shelf* s, const uint8_t hash[SHEAF_HASH_BYTES]) {
  uint64_t bits;
  memcpy(&bits, hash, sizeof bits);
  bits = (bits ^ s->seed) * (s->seed | 1);
  bits = (bits ^ bits >> 32) * 0x9e3779b97f4a7c15ull;
  return &s->place[bits >> 50];
}

// what points to the model in the list of its place, or to the end
static srv_shelf_node** find_link(srv_shelf* s, const uint8_t hash[SHEAF_HASH_BYTES]) {
  srv_shelf_node** link = find_place(s, hash);
  while (*link && (s->looked++, memcmp((*link)->hash, hash, SHEAF_HASH_BYTES) != 0)) link = &(*link)->same;
  return link;
}

srv_shelf_node* srv_shelf_find(srv_shelf* s, const uint8_t hash[SHEAF_HASH_BYTES]) { return *find_link(s, hash); }

static void enter_order(srv_shelf* s, srv_shelf_node* node) {
  node->prev = NULL;
  node->next = s->first;
  *(s->first ? &s->first->prev : &s->last) = node;
  s->first = node;
}

static void leave_order(srv_shelf* s, srv_shelf_node* node) {
  *(node->prev ? &node->prev->next : &s->first) = node->next;
  *(node->next ? &node->next->prev : &s->last) = node->prev;
}

void srv_shelf_put(srv_shelf* s, srv_shelf_node* node) {
  srv_shelf_node** place = find_place(s, node->hash);
  node->same = *place;
  *place = node;
  enter_order(s, node);
}

void srv_shelf_take(srv_shelf* s, srv_shelf_node* node) {
  *find_link(s, node->hash) = node->same;
  leave_order(s, node);
}

void srv_shelf_use(srv_shelf* s, srv_shelf_node* node) {
  leave_order(s, node);
  enter_order(s, node);
}
