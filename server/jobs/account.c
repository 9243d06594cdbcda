// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/account.h"

#include <stdlib.h>
#include <string.h>

static const double weights[SRV_LEVELS] = {1, 4, 16};

void srv_accounts_init(srv_accounts* a) {
  *a = (srv_accounts){0};
  a->rest_end = &a->rest;
  srv_flow_init(&a->root, NULL, 1, 0);
  for (int i = 0; i < SRV_LEVELS; i++) srv_flow_init(&a->level[i], &a->root, weights[i], 0);
}

static srv_account** find(srv_accounts* a, const srv_flow* level, const char* name) {
  unsigned hash = 5381;
  for (const char* c = name; *c; c++) hash = hash * 33 + (unsigned char)*c;
  srv_account** link = &a->bucket[hash % SRV_ACCOUNT_BUCKETS];
  while (*link && ((*link)->flow.parent != level || strcmp((*link)->name, name) != 0)) link = &(*link)->next;
  return link;
}

static void forget(srv_accounts* a, srv_account* account) {
  *find(a, account->flow.parent, account->name) = account->next;
  free(account);
}

// Go through the accounts at rest in their order, and forget those whose debt is old, or all of them.
static void sweep(srv_accounts* a, bool all) {
  for (srv_account* account; (account = a->rest);) {
    bool back = account->nleaf > 0, debt = account->flow.start > account->flow.parent->now;
    if (!back && debt && !all) break;
    a->rest = account->rest;
    if (!a->rest) a->rest_end = &a->rest;
    account->resting = false;
    if (!back) forget(a, account);
  }
}

void srv_accounts_close(srv_accounts* a) { sweep(a, true); }

static srv_account* account_of(srv_accounts* a, const srv_identity* who, srv_flow* level) {
  srv_account** link = find(a, level, who->name);
  double weight = who->may.weight ? who->may.weight : 1;
  if (*link) {
    if ((*link)->flow.weight != weight) srv_flow_weigh(&(*link)->flow, weight);
    return *link;
  }
  srv_account* account = calloc(1, sizeof *account);
  if (!account) return NULL;
  srv_flow_init(&account->flow, level, weight, 0);
  memcpy(account->name, who->name, sizeof account->name);
  *link = account;
  return account;
}

srv_leaf* srv_leaf_enter(srv_accounts* a, srv_conn* conn, int priority) {
  int level = priority + 1;
  srv_leaf* leaf = conn->leaf[level];
  if (!leaf) {
    srv_account* account = account_of(a, conn->who, &a->level[level]);
    leaf = account ? calloc(1, sizeof *leaf) : NULL;
    if (!leaf) {
      if (account && !account->nleaf && !account->resting) forget(a, account);
      return NULL;
    }
    srv_flow_init(&leaf->flow, &account->flow, 1, account->flow.now + conn->debt[level]);
    leaf->flow.leaf = true;
    leaf->account = account;
    leaf->conn = conn;
    leaf->level = level;
    account->nleaf++;
    conn->leaf[level] = leaf;
  }
  leaf->njob++;
  return leaf;
}

void srv_leaf_lose(srv_leaf* leaf) {
  if (leaf->conn) leaf->conn->leaf[leaf->level] = NULL;
  leaf->conn = NULL;
}

void srv_leaf_leave(srv_accounts* a, srv_leaf* leaf) {
  srv_account* account = leaf->account;
  if (--leaf->njob) return;
  if (leaf->conn) {
    double debt = leaf->flow.start - account->flow.now;
    leaf->conn->debt[leaf->level] = debt > 0 ? debt : 0;
  }
  srv_leaf_lose(leaf);
  free(leaf);
  if (--account->nleaf == 0 && !account->resting) {
    account->resting = true;
    account->rest = NULL;
    *a->rest_end = account;
    a->rest_end = &account->rest;
  }
  // if no account has jobs, debts mean nothing
  sweep(a, !a->root.ready.first);
}
