// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A heap of nodes that lie in what they stand for, the least key first and among equals the first come. It is a
// pairing heap: putting in is constant time, taking out logarithmic on average, and neither allocates.
#ifndef SHEAF_SERVER_JOBS_HEAP_H_
#define SHEAF_SERVER_JOBS_HEAP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// what a node lies in
#define SRV_NODE_OF(node, type, member) ((type*)(void*)((char*)(node)-offsetof(type, member)))

typedef struct srv_heap_node {
  double key;
  uint64_t order;
  bool in;
  struct srv_heap_node *child, *next, *back;  // back: the left neighbour, of a first child the parent
} srv_heap_node;

typedef struct {
  srv_heap_node* first;  // NULL: empty
  uint64_t order;        // of the last that came
} srv_heap;

// Put a node in, or give it another key.
void srv_heap_put(srv_heap* heap, srv_heap_node* node, double key);

// Take a node out, if it is in.
void srv_heap_remove(srv_heap* heap, srv_heap_node* node);

#endif  // SHEAF_SERVER_JOBS_HEAP_H_
