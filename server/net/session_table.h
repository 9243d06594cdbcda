// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Connections by the key of their session, which a client chooses at random and says in Hello. A client that has lost
// its connection comes back with the same key; where the server has not noticed the loss (the path broke without a
// word), this finds the old connection, so that its work does not go on beside the repeated requests.
#ifndef SHEAF_SERVER_NET_SESSION_TABLE_H_
#define SHEAF_SERVER_NET_SESSION_TABLE_H_

#include <stdint.h>

enum { SRV_SESSION_KEY = 16, SRV_SESSION_BUCKETS = 1024 };

typedef struct srv_session_node {
  uint8_t key[SRV_SESSION_KEY];
  const void* who;                 // the identity
  void* conn;                      // the connection
  struct srv_session_node* next;   // in the same bucket
  struct srv_session_node** link;  // what points to the node, or NULL: it is not in the table
} srv_session_node;

typedef struct {
  srv_session_node* bucket[SRV_SESSION_BUCKETS];
} srv_session_table;

// Put a node, whose key, who and conn are set.
void srv_session_add(srv_session_table* table, srv_session_node* node);

// No effect if it is not in the table.
void srv_session_remove(srv_session_node* node);

// The connection of this session of an identity; or NULL.
void* srv_session_find(const srv_session_table* table, const void* who, const uint8_t key[SRV_SESSION_KEY]);

#endif  // SHEAF_SERVER_NET_SESSION_TABLE_H_
