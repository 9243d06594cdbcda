// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The unanswered requests of all connections, by connection and request id: found in constant time however many there
// are. Which ids share a place depends on a number that clients do not know, so that none can choose ids that make
// others' searches long.
#ifndef SHEAF_SERVER_NET_CALL_TABLE_H_
#define SHEAF_SERVER_NET_CALL_TABLE_H_

#include <stdint.h>

enum { SRV_CALL_PLACES = 64 };

// Part of a call: whose it is, and the next in its place.
typedef struct srv_call_node {
  struct srv_call_node* next;
  uint64_t conn, id;
} srv_call_node;

typedef struct {
  srv_call_node* first[SRV_CALL_PLACES];  // the places of a small table
  srv_call_node** place;                  // these, or more
  uint64_t nplace, n;
  uint64_t seed;
  uint64_t looked;  // at so many calls, in all searches
} srv_call_table;

void srv_call_table_init(srv_call_table* t);

// All calls must be out of it.
void srv_call_table_close(srv_call_table* t);

// Put in a node whose conn and id are set, and take it out again.
void srv_call_table_put(srv_call_table* t, srv_call_node* node);
void srv_call_table_remove(srv_call_table* t, srv_call_node* node);

// The node with this id of the connection with this number, or NULL.
srv_call_node* srv_call_table_find(srv_call_table* t, uint64_t conn, uint64_t id);

#endif  // SHEAF_SERVER_NET_CALL_TABLE_H_
