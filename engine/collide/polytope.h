// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The polytope of EPA: epa.c has the overview. Sources that include this file say how often a polytope may grow, which
// is POLYTOPE_ITERATIONS.
#ifndef SHEAF_COLLIDE_POLYTOPE_H_
#define SHEAF_COLLIDE_POLYTOPE_H_

#include <stddef.h>
#include <string.h>

#include "collide/gjk.h"
#include "collide/vec3.h"

enum { MAXITER = POLYTOPE_ITERATIONS, MAXVERTEX = MAXITER + 5, MAXFACE = 6 * MAXITER, MAXHORIZON = 200 };

// the plane of a triangle is made of rounding errors if the height is below this part of the longest side
static const mjtNum SLIVER = 1e-7;

// The normal is that of the face that was found, unless the boundary lies this many tolerances beyond it, and farther
// than it is deep.
static const mjtNum BEYOND = 100;

// rounding has spoiled a polytope whose nearest face is farther than this from the boundary
static const mjtNum INCONSISTENT = 1e-8;

enum { CLOSED = -1, DELETED = -2 };  // index of faces that are no candidates

typedef struct Face_ {
  mjtNum normal[3];  // foot of the origin on the plane; careful search: outward, of unit length
  mjtNum level;      // dot product of the normal and any point of the plane
  mjtNum dist2;      // squared distance of the origin; careful search: negative if the origin is outside
  int vertex[3];
  int adj[3];
  int index;  // in the list of candidates, CLOSED or DELETED
} Face;

typedef struct Polytope_ {
  mjiConvex *a, *b;
  mjiVertex vertex[MAXVERTEX];
  Face face[MAXFACE];
  int candidate[MAXFACE];
  mjtNum candidate_dist2[MAXFACE];  // their squared distances, side by side: every vertex needs the least of all
  int nvertex, nface, ncandidate;
  int careful;
  mjtNum slack;   // a vertex sees a face if its level is higher by more than this
  int found;      // the nearest face so far, -1 if there is none or the origin is outside
  mjtNum lower;   // its distance: a lower bound of the depth
  mjtNum upper;   // upper bound of the depth
  int shown;      // the face whose support has shown that bound
  mjtNum upper2;  // its square
  mjtNum gap;     // how far the difference reaches beyond the face that was found
  int full;       // nonzero if faces had no room
} Polytope;

typedef struct Horizon_ {
  const mjtNum* w;  // the new vertex
  int face[MAXHORIZON], edge[MAXHORIZON];
  int n;
} Horizon;

// ---- building

static int addVertex(Polytope* p, const mjiVertex* v) {
  p->vertex[p->nvertex] = *v;
  return p->nvertex++;
}

static const mjtNum* at(const Polytope* p, int i) { return p->vertex[i].v; }

static Face* newFace(Polytope* p, int v0, int v1, int v2, int adj0, int adj1, int adj2) {
  Face* f = &p->face[p->nface++];
  f->vertex[0] = v0, f->vertex[1] = v1, f->vertex[2] = v2;
  f->adj[0] = adj0, f->adj[1] = adj1, f->adj[2] = adj2;
  f->index = CLOSED;
  return f;
}

static Face* newFaceOf(Polytope* p, const int v[3], const int adj[3]) {
  return newFace(p, v[0], v[1], v[2], adj[0], adj[1], adj[2]);
}

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
    f->level = f->dist2 = dot3(f->normal, f->normal);
    return 0;
  }
  __m256d foot = _mm256_mul_pd(n, _mm256_set1_pd(along / length2)), square = _mm256_mul_pd(foot, foot);
  __m128d xy = _mm256_castpd256_pd128(square);
  mjtNum sum = _mm_cvtsd_f64(xy) + _mm_cvtsd_f64(_mm_unpackhi_pd(xy, xy));
  _mm256_storeu_pd(f->normal, foot);  // and the level, which comes next
  f->level = f->dist2 = sum + _mm_cvtsd_f64(_mm256_extractf128_pd(square, 1));
  return 0;
}

_Static_assert(offsetof(Face, level) == 3 * sizeof(mjtNum) && offsetof(mjiVertex, a) == 3 * sizeof(mjtNum),
               "points and normals are followed by a number");
#else
static int setPlane(Face* f, const mjiVertex* a, const mjiVertex* b, const mjiVertex* c) {
  if (gjkPlaneFoot(f->normal, a->v, b->v, c->v)) return 1;
  f->level = f->dist2 = dot3(f->normal, f->normal);
  return 0;
}
#endif

// set the plane of a face, return its squared distance; zero if the origin is on it or it has no plane
static mjtNum placeFace(const Polytope* p, Face* f) {
  const mjiVertex* v = p->vertex;
  if (setPlane(f, v + f->vertex[2], v + f->vertex[1], v + f->vertex[0])) return f->dist2 = 0;
  return f->dist2;
}

// the same for vertices that are counterclockwise, seen from outside; nonzero if the face has no plane
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
  f->dist2 = f->level * fabs(f->level);
  return 0;
}

static void makeCandidate(Polytope* p, int face) {
  p->face[face].index = p->ncandidate;
  p->candidate_dist2[p->ncandidate] = p->face[face].dist2;
  p->candidate[p->ncandidate++] = face;
}

static void deleteFace(Polytope* p, int face) {
  Face* f = &p->face[face];
  if (f->index >= 0) {
    int last = p->candidate[--p->ncandidate];
    p->candidate[f->index] = last;
    p->candidate_dist2[f->index] = p->candidate_dist2[p->ncandidate];
    p->face[last].index = f->index;
  }
  f->index = DELETED;
}

// build the faces of a start polytope; nonzero if the origin is not strictly inside of all
static int addFaces(Polytope* p, const int (*vertex)[3], const int (*adj)[3], int n) {
  for (int i = 0; i < n; i++) {
    if (placeFace(p, newFaceOf(p, vertex[i], adj[i])) < mjMINVAL * mjMINVAL) return 1;
  }
  for (int i = 0; i < n; i++) makeCandidate(p, i);
  return 0;
}

// ---- start

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

static const int TETRAHEDRON[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {3, 2, 1}};
static const int TETRAHEDRON_ADJ[4][3] = {{1, 3, 2}, {2, 3, 0}, {0, 3, 1}, {2, 0, 1}};

// Make the faces of a tetrahedron; returns one that the origin is on, -1 if there is none.
static int startFaces(Polytope* p, const mjiVertex* s) {
  p->careful = 0;
  p->slack = mjMINVAL;
  p->nvertex = p->nface = p->ncandidate = 0;
  for (int i = 0; i < 4; i++) addVertex(p, s + i);
  return addFaces(p, TETRAHEDRON, TETRAHEDRON_ADJ, 4) ? p->nface - 1 : -1;
}

static int startHasOrigin(const Polytope* p) { return tetraHasOrigin(at(p, 0), at(p, 1), at(p, 2), at(p, 3)); }

// ---- growing

static const int AFTER[3] = {1, 2, 0};  // the next corner of a face

// edge of a face that starts at a vertex
static int edgeFrom(const Face* f, int v) { return f->vertex[0] == v ? 0 : f->vertex[1] == v ? 1 : 2; }

static void look(Polytope* p, Horizon* h, int face, int edge);

// step over an edge of a deleted face: delete the neighbour too if the vertex sees it, else the edge is on the horizon
static void cross(Polytope* p, Horizon* h, int face, int edge) {
  const Face* f = &p->face[face];
  int next = f->adj[edge];
  if (p->face[next].index != DELETED) look(p, h, next, edgeFrom(&p->face[next], f->vertex[AFTER[edge]]));
}

static void look(Polytope* p, Horizon* h, int face, int edge) {
  const Face* f = &p->face[face];
  if (dot3(f->normal, h->w) - f->level > p->slack) {
    deleteFace(p, face);
    cross(p, h, face, AFTER[edge]);
    cross(p, h, face, AFTER[AFTER[edge]]);
  } else if (h->n < MAXHORIZON) {
    h->face[h->n] = face;
    h->edge[h->n++] = edge;
  }
}

// set the plane of a face on an edge of the horizon; nonzero if it came out flat
static int placeOnHorizon(Polytope* p, int face, mjtNum lower2, mjtNum upper2) {
  Face* f = &p->face[face];
  if (!p->careful) {
    mjtNum dist2 = placeFace(p, f);
    if (dist2 >= lower2 && dist2 <= upper2) makeCandidate(p, face);
    return dist2 == 0;
  }
  if (!placeCarefully(p, f)) {
    if (f->dist2 <= upper2) makeCandidate(p, face);
    return 0;
  }

  // the vertex is on the line of the edge: give the flat triangle to the face behind the edge
  const Face* behind = &p->face[f->adj[1]];
  copy3(f->normal, behind->normal);
  f->level = behind->level;
  return 0;
}

// join a vertex to the horizon; nonzero if a face came out flat or there is no room
static int join(Polytope* p, const Horizon* h, int w, mjtNum lower2, mjtNum upper2) {
  int first = p->nface, n = h->n;
  p->full = first + n > MAXFACE;
  if (n < 3 || n >= MAXHORIZON || p->full) return 1;
  for (int i = 0; i < n; i++) {
    Face* f = &p->face[h->face[i]];
    int e = h->edge[i], before = first + (i ? i - 1 : n - 1), after = first + (i + 1 < n ? i + 1 : 0);
    newFace(p, w, f->vertex[AFTER[e]], f->vertex[e], before, h->face[i], after);
    f->adj[e] = first + i;
    if (placeOnHorizon(p, first + i, lower2, upper2)) return 1;
  }
  return 0;
}

// The first of the candidates whose distance is least, -1 if there is none.
#if defined(__AVX512F__) && !defined(MJI_SINGLE)
enum { WIDE = 8 };

// distances of eight candidates; what is no number, and what is behind the list, is at the limit
static __m512d distancesFrom(const Polytope* p, int i) {
  int left = p->ncandidate - i;
  __mmask8 mask = (__mmask8)(left >= WIDE ? 0xff : left > 0 ? (1 << left) - 1 : 0);
  __m512d limit = _mm512_set1_pd(mjMAXVAL);
  return _mm512_min_pd(_mm512_mask_loadu_pd(limit, mask, p->candidate_dist2 + i), limit);
}

// Two vectors have most lists, and are compared without a branch. One state alone would wait for the last writes to the
// list, but between the steps of one lane there are those of others.
static int nearestCandidate(const Polytope* p) {
  __m512d first = distancesFrom(p, 0), second = distancesFrom(p, WIDE), least = _mm512_min_pd(first, second);
  for (int i = 2 * WIDE; i < p->ncandidate; i += WIDE) least = _mm512_min_pd(least, distancesFrom(p, i));
  double dist2 = _mm512_reduce_min_pd(least);
  if (dist2 >= mjMAXVAL) return -1;
  least = _mm512_set1_pd(dist2);
  unsigned equal = _mm512_cmp_pd_mask(first, least, _CMP_EQ_OQ);
  equal |= (unsigned)_mm512_cmp_pd_mask(second, least, _CMP_EQ_OQ) << WIDE;
  int i = 0;
  while (!equal) {
    i += WIDE;
    equal = (unsigned)_mm512_cmp_pd_mask(distancesFrom(p, i + WIDE), least, _CMP_EQ_OQ) << WIDE;
  }
  return p->candidate[i + __builtin_ctz(equal)];
}
#else
// Four minima, because one would wait for itself at each face.
static int nearestCandidate(const Polytope* p) {
  const mjtNum* dist2 = p->candidate_dist2;
  mjtNum least[4] = {mjMAXVAL, mjMAXVAL, mjMAXVAL, mjMAXVAL};
  int n = p->ncandidate, i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int k = 0; k < 4; k++) least[k] = dist2[i + k] < least[k] ? dist2[i + k] : least[k];
  }
  for (; i < n; i++) least[0] = dist2[i] < least[0] ? dist2[i] : least[0];
  for (int k = 1; k < 4; k++) least[0] = least[k] < least[0] ? least[k] : least[0];
  if (least[0] >= mjMAXVAL) return -1;
  for (i = 0; dist2[i] != least[0];) i++;
  return p->candidate[i];
}
#endif

static int repeated(const Polytope* p, int w) {
  for (int i = 0; i < w; i++) {
    if (p->vertex[i].ia == p->vertex[w].ia && p->vertex[i].ib == p->vertex[w].ib) return 1;
  }
  return 0;
}

static int isExact(const Polytope* p) { return mji_support_discrete(p->a) && mji_support_discrete(p->b); }

// Nonzero if the nearest face, whose support is w, is near enough to the boundary; gap is the difference between the
// bounds of the depth. A careful search starts next to the surface, where a small gap says nothing about the normal:
// the gap must be below the depth, too.
static int isFound(const Polytope* p, int w, mjtNum gap, mjtNum lower, mjtNum tolerance) {
  int discrete = isExact(p);
  if (p->careful) return p->gap <= p->slack || (!discrete && gap < fmin(tolerance, lower));
  return gap < (discrete ? mjMINVAL : tolerance) || (discrete && repeated(p, w));
}

static void startGrowing(Polytope* p) {
  p->found = -1;
  p->full = p->shown = 0;
  p->gap = 0;
  p->upper = p->upper2 = mjMAXVAL;
}

// Find the nearest face. Nonzero if the next step is a support along its normal, zero if the search has ended.
static int chooseFace(Polytope* p) {
  int face = nearestCandidate(p);
  if (face < 0 || p->face[face].dist2 > p->upper2) return 0;
  p->found = face;
  const Face* f = &p->face[face];
  p->lower = p->careful ? f->level : __builtin_sqrt(f->dist2);
  if (p->lower > 0 || p->careful) return 1;
  p->gap = 0;
  return 0;
}

// length of the normal of the face that was chosen
static mjtNum normalLength(const Polytope* p) { return p->careful ? 1 : p->lower; }

// Grow by a vertex, the support of the face that was chosen; height: its level along the normal. Nonzero if the search
// goes on.
static int growBy(Polytope* p, int w, mjtNum height, mjtNum tolerance) {
  int face = p->found;
  const Face* f = &p->face[face];
  p->gap = height - p->lower;
  if (height < 0) {
    p->found = -1;
    return 0;
  }
  if (height < p->upper) {
    p->upper = height;
    p->shown = face;
    p->upper2 = height * height;
  }
  if (isFound(p, w, p->upper - p->lower, p->lower, tolerance)) return 0;

  Horizon h;  // without zeros: its lists are long, and what counts is their number
  h.w = at(p, w);
  h.n = 0;
  deleteFace(p, face);
  for (int e = 0; e < 3; e++) cross(p, &h, face, e);
  return !join(p, &h, w, f->dist2, p->upper2);
}

// Is the face that was found on the boundary? Corners of prisms have no vertex numbers, so repeated() ends their search
// early, as in the reference.
static int isOnBoundary(const Polytope* p) {
  return !isExact(p) || p->a->prism || p->b->prism || p->gap <= INCONSISTENT;
}

// Depth and witness points: the foot of the origin as a combination of the corners of a face.
//
// Where curved shapes hardly touch, a face right through the middle of the difference may be as near as the tolerance
// to the depth that another face has shown. It has the depth and the place, but the normal is that of the other face.
static void setResult(mjiGjk* g, const Polytope* p, const Face* f) {
  mjtNum foot[3], weight[3];
  scale3(foot, f->normal, p->careful ? f->level : 1);
  for (int i = 0; i < 3; i++) g->face_vertex[i] = p->vertex[f->vertex[i]];
  LANE(gjkAffine)(weight, foot, g->face_vertex);
  set3(g->x1, 0, 0, 0);
  set3(g->x2, 0, 0, 0);
  for (int i = 0; i < 3; i++) {
    addScaled3(g->x1, g->x1, g->face_vertex[i].a, weight[i]);
    addScaled3(g->x2, g->x2, g->face_vertex[i].b, weight[i]);
  }
  g->dist = -__builtin_sqrt(f->dist2);
  g->turned = !isExact(p) && p->gap > fmax(BEYOND * g->tolerance, -g->dist) && p->upper - p->lower < g->tolerance;
  if (g->turned) copy3(g->normal, p->face[p->shown].normal);
}

#endif  // SHEAF_COLLIDE_POLYTOPE_H_
