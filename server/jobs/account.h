// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Where jobs wait: the tree of flows (jobs/flow.h) of the server. Priorities have shares of 16, 4 and 1; below them
// are the accounts of identities, below these the connections, whose jobs wait by their deadlines.
#ifndef SHEAF_SERVER_JOBS_ACCOUNT_H_
#define SHEAF_SERVER_JOBS_ACCOUNT_H_

#include "jobs/flow.h"
#include "net/conn.h"

enum { SRV_ACCOUNT_BUCKETS = 256 };

// An identity at one priority.
typedef struct srv_account {
  srv_flow flow;
  struct srv_account* next;  // of the bucket
  struct srv_account* rest;  // of those that have no connection with jobs
  srv_heap due;  // jobs whose clients named a deadline, by the time at which they can wait no longer (jobs/due.h)
  unsigned nleaf;
  bool due_went;  // the last turn was that of a long due job, out of its turn
  bool resting;
  char name[SRV_IDENTITY_NAME];
} srv_account;

// A connection at one priority, while it has jobs.
typedef struct srv_leaf {
  srv_flow flow;
  srv_account* account;
  srv_conn* conn;  // NULL once it is closed
  int level;
  unsigned njob;
} srv_leaf;

typedef struct {
  srv_flow root, level[SRV_LEVELS];
  srv_account* bucket[SRV_ACCOUNT_BUCKETS];
  srv_account *rest, **rest_end;  // kept until their debt is old, so that nobody loses a debt by leaving for a moment
} srv_accounts;

void srv_accounts_init(srv_accounts* a);
void srv_accounts_close(srv_accounts* a);

// Where a job of a connection waits, for priority -1, 0 or 1. NULL without memory.
srv_leaf* srv_leaf_enter(srv_accounts* a, srv_conn* conn, int priority);

// The connection of a leaf is closed.
void srv_leaf_lose(srv_leaf* leaf);

// A job of a leaf is over.
void srv_leaf_leave(srv_accounts* a, srv_leaf* leaf);

#endif  // SHEAF_SERVER_JOBS_ACCOUNT_H_
