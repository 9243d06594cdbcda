// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// GJK over V: gjk.c and simplex.c for all lanes, operation by operation. Lanes have simplices of different sizes, so
// each step runs once for each size that occurs. What rarely happens is left to gjk.c: such lanes become unsure.

#include "collide/gjk_lanes.h"

static const mjtNum TOUCHING = mjMINVAL;

enum { CORNERS = 3 };  // of a simplex while it does not surround the origin

// ---- vectors

static void addTimes(V r[3], const V a[3], V s) {
  for (int k = 0; k < 3; k++) r[k] = r[k] + s * a[k];
}

static void copyVertex(M on, LANE(Vertex)* to, const LANE(Vertex)* from) {
  for (int k = 0; k < 3; k++) {
    to->v[k] = v_sel(on, from->v[k], to->v[k]);
    to->a[k] = v_sel(on, from->a[k], to->a[k]);
    to->b[k] = v_sel(on, from->b[k], to->b[k]);
  }
  to->ia = m_sel(on, from->ia, to->ia);
  to->ib = m_sel(on, from->ib, to->ib);
}

static void swapVertices(M on, LANE(Vertex)* a, LANE(Vertex)* b) {
  LANE(Vertex) t = *a;
  copyVertex(on, a, b);
  copyVertex(on, b, &t);
}

// ---- closest points of segments and triangles (simplex.c)

static void closestOnSegment(V weight[2], const V s0[3], const V s1[3]) {
  V d[3], foot[3];
  laneSub(d, s1, s0);
  V along = -laneDot(s1, d) / laneDot(d, d);
  for (int k = 0; k < 3; k++) foot[k] = s1[k] + along * d[k];

  // the coordinate in which the segment is longest
  V longest = v_abs(d[0]), p0 = s0[0], p1 = s1[0], f = foot[0];
  for (int k = 1; k < 3; k++) {
    M longer = v_ge(v_abs(d[k]), longest);
    longest = v_sel(longer, v_abs(d[k]), longest);
    p0 = v_sel(longer, s0[k], p0);
    p1 = v_sel(longer, s1[k], p1);
    f = v_sel(longer, foot[k], f);
  }
  V whole = p0 - p1, c0 = f - p1, c1 = p0 - f;
  M between = laneSameSign(whole, c0) & laneSameSign(whole, c1);
  weight[0] = v_and(between, c0 / whole);
  weight[1] = v_sel(between, c1 / whole, v_set1(1));
}

static V minorOf(const V a[3], const V b[3], const V c[3], int i, int j) {
  return b[i] * c[j] - b[j] * c[i] - a[i] * c[j] + a[j] * c[i] + a[i] * b[j] - a[j] * b[i];
}

static V area(const V a[2], const V b[2], const V c[2]) {
  return a[0] * b[1] + a[1] * c[0] + b[0] * c[1] - a[0] * c[1] - a[1] * b[0] - c[0] * b[1];
}

static const int others[3][2] = {{1, 2}, {0, 2}, {0, 1}};

// area of a triangle, and of the three that a point in its plane makes with its sides, along the coordinate that leaves
// the largest area
static V areas(V part[3], const V x[3], const V* const s[3]) {
  V whole = v_zero(), flat[4][2];
  for (int k = 0; k < 3; k++) {
    int i = others[k][0], j = others[k][1];
    V size = minorOf(s[0], s[1], s[2], i, j);
    M larger = k ? v_gt(v_abs(size), v_abs(whole)) : m_full();
    whole = v_sel(larger, size, whole);
    for (int p = 0; p < 4; p++) {
      const V* point = p < 3 ? s[p] : x;
      flat[p][0] = k ? v_sel(larger, point[i], flat[p][0]) : point[i];
      flat[p][1] = k ? v_sel(larger, point[j], flat[p][1]) : point[j];
    }
  }
  part[0] = area(flat[3], flat[1], flat[2]);
  part[1] = area(flat[3], flat[2], flat[0]);
  part[2] = area(flat[3], flat[0], flat[1]);
  return whole;
}

// weights of three points; returns the lanes that are left to gjk.c
static M closestOnTriangle(V weight[3], const V* const s[3], M on) {
  V foot[3], part[3];
  M unsure = lanePlaneFoot(foot, s[0], s[1], s[2]), in[3], all = m_full();
  V whole = areas(part, foot, s), best = v_set1(mjMAXVAL);
  for (int k = 0; k < 3; k++) {
    all &= in[k] = laneSameSign(whole, part[k]);
    weight[k] = part[k] / whole;
  }
  for (int k = 0; k < 3; k++) weight[k] = v_and(all, weight[k]);
  for (int k = 0; k < 3; k++) {
    M outside = on & ~all & ~in[k];
    if (!m_any(outside)) continue;
    V sub[2], x[3] = {v_zero(), v_zero(), v_zero()};
    const int* edge = others[k];
    closestOnSegment(sub, s[edge[0]], s[edge[1]]);
    for (int i = 0; i < 2; i++) addTimes(x, s[edge[i]], sub[i]);
    V d = laneDot(x, x);
    M nearer = outside & v_lt(d, best);
    best = v_sel(nearer, d, best);
    weight[k] = v_sel(nearer, v_zero(), weight[k]);
    for (int i = 0; i < 2; i++) weight[edge[i]] = v_sel(nearer, sub[i], weight[edge[i]]);
  }
  return unsure;
}

// ---- descent

// what the descent keeps beside the simplex: the size of the simplex, and its closest point
typedef struct Descent_ {
  M n, iterations;
  V x[3];
} Descent;

// drop vertices that are not needed; the kept ones move to the front. Sets the size.
static void compact(LANE(Vertex)* s, V weight[CORNERS], M* n, M on) {
  M keep[CORNERS];
  for (int i = 0; i < CORNERS; i++) keep[i] = ~v_eq(weight[i], v_zero());
  for (int first = CORNERS - 2; first >= 0; first--) {
    M gap = on & ~keep[first];
    for (int i = first; m_any(gap) && i + 1 < CORNERS; i++) {
      copyVertex(gap, s + i, s + i + 1);
      weight[i] = v_sel(gap, weight[i + 1], weight[i]);
      keep[i] = m_sel(gap, keep[i + 1], keep[i]);
    }
    keep[CORNERS - 1] &= ~gap;
    weight[CORNERS - 1] = v_sel(gap, v_zero(), weight[CORNERS - 1]);
  }
  M count = m_none();
  for (int i = 0; i < CORNERS; i++) count -= keep[i];
  *n = m_sel(on, count, *n);
}

// Add a vertex to simplices of fewer than three, and keep what is nearest to the origin. Returns the lanes that got no
// nearer; `unsure` gets those that gjk.c must decide.
static M descend(Descent* g, LANE(Vertex)* s, const LANE(Vertex)* w, M on, M* unsure) {
  M one = on & (g->n == m_set1(0)), two = on & (g->n == m_set1(1)), three = on & (g->n == m_set1(2));
  V weight[CORNERS] = {v_set1(1), v_zero(), v_zero()}, sub[CORNERS];
  if (m_any(one)) copyVertex(one, s, w);
  if (m_any(two)) {
    copyVertex(two, s + 1, w);
    closestOnSegment(sub, s[0].v, s[1].v);
    for (int i = 0; i < 2; i++) weight[i] = v_sel(two, sub[i], weight[i]);
  }
  if (m_any(three)) {
    copyVertex(three, s + 2, w);
    const V* corner[3] = {s[0].v, s[1].v, s[2].v};
    *unsure |= three & closestOnTriangle(sub, corner, three);
    for (int i = 0; i < CORNERS; i++) weight[i] = v_sel(three, sub[i], weight[i]);
  }
  compact(s, weight, &g->n, on);

  V next[3] = {v_zero(), v_zero(), v_zero()};
  M same = m_full();
  for (int i = 0; i < CORNERS; i++) {
    M used = v_gt(weight[i], v_zero()) | v_lt(weight[i], v_zero());
    for (int k = 0; k < 3; k++) next[k] = v_sel(used, next[k] + weight[i] * s[i].v[k], next[k]);
  }
  for (int k = 0; k < 3; k++) {
    same &= v_eq(next[k], g->x[k]);
    g->x[k] = v_sel(on, next[k], g->x[k]);
  }
  return on & same;
}

// a plane separates the lanes of `on`, by a gap along its normal
static void separate(LANE(Overlap)* g, V gap, const V normal[3], M on) {
  M hidden = on & v_lt(gap, g->dent);
  g->apart |= on & ~hidden;
  g->hidden |= hidden;
  g->gap = v_sel(hidden, gap, g->gap);
  for (int k = 0; k < 3; k++) g->away[k] = v_sel(hidden, normal[k], g->away[k]);
}

// Descend until the shapes are apart or the simplex has three vertices and a fourth. Returns the latter lanes; the
// fourth vertex is in the simplex.
static M tetrahedra(LANE(Overlap)* g, Descent* at, LANE(Convex)* a, LANE(Convex)* b, M on) {
  M four = m_none();
  LANE(Vertex)* s = g->simplex;
  for (int i = 0; i < g->max_iterations && m_any(on); i++) {
    V xx = laneDot(at->x, at->x), dir[3], gap[3];
    M touching = on & v_lt(xx, v_set1(TOUCHING * TOUCHING));
    g->unsure |= touching;
    on &= ~touching;
    V scale = -1.0 / v_sqrt(v_sel(on, xx, v_set1(1)));
    for (int k = 0; k < 3; k++) dir[k] = at->x[k] * scale;
    LANE(Vertex) w;
    laneSupportBoth(&w, a, b, dir, on);
    laneSub(gap, at->x, w.v);

    // the end of the search: the distance is that of x
    V dist = v_sqrt(xx), level = laneDot(at->x, w.v);
    M ended = on & v_lt(laneDot(at->x, gap), g->epsilon), away = v_gt(dist, v_max(g->tolerance, g->dent));
    M beyond = on & ~ended & v_gt(level, v_zero());
    g->apart |= ended & away;
    g->unsure |= ended & ~away;
    if (m_any(beyond)) separate(g, level / dist, dir, beyond);
    on &= ~(ended | beyond);

    M full = on & (at->n == m_set1(CORNERS));
    copyVertex(full, s + 3, &w);
    at->iterations = m_sel(full, m_set1(i), at->iterations);
    four |= full;
    on &= ~full;
    if (!m_any(on)) break;
    M stuck = descend(at, s, &w, on, &g->unsure);
    on &= ~g->unsure;
    stuck &= on;
    g->apart |= stuck & away;
    g->unsure |= stuck & ~away;
    on &= ~stuck;
  }
  g->unsure |= on;
  return four;
}

// ---- is the origin inside of a tetrahedron?

// distance of the origin to the plane of a face, along its outward normal
static V faceDistance(V normal[3], const V a[3], const V b[3], const V c[3]) {
  V ab[3], ac[3];
  laneSub(ab, b, a);
  laneSub(ac, c, a);
  laneCross(normal, ac, ab);
  V nn = laneDot(normal, normal);
  M flat = v_le(nn, v_set1(mjMINVAL * mjMINVAL));
  V scale = 1.0 / v_sqrt(v_sel(flat, v_set1(1), nn));
  for (int k = 0; k < 3; k++) normal[k] = v_sel(flat, normal[k], normal[k] * scale);
  return v_sel(flat, v_set1(mjMAXVAL), laneDot(normal, a));
}

// the face that the origin is farthest beyond: its distance, its normal, and which it is
static V worstFace(V normal[3], M worst[4], const LANE(Vertex)* s, M* flat) {
  static const int corner[4][3] = {{2, 1, 3}, {0, 2, 3}, {1, 0, 3}, {0, 1, 2}};
  V dist[4], way[4][3];
  for (int k = 0; k < 4; k++) {
    const int* c = corner[k];
    dist[k] = faceDistance(way[k], s[c[0]].v, s[c[1]].v, s[c[2]].v);
  }
  *flat = v_eq(dist[3], v_zero());
  M first = v_lt(dist[0], dist[1]), third = v_lt(dist[2], dist[3]);
  V low = v_sel(first, dist[0], dist[1]), high = v_sel(third, dist[2], dist[3]);
  M lower = v_lt(low, high);
  worst[0] = lower & first;
  worst[1] = lower & ~first;
  worst[2] = ~lower & third;
  worst[3] = ~lower & ~third;
  for (int k = 0; k < 3; k++) {
    V one = v_sel(first, way[0][k], way[1][k]), two = v_sel(third, way[2][k], way[3][k]);
    normal[k] = v_sel(lower, one, two);
  }
  return v_sel(lower, low, high);
}

// replace the vertex opposite to the worst face until the origin is inside of all faces, or a plane separates it
static void surround(LANE(Overlap)* g, M iterations, LANE(Convex)* a, LANE(Convex)* b, M on) {
  LANE(Vertex)* s = g->simplex;
  while (m_any(on)) {
    M late = on & (iterations >= m_set1(g->max_iterations)), worst[4], flat;
    g->unsure |= late;
    on &= ~late;
    V normal[3], dist = worstFace(normal, worst, s, &flat);
    g->unsure |= on & flat;
    on &= ~flat;
    M inside = on & v_gt(dist, v_zero());
    g->inside |= inside;
    on &= ~inside;
    if (!m_any(on)) return;

    LANE(Vertex) w;
    laneSupportBoth(&w, a, b, normal, on);
    for (int k = 0; k < 4; k++) copyVertex(on & worst[k], s + k, &w);
    V gap = -laneDot(normal, w.v);
    M apart = on & v_gt(gap, v_zero());
    separate(g, gap, normal, apart);
    on &= ~apart;

    // swap two other vertices to keep the orientation
    for (int k = 0; k < 4; k++) {
      if (m_any(on & worst[k])) swapVertices(on & worst[k], s + ((k + 1) & 3), s + ((k + 2) & 3));
    }
    iterations -= on;
  }
}

void LANE(overlap)(LANE(Overlap)* g, LANE(Convex)* a, LANE(Convex)* b, M on) {
  g->apart = g->inside = g->hidden = g->unsure = m_none();
  g->gap = g->away[0] = g->away[1] = g->away[2] = v_zero();
  memset(g->simplex, 0, sizeof g->simplex);
  Descent at = {.n = m_none(), .iterations = m_none()};
  laneSub(at.x, a->shape->pos, b->shape->pos);
  M four = tetrahedra(g, &at, a, b, on);
  surround(g, at.iterations, a, b, four);
}
