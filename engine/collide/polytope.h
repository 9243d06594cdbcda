// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The polytope of EPA: epa.c has the overview. Sources that include this file say how often a polytope may grow, which
// is POLYTOPE_ITERATIONS, and what they keep of a vertex, which is POLYTOPE_VERTEX with the point v of the difference.
// POLYTOPE_SEVERAL: several polytopes grow in turns.
#ifndef SHEAF_COLLIDE_POLYTOPE_H_
#define SHEAF_COLLIDE_POLYTOPE_H_

#include <stddef.h>
#include <stdint.h>
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

// A side is an edge of a face, as a number: SIDE_STRIDE times the face, plus twice the corner at which the edge begins.
// Where several polytopes grow, a Face has SIDE_STRIDE bytes, so that a mask makes its place of the number. A polytope
// that grows alone has more faces, and such sides would not fit a short.
#ifdef POLYTOPE_SEVERAL
#define SIDE_STRIDE 64
#else
#define SIDE_STRIDE 8
#endif
#define SIDE(face, edge) (SIDE_STRIDE * (face) + 2 * (edge))
static int faceAt(int side) { return (int)((unsigned)side / SIDE_STRIDE); }
static int edgeAt(int side) { return (int)((unsigned)side % SIDE_STRIDE / 2); }

typedef struct Face_ {
  _Alignas(SIDE_STRIDE) mjtNum normal[3];  // foot of the origin on the plane; careful search: outward, of unit length
  mjtNum level;                            // dot product of the normal and any point of the plane; see dist2Of
  short vertex[4];                         // three
  short adj[4];                            // three: what is across the edge from a vertex to the next, a side
} Face;

_Static_assert(SIDE(MAXFACE + 4, 0) <= INT16_MAX, "a side is a short");
_Static_assert(offsetof(Face, level) == 3 * sizeof(mjtNum), "normal and level are read and written together");

// Faces are made in fours, and lists read as vectors: so arrays have room for more numbers than there are faces.
enum { ROOM = MAXFACE + 12 };

typedef struct Polytope_ {
  mjiConvex *a, *b;
  POLYTOPE_VERTEX vertex[MAXVERTEX];
#ifdef POLYTOPE_SEVERAL
  int64_t id[MAXVERTEX + 3];  // numbers of the vertices: those of both shapes together
#endif
  Face face[MAXFACE + 4];
  short index[ROOM];  // of a face in the list of candidates; CLOSED, DELETED or less if it is not there
  int candidate[ROOM];
  mjtNum candidate_dist2[ROOM];  // squared distances, side by side: every vertex needs the least of all
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

static Face* setFace(Polytope* p, int face, int v0, int v1, int v2, int adj0, int adj1, int adj2) {
  Face* f = &p->face[face];
  f->vertex[0] = (short)v0, f->vertex[1] = (short)v1, f->vertex[2] = (short)v2;
  f->adj[0] = (short)adj0, f->adj[1] = (short)adj1, f->adj[2] = (short)adj2;
  p->index[face] = CLOSED;
  return f;
}

static Face* newFace(Polytope* p, const int v[3], const int adj[3]) {
  return setFace(p, p->nface++, v[0], v[1], v[2], adj[0], adj[1], adj[2]);
}

// squared distance of the origin, which is the level of its foot; in a careful search negative if the origin is outside
static mjtNum dist2Of(const Polytope* p, const Face* f) { return p->careful ? f->level * fabs(f->level) : f->level; }

static void makeCandidate(Polytope* p, int face) {
  p->index[face] = (short)p->ncandidate;
  p->candidate_dist2[p->ncandidate] = dist2Of(p, &p->face[face]);
  p->candidate[p->ncandidate++] = face;
}

static void deleteFace(Polytope* p, int face) {
  int index = p->index[face];
  if (index >= 0) {
    int n = p->ncandidate - 1, last = p->candidate[n];
    p->ncandidate = n;
    p->candidate[index] = last;
    p->candidate_dist2[index] = p->candidate_dist2[n];
    p->candidate_dist2[n] = mjMAXVAL;  // see candidates.h
    p->index[last] = (short)index;
  }
  p->index[face] = DELETED;
}

// the faces of a tetrahedron, and the sides across their edges
static const int TETRAHEDRON[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {3, 2, 1}};
static const int TETRAHEDRON_ADJ[4][3] = {{SIDE(1, 2), SIDE(3, 1), SIDE(2, 0)},
                                          {SIDE(2, 2), SIDE(3, 2), SIDE(0, 0)},
                                          {SIDE(0, 2), SIDE(3, 0), SIDE(1, 0)},
                                          {SIDE(2, 1), SIDE(0, 1), SIDE(1, 1)}};

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
    if (p->index[face] == DELETED) continue;
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

// Make the faces that join a vertex to the horizon, without their planes. Returns the first, which is how many there
// were before; the others come one after the other.
static int joinHorizon(Polytope* p, const Horizon* h, int w) {
  int first = p->nface, end = first + h->n, before = h->corner[h->n - 1];
  for (int i = 0; i < h->n; i++) {
    int side = h->side[i], face = first + i;
    p->face[faceAt(side)].adj[edgeAt(side)] = (short)SIDE(face, 1);
    setFace(p, face, w, before, h->corner[i], SIDE(face - 1, 2), side, SIDE(face + 1, 0));
    before = h->corner[i];
  }
  p->face[first].adj[0] = (short)SIDE(end - 1, 2);
  p->face[end - 1].adj[2] = (short)SIDE(first, 0);
  p->nface = end;
  return first;
}

// The first of the candidates whose distance is least, -1 if there is none; and this distance, squared. What is fast
// differs between sources, which define it.
static int nearestCandidate(const Polytope* p, mjtNum* dist2);

// Four minima, because one would wait for itself at each face.
static inline int nearestInTurn(const Polytope* p, mjtNum* dist2) {
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

// Has the vertex w the numbers of an earlier one? Sources define it, too.
static int repeated(const Polytope* p, int w);

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

// Take a vertex, the support of the face that was chosen; height: its level along the normal. Nonzero if the search
// goes on, and the polytope has to grow by it.
static int takeSupport(Polytope* p, int w, mjtNum height, mjtNum tolerance) {
  p->gap = height - p->lower;
  if (height < 0) {
    p->found = -1;
    return 0;
  }
  int less = height < p->upper;  // no branch, because nobody could predict it
  p->shown = less ? p->found : p->shown;
  p->upper2 = less ? height * height * (p->careful ? ROUNDED : 1) : p->upper2;
  p->upper = less ? height : p->upper;
  return !isFound(p, w, p->upper - p->lower, p->lower, tolerance);
}

// Delete the faces that a vertex sees, for others that are to join it to the horizon; zero if these have no room.
static int openTo(Polytope* p, Horizon* h, int w) {
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
