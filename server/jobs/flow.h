// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fair shares: a tree of flows, in which each is served in proportion to its weight among those that have something to
// do. The server's tree is: everything -> three priorities -> identities of clients -> their connections -> jobs.
//
// It is deficit round robin in a form that keeps the wait of a newcomer short: each flow has an account in virtual
// time, to which the cost of its service is added, divided by its weight, and the least account is served next. A flow
// that had nothing to do gets no credit for that: it begins where the flow that is being served stands. So none
// starves, a light client waits for one portion and not for a round of them, and each choice costs a few heap
// operations.
#ifndef SHEAF_SERVER_JOBS_FLOW_H_
#define SHEAF_SERVER_JOBS_FLOW_H_

#include "jobs/heap.h"

typedef struct srv_flow {
  srv_heap_node node;  // in the parent's heap while there is something to do; first, so that it is the flow
  struct srv_flow* parent;
  srv_heap ready;  // flows, or what a leaf serves
  double weight;
  double start;  // virtual time of its next service
  double now;    // virtual time of those below
  bool leaf;     // what is below are no flows
  bool held;     // may not be served now
} srv_flow;

// A flow below a parent (NULL: the root), whose account stands at `start` or later.
void srv_flow_init(srv_flow* flow, srv_flow* parent, double weight, double start);

// Look at a flow again: something was put into its heap or taken out, or it is held or not any more.
void srv_flow_update(srv_flow* flow);

// The leaf that is served next, NULL if nobody has anything to do.
srv_flow* srv_flow_next(srv_flow* root);

// A leaf is served: its flows' accounts are the time of those beside them, and the cost is added.
void srv_flow_serve(srv_flow* leaf, double cost);

// Correct the cost of a service later.
void srv_flow_charge(srv_flow* leaf, double cost);

#endif  // SHEAF_SERVER_JOBS_FLOW_H_
