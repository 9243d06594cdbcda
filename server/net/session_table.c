// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/session_table.h"

#include <stddef.h>
#include <string.h>

// Keys are random, so their first bytes spread them. A client that chooses them otherwise makes a bucket as long as it
// has connections.
static unsigned bucket_of(const uint8_t key[SRV_SESSION_KEY]) {
  return (key[0] | (unsigned)key[1] << 8) % SRV_SESSION_BUCKETS;
}

void srv_session_add(srv_session_table* table, srv_session_node* node) {
  srv_session_node** first = &table->bucket[bucket_of(node->key)];
  node->next = *first;
  node->link = first;
  if (node->next) node->next->link = &node->next;
  *first = node;
}

void srv_session_remove(srv_session_node* node) {
  if (!node->link) return;
  *node->link = node->next;
  if (node->next) node->next->link = node->link;
  node->link = NULL;
}

void* srv_session_find(const srv_session_table* table, const void* who, const uint8_t key[SRV_SESSION_KEY]) {
  const srv_session_node* node = table->bucket[bucket_of(key)];
  while (node && (node->who != who || memcmp(node->key, key, SRV_SESSION_KEY))) node = node->next;
  return node ? node->conn : NULL;
}
