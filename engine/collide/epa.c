// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// EPA: grow a polytope inside of the Minkowski difference around the origin until its nearest face
// is on the boundary; the foot of the origin on that face is the least translation that separates.
//
// Every face knows its three neighbours; adj[i] is across the edge from vertex i to the next. A new vertex deletes the
// faces that it sees. The edges around the deleted faces are the horizon, and new faces join the vertex to it.
// Candidates are the faces that can still become the nearest.
//
// GJK leaves a simplex around the origin, and the polytope starts from it. The start fails if the simplex is flat or
// the origin lies on one of its faces. The result can be wrong if many vertices of aligned polytopes tie: rounding can
// then leave a polytope whose nearest face is not on the boundary. In these cases startCarefully starts a careful
// search from four extreme vertices, wherever the origin is; each of its planes has an outer side.

#include <string.h>

#define POLYTOPE_ITERATIONS ALL_ITERATIONS
#define POLYTOPE_VERTEX mjiVertex
#include "collide/polytope.h"

// if the origin is nearer to a face than this, rounding may have put it on the wrong side
static const mjtNum NEXT = 1e-9;

// the plane of a triangle is made of rounding errors if the height is below this part of the longest side
static const mjtNum SLIVER = 1e-7;

// rounding error of the level of a plane, relative to the size of the difference
static const mjtNum ROUNDING = 1e-14;

// Put the plane of a face on three vertices; nonzero if they have none. With vectors it takes half the instructions,
// and gives the same bits: a point is read together with the number behind it, and what comes of that is not used.
#if defined(__AVX2__) && !defined(MJI_SINGLE)
static __m256d pointOf(const mjiVertex* v) { return _mm256_loadu_pd(v->v); }
static __m256d turned(__m256d x) { return _mm256_permute4x64_pd(x, _MM_SHUFFLE(3, 0, 2, 1)); }

static int setPlane(Face* f, const mjiVertex* a, const mjiVertex* b, const mjiVertex* c) {
  __m256d ab = _mm256_sub_pd(pointOf(b), pointOf(a)), bc = _mm256_sub_pd(pointOf(c), pointOf(b));
  __m256d n = turned(_mm256_sub_pd(_mm256_mul_pd(bc, turned(ab)), _mm256_mul_pd(turned(bc), ab)));

  // dot products of the normal with the second point and with itself
  __m256d nb = _mm256_mul_pd(n, pointOf(b)), nn = _mm256_mul_pd(n, n);
  __m256d even = _mm256_unpacklo_pd(nb, nn), odd = _mm256_unpackhi_pd(nb, nn);
  __m128d two = _mm_add_pd(_mm256_castpd256_pd128(even), _mm256_castpd256_pd128(odd));
  two = _mm_add_pd(two, _mm256_extractf128_pd(even, 1));
  mjtNum along = _mm_cvtsd_f64(two), length2 = _mm_cvtsd_f64(_mm_unpackhi_pd(two, two));
  if (along == 0 || length2 <= mjMINVAL) {
    if (gjkPlaneFoot(f->normal, a->v, b->v, c->v)) return 1;
    f->level = dot3(f->normal, f->normal);
    return 0;
  }
  __m256d foot = _mm256_mul_pd(n, _mm256_set1_pd(along / length2)), square = _mm256_mul_pd(foot, foot);
  __m128d xy = _mm256_castpd256_pd128(square);
  mjtNum sum = _mm_cvtsd_f64(xy) + _mm_cvtsd_f64(_mm_unpackhi_pd(xy, xy));
  _mm256_storeu_pd(f->normal, foot);  // and the level, which comes next
  f->level = sum + _mm_cvtsd_f64(_mm256_extractf128_pd(square, 1));
  return 0;
}

_Static_assert(offsetof(Face, level) == 3 * sizeof(mjtNum) && sizeof(mjiVertex) >= 4 * sizeof(mjtNum),
               "points and normals are followed by a number");
#else
static int setPlane(Face* f, const mjiVertex* a, const mjiVertex* b, const mjiVertex* c) {
  if (gjkPlaneFoot(f->normal, a->v, b->v, c->v)) return 1;
  f->level = dot3(f->normal, f->normal);
  return 0;
}
#endif

static int nearestCandidate(const Polytope* p, mjtNum* dist2) { return nearestInTurn(p, dist2); }

static int repeated(const Polytope* p, int w) {
  for (int i = 0; i < w; i++) {
    if (p->vertex[i].ia == p->vertex[w].ia && p->vertex[i].ib == p->vertex[w].ib) return 1;
  }
  return 0;
}

static int addSupport(Polytope* p, const mjtNum dir[3], mjtNum length) {
  mjtNum unit[3];
  set3(unit, dir[0] / length, dir[1] / length, dir[2] / length);
  LANE(gjkSupport)(&p->vertex[p->nvertex], p->a, p->b, unit);
  return p->nvertex++;
}

static int addVertex(Polytope* p, const mjiVertex* v) {
  p->vertex[p->nvertex] = *v;
  return p->nvertex++;
}

// set the plane of a face, return its squared distance; zero if the origin is on it or it has no plane
static mjtNum placeFace(const Polytope* p, Face* f) {
  const mjiVertex* v = p->vertex;
  if (setPlane(f, v + f->vertex[2], v + f->vertex[1], v + f->vertex[0])) return f->level = 0;
  return f->level;
}

// nonzero if the origin is next to a face, but not on the side of the mean of the vertices: the foot of the origin then
// points inward
static int isOutside(const Polytope* p) {
  mjtNum middle[3] = {0};
  for (int i = 0; i < p->nvertex; i++) addScaled3(middle, middle, at(p, i), 1.0 / p->nvertex);
  for (int i = 0; i < p->nface; i++) {
    const Face* f = &p->face[i];
    if (dist2Of(p, f) < NEXT * NEXT && dot3(f->normal, middle) >= f->level) return 1;
  }
  return 0;
}

// set the plane of a face whose vertices are counterclockwise, seen from outside; nonzero if it has none
static int placeCarefully(const Polytope* p, Face* f) {
  const mjtNum *a = at(p, f->vertex[0]), *b = at(p, f->vertex[1]), *c = at(p, f->vertex[2]);
  mjtNum ab[3], ac[3], bc[3];
  sub3(ab, b, a);
  sub3(ac, c, a);
  sub3(bc, c, b);
  cross3(f->normal, ab, ac);
  mjtNum longest2 = fmax(dot3(ab, ab), fmax(dot3(ac, ac), dot3(bc, bc)));
  if (normalize3(f->normal) <= SLIVER * longest2) return 1;
  f->level = dot3(f->normal, a);
  return 0;
}

// ---- start polytopes

// build the faces of a start polytope; nonzero if the origin is not strictly inside of all
static int addFaces(Polytope* p, const int (*vertex)[3], const int (*adj)[3], int n) {
  for (int i = 0; i < n; i++) {
    if (placeFace(p, newFace(p, vertex[i], adj[i])) < mjMINVAL * mjMINVAL) return 1;
  }
  for (int i = 0; i < n; i++) makeCandidate(p, i);
  return 0;
}

// nonzero if p and d are on the same side of the plane a b c
static int sameSide(const mjtNum* a, const mjtNum* b, const mjtNum* c, const mjtNum* d) {
  mjtNum ab[3], ac[3], ad[3], n[3];
  sub3(ab, b, a);
  sub3(ac, c, a);
  sub3(ad, d, a);
  cross3(n, ab, ac);
  mjtNum side = dot3(n, ad), origin = -dot3(n, a);
  return (side > 0 && origin > 0) || (side < 0 && origin < 0);
}

static int tetraHasOrigin(const mjtNum* a, const mjtNum* b, const mjtNum* c, const mjtNum* d) {
  return sameSide(a, b, c, d) && sameSide(b, c, d, a) && sameSide(c, d, a, b) && sameSide(d, a, b, c);
}

// Make the faces of a tetrahedron; returns one that the origin is on, -1 if there is none.
static int startFaces(Polytope* p, const mjiVertex* s) {
  p->careful = 0;
  p->slack = mjMINVAL;
  p->nvertex = p->nface = p->ncandidate = 0;
  for (int i = 0; i < 4; i++) addVertex(p, s + i);
  return addFaces(p, TETRAHEDRON, TETRAHEDRON_ADJ, 4) ? p->nface - 1 : -1;
}

static int startHasOrigin(const Polytope* p) { return tetraHasOrigin(at(p, 0), at(p, 1), at(p, 2), at(p, 3)); }

// the sides across the edges of two tetrahedra that share a triangle
static const int TWO_TETRAHEDRA_ADJ[6][3] = {
    {SIDE(1, 2), SIDE(3, 1), SIDE(2, 0)}, {SIDE(2, 2), SIDE(4, 1), SIDE(0, 0)}, {SIDE(0, 2), SIDE(5, 1), SIDE(1, 0)},
    {SIDE(5, 2), SIDE(0, 1), SIDE(4, 0)}, {SIDE(3, 2), SIDE(1, 1), SIDE(5, 0)}, {SIDE(4, 2), SIDE(2, 1), SIDE(3, 0)}};

// two tetrahedra on both sides of a triangle
static int startTriangle(Polytope* p, const mjiVertex* s) {
  static const int vertex[6][3] = {{3, 0, 1}, {3, 2, 0}, {3, 1, 2}, {4, 1, 0}, {4, 0, 2}, {4, 2, 1}};
  p->nvertex = p->nface = p->ncandidate = 0;
  for (int i = 0; i < 3; i++) addVertex(p, s + i);
  mjtNum ab[3], ac[3], n[3], back[3];
  sub3(ab, at(p, 1), at(p, 0));
  sub3(ac, at(p, 2), at(p, 0));
  cross3(n, ab, ac);
  mjtNum length = norm3(n);
  if (length < mjMINVAL) return 1;
  scale3(back, n, -1);
  addSupport(p, n, length);
  addSupport(p, back, length);
  int inside =
      tetraHasOrigin(at(p, 0), at(p, 1), at(p, 2), at(p, 3)) || tetraHasOrigin(at(p, 0), at(p, 1), at(p, 2), at(p, 4));
  if (!inside) {
    // the origin may lie in the triangle that both share
    mjtNum weight[4];
    LANE(gjkClosest)(weight, p->vertex, 3);
    mjtNum x[3] = {0};
    for (int i = 0; i < 3; i++) addScaled3(x, x, at(p, i), weight[i]);
    if (norm3(x) > 1e-10) return 1;
  }
  return addFaces(p, vertex, TWO_TETRAHEDRA_ADJ, 6) || (!inside && isOutside(p));
}

static int startTetrahedron(Polytope* p, const mjiVertex* s) {
  int on = startFaces(p, s);
  if (on < 0) return !startHasOrigin(p);

  // the origin is on a face: start from that triangle
  mjiVertex t[3];
  for (int i = 0; i < 3; i++) t[i] = s[TETRAHEDRON[on][i]];
  return startTriangle(p, t);
}

// sine of 120 degrees, with the digits of the reference: in a symmetric pose, more digits would change which of two
// faces comes first
static const mjtNum SIN120 = 0.86602540378;

// rotation by 120 degrees about an axis
static void turn120(mjtNum R[9], const mjtNum axis[3]) {
  mjtNum x = axis[0], y = axis[1], z = axis[2], s = SIN120, c = -0.5;
  mjtNum r[9] = {c + x * x * (1 - c),     x * y * (1 - c) - z * s, x * z * (1 - c) + y * s,
                 x * y * (1 - c) + z * s, c + y * y * (1 - c),     y * z * (1 - c) - x * s,
                 x * z * (1 - c) - y * s, y * z * (1 - c) + x * s, c + z * z * (1 - c)};
  memcpy(R, r, sizeof r);
}

// two tetrahedra that share the triangle of three supports around a segment
static int startSegment(Polytope* p, const mjiVertex* s) {
  static const int vertex[6][3] = {{0, 2, 3}, {0, 4, 2}, {0, 3, 4}, {1, 3, 2}, {1, 2, 4}, {1, 4, 3}};
  p->nvertex = p->nface = p->ncandidate = 0;
  for (int i = 0; i < 2; i++) addVertex(p, s + i);
  mjtNum along[3], unit[3] = {0}, dir[3], R[9];
  sub3(along, at(p, 1), at(p, 0));

  // the coordinate axis most across the segment
  int least = 0;
  for (int k = 1; k < 3; k++) {
    if (fabs(along[k]) < fabs(along[least])) least = k;
  }
  unit[least] = 1;
  cross3(dir, unit, along);
  if (normalize3(along) < mjMINVAL) return 1;
  turn120(R, along);
  for (int i = 0; i < 3; i++) {
    mjtNum next[3];
    addSupport(p, dir, norm3(dir));
    rotate3(next, R, dir);
    copy3(dir, next);
  }
  if (!tetraHasOrigin(at(p, 0), at(p, 2), at(p, 3), at(p, 4)) &&
      !tetraHasOrigin(at(p, 1), at(p, 2), at(p, 3), at(p, 4))) {
    return 1;
  }
  return addFaces(p, vertex, TWO_TETRAHEDRA_ADJ, 6);
}

// add the support along dir or the one against it, whichever is farther from the first vertex; nonzero if both are next
// to it
static int addFarther(Polytope* p, mjtNum dir[3]) {
  mjiVertex* v = &p->vertex[p->nvertex];
  mjtNum reach[2], back[3];
  if (normalize3(dir) < mjMINVAL) return 1;
  scale3(back, dir, -1);
  LANE(gjkSupport)(v, p->a, p->b, dir);
  LANE(gjkSupport)(v + 1, p->a, p->b, back);
  for (int i = 0; i < 2; i++) reach[i] = fabs(dot3(dir, v[i].v) - dot3(dir, at(p, 0)));
  if (reach[1] > reach[0]) v[0] = v[1];
  p->nvertex++;
  return fmax(reach[0], reach[1]) < mjMINVAL;
}

// a tetrahedron of extreme vertices, wherever the origin is
static int startCarefully(Polytope* p) {
  p->nvertex = p->nface = p->ncandidate = 0;
  p->careful = 1;
  mjtNum dir[3] = {1, 0, 0}, ab[3], ac[3], across[3] = {0};
  addSupport(p, dir, 1);
  if (addFarther(p, dir)) return 1;

  // away from the line of both, then away from the plane of all three
  sub3(ab, at(p, 1), at(p, 0));
  across[fabs(ab[1]) < fabs(ab[2]) ? 1 : 2] = 1;
  cross3(dir, ab, across);
  if (addFarther(p, dir)) return 1;
  sub3(ac, at(p, 2), at(p, 0));
  cross3(dir, ac, ab);
  if (addFarther(p, dir)) return 1;

  // the fourth vertex is behind the first face
  sub3(ac, at(p, 3), at(p, 0));
  if (dot3(ac, dir) < 0) {
    mjiVertex t = p->vertex[1];
    p->vertex[1] = p->vertex[2];
    p->vertex[2] = t;
  }
  p->slack = ROUNDING * (norm3(ab) + norm3(at(p, 0)));
  for (int i = 0; i < 4; i++) {
    if (placeCarefully(p, newFace(p, TETRAHEDRON[i], TETRAHEDRON_ADJ[i]))) return 1;
    makeCandidate(p, i);
  }
  return 0;
}

// ---- growing

// set the plane of a face on an edge of the horizon; nonzero if it came out flat
static int placeOnHorizon(Polytope* p, int face, mjtNum lower2, mjtNum upper2) {
  Face* f = &p->face[face];
  if (!p->careful) {
    mjtNum dist2 = placeFace(p, f);
    if (dist2 >= lower2 && dist2 <= upper2) makeCandidate(p, face);
    return dist2 == 0;
  }
  if (!placeCarefully(p, f)) {
    if (dist2Of(p, f) <= upper2) makeCandidate(p, face);
    return 0;
  }

  // the vertex is on the line of the edge: give the flat triangle to the face behind the edge
  const Face* behind = &p->face[faceAt(f->adj[1])];
  copy3(f->normal, behind->normal);
  f->level = behind->level;
  return 0;
}

// join a vertex to the horizon; nonzero if a face came out flat
static int joinAll(Polytope* p, const Horizon* h, int w) {
  mjtNum lower2 = dist2Of(p, &p->face[p->found]);
  for (int face = joinHorizon(p, h, w); face < p->nface; face++) {
    if (placeOnHorizon(p, face, lower2, p->upper2)) return 1;
  }
  return 0;
}

// grow the polytope; returns the nearest face of its boundary, -1 if there is none or the origin is outside
static int grow(Polytope* p, int limit, mjtNum tolerance) {
  startGrowing(p);
  for (int k = 0; k < limit; k++) {
    mjtNum dist2;
    if (!chooseFace(p, &dist2)) return p->found;
    const Face* f = &p->face[p->found];
    p->lower = p->careful ? f->level : __builtin_sqrt(dist2);
    if (!p->careful && !(p->lower > 0)) {
      p->gap = 0;
      return p->found;
    }
    mjtNum length = p->careful ? 1 : p->lower;
    int w = addSupport(p, f->normal, length);
    Horizon h;  // without zeros: its list is long, and what counts is its number
    if (!takeSupport(p, w, dot3(f->normal, at(p, w)) / length, tolerance)) return p->found;
    if (!openTo(p, &h, w) || joinAll(p, &h, w)) return p->found;
  }
  if (!p->careful) p->gap = 0;  // the iterations are used up: accept what the caller's limit allows
  return p->found;
}

// Did a careful search come near enough to the boundary? Around a ball no face is nearer than others, so shapes that
// are small beside the margin use up all iterations. A depth that is known to 5 % is better than no contact.
static int isNear(const Polytope* p, mjtNum tolerance) {
  return p->gap <= tolerance || (!p->exact && p->upper - p->lower < 0.05 * p->lower);
}

// ---- where all iterations are used up

// An overlap along a direction, with the points that show it.
typedef struct Least_ {
  mjtNum depth, dir[3];
  mjiVertex at;
} Least;

// take a direction along which shapes overlap by less; returns whether they do
static int tryDirection(Least* r, const Polytope* p, const mjtNum dir[3]) {
  mjiVertex v;
  LANE(gjkSupport)(&v, p->a, p->b, dir);
  mjtNum depth = dot3(dir, v.v);
  if (depth >= r->depth) return 0;
  r->depth = depth;
  r->at = v;
  copy3(r->dir, dir);
  return 1;
}

// Turn the axes across a direction, which has moved. Where edges make a valley it is seldom along one of six
// directions, so these are never the same.
static void turnAcross(mjtNum t[2][3], const mjtNum dir[3]) {
  mjtNum first[3];
  scale3(first, t[0], 0.8);
  addScaled3(first, first, t[1], 0.6);
  addScaled3(t[0], first, dir, -dot3(first, dir));
  normalize3(t[0]);
  cross3(t[1], dir, t[0]);
}

static void tilted(mjtNum r[3], const mjtNum dir[3], const mjtNum t[2][3], const mjtNum by[2], mjtNum step) {
  addScaled3(r, dir, t[0], step * by[0]);
  addScaled3(r, r, t[1], step * by[1]);
  normalize3(r);
}

// six directions around one, of length one across it
#define HIGH 0.86602540378443865
static const mjtNum AROUND[6][2] = {{1, 0}, {-.5, HIGH}, {-.5, -HIGH}, {-1, 0}, {.5, -HIGH}, {.5, HIGH}};

// Go down from a direction to one along which shapes overlap least, by steps that get shorter.
static void descend(Least* r, const Polytope* p) {
  enum { MOST = 20 };  // moves by steps of one length
  mjtNum t[2][3];
  tangents3(t, r->dir);
  for (mjtNum step = 0.4; step > 1e-6; step /= 2) {
    for (int k = 0, moved = 1; moved && k < MOST; k++) {
      mjtNum from[3], dir[3];
      moved = 0;
      copy3(from, r->dir);
      turnAcross(t, from);
      for (int i = 0; i < 6; i++) {
        tilted(dir, from, (const mjtNum(*)[3])t, AROUND[i], step);
        moved |= tryDirection(r, p, dir);
      }
    }
  }
}

// How far the points of both shapes move as the direction is turned a little: far on a face, hardly where the shape is
// round.
static void spreads(mjtNum spread[2], const Least* r, const Polytope* p) {
  mjtNum t[2][3], dir[3];
  tangents3(t, r->dir);
  spread[0] = spread[1] = 0;
  for (int i = 0; i < 3; i++) {
    mjiVertex v;
    tilted(dir, r->dir, (const mjtNum(*)[3])t, AROUND[i], 1e-4);
    LANE(gjkSupport)(&v, p->a, p->b, dir);
    spread[0] += dist3(v.a, r->at.a);
    spread[1] += dist3(v.b, r->at.b);
  }
}

// The polytope bounds the depth from below, and each of its supports from above. Go down from the face whose support
// has shown the least, and from the one that was found; the contact is on the shape that is rounder there.
static void setLeast(mjiGjk* g, const Polytope* p) {
  Least r = {.depth = mjMAXVAL};
  int from[2] = {p->shown, p->found};
  for (int i = 0; i < 2; i++) {
    Least other = {.depth = mjMAXVAL};
    mjtNum dir[3];
    copy3(dir, p->face[from[i]].normal);
    normalize3(dir);
    tryDirection(&other, p, dir);
    descend(&other, p);
    if (other.depth < r.depth) r = other;
  }
  mjtNum spread[2];
  spreads(spread, &r, p);
  g->dist = -r.depth;
  g->turned = 1;
  copy3(g->normal, r.dir);
  copy3(g->x1, r.at.a);
  copy3(g->x2, r.at.b);
  if (spread[0] <= spread[1]) addScaled3(g->x2, g->x1, r.dir, -r.depth);
  else addScaled3(g->x1, g->x2, r.dir, r.depth);
}

static void setDepth(mjiGjk* g, const Polytope* p) {
  const Face* f = &p->face[p->found];
  for (int i = 0; i < 3; i++) g->face_vertex[i] = p->vertex[f->vertex[i]];
  setResult(g, p, f);
  if (isUnfinished(g, p)) setLeast(g, p);
}

static int start(Polytope* p, const mjiGjk* g) {
  p->careful = 0;
  p->slack = mjMINVAL;
  switch (g->nsimplex) {
    case 4: return startTetrahedron(p, g->simplex);
    case 3: return startTriangle(p, g->simplex);
    case 2: return startSegment(p, g->simplex);
    default: return 1;
  }
}

void LANE(epa)(mjiGjk* g, mjiConvex* a, mjiConvex* b) {
  Polytope p;
  setShapes(&p, a, b);
  int limit = g->max_iterations < MAXITER ? g->max_iterations : MAXITER;
  int face = start(&p, g) ? -1 : grow(&p, limit, g->tolerance);
  mjtNum upper = mjMAXVAL;
  if (face >= 0) {
    setDepth(g, &p);
    if (isOnBoundary(&p)) return;
    upper = p.upper + INCONSISTENT;
  }
  face = startCarefully(&p) ? -1 : grow(&p, p.exact ? MAXITER : limit, g->tolerance);
  if (face < 0 || !isNear(&p, g->tolerance)) return;
  mjtNum depth = p.face[face].level;
  if (depth > p.slack && depth <= upper) setDepth(g, &p);
}
