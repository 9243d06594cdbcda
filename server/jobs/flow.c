// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/flow.h"

void srv_flow_init(srv_flow* flow, srv_flow* parent, double weight, double start) {
  *flow = (srv_flow){.parent = parent, .weight = weight, .start = start};
}

void srv_flow_update(srv_flow* flow) {
  for (srv_flow* parent = flow->parent; parent; flow = parent, parent = flow->parent) {
    bool wants = flow->ready.first && !flow->held;
    if (wants == flow->node.in) return;
    if (wants) {
      if (flow->start < parent->now) flow->start = parent->now;
      srv_heap_put(&parent->ready, &flow->node, flow->start);
    } else {
      srv_heap_remove(&parent->ready, &flow->node);
    }
    parent->busy += wants ? flow->weight : -flow->weight;
  }
}

void srv_flow_weigh(srv_flow* flow, double weight) {
  if (flow->node.in) flow->parent->busy += weight - flow->weight;
  flow->weight = weight;
}

double srv_flow_share(const srv_flow* flow) {
  double share = 1;
  for (; flow->parent; flow = flow->parent) {
    double others = flow->parent->busy - (flow->node.in ? flow->weight : 0);
    share *= flow->weight / (flow->weight + others);
  }
  return share;
}

srv_flow* srv_flow_next(srv_flow* root) {
  srv_flow* flow = root;
  while (flow && !flow->leaf) flow = flow->ready.first ? SRV_NODE_OF(flow->ready.first, srv_flow, node) : NULL;
  return flow;
}

void srv_flow_serve(srv_flow* leaf, double cost) {
  for (srv_flow* flow = leaf; flow->parent; flow = flow->parent) {
    if (flow->start > flow->parent->now) flow->parent->now = flow->start;
  }
  srv_flow_charge(leaf, cost);
}

void srv_flow_charge(srv_flow* leaf, double cost) {
  for (srv_flow* flow = leaf; flow->parent; flow = flow->parent) {
    flow->start += cost / flow->weight;
    if (flow->node.in) srv_heap_put(&flow->parent->ready, &flow->node, flow->start);
  }
}
