// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// GJK: descend to the point of the Minkowski difference that is nearest to the origin.

#include "collide/gjk.h"

#include <string.h>

#include "collide/vec3.h"

// If a point of the difference is nearer to the origin than this length, it counts as the origin. A larger bound (3e-8
// was tried) ends the search for touching shapes before the simplex contains the origin; EPA then has no polytope to
// start from.
static const mjtNum TOUCHING = mjMINVAL;

void LANE(gjkSupport)(mjiVertex* vertex, mjiConvex* a, mjiConvex* b, const mjtNum dir[3]) {
  LANE(supportBoth)(vertex->a, vertex->b, a, b, dir);
  sub3(vertex->v, vertex->a, vertex->b);
  vertex->ia = a->vertex;
  vertex->ib = b->vertex;
}

static void combine(mjtNum x[3], const mjtNum* weight, const mjiVertex* s, int n, int part) {
  set3(x, 0, 0, 0);
  for (int i = 0; i < n; i++) {
    addScaled3(x, x, part == 0 ? s[i].v : part == 1 ? s[i].a : s[i].b, weight[i]);
  }
}

// all of the difference lies behind a plane through the origin, by `gap` along its normal
static void separated(mjiGjk* g, const mjtNum normal[3], mjtNum gap) {
  g->nsimplex = 0;
  g->dist = mjMAXVAL;
  g->gap = gap;
  copy3(g->away, normal);
}

// distance of the origin to the plane of a face of the tetrahedron, along its outward normal
static mjtNum faceDistance(mjtNum normal[3], const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  mjtNum ab[3], ac[3];
  sub3(ab, b, a);
  sub3(ac, c, a);
  cross3(normal, ac, ab);
  mjtNum nn = dot3(normal, normal);
  if (nn <= mjMINVAL * mjMINVAL) return mjMAXVAL;
  scale3(normal, normal, 1 / __builtin_sqrt(nn));
  return dot3(normal, a);
}

// Decide whether the origin is inside of the difference: find the face of the tetrahedron that the origin is farthest
// beyond, and replace the opposite vertex. 1: origin inside, 0: outside, -1: undecided.
static int intersect(mjiGjk* g, mjiConvex* a, mjiConvex* b, int* iteration) {
  static const int corner[4][3] = {{2, 1, 3}, {0, 2, 3}, {1, 0, 3}, {0, 1, 2}};
  mjiVertex s[4];
  int at[4] = {0, 1, 2, 3};
  memcpy(s, g->simplex, sizeof s);
  for (; *iteration < g->max_iterations; ++*iteration) {
    mjtNum dist[4], normal[4][3];
    for (int k = 0; k < 4; k++) {
      const int* c = corner[k];
      dist[k] = faceDistance(normal[k], s[at[c[0]]].v, s[at[c[1]]].v, s[at[c[2]]].v);
    }
    if (dist[3] == 0) return -1;
    int i = dist[0] < dist[1] ? 0 : 1, j = dist[2] < dist[3] ? 2 : 3;
    int worst = dist[i] < dist[j] ? i : j;
    if (dist[worst] > 0) {
      for (int k = 0; k < 4; k++) g->simplex[k] = s[at[k]];
      g->nsimplex = 4;
      return 1;
    }
    LANE(gjkSupport)(&s[at[worst]], a, b, normal[worst]);
    mjtNum gap = -dot3(normal[worst], s[at[worst]].v);
    if (gap > -g->least) {
      separated(g, normal[worst], gap);
      return 0;
    }

    // swap two other vertices to keep the orientation
    i = (worst + 1) & 3;
    j = (worst + 2) & 3;
    int t = at[i];
    at[i] = at[j];
    at[j] = t;
  }
  return -1;
}

// find the closest point of the simplex and keep only the vertices that make it; returns their number
static int reduce(mjtNum x[3], mjtNum weight[4], mjiVertex* s, int nsimplex) {
  mjtNum all[4];
  LANE(gjkClosest)(all, s, nsimplex);
  int n = 0;
  for (int i = 0; i < 4; i++) {
    if (all[i] == 0) continue;
    s[n] = s[i];
    weight[n++] = all[i];
  }
  combine(x, weight, s, n, 0);
  return n;
}

// relative error of a squared distance that rounding makes in a healthy simplex
static const mjtNum NOISE = 1e-5;

// Near the end of a search between curved shapes all vertices may lie in one plane or on one line, where rounding
// errors can make any point the closest. But the distance is not above that of a point before, and not below that of a
// plane that separates the origin.
typedef struct Bounds_ {
  mjtNum least, most;  // of the squared distance
} Bounds;

static int isWithin(Bounds r, mjtNum xx) { return xx <= (1 + NOISE) * r.most && xx >= (1 - NOISE) * r.least; }

// Reduce a simplex after its newest vertex came. If the new point is out of bounds, keep the simplex of the point
// before and return 0.
static int reduceWithin(Bounds r, mjtNum next[3], mjtNum weight[4], mjiVertex* s, int* n) {
  mjiVertex before[3] = {s[0], s[1], s[2]};
  mjtNum old[3] = {weight[0], weight[1], weight[2]};
  int count = *n;
  *n = reduce(next, weight, s, *n + 1);
  if (isWithin(r, dot3(next, next))) return 1;
  memcpy(s, before, sizeof before);
  memcpy(weight, old, sizeof old);
  *n = count;
  return 0;
}

// Returns 0 if rounding errors have spoiled the distance. If `careful`, end where they would.
static int search(mjiGjk* g, mjiConvex* a, mjiConvex* b, int careful) {
  mjiVertex* s = g->simplex;
  mjtNum weight[4] = {1, 0, 0, 0}, x[3], cutoff2 = g->cutoff * g->cutoff;
  Bounds bounds = {0, mjMAXVAL};
  int want_dist = g->cutoff > 0, try_intersect = !want_dist, n = 0;

  // between polytopes the search ends exactly, without a tolerance
  int exact = mji_support_discrete(a) && mji_support_discrete(b);
  mjtNum epsilon = exact ? 0 : 0.5 * g->tolerance * g->tolerance;

  sub3(x, a->center, b->center);
  copy3(g->x1, a->center);
  copy3(g->x2, b->center);
  mjtNum xx = 0;
  for (int k = 0; k < g->max_iterations; k++) {
    mjtNum dir[3];
    xx = dot3(x, x);
    if (xx < TOUCHING * TOUCHING) break;
    if (k) bounds.most = fmin(bounds.most, xx);
    scale3(dir, x, -1 / __builtin_sqrt(xx));
    LANE(gjkSupport)(s + n, a, b, dir);

    // duality gap: it bounds how far the distance of x is above the least
    mjtNum gap[3];
    sub3(gap, x, s[n].v);
    if (dot3(x, gap) < epsilon) {
      if (!k) n = 1;
      break;
    }

    // A plane separates the origin. Stop if only penetration is of interest, or if the distance is beyond the cutoff.
    mjtNum beyond = dot3(x, s[n].v);
    if (beyond > 0 || (g->least > 0 && beyond > -g->least * __builtin_sqrt(xx))) {
      if (!want_dist || (g->cutoff < mjMAXVAL && beyond * beyond / xx >= cutoff2)) {
        separated(g, dir, beyond / __builtin_sqrt(xx));
        return 1;
      }
      bounds.least = fmax(bounds.least, beyond * beyond / xx);
    }
    if (n == 3 && try_intersect) {
      int inside = intersect(g, a, b, &k);
      if (inside == 0) return 1;
      if (inside == 1) {
        g->dist = g->gap = 0;
        return 1;
      }
      if (exact && k == g->max_iterations) {  // the search went in circles: EPA decides
        g->nsimplex = 0;
        g->dist = g->gap = 0;
        return 1;
      }
      try_intersect = 0;
    }

    mjtNum next[3];
    if (!careful) n = reduce(next, weight, s, n + 1);
    else if (!reduceWithin(bounds, next, weight, s, &n)) break;
    if (next[0] == x[0] && next[1] == x[1] && next[2] == x[2]) break;
    copy3(x, next);
    if (n == 4) {  // the simplex is around the origin
      xx = 0;
      break;
    }
  }
  if (n) {
    combine(g->x1, weight, s, n, 1);
    combine(g->x2, weight, s, n, 2);
  }
  g->nsimplex = n;

  // if the iterations are used up, this is the distance before the last step
  g->dist = g->gap = __builtin_sqrt(xx);
  return exact || !want_dist || (isWithin(bounds, xx) && isWithin(bounds, dot3(x, x)));
}

void LANE(gjk)(mjiGjk* g, mjiConvex* a, mjiConvex* b) {
  if (!search(g, a, b, 0)) search(g, a, b, 1);
}

// move the witness points from the cores to the surfaces
static void growCores(mjiGjk* g, mjtNum radius1, mjtNum radius2) {
  mjtNum n[3];
  sub3(n, g->x2, g->x1);
  normalize3(n);
  addScaled3(g->x1, g->x1, n, radius1);
  addScaled3(g->x2, g->x2, n, -radius2);
  g->dist -= radius1 + radius2;
}

static void searchOnce(mjiGjk* g, mjiConvex* a, mjiConvex* b) {
  LANE(gjk)(g, a, b);
  if (g->dist <= g->tolerance) LANE(epa)(g, a, b);
}

// Corners are floats, so hulls have dents (6e-8 m in 0.4 m), where a climb may end before the farthest corner. Then a
// plane seems to separate shapes that overlap by less, or the polytope of such corners, which is not convex, shows no
// depth. So shapes that are apart by less than the dents are searched again, with the farthest of all corners.
static int mayHideInDents(const mjiGjk* g, const mjiConvex* a, const mjiConvex* b) {
  return g->dist >= 0 && g->gap < gjkDent(a, b);
}

// An overlap that is no contact. Links of arms have faces in one plane, and so are a hair's breadth apart in each step.
// Shapes do not overlap by more than they do along any one direction, so the search ends at the first along which they
// hardly do: often that in which they were found apart.
static const mjtNum NOTHING = 1e-9;

void LANE(penetrationInDents)(mjiGjk* g, const mjiConvex* a, const mjiConvex* b) {
  mjiConvex all1 = *a, all2 = *b;
  LANE(supportAll)(&all1);
  LANE(supportAll)(&all2);
  if (g->dist == mjMAXVAL) sub3(all1.center, all2.center, g->away);  // where the search begins
  g->least = NOTHING;
  searchOnce(g, &all1, &all2);
  g->least = 0;
}

void LANE(penetration)(mjiGjk* g, mjiConvex* a, mjiConvex* b) {
  // for balls and capsules take the distance of the cores, unless these touch
  mjiConvex core1 = *a, core2 = *b;
  mjtNum radius1 = LANE(supportCore)(&core1), radius2 = LANE(supportCore)(&core2);
  if (radius1 > 0 || radius2 > 0) {
    mjtNum cutoff = g->cutoff;
    g->cutoff += radius1 + radius2;
    LANE(gjk)(g, &core1, &core2);
    g->cutoff = cutoff;
    if (g->dist > g->tolerance) {
      if (g->dist == mjMAXVAL) return;
      growCores(g, radius1, radius2);
      if (g->dist > cutoff) g->dist = mjMAXVAL;
      return;
    }
  }
  searchOnce(g, a, b);
  if (mayHideInDents(g, a, b)) LANE(penetrationInDents)(g, a, b);
}
