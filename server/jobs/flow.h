// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fair shares: a tree of flows. Among flows beside each other that have something to do, each is served in proportion
// to its weight. The server's tree is: everything -> three priorities -> identities of clients -> their connections ->
// jobs.
//
// This is a form of deficit round robin in which a newcomer waits little. Each flow has an account in virtual time: the
// cost of its service, divided by its weight, is added to the account, and the flow with the least account is served
// next. A flow that had nothing to do gets no credit for that: its account begins at that of the flow that is being
// served. So no flow starves, a client with little work waits for one portion and not for a round of them, and each
// choice costs a few heap operations.
#ifndef SHEAF_SERVER_JOBS_FLOW_H_
#define SHEAF_SERVER_JOBS_FLOW_H_

#include "jobs/heap.h"

typedef struct srv_flow {
  srv_heap_node node;  // in the parent's heap while it has something to do; first, so that its address is the flow's
  struct srv_flow* parent;
  srv_heap ready;  // flows, or what a leaf serves
  double weight;
  double busy;   // sum of the weights of flows below that have something to do
  double start;  // virtual time of its next service
  double now;    // virtual time of the flows below
  bool leaf;     // no flows are below
  bool held;     // it may not be served now
} srv_flow;

// Initialize a flow below a parent (NULL: the root), whose account stands at `start` or later.
void srv_flow_init(srv_flow* flow, srv_flow* parent, double weight, double start);

// Update a flow after something was put into its heap or taken out of it, or after `held` changed.
void srv_flow_update(srv_flow* flow);

// Change the weight of a flow, after its settings were read again.
void srv_flow_weigh(srv_flow* flow, double weight);

// The part of all service that a flow gets now, or would get if it had something to do.
double srv_flow_share(const srv_flow* flow);

// The leaf that is served next, NULL if no flow has anything to do.
srv_flow* srv_flow_next(srv_flow* root);

// Serve a leaf: in it and in the flows above it, the virtual time becomes that of their account, and the cost is added.
void srv_flow_serve(srv_flow* leaf, double cost);

// Correct the cost of a service later.
void srv_flow_charge(srv_flow* leaf, double cost);

#endif  // SHEAF_SERVER_JOBS_FLOW_H_
