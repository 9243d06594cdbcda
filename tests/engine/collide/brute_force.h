// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The depth of two convex shapes is their least overlap over all directions. For polytopes it is taken on at a face of
// one or at a pair of edges whose arcs cross on the sphere of normals, so trying all of these gives the truth. For
// curved shapes the least overlap is searched from many directions.
#ifndef SHEAF_TESTS_COLLIDE_BRUTE_FORCE_H_
#define SHEAF_TESTS_COLLIDE_BRUTE_FORCE_H_

#include <stdlib.h>

#include "convex_shapes.h"

static unsigned seed = 1;
static double unit(void) { return rand_r(&seed) / (double)RAND_MAX; }
static double noise(void) { return 2 * unit() - 1; }

// ---- polytopes

// normals of faces in the world; those of the second shape point inward
static void worldNormals(double (*r)[3], const pair* p, int i) {
  for (int k = 0; k < p->shape[i]->nface; k++) {
    mju_mulMatVec3(r[k], p->d->geom_xmat + 9 * p->geom[i], p->shape[i]->face[k]);
    if (i) mju_scl3(r[k], r[k], -1);
  }
}

// The arc between the normals on both sides of an edge; where it is nearly a half circle, it may be near everything.
typedef struct {
  const double *a, *b;
  double middle[3], cosine, sine;  // of half its angle
  int wide;
} arc;

static arc arcOf(const pair* p, int i, int edge, double (*normal)[3]) {
  const int* side = p->shape[i]->side[edge];
  arc r = {.a = normal[side[0]], .b = normal[side[1]]};
  mju_add3(r.middle, r.a, r.b);
  r.cosine = mju_normalize3(r.middle) / 2;
  r.wide = r.cosine < .2;
  r.sine = sqrt(fmax(0, 1 - r.cosine * r.cosine));
  return r;
}

static int areApart(const arc* r, const arc* s) {
  return !r->wide && !s->wide && dot(r->middle, s->middle) < r->cosine * s->cosine - r->sine * s->sine - 1e-7;
}

// may the arcs cross on the sphere?
static int mayCross(const arc* r, const arc* s) {
  double ba[3], dc[3];
  mju_cross(ba, r->b, r->a);
  mju_cross(dc, s->b, s->a);
  double cba = dot(s->a, ba), dba = dot(s->b, ba), adc = dot(r->a, dc), bdc = dot(r->b, dc), e = 1e-9;
  return cba * dba <= e && adc * bdc <= e && cba * bdc >= -e;
}

static void edgeOf(double r[3], const pair* p, int i, int edge) {
  double local[3];
  const shape* s = p->shape[i];
  mju_sub3(local, s->vertex[s->edge[edge][1]], s->vertex[s->edge[edge][0]]);
  mju_mulMatVec3(r, p->d->geom_xmat + 9 * p->geom[i], local);
}

static least truthOfPolytopes(const pair* p) {
  static double normal[2][MAXFACE][3], along[MAXEDGE][3];
  static arc arcs[MAXEDGE];
  least r = {.depth = 1e30};
  for (int i = 0; i < 2; i++) {
    worldNormals(normal[i], p, i);
    for (int k = 0; k < p->shape[i]->nface; k++) tryDirection(&r, p, normal[i][k]);
  }
  const shape *a = p->shape[0], *b = p->shape[1];
  for (int k = 0; k < b->nedge; k++) {
    edgeOf(along[k], p, 1, k);
    arcs[k] = arcOf(p, 1, k, normal[1]);
  }
  for (int i = 0; i < a->nedge; i++) {
    double edge[3], cross[3];
    edgeOf(edge, p, 0, i);
    arc own = arcOf(p, 0, i, normal[0]);
    for (int k = 0; k < b->nedge; k++) {
      if (areApart(&own, &arcs[k]) || !mayCross(&own, &arcs[k])) continue;
      mju_cross(cross, edge, along[k]);
      if (mju_norm3(cross) < 1e-9 * mju_norm3(edge) * mju_norm3(along[k])) continue;
      if (dot(cross, own.a) + dot(cross, own.b) < 0) mju_scl3(cross, cross, -1);
      tryDirection(&r, p, cross);
    }
  }
  return r;
}

// ---- polytopes that hardly touch

// Corners are floats, so a hull that is given as triangles has dents (6e-8 m in 0.4 m), and flat triangles whose
// normals are rounding errors: the faces and edges above may all show an overlap where shapes are apart. So what counts
// near a direction n are corners alone. The overlap along n + x t0 + y t1 is the highest of planes over x and y, one
// for each pair of corners, and its least is where three of them meet: the plane of the farthest corners there replaces
// one of the three, until none is higher.
static const double HARDLY = 1e-5;

typedef struct {
  double level, slope[2];
} plane;

static double heightAt(const plane* k, const double xy[2]) {
  return k->level + k->slope[0] * xy[0] + k->slope[1] * xy[1];
}

// where three planes meet; zero if they do not
static int meet(double xy[2], const plane* a, const plane* b, const plane* c) {
  double m[2][2], r[2] = {b->level - a->level, c->level - a->level};
  for (int k = 0; k < 2; k++) {
    m[0][k] = a->slope[k] - b->slope[k];
    m[1][k] = a->slope[k] - c->slope[k];
  }
  double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
  if (det == 0) return 0;
  xy[0] = (r[0] * m[1][1] - m[0][1] * r[1]) / det;
  xy[1] = (m[0][0] * r[1] - r[0] * m[1][0]) / det;
  return 1;
}

static void farthestCorner(double r[3], const pair* p, int i, const double n[3]) {
  double local[3];
  const shape* s = p->shape[i];
  int best = 0;
  mju_mulMatTVec3(local, p->d->geom_xmat + 9 * p->geom[i], n);
  for (int k = 1; k < s->nvertex; k++) best = dot(s->vertex[k], local) > dot(s->vertex[best], local) ? k : best;
  mju_mulMatVec3(r, p->d->geom_xmat + 9 * p->geom[i], s->vertex[best]);
  mju_addTo3(r, p->d->geom_xpos + 3 * p->geom[i]);
}

static plane planeOfCorners(const pair* p, const double n[3], double (*t)[3]) {
  double a[3], b[3], back[3] = {-n[0], -n[1], -n[2]};
  farthestCorner(a, p, 0, n);
  farthestCorner(b, p, 1, back);
  mju_subFrom3(a, b);
  return (plane){dot(a, t[2]), {dot(a, t[0]), dot(a, t[1])}};
}

static double turnOf(const plane* a, const plane* b) { return a->slope[0] * b->slope[1] - a->slope[1] * b->slope[0]; }

// Do three planes go up in all directions from where they meet?
static int isLowest(const plane* a, const plane* b, const plane* c) {
  double ab = turnOf(a, b), bc = turnOf(b, c), ca = turnOf(c, a);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

// Replace one of three planes by a higher one, so that it is below where the others meet; zero if none can be.
static int exchange(plane k[3], double xy[2], const plane* higher) {
  for (int out = 0; out < 3; out++) {
    double at[2];
    const plane *a = &k[(out + 1) % 3], *b = &k[(out + 2) % 3];
    if (!isLowest(higher, a, b) || !meet(at, higher, a, b) || heightAt(&k[out], at) > heightAt(higher, at)) continue;
    k[out] = *higher;
    mju_copy(xy, at, 2);
    return 1;
  }
  return 0;
}

// Go down to the least overlap near a direction.
static void descendCorners(least* r, const pair* p) {
  const double STEEP = 100, FAR = .01;
  double t[3][3], axis[3] = {0}, xy[2] = {0, 0};
  axis[fabs(r->normal[0]) < .6 ? 0 : 1] = 1;
  mju_copy3(t[2], r->normal);
  mju_cross(t[0], t[2], axis);
  mju_normalize3(t[0]);
  mju_cross(t[1], t[2], t[0]);
  plane k[3];  // first a cone that keeps the search near
  for (int i = 0; i < 3; i++) k[i] = (plane){-STEEP * FAR, {STEEP * cos(2.1 * i), STEEP * sin(2.1 * i)}};
  for (int step = 0; step < 200; step++) {
    double n[3];
    for (int i = 0; i < 3; i++) n[i] = t[2][i] + xy[0] * t[0][i] + xy[1] * t[1][i];
    tryDirection(r, p, n);
    plane next = planeOfCorners(p, n, t);
    if (heightAt(&next, xy) <= heightAt(&k[0], xy) + 1e-16 || !exchange(k, xy, &next)) return;
  }
}

// ---- curved shapes

// Walk downhill from a direction, by steps across it that get shorter, down to the last.
static void refine(least* r, const pair* p, double step, double last) {
  const double H = 0.70710678118654752,
               TURN[8][2] = {{1, 0}, {H, H}, {0, 1}, {-H, H}, {-1, 0}, {-H, -H}, {0, -1}, {H, -H}};
  for (; step > last; step *= .5) {
    for (int moved = 1; moved;) {
      double before = r->depth, axis[3] = {0}, t[2][3];
      axis[fabs(r->normal[0]) < .6 ? 0 : 1] = 1;
      mju_cross(t[0], r->normal, axis);
      mju_normalize3(t[0]);
      mju_cross(t[1], r->normal, t[0]);
      for (int k = 0; k < 8; k++) {
        double n[3];
        for (int j = 0; j < 3; j++) n[j] = r->normal[j] + step * (TURN[k][0] * t[0][j] + TURN[k][1] * t[1][j]);
        tryDirection(r, p, n);
      }
      moved = r->depth < before - 1e-15;
    }
  }
}

// Where edges of shapes make valleys, none of the eight steps may lead down: go on by random steps of all lengths.
static void wander(least* r, const pair* p) {
  for (int i = 0; i < 20000; i++) {
    double n[3], step = pow(10, -7 * unit());
    for (int k = 0; k < 3; k++) n[k] = r->normal[k] + step * noise();
    tryDirection(r, p, n);
  }
}

// The least around another direction, if it is less.
static void lookAround(least* r, const pair* p, const double n[3]) {
  least other = {.depth = 1e30};
  tryDirection(&other, p, n);
  refine(&other, p, 1e-2, 1e-7);
  for (int i = 0; i < 10; i++) wander(&other, p);
  if (other.depth < r->depth) *r = other;
}

static least truthOfCurved(const pair* p, const double found[3]) {
  least best = {.depth = 1e30};
  enum { START = 60 };
  least start[START];
  for (int i = 0; i < START; i++) {
    double n[3], z = 1 - (2 * i + 1) / (double)START, r = sqrt(1 - z * z);
    mju_copy3(n, (double[]){r * cos(2.399963 * i), r * sin(2.399963 * i), z});
    if (i < 12) {  // axes of both shapes
      for (int k = 0; k < 3; k++) n[k] = (i & 1 ? 1 : -1) * p->d->geom_xmat[9 * p->geom[i / 6] + 3 * k + i % 6 / 2];
    } else if (i == 12) {
      mju_sub3(n, p->d->geom_xpos + 3 * p->geom[1], p->d->geom_xpos + 3 * p->geom[0]);
    } else if (i == 13) {
      mju_copy3(n, found);
    }
    start[i].depth = 1e30;
    tryDirection(&start[i], p, n);
  }
  for (int k = 0; k < 4; k++) {
    int at = 0;
    for (int i = 1; i < START; i++) at = start[i].depth < start[at].depth ? i : at;
    least r = start[at];
    start[at].depth = 2e30;
    if (r.depth > 1e29) break;
    refine(&r, p, .1, 1e-3);
    if (r.depth < best.depth) best = r;
  }
  refine(&best, p, 1e-3, 1e-7);
  return best;
}

static least truthOf(const pair* p, const double found[3]) {
  if (!p->shape[0]->polytope || !p->shape[1]->polytope) return truthOfCurved(p, found);
  least r = truthOfPolytopes(p);
  if (fabs(r.depth) < HARDLY) descendCorners(&r, p);
  return r;
}

#endif  // SHEAF_TESTS_COLLIDE_BRUTE_FORCE_H_
