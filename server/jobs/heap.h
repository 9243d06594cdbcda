// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A heap whose nodes are members of the structs that it orders: the least key first, among equal keys the one that came
// first. It is a pairing heap: putting in takes constant time, taking out logarithmic time on average; neither
// allocates.
#ifndef SHEAF_SERVER_JOBS_HEAP_H_
#define SHEAF_SERVER_JOBS_HEAP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// the struct that has a node as a member
#define SRV_NODE_OF(node, type, member) ((type*)(void*)((char*)(node)-offsetof(type, member)))

typedef struct srv_heap_node {
  double key;
  uint64_t order;
  bool in;
  struct srv_heap_node *child, *next, *back;  // back: the left neighbour; for a first child, the parent
} srv_heap_node;

typedef struct {
  srv_heap_node* first;  // NULL: empty
  uint64_t order;        // number of the node that came last
} srv_heap;

// Put a node in, or give it another key.
void srv_heap_put(srv_heap* heap, srv_heap_node* node, double key);

// Take a node out, if it is in.
void srv_heap_remove(srv_heap* heap, srv_heap_node* node);

#endif  // SHEAF_SERVER_JOBS_HEAP_H_
