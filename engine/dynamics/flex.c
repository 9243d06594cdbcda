// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Positions of flexes: vertices, boxes around elements, the trees of boxes, lengths of edges and their Jacobians.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/flex.h"
#include "dynamics/spatial.h"
#include "model/flex_node.h"
#include "model/work.h"

// ---- vertices

// a point of a body in global coordinates; `centered`: it is the origin of the body's frame
static inline void bodyPoint(const mjData* d, int body, const mjtNum* local, int centered, V* res) {
  const V *pos = CLANES(d->xpos) + 3 * body, *mat = CLANES(d->xmat) + 9 * body;
  if (centered) {
    copy3(res, pos);
    return;
  }
  for (int k = 0; k < 3; k++) {
    res[k] = (mat[3 * k] * local[0] + mat[3 * k + 1] * local[1] + mat[3 * k + 2] * local[2]) + pos[k];
  }
}

void LANE(flexNodes)(const mjModel* m, const mjData* d, int f, mjtNum* xpos) {
  int adr = m->flex_nodeadr[f];
  for (int i = 0; i < m->flex_nodenum[f]; i++) {
    int node = adr + i;
    bodyPoint(d, m->flex_nodebodyid[node], m->flex_node + 3 * node, m->flex_centered[f], LANES(xpos) + 3 * i);
  }
}

// vertices that follow the nodes of a flex: weighted sums
static void interpolate(const mjModel* m, mjData* d, int f) {
  int n = m->flex_nodenum[f];
  mj_markStack(d);
  mjtNum* node = mji_stackNum(d, 3 * (size_t)n);
  LANE(flexNodes)(m, d, f, node);
  for (int i = m->flex_vertadr[f]; i < m->flex_vertadr[f] + m->flex_vertnum[f]; i++) {
    mjtNum weight[mjMAXFLEXNODES];
    mji_flexWeights(m->flex_interp[f], m->flex_vert0 + 3 * i, weight);
    V sum[3] = {v_zero(), v_zero(), v_zero()};
    for (int k = 0; k < n; k++) {
      for (int c = 0; c < 3; c++) sum[c] = sum[c] + weight[k] * CLANES(node)[3 * k + c];
    }
    copy3(LANES(d->flexvert_xpos) + 3 * i, sum);
  }
  mj_freeStack(d);
}

static void vertices(const mjModel* m, mjData* d, int f) {
  if (m->flex_interp[f]) {
    interpolate(m, d, f);
    return;
  }
  for (int i = m->flex_vertadr[f]; i < m->flex_vertadr[f] + m->flex_vertnum[f]; i++) {
    bodyPoint(d, m->flex_vertbodyid[i], m->flex_vert + 3 * i, m->flex_centered[f], LANES(d->flexvert_xpos) + 3 * i);
  }
}

// ---- boxes

// center and half sizes of a box from its corners
static inline void storeBox(V* box, const V lo[3], const V hi[3], mjtNum radius) {
  for (int k = 0; k < 3; k++) {
    box[k] = 0.5 * (hi[k] + lo[k]);
    box[3 + k] = 0.5 * (hi[k] - lo[k]) + radius;
  }
}

// boxes around elements, with the radius of the flex around each vertex
static void boxes(const mjModel* m, mjData* d, int f) {
  int n = m->flex_dim[f] + 1;
  const int* elem = m->flex_elem + m->flex_elemdataadr[f];
  const V* vert = CLANES(d->flexvert_xpos) + 3 * m->flex_vertadr[f];
  for (int e = 0; e < m->flex_elemnum[f]; e++, elem += n) {
    V lo[3], hi[3];
    copy3(lo, vert + 3 * elem[0]);
    copy3(hi, lo);
    for (int i = 1; i < n; i++) {
      for (int k = 0; k < 3; k++) {
        lo[k] = v_min(lo[k], vert[3 * elem[i] + k]);
        hi[k] = v_max(hi[k], vert[3 * elem[i] + k]);
      }
    }
    storeBox(LANES(d->flexelem_aabb) + 6 * (m->flex_elemadr[f] + e), lo, hi, m->flex_radius[f]);
  }
}

// the tree of boxes, from its leaves to its root: children have higher numbers than their parent
static void boxTree(const mjModel* m, mjData* d, int f) {
  int adr = m->flex_bvhadr[f];
  if (adr < 0) return;
  V* tree = LANES(d->bvh_aabb_dyn) + 6 * (adr - m->nbvhstatic);
  for (int i = m->flex_bvhnum[f] - 1; i >= 0; i--) {
    int leaf = m->bvh_nodeid[adr + i];
    const int* child = m->bvh_child + 2 * (adr + i);
    if (leaf >= 0) {
      copyN(tree + 6 * i, CLANES(d->flexelem_aabb) + 6 * (m->flex_elemadr[f] + leaf), 6);
      continue;
    }
    const V *a = tree + 6 * child[0], *b = tree + 6 * child[1];
    V lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
      lo[k] = v_min(a[k] - a[3 + k], b[k] - b[3 + k]);
      hi[k] = v_max(a[k] + a[3 + k], b[k] + b[3 + k]);
    }
    storeBox(tree + 6 * i, lo, hi, 0);
  }
}

// ---- edges

// Velocity of a point along a direction, for each dof that moves a body. The velocity is added to the entries of a row
// whose ascending columns contain these dofs; `sign` is 1 or -1.
static void addPoint(const mjModel* m, const mjData* d, int body, const V point[3], const V direction[3], lane_t sign,
                     const int* col, V* entry) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[body];
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[body];
  V offset[3] = {point[0] - com[0], point[1] - com[1], point[2] - com[2]}, moment[3];
  cross3(moment, offset, direction);
  for (int i = 0, c = 0; i < plan->chain_num[body]; i++) {
    while (col[c] != chain[i]) c++;
    const V* cdof = CLANES(d->cdof) + 6 * chain[i];
    entry[c] = entry[c] + sign * (dot3(cdof, moment) + dot3(cdof + 3, direction));
  }
}

static void storeRow(const mjModel* m, mjData* d, int e, const V* entry, int n) {
  const mjiPlan* plan = mji_plan(m);
  const int* col = plan->edge_col + plan->edge_adr[e];
  V* J = LANES(d->flexedge_J);
  if (!ONE_STATE || mj_isSparse(m)) {
    copyN(J + plan->edge_adr[e], entry, n);
    return;
  }
  for (int i = 0; i < n; i++) J[(size_t)e * (size_t)m->nv + (size_t)col[i]] = entry[i];
}

// what programs read of the pattern of sparse rows; flexes without a Jacobian have none
static void storePattern(const mjModel* m, mjData* d) {
  if (!ONE_STATE || !mj_isSparse(m)) return;
  const mjiPlan* plan = mji_plan(m);
  for (int f = 0; f < m->nflex; f++) {
    const int jacobian = mji_flexHasJacobian(m, f);
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      d->flexedge_J_rowadr[e] = jacobian ? plan->edge_adr[e] : 0;
      d->flexedge_J_rownnz[e] = plan->edge_adr[e + 1] - plan->edge_adr[e];
    }
  }
  memcpy(d->flexedge_J_colind, plan->edge_col, (size_t)plan->edge_adr[m->nflexedge] * sizeof(int));
}

static void edges(const mjModel* m, mjData* d, int f) {
  if (!mji_flexHasEdges(m, f)) return;
  const mjiPlan* plan = mji_plan(m);
  const V* vert = CLANES(d->flexvert_xpos) + 3 * m->flex_vertadr[f];
  const int* body = m->flex_vertbodyid + m->flex_vertadr[f];
  int jacobian = mji_flexHasJacobian(m, f);
  mj_markStack(d);
  V* entry = LANES(mji_stackNum(d, (size_t)m->nv));
  for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
    int v0 = m->flex_edge[2 * e], v1 = m->flex_edge[2 * e + 1];
    const V *p0 = vert + 3 * v0, *p1 = vert + 3 * v1;
    V along[3] = {p1[0] - p0[0], p1[1] - p0[1], p1[2] - p0[2]};
    V length = v_sqrt(dot3(along, along));
    LANES(d->flexedge_length)[e] = length;
    if (!jacobian) continue;

    // an edge without length points along the first axis
    M none = v_lt(length, v_set1(mjMINVAL));
    V inv = 1.0 / v_sel(none, v_set1(1), length);
    for (int k = 0; k < 3; k++) along[k] = v_sel(none, v_set1(k == 0), along[k] * inv);
    int n = plan->edge_adr[e + 1] - plan->edge_adr[e];
    const int* col = plan->edge_col + plan->edge_adr[e];
    zeroN(entry, n);
    addPoint(m, d, body[v0], p0, along, -1, col, entry);
    addPoint(m, d, body[v1], p1, along, 1, col, entry);
    storeRow(m, d, e, entry, n);
  }
  mj_freeStack(d);
}

void LANE(flex)(const mjModel* m, mjData* d) {
  for (int f = 0; f < m->nflex; f++) {
    vertices(m, d, f);
    boxes(m, d, f);
    boxTree(m, d, f);
    edges(m, d, f);
  }
  if (m->nflex) storePattern(m, d);
}

void LANE(flexVelocity)(const mjModel* m, mjData* d) {
  for (int f = 0; f < m->nflex; f++) {
    int jacobian = mji_flexHasJacobian(m, f);
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      V sum = v_zero();
      FlexEdgeRow row = flexEdgeRow(m, d, e);
      for (int i = 0; jacobian && i < row.n; i++) sum = sum + flexEdgeEntry(&row, i) * CLANES(d->qvel)[row.col[i]];
      LANES(d->flexedge_velocity)[e] = sum;
    }
  }
}
