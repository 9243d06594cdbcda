// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/call_table.h"

#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

// the finalizer of MurmurHash3: each bit of the input changes each bit of the result with probability one half
static uint64_t mix(uint64_t n) {
  n = (n ^ n >> 33) * 0xff51afd7ed558ccdull;
  n = (n ^ n >> 33) * 0xc4ceb9fe1a85ec53ull;
  return n ^ n >> 33;
}

static srv_call_node** find_place(const srv_call_table* t, uint64_t conn, uint64_t id) {
  return &t->place[mix(mix(id ^ t->seed) + conn) & (t->nplace - 1)];
}

// Move all nodes to a table of another size. Without memory it stays as it is.
static void resize(srv_call_table* t, uint64_t nplace) {
  srv_call_node** old = t->place;
  uint64_t nold = t->nplace;
  srv_call_node** fresh = nplace == SRV_CALL_PLACES ? t->first : calloc(nplace, sizeof(srv_call_node*));
  if (!fresh || fresh == old) return;
  t->place = fresh;
  t->nplace = nplace;
  for (uint64_t i = 0; i < nold; i++) {
    for (srv_call_node *node = old[i], *next; node; node = next) {
      next = node->next;
      srv_call_node** to = find_place(t, node->conn, node->id);
      node->next = *to;
      *to = node;
    }
    old[i] = NULL;
  }
  if (old != t->first) free(old);
}

void srv_call_table_init(srv_call_table* t) {
  *t = (srv_call_table){.nplace = SRV_CALL_PLACES};
  t->place = t->first;
  if (getrandom(&t->seed, sizeof t->seed, GRND_NONBLOCK) != sizeof t->seed)
    t->seed = (uint64_t)time(NULL) ^ (uintptr_t)t << 16;
}

void srv_call_table_close(srv_call_table* t) {
  if (t->place != t->first) free(t->place);
}

void srv_call_table_put(srv_call_table* t, srv_call_node* node) {
  if (t->n >= t->nplace) resize(t, 2 * t->nplace);
  srv_call_node** to = find_place(t, node->conn, node->id);
  node->next = *to;
  *to = node;
  t->n++;
}

void srv_call_table_remove(srv_call_table* t, srv_call_node* node) {
  srv_call_node** link = find_place(t, node->conn, node->id);
  while (*link != node) link = &(*link)->next;
  *link = node->next;
  t->n--;
  if (t->nplace > SRV_CALL_PLACES && t->n < t->nplace / 8) resize(t, t->nplace / 2);
}

srv_call_node* srv_call_table_find(srv_call_table* t, uint64_t conn, uint64_t id) {
  srv_call_node* node = *find_place(t, conn, id);
  while (node && (t->looked++, node->id != id || node->conn != conn)) node = node->next;
  return node;
}
