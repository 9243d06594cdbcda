// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The polytope of EPA: epa.c has the overview. Sources that include this file say how often a polytope may grow, which
// is POLYTOPE_ITERATIONS, and what they keep of a vertex, which is POLYTOPE_VERTEX: a point of the difference, v, and
// the numbers ia and ib. POLYTOPE_SEVERAL: several polytopes grow in turns.
#ifndef SHEAF_COLLIDE_POLYTOPE_H_
#define SHEAF_COLLIDE_POLYTOPE_H_

#include <stddef.h>
#include <string.h>

#include "collide/gjk.h"
#include "collide/vec3.h"

// Who asks for so many iterations asks for a depth that is right: then the search for that of curved shapes has not
// ended if it is known to no more than so many tolerances.
enum { ALL_ITERATIONS = 200 };
static const mjtNum UNFINISHED = 10;

enum { MAXITER = POLYTOPE_ITERATIONS, MAXVERTEX = MAXITER + 5, MAXFACE = 6 * MAXITER, MAXHORIZON = 200 };

// The normal is that of the face that was found, unless the boundary lies beyond it by more than this many tolerances,
// and by more than the depth or this length, whichever is less.
static const mjtNum BEYOND = 100, FAR_BEYOND = 1e-3;

// In a careful search faces are left out that are farther than the bound that a direction has shown, unless rounding
// makes them so. The other search follows the reference, which leaves them out.
static const mjtNum ROUNDED = 1 + 1e-9;

// at a depth below this, rounding of the witness points turns the line between them: that of meshes of some meters by
// 1e-6
static const mjtNum SHALLOW = 1e-7;

// rounding has spoiled a polytope whose nearest face is farther than this from the boundary
static const mjtNum INCONSISTENT = 1e-8;

enum { CLOSED = -1, DELETED = -2 };  // index of faces that are no candidates

// A side is an edge of a face: 4 times the face, and the corner at which the edge begins.
static int sideOf(int face, int edge) { return 4 * face + edge; }
static int faceAt(int side) { return side >> 2; }
static int edgeAt(int side) { return side & 3; }

// Small, so that the faces of all lanes have room in the nearest cache.
typedef struct Face_ {
  mjtNum normal[3];  // foot of the origin on the plane; careful search: outward, of unit length
  mjtNum level;      // dot product of the normal and any point of the plane; see dist2Of
  short vertex[4];   // three
  short adj[3];      // what is across the edge from a vertex to the next: a side
  short index;       // in the list of candidates, CLOSED or DELETED
} Face;

typedef struct Polytope_ {
  mjiConvex *a, *b;
  POLYTOPE_VERTEX vertex[MAXVERTEX];
  Face face[MAXFACE];
  int candidate[MAXFACE];
  mjtNum candidate_dist2[MAXFACE];  // their squared distances, side by side: every vertex needs the least of all
  int nvertex, nface, ncandidate;
  int careful;
  int exact;      // nonzero if both shapes are polytopes that do not grow
  mjtNum slack;   // a vertex sees a face if its level is higher by more than this
  int found;      // the nearest face so far, -1 if there is none or the origin is outside
  mjtNum lower;   // its distance: a lower bound of the depth
  mjtNum lower2;  // its square
  mjtNum upper;   // upper bound of the depth
  int shown;      // the face whose support has shown that bound
  mjtNum upper2;  // its square
  mjtNum gap;     // how far the difference reaches beyond the face that was found
  int full;       // nonzero if faces had no room
  int ended;      // lanes: nonzero if the search has ended
} Polytope;

typedef struct Horizon_ {
  const mjtNum* w;         // the new vertex
  int side[MAXHORIZON];    // of the faces that stay
  int corner[MAXHORIZON];  // where the side begins: the end of the side after it
  int n;
} Horizon;

// ---- building

static void setShapes(Polytope* p, mjiConvex* a, mjiConvex* b) {
  p->a = a;
  p->b = b;
  p->exact = mji_support_discrete(a) && mji_support_discrete(b);
}

static const mjtNum* at(const Polytope* p, int i) { return p->vertex[i].v; }

static Face* setFace(Face* f, int v0, int v1, int v2, int adj0, int adj1, int adj2) {
  f->vertex[0] = (short)v0, f->vertex[1] = (short)v1, f->vertex[2] = (short)v2;
  f->adj[0] = (short)adj0, f->adj[1] = (short)adj1, f->adj[2] = (short)adj2;
  f->index = CLOSED;
  return f;
}

static Face* newFace(Polytope* p, const int v[3], const int adj[3]) {
  return setFace(&p->face[p->nface++], v[0], v[1], v[2], adj[0], adj[1], adj[2]);
}

// Put the plane of a face on three vertices; nonzero if they have none. With vectors it takes half the instructions,
// and gives the same bits: a point is read together with the number behind it, and what comes of that is not used.
#if defined(__AVX2__) && !defined(MJI_SINGLE)
static __m256d pointOf(const POLYTOPE_VERTEX* v) { return _mm256_loadu_pd(v->v); }
static __m256d turned(__m256d x) { return _mm256_permute4x64_pd(x, _MM_SHUFFLE(3, 0, 2, 1)); }

static int setPlane(Face* f, const POLYTOPE_VERTEX* a, const POLYTOPE_VERTEX* b, const POLYTOPE_VERTEX* c) {
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

_Static_assert(offsetof(Face, level) == 3 * sizeof(mjtNum) && sizeof(POLYTOPE_VERTEX) >= 4 * sizeof(mjtNum),
               "points and normals are followed by a number");
#else
static int setPlane(Face* f, const POLYTOPE_VERTEX* a, const POLYTOPE_VERTEX* b, const POLYTOPE_VERTEX* c) {
  if (gjkPlaneFoot(f->normal, a->v, b->v, c->v)) return 1;
  f->level = dot3(f->normal, f->normal);
  return 0;
}
#endif

// squared distance of the origin, which is the level of its foot; in a careful search negative if the origin is outside
static mjtNum dist2Of(const Polytope* p, const Face* f) { return p->careful ? f->level * fabs(f->level) : f->level; }

static void makeCandidate(Polytope* p, int face) {
  p->face[face].index = (short)p->ncandidate;
  p->candidate_dist2[p->ncandidate] = dist2Of(p, &p->face[face]);
  p->candidate[p->ncandidate++] = face;
}

static void deleteFace(Polytope* p, int face) {
  Face* f = &p->face[face];
  int index = f->index;
  if (index >= 0) {
    int n = p->ncandidate - 1, last = p->candidate[n];
    p->ncandidate = n;
    p->candidate[index] = last;
    p->candidate_dist2[index] = p->candidate_dist2[n];
    p->face[last].index = (short)index;
  }
  f->index = DELETED;
}

// the faces of a tetrahedron, and the sides across their edges
static const int TETRAHEDRON[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {3, 2, 1}};
static const int TETRAHEDRON_ADJ[4][3] = {{6, 13, 8}, {10, 14, 0}, {2, 12, 4}, {9, 1, 5}};

// ---- growing

static const int AFTER[3] = {1, 2, 0};  // the next corner of a face

// Delete a face and all faces around it that a vertex sees, and find their horizon. From each deleted face the walk
// goes over its edges in turn, and as far as it can before it takes the next.
static void deleteSeen(Polytope* p, Horizon* h, int first) {
  int side[MAXFACE + 3], n = 0, found = 0;
  for (int i = 2; i >= 0; i--) side[n++] = p->face[first].adj[i];
  deleteFace(p, first);
  while (n) {
    int next = side[--n], face = faceAt(next), edge = edgeAt(next);
    const Face* f = &p->face[face];
    if (f->index == DELETED) continue;
    if (dot3(f->normal, h->w) - f->level > p->slack) {
      deleteFace(p, face);
      side[n++] = f->adj[AFTER[AFTER[edge]]];
      side[n++] = f->adj[AFTER[edge]];
    } else if (found < MAXHORIZON) {
      h->side[found] = next;
      h->corner[found++] = f->vertex[edge];
    }
  }
  h->n = found;
}

// nonzero if there is no room for faces on this horizon
static int isFull(Polytope* p, const Horizon* h) {
  p->full = p->nface + h->n > MAXFACE;
  return h->n < 3 || h->n >= MAXHORIZON || p->full;
}

// Make the face that joins a vertex to side i of the horizon, without its plane. first: the face of side 0, which is
// how many there were before; the caller adds the new ones to nface.
static Face* join(Polytope* p, const Horizon* h, int w, int first, int i) {
  int side = h->side[i], before = (i ? i : h->n) - 1, after = i + 1 < h->n ? i + 1 : 0;
  p->face[faceAt(side)].adj[edgeAt(side)] = (short)sideOf(first + i, 1);
  return setFace(p->face + first + i, w, h->corner[before], h->corner[i], sideOf(first + before, 2), side,
                 sideOf(first + after, 0));
}

// The first of the candidates whose distance is least, -1 if there is none; and this distance, squared.
#if defined(POLYTOPE_SEVERAL) && defined(__AVX2__) && !defined(MJI_SINGLE)
#ifdef __AVX512F__
enum { WIDE = 8 };
typedef __m512d Wide;

// distances of so many candidates; what is no number, and what is behind the list, is at the limit
static Wide distancesFrom(const Polytope* p, int i) {
  int left = p->ncandidate - i;
  __mmask8 mask = (__mmask8)(left >= WIDE ? 0xff : left > 0 ? (1 << left) - 1 : 0);
  Wide limit = _mm512_set1_pd(mjMAXVAL);
  return _mm512_min_pd(_mm512_mask_loadu_pd(limit, mask, p->candidate_dist2 + i), limit);
}

static Wide lessOf(Wide x, Wide y) { return _mm512_min_pd(x, y); }
static mjtNum leastOf(Wide x) { return _mm512_reduce_min_pd(x); }
static unsigned equalIn(Wide x, mjtNum y) { return _mm512_cmp_pd_mask(x, _mm512_set1_pd(y), _CMP_EQ_OQ); }
#else
enum { WIDE = 4 };
typedef __m256d Wide;

// the same; what is loaded behind the list is within its array
static Wide distancesFrom(const Polytope* p, int i) {
  __m256i left = _mm256_set1_epi64x(p->ncandidate - i), mask = _mm256_cmpgt_epi64(left, _mm256_setr_epi64x(0, 1, 2, 3));
  Wide limit = _mm256_set1_pd(mjMAXVAL), x = _mm256_loadu_pd(p->candidate_dist2 + i);
  return _mm256_min_pd(_mm256_blendv_pd(limit, x, _mm256_castsi256_pd(mask)), limit);
}

static Wide lessOf(Wide x, Wide y) { return _mm256_min_pd(x, y); }

static mjtNum leastOf(Wide x) {
  __m128d two = _mm_min_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd(x, 1));
  return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
}

static unsigned equalIn(Wide x, mjtNum y) {
  return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(x, _mm256_set1_pd(y), _CMP_EQ_OQ));
}
#endif
enum { FIRST = 16 / WIDE };  // so many vectors have most lists

_Static_assert(MAXFACE % WIDE == 0 && MAXFACE >= FIRST * WIDE, "a list can be read as vectors");

// Most lists are compared without a branch. A polytope that grows alone would wait for the last writes to its list.
static int nearestCandidate(const Polytope* p, mjtNum* dist2) {
  Wide first[FIRST], least;
  for (int k = 0; k < FIRST; k++) first[k] = distancesFrom(p, k * WIDE);
  least = first[0];
  for (int k = 1; k < FIRST; k++) least = lessOf(least, first[k]);
  for (int i = FIRST * WIDE; i < p->ncandidate; i += WIDE) least = lessOf(least, distancesFrom(p, i));
  *dist2 = leastOf(least);
  if (*dist2 >= mjMAXVAL) return -1;
  unsigned equal = 0;
  for (int k = 0; k < FIRST; k++) equal |= equalIn(first[k], *dist2) << (k * WIDE);
  if (equal) return p->candidate[__builtin_ctz(equal)];
  int i = FIRST * WIDE;
  while (!(equal = equalIn(distancesFrom(p, i), *dist2))) i += WIDE;
  return p->candidate[i + __builtin_ctz(equal)];
}
#else
// Four minima, because one would wait for itself at each face.
static int nearestCandidate(const Polytope* p, mjtNum* dist2) {
  const mjtNum* all = p->candidate_dist2;
  mjtNum least[4] = {mjMAXVAL, mjMAXVAL, mjMAXVAL, mjMAXVAL};
  int n = p->ncandidate, i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int k = 0; k < 4; k++) least[k] = all[i + k] < least[k] ? all[i + k] : least[k];
  }
  for (; i < n; i++) least[0] = all[i] < least[0] ? all[i] : least[0];
  for (int k = 1; k < 4; k++) least[0] = least[k] < least[0] ? least[k] : least[0];
  *dist2 = least[0];
  if (least[0] >= mjMAXVAL) return -1;
  for (i = 0; all[i] != least[0];) i++;
  return p->candidate[i];
}
#endif

static int repeated(const Polytope* p, int w) {
  for (int i = 0; i < w; i++) {
    if (p->vertex[i].ia == p->vertex[w].ia && p->vertex[i].ib == p->vertex[w].ib) return 1;
  }
  return 0;
}

// Nonzero if the nearest face, whose support is w, is near enough to the boundary; gap is the difference between the
// bounds of the depth. A careful search starts next to the surface, where a small gap says nothing about the normal:
// the gap must be below the depth, too.
static int isFound(const Polytope* p, int w, mjtNum gap, mjtNum lower, mjtNum tolerance) {
  int discrete = p->exact;
  if (p->careful) return p->gap <= p->slack || (!discrete && gap < fmin(tolerance, lower));
  return gap < (discrete ? mjMINVAL : tolerance) || (discrete && repeated(p, w));
}

static void startGrowing(Polytope* p) {
  p->found = -1;
  p->full = p->shown = 0;
  p->gap = 0;
  p->upper = p->upper2 = mjMAXVAL;
}

// Find the nearest face and its distance, squared; zero if the search has ended.
static int chooseFace(Polytope* p, mjtNum* dist2) {
  int face = nearestCandidate(p, dist2);
  if (face < 0 || *dist2 > p->upper2) return 0;
  p->found = face;
  return 1;
}

// Grow by a vertex, the support of the face that was chosen; height: its level along the normal. Nonzero if the search
// goes on; then faces are to join the vertex to the horizon.
static int growBy(Polytope* p, Horizon* h, int w, mjtNum height, mjtNum tolerance) {
  p->gap = height - p->lower;
  if (height < 0) {
    p->found = -1;
    return 0;
  }
  int less = height < p->upper;  // no branch, because nobody could predict it
  p->shown = less ? p->found : p->shown;
  p->upper2 = less ? height * height * (p->careful ? ROUNDED : 1) : p->upper2;
  p->upper = less ? height : p->upper;
  if (isFound(p, w, p->upper - p->lower, p->lower, tolerance)) return 0;
  h->w = at(p, w);
  deleteSeen(p, h, p->found);
  return !isFull(p, h);
}

// Is the face that was found on the boundary? Corners of prisms have no vertex numbers, so repeated() ends their search
// early, as in the reference.
static int isOnBoundary(const Polytope* p) { return !p->exact || p->a->prism || p->b->prism || p->gap <= INCONSISTENT; }

// Has the search for the depth of curved shapes used up all iterations that there are? It does where the difference
// looks like a ball around the origin, so that all faces are equally near.
static int isUnfinished(const mjiGjk* g, const Polytope* p) {
  return g->max_iterations >= ALL_ITERATIONS && !p->exact && p->upper - p->lower > UNFINISHED * g->tolerance;
}

// Where the normal is not that between the witness points. The nearest face may have the depth that another face has
// shown, and go right through the middle of both shapes where these hardly touch, or end far inside of the boundary.
// Such a contact has the depth and the place of the nearest face, but the normal of the other, along which shapes
// overlap by less.
static void setNormal(mjiGjk* g, const Polytope* p, const Face* f) {
  mjtNum far = fmax(BEYOND * g->tolerance, fmin(-g->dist, FAR_BEYOND));
  int beyond = !p->exact && p->gap > far;
  g->turned = beyond || g->dist > -SHALLOW;
  if (g->turned) copy3(g->normal, beyond ? p->face[p->shown].normal : f->normal);
}

// Depth, normal and witness points: the foot of the origin as a combination of the corners of a face, which
// g->face_vertex has already.
static void setResult(mjiGjk* g, const Polytope* p, const Face* f) {
  mjtNum foot[3], weight[3];
  scale3(foot, f->normal, p->careful ? f->level : 1);
  LANE(gjkAffine)(weight, foot, g->face_vertex);
  set3(g->x1, 0, 0, 0);
  set3(g->x2, 0, 0, 0);
  for (int i = 0; i < 3; i++) {
    addScaled3(g->x1, g->x1, g->face_vertex[i].a, weight[i]);
    addScaled3(g->x2, g->x2, g->face_vertex[i].b, weight[i]);
  }
  g->dist = -__builtin_sqrt(dist2Of(p, f));
  setNormal(g, p, f);
}

#endif  // SHEAF_COLLIDE_POLYTOPE_H_
