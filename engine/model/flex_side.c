// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include <math.h>

#include "model/contact_side.h"
#include "model/flex_node.h"

enum { MAXVERTEX = 4 };

// weights of the vertices of an element, without vertex `left`: inverse distances from a point
static int elementWeights(const mjModel* m, const mjData* d, int f, int e, int left, const mjtNum pos[3],
                          int vert[MAXVERTEX], mjtNum weight[MAXVERTEX]) {
  int each = m->flex_dim[f] + 1, n = 0;
  const int* id = m->flex_elem + m->flex_elemdataadr[f] + each * e;
  mjtNum sum = 0;
  for (int i = 0; i < each; i++) {
    if (id[i] == left) continue;
    mjtNum dist = mju_dist3(pos, d->flexvert_xpos + 3 * (m->flex_vertadr[f] + id[i]));
    vert[n] = id[i];
    weight[n] = 1 / (dist > mjMINVAL ? dist : mjMINVAL);
    sum += weight[n++];
  }
  for (int i = 0; i < n; i++) weight[i] /= sum;
  return n;
}

// Nodes carry the weighted sum of the places of the vertices in the unit cube. Nodes whose weight is small or
// negative are left out, and the others keep theirs, as in the reference.
static mjiSide nodeSide(const mjModel* m, int f, const int* vert, const mjtNum* weight, int n, mjiSideRoom* room) {
  mjtNum place[3] = {0, 0, 0};
  for (int i = 0; i < n; i++) mju_addToScl3(place, m->flex_vert0 + 3 * (m->flex_vertadr[f] + vert[i]), weight[i]);
  mjtNum all[mjMAXFLEXNODES];
  mji_flexWeights(m->flex_interp[f], place, all);
  int k = 0;
  for (int i = 0; i < m->flex_nodenum[f]; i++) {
    if (all[i] < 1e-5) continue;
    room->body[k] = m->flex_nodebodyid[m->flex_nodeadr[f] + i];
    room->weight[k++] = all[i];
  }
  return (mjiSide){k, room->body, room->weight};
}

mjiSide mji_flexSide(const mjModel* m, const mjData* d, const int part[3], const mjtNum pos[3], mjiSideRoom* room) {
  static const mjiSide none = {0, NULL, NULL};
  int f = part[0], elem = part[1], n = 1, vert[MAXVERTEX] = {part[2]};
  mjtNum weight[MAXVERTEX] = {1};
  if (f < 0 || f >= m->nflex || elem >= m->flex_elemnum[f] || part[2] >= m->flex_vertnum[f]) return none;
  if (elem >= 0) n = elementWeights(m, d, f, elem, part[2], pos, vert, weight);
  else if (part[2] < 0) return none;
  if (m->flex_interp[f]) return nodeSide(m, f, vert, weight, n, room);
  for (int i = 0; i < n; i++) {
    room->body[i] = m->flex_vertbodyid[m->flex_vertadr[f] + vert[i]];
    room->weight[i] = weight[i];
  }
  return (mjiSide){n, room->body, room->weight};
}
