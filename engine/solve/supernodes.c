// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Supernodes of a sparse pattern: see solve/pattern.h.

#include "model/work.h"
#include "solve/pattern.h"

static int width(const mjiPattern* s, int row) { return s->rowadr[row + 1] - s->rowadr[row]; }

// A row hands its columns to the row of the last of them. So if that is the row before, and is one column shorter, both
// have the same columns.
static int continues(const mjiPattern* s, int row) {
  int end = s->rowadr[row + 1];
  return width(s, row) == width(s, row - 1) + 1 && width(s, row) > 1 && s->col[end - 2] == row - 1;
}

static void findNodes(mjiPattern* s) {
  mjiSupernodes* x = &s->super;
  x->n = 0;
  for (int i = 0; i < s->nv; i++) {
    if (!i || !continues(s, i)) x->first[x->n++] = i;
    x->of[i] = x->n - 1;
  }
  x->first[x->n] = s->nv;
}

// Add the columns of one supernode outside of itself to the links of those that they belong to. Without `link` they are
// only counted.
static void addLinks(const mjiPattern* s, int from, int* count, mjiLink* link) {
  const mjiSupernodes* x = &s->super;
  int row = x->first[from], n = width(s, row) - 1;
  const int* col = s->col + s->rowadr[row];
  for (int start = 0, end; start < n; start = end) {
    int to = x->of[col[start]];
    for (end = start + 1; end < n && x->of[col[end]] == to;) end++;
    if (link) link[count[to]] = (mjiLink){from, start, end};
    count[to]++;
  }
}

void mji_supernodesMake(mjData* d, mjiPattern* s) {
  mjiSupernodes* x = &s->super;
  x->first = mj_stackAllocInt(d, s->nv + 1);
  x->of = mj_stackAllocInt(d, s->nv);
  findNodes(s);
  x->linkadr = mj_stackAllocInt(d, x->n + 1);
  x->stale = mj_stackAllocInt(d, x->n);
  x->place = mj_stackAllocInt(d, s->nv);

  // as many places as there are links; then each of them, the last supernodes first
  int *count = x->linkadr, total = 0;
  for (int i = 0; i <= x->n; i++) count[i] = 0;
  for (int i = 0; i < x->n; i++) addLinks(s, i, count, NULL);
  for (int i = 0; i < x->n; i++) {
    int n = count[i];
    count[i] = total;
    total += n;
  }
  x->link = mj_stackAllocByte(d, sizeof(mjiLink) * (size_t)(total + 1), _Alignof(mjiLink));
  for (int i = x->n - 1; i >= 0; i--) addLinks(s, i, count, x->link);
  for (int i = x->n; i > 0; i--) count[i] = count[i - 1];
  count[0] = 0;
  mji_patternAllStale(s);
}
