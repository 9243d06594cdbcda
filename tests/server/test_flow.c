// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fair shares: heaps and flows, without a server around them.
#include "support/test.h"

#include <stdlib.h>

#include "jobs/flow.h"

TEST(a_heap_gives_the_least_and_among_equals_the_first) {
  enum { N = 2000 };
  srv_heap heap = {0};
  srv_heap_node* node = calloc(N, sizeof *node);
  unsigned seed = 5;
  for (int i = 0; i < N; i++) srv_heap_put(&heap, &node[i], (double)(rand_r(&seed) % 50));
  for (int i = 0; i < N; i += 3) srv_heap_remove(&heap, &node[i]);
  for (int i = 1; i < N; i += 7) srv_heap_put(&heap, &node[i], (double)(rand_r(&seed) % 50));
  int n = 0, nwrong = 0;
  double key = -1;
  uint64_t order = 0;
  for (srv_heap_node* first; (first = heap.first); n++) {
    nwrong += first->key < key || (first->key == key && first->order < order);
    key = first->key;
    order = first->order;
    srv_heap_remove(&heap, first);
    nwrong += first->in;
  }
  CHECK_EQ(nwrong, 0);
  int expected = 0;
  for (int i = 0; i < N; i++) expected += i % 3 != 0 || i % 7 == 1;
  CHECK_EQ(n, expected);
  free(node);
}

// a tree of two identities below each of three priorities, all with something to do
typedef struct {
  srv_flow root, level[3], leaf[6];
  srv_heap_node work[6];
  double served[6];
} Tree;

static void plant(Tree* t, const double weight[6], unsigned busy) {
  static const double level[3] = {1, 4, 16};
  *t = (Tree){0};
  srv_flow_init(&t->root, NULL, 1, 0);
  for (int i = 0; i < 3; i++) srv_flow_init(&t->level[i], &t->root, level[i], 0);
  for (int i = 0; i < 6; i++) {
    srv_flow_init(&t->leaf[i], &t->level[i / 2], weight[i], 0);
    t->leaf[i].leaf = true;
    if (busy >> i & 1) srv_heap_put(&t->leaf[i].ready, &t->work[i], 0);
    srv_flow_update(&t->leaf[i]);
  }
}

// serve n times; a service costs what the leaf's number says, and is estimated wrongly first
static void run(Tree* t, int n, const double cost[6]) {
  for (int k = 0; k < n; k++) {
    srv_flow* leaf = srv_flow_next(&t->root);
    int i = (int)(leaf - t->leaf);
    srv_flow_serve(leaf, 1);
    srv_flow_charge(leaf, cost[i] - 1);
    t->served[i] += cost[i];
  }
}

static const double even[6] = {1, 1, 1, 1, 1, 1};

TEST(flows_share_by_weight_whatever_their_portions_cost) {
  Tree t;
  plant(&t, (double[6]){1, 1, 1, 3, 1, 1}, 0x0c);
  run(&t, 4000, (double[6]){1, 1, 7, 0.3, 1, 1});
  double ratio = t.served[3] / t.served[2];
  CHECK(ratio > 2.9 && ratio < 3.1);
}

TEST(priorities_share_sixteen_to_four_to_one) {
  Tree t;
  plant(&t, even, 0x3f);
  run(&t, 21000, even);
  for (int i = 0; i < 3; i++) {
    double share = (t.served[2 * i] + t.served[2 * i + 1]) / 1000;
    CHECK(share > 0.95 * t.level[i].weight && share < 1.05 * t.level[i].weight);
    CHECK(t.served[2 * i] / t.served[2 * i + 1] > 0.95);
  }
}

// of any priority, also beside those that have been served for long; looking who is next changes nothing
TEST(a_newcomer_is_next) {
  for (int i = 0; i < 6; i++) {
    Tree t;
    plant(&t, even, 0x3fu & ~(1u << i));
    run(&t, 1000, even);
    for (int k = 0; k < 5; k++) srv_flow_next(&t.root);
    srv_heap_put(&t.leaf[i].ready, &t.work[i], 0);
    srv_flow_update(&t.leaf[i]);
    int turns = 1;
    while (srv_flow_next(&t.root) != &t.leaf[i]) {
      run(&t, 1, even);
      turns++;
    }
    // the low priority waits until the others have had their share
    CHECK(turns <= (i < 2 ? 25 : i < 4 ? 9 : 3));
  }
}

// who was away gets no credit for that, and who is held is passed over
TEST(absence_is_no_credit) {
  Tree t;
  plant(&t, even, 0x04);
  run(&t, 1000, even);
  srv_heap_put(&t.leaf[3].ready, &t.work[3], 0);
  srv_flow_update(&t.leaf[3]);
  t.served[2] = 0;
  run(&t, 1000, even);
  CHECK(t.served[3] > 495 && t.served[3] < 505);
  t.leaf[3].held = true;
  srv_flow_update(&t.leaf[3]);
  t.served[2] = 0;
  run(&t, 100, even);
  CHECK(t.served[2] == 100);
  srv_heap_remove(&t.leaf[2].ready, &t.work[2]);
  srv_flow_update(&t.leaf[2]);
  CHECK(!srv_flow_next(&t.root));
}

TEST(a_share_follows_from_the_weights_of_those_that_are_busy) {
  static const double weight[6] = {1, 3, 1, 1, 1, 1};
  Tree t;
  plant(&t, weight, 1 + 2 + 4);  // two of the lowest priority, one of the next: 1 : 4 above, 1 : 3 below
  CHECK_NEAR(srv_flow_share(&t.leaf[0]), 0.25 / 5, 1e-12);
  CHECK_NEAR(srv_flow_share(&t.leaf[1]), 0.75 / 5, 1e-12);
  CHECK_NEAR(srv_flow_share(&t.leaf[2]), 4. / 5, 1e-12);
  CHECK_NEAR(srv_flow_share(&t.leaf[3]), 0.5 * 4 / 5, 1e-12);  // if it had something to do
  srv_flow_weigh(&t.leaf[1], 1);
  CHECK_NEAR(srv_flow_share(&t.leaf[0]), 0.5 / 5, 1e-12);
  srv_heap_remove(&t.leaf[1].ready, &t.work[1]);
  srv_flow_update(&t.leaf[1]);
  CHECK_NEAR(srv_flow_share(&t.leaf[0]), 1. / 5, 1e-12);
  srv_heap_remove(&t.leaf[2].ready, &t.work[2]);
  srv_flow_update(&t.leaf[2]);
  CHECK_NEAR(srv_flow_share(&t.leaf[0]), 1, 1e-12);
}
