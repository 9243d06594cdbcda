// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The models of a registry: by their hashes, and in the order in which they were used. Each function looks at a few
// models only, because clients may put very many and ask for those that are not there.
#ifndef SHEAF_SERVER_MODELS_SHELF_H_
#define SHEAF_SERVER_MODELS_SHELF_H_

#include <stdint.h>

#include "manifest.h"

enum { SRV_SHELF_PLACES = 1 << 14 };

// A part of each model.
typedef struct srv_shelf_node {
  struct srv_shelf_node *next, *prev;  // used before and after it
  struct srv_shelf_node* same;         // at the same place
  uint8_t hash[SHEAF_HASH_BYTES];
} srv_shelf_node;

typedef struct {
  srv_shelf_node *first, *last;             // most and least recently used
  srv_shelf_node* place[SRV_SHELF_PLACES];  // lists of models whose hashes share a place
  uint64_t seed;                            // so that clients cannot choose the place
  uint64_t looked;                          // models looked at so far
} srv_shelf;

void srv_shelf_init(srv_shelf* s);

// The model of this hash, or NULL.
srv_shelf_node* srv_shelf_find(srv_shelf* s, const uint8_t hash[SHEAF_HASH_BYTES]);

// Put a model that is not there, as the most recently used.
void srv_shelf_put(srv_shelf* s, srv_shelf_node* node);

void srv_shelf_take(srv_shelf* s, srv_shelf_node* node);

// Note that it is used.
void srv_shelf_use(srv_shelf* s, srv_shelf_node* node);

#endif  // SHEAF_SERVER_MODELS_SHELF_H_
