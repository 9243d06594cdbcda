// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/shelf.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

enum { COUNT = 60000 };

// hashes that differ in a few bits only, as a client may choose them
static void write_hash(uint8_t hash[SHEAF_HASH_BYTES], int i) {
  memset(hash, 0, SHEAF_HASH_BYTES);
  for (int k = 0; k < 4; k++) hash[i % 2 ? k : 4 + k] = (uint8_t)(i >> 8 * k);
  hash[31] = (uint8_t)(i % 2);
}

TEST(models_are_found_among_very_many) {
  static srv_shelf shelf;
  srv_shelf_node* all = calloc(COUNT, sizeof *all);
  uint8_t hash[SHEAF_HASH_BYTES];
  srv_shelf_init(&shelf);
  for (int i = 0; i < COUNT; i++) {
    write_hash(all[i].hash, i);
    srv_shelf_put(&shelf, &all[i]);
  }
  for (int i = 0; i < COUNT; i++) {
    write_hash(hash, i);
    if (srv_shelf_find(&shelf, hash) != &all[i]) CHECK_EQ(i, -1);
    write_hash(hash, i + COUNT);
    if (srv_shelf_find(&shelf, hash)) CHECK_EQ(i, -2);
    srv_shelf_use(&shelf, &all[i]);
  }
  CHECK(shelf.looked < 2 * 8 * COUNT);  // on average about 4 share a place

  // all were used in turn; every third goes
  CHECK(shelf.first == &all[COUNT - 1] && shelf.last == &all[0]);
  for (int i = 0; i < COUNT; i += 3) srv_shelf_take(&shelf, &all[i]);
  int n = 0;
  for (const srv_shelf_node* m = shelf.last; m; m = m->prev, n++) {
    if (m != &all[n / 2 * 3 + 1 + n % 2] || (m->next && m->next->prev != m)) CHECK_EQ(n, -3);
  }
  CHECK_EQ(n, COUNT / 3 * 2);
  for (int i = 0; i < COUNT; i++) {
    if (i % 3) srv_shelf_take(&shelf, &all[i]);
  }
  CHECK(!shelf.first && !shelf.last && !srv_shelf_find(&shelf, all[1].hash));
  free(all);
}
