// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fans: the faces that join a new vertex to its horizon, four at most, because the planes of four are computed
// together. A horizon of more sides has several.
#ifndef SHEAF_COLLIDE_FAN_H_
#define SHEAF_COLLIDE_FAN_H_

#include "collide/candidates.h"
#include "collide/four.h"
#include "collide/polytope.h"

typedef struct Fan_ {
  Polytope* p;
  int first;  // face; the others are the next ones
  int n;      // number of faces
} Fan;

enum { MOST_FANS = 96, FANS_OF_HORIZON = MAXHORIZON / FOUR + 1 };

typedef struct Fans_ {
  Fan fan[MOST_FANS];
  int n;
} Fans;

// ---- planes

#ifdef FOUR_AVX2
static void putPlanes(Face f[FOUR], const Four plane[4]) {
  Four x[4] = {plane[0], plane[1], plane[2], plane[3]};
  transposeFour(x);
  for (int i = 0; i < FOUR; i++) _mm256_storeu_pd(f[i].normal, (__m256d)x[i]);  // and the level, which comes next
}
#else
static void putPlanes(Face f[FOUR], const Four plane[4]) {
  for (int i = 0; i < FOUR; i++) {
    for (int k = 0; k < 3; k++) f[i].normal[k] = plane[k][i];
    f[i].level = plane[3][i];
  }
}
#endif

// What the planes of a fan are computed from.
typedef struct Corners_ {
  Four here[4], before[3], newest[3];
} Corners;

static void takeCorners(Corners* c, const Fan* fan) {
  const POLYTOPE_VERTEX* v = fan->p->vertex;
  const Face* f = fan->p->face + fan->first;
  takeFour(c->here, v[f[0].vertex[2]].v, v[f[1].vertex[2]].v, v[f[2].vertex[2]].v, v[f[3].vertex[2]].v);
  for (int k = 0; k < 3; k++) {
    Four before = fourOf(v[f->vertex[1]].v[k]);
    c->before[k] = __builtin_shufflevector(c->here[k], before, 4, 0, 1, 2);
    c->newest[k] = fourOf(v[f->vertex[0]].v[k]);
  }
}

// planes that gjkPlaneFoot finds in another way
static void placeOther(const Fan* fan, Four plane[4], unsigned other) {
  const POLYTOPE_VERTEX* v = fan->p->vertex;
  while (other) {
    int i = __builtin_ctz(other);
    other &= other - 1;
    Face* f = fan->p->face + fan->first + i;
    int none = gjkPlaneFoot(f->normal, v[f->vertex[2]].v, v[f->vertex[1]].v, v[f->vertex[0]].v);
    f->level = plane[3][i] = none ? 0 : dot3(f->normal, f->normal);
  }
}

// In place of a face that is none the last corner comes twice: its normal is 0 and its plane is 0 / 0, which no
// comparison takes.
static void addFan(const Fan* fan, Four dist2) {
  Polytope* p = fan->p;
  addCandidates(p, fan->first, dist2, (dist2 >= fourOf(p->lower2)) & (dist2 <= fourOf(p->upper2)));
  p->ended |= (bitsOfFour(dist2 == fourOf(0)) & ((1u << fan->n) - 1)) != 0;
}

// Set the planes of two fans, with the bits of placeFace, and make those faces candidates that can still become the
// nearest. Two, because the steps of one wait for each other.
static void placeTwo(const Fan* const fan[2]) {
  Corners c[2];
  Four ab[2][3], bc[2][3], n[2][3], nv[2], nn[2], scale[2], plane[2][4];
  for (int j = 0; j < 2; j++) takeCorners(&c[j], fan[j]);
  for (int k = 0; k < 3; k++) {
    for (int j = 0; j < 2; j++) ab[j][k] = c[j].before[k] - c[j].here[k];
    for (int j = 0; j < 2; j++) bc[j][k] = c[j].newest[k] - c[j].before[k];
  }
  for (int k = 0; k < 3; k++) {
    int x = (k + 1) % 3, y = (k + 2) % 3;
    for (int j = 0; j < 2; j++) n[j][k] = bc[j][x] * ab[j][y] - bc[j][y] * ab[j][x];
  }
  for (int j = 0; j < 2; j++) nv[j] = dotFour(n[j], c[j].before);
  for (int j = 0; j < 2; j++) nn[j] = dotFour(n[j], n[j]);
  for (int j = 0; j < 2; j++) scale[j] = nv[j] / nn[j];
  for (int k = 0; k < 3; k++) {
    for (int j = 0; j < 2; j++) plane[j][k] = n[j][k] * scale[j];
  }
  for (int j = 0; j < 2; j++) plane[j][3] = dotFour(plane[j], plane[j]);
  for (int j = 0; j < 2; j++) putPlanes(fan[j]->p->face + fan[j]->first, plane[j]);
  for (int j = 0; j < 2; j++) {
    unsigned other = bitsOfFour((nv[j] == fourOf(0)) | (nn[j] <= fourOf(mjMINVAL))) & ((1u << fan[j]->n) - 1);
    if (other) placeOther(fan[j], plane[j], other);
  }
  addFan(fan[0], plane[0][3]);
  if (fan[1] != fan[0]) addFan(fan[1], plane[1][3]);
}

static void placeFans(Fans* s) {
  for (int i = 0; i < s->n; i += 2) {
    const Fan* two[2] = {s->fan + i, s->fan + (i + 1 < s->n ? i + 1 : i)};
    placeTwo(two);
  }
  s->n = 0;
}

// Join a vertex to what it sees, without the planes of the new faces; zero if these have no room. There must be room
// for FANS_OF_HORIZON more fans.
static int joinVertex(Fans* s, Polytope* p, int w) {
  Horizon h;  // without zeros: its list is long, and what counts is its number
  if (!openTo(p, &h, w)) return 0;
  int first = joinHorizon(p, &h, w), last = h.corner[h.n - 1];
  for (int i = 0; i < FOUR - 1; i++)
    p->face[p->nface + i].vertex[2] = (short)last;  // of faces that the last fan has not
  for (; first < p->nface; first += FOUR) {
    int left = p->nface - first;
    s->fan[s->n++] = (Fan){p, first, left < FOUR ? left : FOUR};
  }
  return 1;
}

#endif  // SHEAF_COLLIDE_FAN_H_
