// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/heap.h"

#include <stddef.h>

static bool is_before(const srv_heap_node* a, const srv_heap_node* b) {
  return a->key < b->key || (a->key == b->key && a->order < b->order);
}

// join two trees
static srv_heap_node* meld(srv_heap_node* a, srv_heap_node* b) {
  if (!a || !b) return a ? a : b;
  if (is_before(b, a)) {
    srv_heap_node* other = a;
    a = b;
    b = other;
  }
  b->next = a->child;
  if (b->next) b->next->back = b;
  b->back = a;
  a->child = b;
  return a;
}

// join the trees of a list: first in pairs, then the pairs from the last to the first
static srv_heap_node* meld_all(srv_heap_node* list) {
  srv_heap_node *pairs = NULL, *tree = NULL;
  while (list) {
    srv_heap_node *a = list, *b = a->next;
    list = b ? b->next : NULL;
    a->next = a->back = NULL;
    if (b) b->next = b->back = NULL;
    a = meld(a, b);
    a->next = pairs;
    pairs = a;
  }
  while (pairs) {
    srv_heap_node* a = pairs;
    pairs = a->next;
    a->next = a->back = NULL;
    tree = meld(a, tree);
  }
  return tree;
}

static void cut(srv_heap_node* node) {
  if (node->back->child == node) {
    node->back->child = node->next;
  } else {
    node->back->next = node->next;
  }
  if (node->next) node->next->back = node->back;
}

void srv_heap_remove(srv_heap* heap, srv_heap_node* node) {
  if (!node->in) return;
  srv_heap_node* children = meld_all(node->child);
  if (heap->first == node) {
    heap->first = children;
  } else {
    cut(node);
    heap->first = meld(heap->first, children);
  }
  node->child = node->next = node->back = NULL;
  node->in = false;
}

void srv_heap_put(srv_heap* heap, srv_heap_node* node, double key) {
  srv_heap_remove(heap, node);
  *node = (srv_heap_node){.key = key, .order = ++heap->order, .in = true};
  heap->first = meld(heap->first, node);
}
