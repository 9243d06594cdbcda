// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "lanes/lanes.h"

#include "lanes/kernels.h"
#include "model/side_lanes.h"

enum { MAXVERTEX = 4 };

static V distance(const V a[3], const V b[3]) {
  V x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return v_sqrt(x * x + y * y + z * z);
}

// weights of the vertices of an element, without vertex `left`: inverse distances from a point
static int elementWeights(const mjModel* m, const mjData* d, int f, int e, int left, const V* pos, int vert[MAXVERTEX],
                          V weight[MAXVERTEX]) {
  int each = m->flex_dim[f] + 1, n = 0;
  const int* id = m->flex_elem + m->flex_elemdataadr[f] + each * e;
  V sum = v_zero();
  for (int i = 0; i < each; i++) {
    if (id[i] == left) continue;
    V dist = distance(pos, CLANES(d->flexvert_xpos) + 3 * (m->flex_vertadr[f] + id[i]));
    vert[n] = id[i];
    weight[n] = 1 / v_max(dist, v_set1(mjMINVAL));
    sum = sum + weight[n++];
  }
  for (int i = 0; i < n; i++) weight[i] = weight[i] / sum;
  return n;
}

// mji_flexBasis (model/flex_node.h) over lanes
static void basis(int order, V t, V value[3]) {
  if (order == 1) {
    value[0] = 1 - t;
    value[1] = t;
    return;
  }
  value[0] = 2 * t * t - 3 * t + 1;
  value[1] = 4 * (t - t * t);
  value[2] = 2 * t * t - t;
}

// Nodes carry the weighted sum of the places of the vertices in the unit cube. Nodes whose weight is small or
// negative are left out, and the others keep theirs, as in the reference. The lanes of a record have the same nodes
// (collide/flex_lanes.c); in other lanes weights do not matter.
static int nodeSide(const mjModel* m, int f, const int* vert, const V* weight, int n, M on, int* body, V* out) {
  V place[3] = {v_zero(), v_zero(), v_zero()}, along[3][3];
  for (int i = 0; i < n; i++) {
    const mjtNum* at = m->flex_vert0 + 3 * (m->flex_vertadr[f] + vert[i]);
    for (int k = 0; k < 3; k++) place[k] = place[k] + at[k] * weight[i];
  }
  int order = m->flex_interp[f], each = order + 1, count = 0;
  for (int k = 0; k < 3; k++) basis(order, place[k], along[k]);
  for (int i = 0; i < m->flex_nodenum[f]; i++) {
    V all = along[0][i / (each * each)] * along[1][i / each % each] * along[2][i % each];
    M carries = on & ~v_lt(all, v_set1(1e-5));
    if (!m_any(carries)) continue;
    body[count] = m->flex_nodebodyid[m->flex_nodeadr[f] + i];
    out[count++] = v_and(carries, all);
  }
  return count;
}

int LANE(flexSideOn)(const mjModel* m, const mjData* d, const int part[3], const V pos[3], M on, int* body, V* weight) {
  int f = part[0], elem = part[1], n = 1, vert[MAXVERTEX] = {part[2]};
  if (f < 0 || f >= m->nflex || elem >= m->flex_elemnum[f] || part[2] >= m->flex_vertnum[f]) return 0;
  V share[MAXVERTEX] = {v_set1(1)};
  if (elem >= 0) n = elementWeights(m, d, f, elem, part[2], pos, vert, share);
  else if (part[2] < 0) return 0;
  if (m->flex_interp[f]) return nodeSide(m, f, vert, share, n, on, body, weight);
  for (int i = 0; i < n; i++) {
    body[i] = m->flex_vertbodyid[m->flex_vertadr[f] + vert[i]];
    weight[i] = share[i];
  }
  return n;
}

int LANE(flexSide)(const mjModel* m, const mjData* d, const int* part, const mjtNum* pos, int* body, mjtNum* weight) {
  M all = v_le(v_zero(), v_zero());
  return LANE(flexSideOn)(m, d, part, (const V*)pos, all, body, (V*)weight);
}
