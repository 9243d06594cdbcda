// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/hull_corners.h"

#include <float.h>
#include <math.h>

// Spheres are larger by these parts of their radius and of the distance of their middle: rounding moves the end of a
// corner along a direction by less, and so does a direction whose length is rounded.
static const mjtNum WIDER = 1e-6, WIDER_AWAY = 1e-9;

enum { GROUP = HULL_BLOCK * HULL_BLOCK };  // corners of the runs whose spheres lie side by side

static size_t groupsOf(int nvertex) { return ((size_t)nvertex + GROUP - 1) / GROUP; }

size_t mji_hull_cornerBytes(int nvertex) {
  return groupsOf(nvertex) * (HULL_BLOCK * sizeof(mjiHullBlock) + sizeof(mjiHullSpheres));
}

_Static_assert(sizeof(mjiHullSpheres) == sizeof(mjiHullBlock), "bytes of corners are a multiple of a block");

// ---- the order of corners: runs of blocks are the list, in which only the numbers of vertices are set

static int* numberAt(mjiHullBlock* run, int i) { return &run[i / HULL_BLOCK].first[i % HULL_BLOCK]; }

// the longest side of the box around some corners, and its middle; -1 if they are all in one place
static int longestSide(mjtNum* middle, mjiHullBlock* run, int from, int to, const float* vertex) {
  float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
  for (int i = from; i < to; i++) {
    const float* v = vertex + 3 * (size_t)*numberAt(run, i);
    for (int k = 0; k < 3; k++) {
      low[k] = v[k] < low[k] ? v[k] : low[k];
      high[k] = v[k] > high[k] ? v[k] : high[k];
    }
  }
  int side = -1;
  mjtNum longest = 0;
  for (int k = 0; k < 3; k++) {
    mjtNum length = (mjtNum)high[k] - (mjtNum)low[k];
    if (!(length > longest)) continue;
    longest = length;
    side = k;
    *middle = 0.5 * ((mjtNum)low[k] + (mjtNum)high[k]);
  }
  return side;
}

// put those below a plane before the others; returns where the others begin
static int divide(mjiHullBlock* run, int from, int to, const float* vertex, int side, mjtNum middle) {
  while (from < to) {
    int* number = numberAt(run, from);
    if ((mjtNum)vertex[3 * (size_t)*number + (size_t)side] < middle) {
      from++;
      continue;
    }
    int* last = numberAt(run, --to);
    int kept = *number;
    *number = *last;
    *last = kept;
  }
  return from;
}

// Halve the box around corners until a run holds them, so that those of a run are near each other. The shorter half of
// the list is ordered by a call, so calls are few deep.
static void order(mjiHullBlock* run, int from, int to, const float* vertex) {
  while (to - from > HULL_BLOCK) {
    mjtNum middle = 0;
    int side = longestSide(&middle, run, from, to, vertex);
    if (side < 0) return;
    int other = divide(run, from, to, vertex, side, middle);
    if (other == from || other == to) return;
    int before = other - from < to - other;
    order(run, before ? from : other, before ? other : to, vertex);
    if (before) from = other;
    else to = other;
  }
}

// ---- runs and spheres

// set the places of a run; behind the last corner it is repeated
static void placeRun(mjiHullBlock* run, int n, const float* vertex) {
  for (int k = 0; k < HULL_BLOCK; k++) {
    if (k >= n) run->first[k] = run->first[n - 1];
    const float* v = vertex + 3 * (size_t)run->first[k];
    run->x[k] = v[0];
    run->y[k] = v[1];
    run->z[k] = v[2];
  }
}

// the middle of the box around a run
static float middleOf(const float x[HULL_BLOCK]) {
  float low = x[0], high = x[0];
  for (int k = 1; k < HULL_BLOCK; k++) {
    low = x[k] < low ? x[k] : low;
    high = x[k] > high ? x[k] : high;
  }
  return (float)(0.5 * ((mjtNum)low + (mjtNum)high));
}

static void placeSphere(mjiHullSpheres* s, int k, const mjiHullBlock* run) {
  mjtNum middle[3], radius = 0;
  s->x[k] = middleOf(run->x);
  s->y[k] = middleOf(run->y);
  s->z[k] = middleOf(run->z);
  middle[0] = (mjtNum)s->x[k];
  middle[1] = (mjtNum)s->y[k];
  middle[2] = (mjtNum)s->z[k];
  for (int i = 0; i < HULL_BLOCK; i++) {
    mjtNum x = (mjtNum)run->x[i] - middle[0], y = (mjtNum)run->y[i] - middle[1], z = (mjtNum)run->z[i] - middle[2];
    radius = fmax(radius, sqrt(x * x + y * y + z * z));
  }
  mjtNum away = fabs(middle[0]) + fabs(middle[1]) + fabs(middle[2]);
  s->radius[k] = (float)(radius * (1 + WIDER) + away * WIDER_AWAY);
}

void mji_hull_layOutCorners(mjiHullCorners* c, const float* vertex, int nvertex, char* at) {
  int ngroup = (int)groupsOf(nvertex), nrun = (nvertex + HULL_BLOCK - 1) / HULL_BLOCK;
  mjiHullBlock* run = (mjiHullBlock*)(void*)at;
  mjiHullSpheres* sphere = (mjiHullSpheres*)(void*)(run + (size_t)ngroup * HULL_BLOCK);
  for (int i = 0; i < nvertex; i++) *numberAt(run, i) = i;
  order(run, 0, nvertex, vertex);
  for (int i = 0; i < HULL_BLOCK * ngroup; i++) {
    int left = nvertex - HULL_BLOCK * i;
    if (i < nrun) placeRun(run + i, left < HULL_BLOCK ? left : HULL_BLOCK, vertex);
    if (i < nrun) placeSphere(sphere + i / HULL_BLOCK, i % HULL_BLOCK, run + i);
    else sphere[i / HULL_BLOCK].radius[i % HULL_BLOCK] = -FLT_MAX;  // no run
  }
  *c = (mjiHullCorners){run, sphere, ngroup};
}
