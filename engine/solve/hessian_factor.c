// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The factor L'DL of the Newton Hessian, and solves with it.
//
// The factor keeps rows D*L rather than L, so no pass of divisions is needed. This file has the sparse factor, with
// values at the places of the pattern, of which solve/sparse_quads.c and solve/sparse_lanes.c have the inner loops;
// solve/dense_quads.c and solve/dense_lanes.c have the dense one of small problems.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "model/work.h"
#include "solve/hessian.h"
#include "solve/primal.h"

// ---- the factor, supernode by supernode (solve/pattern.h)
//
// A row is that of the sum, less the contributions of the rows below that have its column, the last row first. So an
// entry is the same sum wherever supernodes begin and end, and what only other lanes have adds exact zeros.

// places of the columns of one supernode, up to its place `end`, in the rows of another
static const int* findPlaces(const mjiPattern* s, int from, int end, int to) {
  const mjiSupernodes* x = &s->super;
  const int *col = s->col + s->rowadr[x->first[from]], *mine = s->col + s->rowadr[x->first[to + 1] - 1];
  for (int c = 0, k = 0; c < end; c++, k++) {
    while (mine[k] != col[c]) k++;
    x->place[c] = k;
  }
  return x->place;
}

// subtract what the rows of another supernode contribute, from MJI_NODE_ROWS rows at a time
static void subtractLink(LANE(Primal)* p, const mjiLink* link, int node) {
  const mjiPattern* s = &p->pattern;
  const int* row = s->super.first + link->from;
  const int* col = s->col + s->rowadr[row[0]];
  LANE(Below) below = {p->factor, p->temp, s->rowadr, findPlaces(s, link->from, link->end, node), row[0], row[1]};
  for (int start = link->start, nrow; start < link->end; start += nrow) {
    V *out[MJI_NODE_ROWS], *ratio = p->temp;
    int ncol[MJI_NODE_ROWS];
    for (nrow = 0; nrow < MJI_NODE_ROWS && start + nrow < link->end; nrow++) {
      int c = start + nrow;
      out[nrow] = p->factor + s->rowadr[col[c]];
      ncol[nrow] = c + 1;
      for (int k = row[0]; k < row[1]; k++) *ratio++ = p->factor[s->rowadr[k] + c] * p->dinv[k];
    }
    LANE(subtractBelow)(out, ncol, nrow, &below);
  }
}

// finish row i of a supernode by the rows below it there, up to `end`
static void finishRow(LANE(Primal)* p, int i, int end) {
  const mjiPattern* s = &p->pattern;
  int diag = s->rowadr[i + 1] - s->rowadr[i] - 1, ncol = diag + 1;
  V* out = p->factor + s->rowadr[i];
  for (int k = i + 1; k < end; k++) p->temp[k - i - 1] = p->factor[s->rowadr[k] + diag] * p->dinv[k];
  LANE(Below) below = {p->factor, p->temp, s->rowadr, NULL, i + 1, end};
  LANE(subtractBelow)(&out, &ncol, 1, &below);
  out[diag] = v_max(out[diag], p->bound[2 * i]);
  p->dinv[i] = 1.0 / out[diag];
}

// factor a supernode, unless neither its rows have changed nor any row that contributes to them
static void factorNode(LANE(Primal)* p, int node) {
  const mjiPattern* s = &p->pattern;
  const mjiSupernodes* x = &s->super;
  int first = x->first[node], end = x->first[node + 1], stale = x->stale[node];
  for (int k = x->linkadr[node]; k < x->linkadr[node + 1]; k++) stale |= x->stale[x->link[k].from];
  x->stale[node] = stale;
  if (!stale) return;
  size_t start = (size_t)s->rowadr[first], n = (size_t)s->rowadr[end] - start;
  memcpy(p->factor + start, p->sum + start, n * sizeof(V));
  for (int k = x->linkadr[node]; k < x->linkadr[node + 1]; k++) subtractLink(p, x->link + k, node);
  for (int i = end - 1; i >= first; i--) finishRow(p, i, end);
}

// ---- solves

// x = inv(L') x, and inv(D), by row i
static inline void eliminateRow(const LANE(Primal)* p, V* restrict x, int i) {
  const mjiPattern* s = &p->pattern;
  const V* row = p->factor + s->rowadr[i];
  const int* col = s->col + s->rowadr[i];
  int n = s->rowadr[i + 1] - s->rowadr[i] - 1;
  V t = x[i] * p->dinv[i];
  for (int k = 0; k < n; k++) x[col[k]] = x[col[k]] - row[k] * t;
  x[i] = t;
}

// x = inv(L) x by row i
static inline void substituteRow(const LANE(Primal)* p, V* restrict x, int i) {
  const mjiPattern* s = &p->pattern;
  const V* row = p->factor + s->rowadr[i];
  const int* col = s->col + s->rowadr[i];
  int n = s->rowadr[i + 1] - s->rowadr[i] - 1;
  V t = v_zero();
  for (int k = 0; k < n; k++) t = t + row[k] * x[col[k]];
  x[i] = x[i] - t * p->dinv[i];
}

// Segments are trees if there are several.
static inline int isIdleRow(const LANE(Primal)* p, int i) {
  return p->parts->nsegment > 1 && isIdle(p->parts, p->m->dof_treeid[i]);
}

void LANE(hessianSolve)(LANE(Primal)* p, V* restrict x, const V* restrict y, int factor) {
  for (int i = 0; i < p->nv; i++) x[i] = y[i];
  if (p->pattern.dense) {
    LANE(solveDense)(p, x, factor);
    return;
  }

  // use rows for the elimination right after they are factored, while they are in the cache
  const mjiSupernodes* s = &p->pattern.super;
  for (int node = s->n - 1; node >= 0; node--) {
    if (isIdleRow(p, s->first[node])) continue;
    if (factor) factorNode(p, node);
    for (int i = s->first[node + 1] - 1; i >= s->first[node]; i--) eliminateRow(p, x, i);
  }
  if (factor) memset(s->stale, 0, (size_t)s->n * sizeof(int));
  for (int i = 0; i < p->nv; i++) {
    if (!isIdleRow(p, i)) substituteRow(p, x, i);
  }
}
