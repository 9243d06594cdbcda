// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Division of leaves at their median: a quickselect.
//
// For leaves with places any correct method gives the same halves. Faces whose corners lie on a line
// have no place; they compare by number with all others, which is not a consistent order, so the halves depend
// on which leaves are compared. The sequence of comparisons is therefore part of the result: median
// of three, partition from both ends, selection sort of seven or fewer, an early end if a partition
// has found everything in order. All loops are bounded whatever the comparisons say.

#include "compile/bvh_split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"

enum { FEW = 7 };

typedef struct {
  mjiLeaf* leaf;
  int axis;
} Split;

static int isBefore(const Split* s, int i, int j) {
  double d = s->leaf[i].place[s->axis] - s->leaf[j].place[s->axis];
  return fabs(d) > MJI_EPS ? d < 0 : s->leaf[i].id < s->leaf[j].id;
}

static void swap(Split* s, int i, int j) {
  mjiLeaf leaf = s->leaf[i];
  s->leaf[i] = s->leaf[j];
  s->leaf[j] = leaf;
}

// three leaves in order; returns the number of swaps
static int orderThree(Split* s, int i, int j, int k) {
  int low = isBefore(s, j, i), high = isBefore(s, k, j);
  if (!low && !high) return 0;
  if (low && high) return swap(s, i, k), 1;
  if (low) {
    swap(s, i, j);
    if (!isBefore(s, k, j)) return 1;
    swap(s, j, k);
    return 2;
  }
  swap(s, j, k);
  if (!isBefore(s, j, i)) return 1;
  swap(s, i, j);
  return 2;
}

static void sortFew(Split* s, int lo, int hi) {
  if (hi - lo == 3) {
    orderThree(s, lo, lo + 1, lo + 2);
    return;
  }
  for (int i = lo; i < hi - 1; i++) {
    int least = i;
    for (int j = i + 1; j < hi; j++)
      if (isBefore(s, j, least)) least = j;
    if (least != i) swap(s, i, least);
  }
}

static int isSorted(const Split* s, int lo, int hi) {
  for (int i = lo + 1; i < hi; i++)
    if (isBefore(s, i, i - 1)) return 0;
  return 1;
}

// No leaf is before the first: move those that are equal to it to the front. Returns where they end.
static int partitionEqual(Split* s, int lo, int hi) {
  int i = lo + 1, j = hi - 1;
  if (!isBefore(s, lo, j)) {
    while (i < j && !isBefore(s, lo, i)) i++;
    if (i == j) return hi;
    swap(s, i++, j);
  }
  if (i == j) return hi;
  for (;;) {
    while (i < hi && !isBefore(s, lo, i)) i++;
    do j--;
    while (j > lo && isBefore(s, lo, j));
    if (i >= j) return i;
    swap(s, i++, j);
  }
}

// Move leaves that are before the pivot m to the front, going in from both ends; the last leaf is known not to be
// before it. Returns the new place of the pivot.
static int partition(Split* s, int lo, int hi, int m, int j, int* nswap) {
  int i = lo + 1;
  while (i < j) {
    while (i < hi && isBefore(s, i, m)) i++;
    do j--;
    while (j > lo && !isBefore(s, j, m));
    if (i >= j) break;
    swap(s, i, j);
    (*nswap)++;
    if (m == i) m = j;
    i++;
  }
  if (i < hi && i != m && isBefore(s, m, i)) {
    swap(s, i, m);
    (*nswap)++;
  }
  return i;
}

// one pass: narrows [lo, hi) around the median; 0 when it is in place
static int narrow(Split* s, int* lo, int* hi, int nth) {
  int m = *lo + (*hi - *lo) / 2, j = *hi - 1;
  int nswap = orderThree(s, *lo, m, j);
  if (!isBefore(s, *lo, m)) {
    // the first leaf is not before the pivot: exchange it with one that is
    do j--;
    while (j > *lo && !isBefore(s, j, m));
    if (j == *lo) {
      *lo = partitionEqual(s, *lo, *hi);
      return nth >= *lo;
    }
    swap(s, *lo, j);
    nswap++;
  }
  int i = partition(s, *lo, *hi, m, j, &nswap);
  if (i == nth || i >= *hi) return 0;
  if (!nswap && (nth < i ? isSorted(s, *lo, i) : isSorted(s, i, *hi))) return 0;
  if (nth < i) *hi = i;
  else *lo = i + 1;
  return 1;
}

// ---- too many passes

static int compareOn(const mjiLeaf* a, const mjiLeaf* b, int axis) {
  double x = a->place[axis], y = b->place[axis];
  if (isnan(x) != isnan(y)) return isnan(x) ? 1 : -1;
  if (x != y && !isnan(x)) return x < y ? -1 : 1;
  return (a->id > b->id) - (a->id < b->id);
}

static int compareX(const void* a, const void* b) { return compareOn(a, b, 0); }
static int compareY(const void* a, const void* b) { return compareOn(a, b, 1); }
static int compareZ(const void* a, const void* b) { return compareOn(a, b, 2); }

void mji_bvh_split(mjiLeaf* leaf, int n, int axis) {
  static int (*const compare[3])(const void*, const void*) = {compareX, compareY, compareZ};
  Split s = {leaf, axis};
  int lo = 0, hi = n, passes = 64;
  while (hi - lo > FEW) {
    // so many passes are needed only if the order of the leaves was chosen to be bad: sort them
    if (!passes--) {
      qsort(leaf + lo, (size_t)(hi - lo), sizeof *leaf, compare[axis]);
      return;
    }
    if (!narrow(&s, &lo, &hi, n / 2)) return;
  }
  sortFew(&s, lo, hi);
}

// ---- boxes

void mji_bvh_box(const mjiLeaf* leaf, int n, double box[6]) {
  memcpy(box, leaf[0].box, 6 * sizeof(double));
  for (int i = 1; i < n; i++) {
    const double* other = leaf[i].box;
    for (int k = 0; k < 3; k++) {
      box[k] = other[k] < box[k] ? other[k] : box[k];
      box[3 + k] = other[3 + k] > box[3 + k] ? other[3 + k] : box[3 + k];
    }
  }
  // flat boxes get some thickness
  for (int k = 0; k < 3; k++) {
    if (fabs(box[k] - box[3 + k]) < MJI_EPS) {
      box[k] -= MJI_EPS;
      box[3 + k] += MJI_EPS;
    }
  }
}

// Divide along the longest side. An earlier side gets a small bonus, so that the first of equal sides wins; where sides
// are so long that rounding swallows the bonus, the last one wins.
void mji_bvh_divide(mjiLeaf* leaf, int n, const double box[6]) {
  double side[3];
  for (int k = 0; k < 3; k++) side[k] = box[3 + k] - box[k];
  int axis = side[0] + MJI_EPS > fmax(side[1], side[2]) ? 0 : side[1] + MJI_EPS > side[2] ? 1 : 2;
  mji_bvh_split(leaf, n, axis);
}
