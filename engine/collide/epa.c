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

#include "collide/gjk.h"
#include "collide/vec3.h"

enum { MAXITER = 200, MAXVERTEX = MAXITER + 5, MAXFACE = 6 * MAXITER, MAXHORIZON = 200 };

// the plane of a triangle is made of rounding errors if the height is below this part of the longest side
static const mjtNum SLIVER = 1e-7;

// rounding has spoiled a polytope whose nearest face is farther than this from the boundary
static const mjtNum INCONSISTENT = 1e-8;

// if the origin is nearer to a face than this, rounding may have put it on the wrong side
static const mjtNum NEXT = 1e-9;

// rounding error of the level of a plane, relative to the size of the difference
static const mjtNum ROUNDING = 1e-14;

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
  mjtNum slack;  // a vertex sees a face if its level is higher by more than this
  mjtNum gap;    // how far the difference reaches beyond the face that was found
  mjtNum upper;  // upper bound of the depth
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

static int addSupport(Polytope* p, const mjtNum dir[3], mjtNum length) {
  mjtNum unit[3];
  set3(unit, dir[0] / length, dir[1] / length, dir[2] / length);
  LANE(gjkSupport)(&p->vertex[p->nvertex], p->a, p->b, unit);
  return p->nvertex++;
}

static const mjtNum* at(const Polytope* p, int i) { return p->vertex[i].v; }

static Face* newFace(Polytope* p, const int v[3], const int adj[3]) {
  Face* f = &p->face[p->nface++];
  memcpy(f->vertex, v, sizeof f->vertex);
  memcpy(f->adj, adj, sizeof f->adj);
  f->index = CLOSED;
  return f;
}

// add a face, return its squared distance; zero if the origin is on it or it has no plane
static mjtNum addFace(Polytope* p, const int v[3], const int adj[3]) {
  Face* f = newFace(p, v, adj);
  if (LANE(gjkPlaneFoot)(f->normal, at(p, v[2]), at(p, v[1]), at(p, v[0]))) return f->dist2 = 0;
  return f->level = f->dist2 = dot3(f->normal, f->normal);
}

// add a face whose vertices are counterclockwise, seen from outside; nonzero if it has no plane
static int addCarefully(Polytope* p, const int v[3], const int adj[3]) {
  Face* f = newFace(p, v, adj);
  mjtNum ab[3], ac[3], bc[3];
  sub3(ab, at(p, v[1]), at(p, v[0]));
  sub3(ac, at(p, v[2]), at(p, v[0]));
  sub3(bc, at(p, v[2]), at(p, v[1]));
  cross3(f->normal, ab, ac);
  mjtNum longest2 = fmax(dot3(ab, ab), fmax(dot3(ac, ac), dot3(bc, bc)));
  if (normalize3(f->normal) <= SLIVER * longest2) return 1;
  f->level = dot3(f->normal, at(p, v[0]));
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

// nonzero if the origin is next to a face, but not on the side of the mean of the vertices: the foot of the origin then
// points inward
static int isOutside(const Polytope* p) {
  mjtNum middle[3] = {0};
  for (int i = 0; i < p->nvertex; i++) addScaled3(middle, middle, at(p, i), 1.0 / p->nvertex);
  for (int i = 0; i < p->nface; i++) {
    const Face* f = &p->face[i];
    if (f->dist2 < NEXT * NEXT && dot3(f->normal, middle) >= f->level) return 1;
  }
  return 0;
}

// build the faces of a start polytope; nonzero if the origin is not strictly inside of all
static int addFaces(Polytope* p, const int (*vertex)[3], const int (*adj)[3], int n) {
  for (int i = 0; i < n; i++) {
    if (addFace(p, vertex[i], adj[i]) < mjMINVAL * mjMINVAL) return 1;
  }
  for (int i = 0; i < n; i++) makeCandidate(p, i);
  return 0;
}

// ---- start polytopes

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

// two tetrahedra on both sides of a triangle
static int startTriangle(Polytope* p, const mjiVertex* s) {
  static const int vertex[6][3] = {{3, 0, 1}, {3, 2, 0}, {3, 1, 2}, {4, 1, 0}, {4, 0, 2}, {4, 2, 1}};
  static const int adj[6][3] = {{1, 3, 2}, {2, 4, 0}, {0, 5, 1}, {5, 0, 4}, {3, 1, 5}, {4, 2, 3}};
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
    LANE(gjkClosest)(weight, p->vertex, 3, 0);
    mjtNum x[3] = {0};
    for (int i = 0; i < 3; i++) addScaled3(x, x, at(p, i), weight[i]);
    if (norm3(x) > 1e-10) return 1;
  }
  return addFaces(p, vertex, adj, 6) || (!inside && isOutside(p));
}

static int startTetrahedron(Polytope* p, const mjiVertex* s) {
  static const int vertex[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {3, 2, 1}};
  static const int adj[4][3] = {{1, 3, 2}, {2, 3, 0}, {0, 3, 1}, {2, 0, 1}};
  p->nvertex = p->nface = p->ncandidate = 0;
  for (int i = 0; i < 4; i++) addVertex(p, s + i);
  if (!addFaces(p, vertex, adj, 4)) {
    return !tetraHasOrigin(at(p, 0), at(p, 1), at(p, 2), at(p, 3));
  }

  // the origin is on a face: start from that triangle
  int on = p->nface - 1;
  mjiVertex t[3];
  for (int i = 0; i < 3; i++) t[i] = s[vertex[on][i]];
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
  static const int adj[6][3] = {{1, 3, 2}, {2, 4, 0}, {0, 5, 1}, {5, 0, 4}, {3, 1, 5}, {4, 2, 3}};
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
  return addFaces(p, vertex, adj, 6);
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
  static const int vertex[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {3, 2, 1}};
  static const int adj[4][3] = {{1, 3, 2}, {2, 3, 0}, {0, 3, 1}, {2, 0, 1}};
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
    if (addCarefully(p, vertex[i], adj[i])) return 1;
    makeCandidate(p, i);
  }
  return 0;
}

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

// add the face on an edge of the horizon; nonzero if it came out flat
static int addOnHorizon(Polytope* p, const int v[3], const int adj[3], mjtNum lower2, mjtNum upper2) {
  int face = p->nface;
  if (!p->careful) {
    mjtNum dist2 = addFace(p, v, adj);
    if (dist2 >= lower2 && dist2 <= upper2) makeCandidate(p, face);
    return dist2 == 0;
  }
  if (!addCarefully(p, v, adj)) {
    if (p->face[face].dist2 <= upper2) makeCandidate(p, face);
    return 0;
  }

  // the vertex is on the line of the edge: give the flat triangle to the face behind the edge
  const Face* behind = &p->face[adj[1]];
  copy3(p->face[face].normal, behind->normal);
  p->face[face].level = behind->level;
  return 0;
}

// join a vertex to the horizon; nonzero if a face came out flat or there is no room
static int join(Polytope* p, const Horizon* h, int w, mjtNum lower2, mjtNum upper2) {
  int first = p->nface, n = h->n;
  if (n < 3 || n >= MAXHORIZON || first + n > MAXFACE) return 1;
  for (int i = 0; i < n; i++) {
    Face* f = &p->face[h->face[i]];
    int e = h->edge[i];
    int v[3] = {w, f->vertex[AFTER[e]], f->vertex[e]};
    int adj[3] = {first + (i ? i - 1 : n - 1), h->face[i], first + (i + 1 < n ? i + 1 : 0)};
    f->adj[e] = first + i;
    if (addOnHorizon(p, v, adj, lower2, upper2)) return 1;
  }
  return 0;
}

// The first of the candidates whose distance is least, -1 if there is none. Four minima, because one would wait for
// itself at each face.
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
  int discrete = mji_support_discrete(p->a) && mji_support_discrete(p->b);
  if (p->careful) return p->gap <= p->slack || (!discrete && gap < fmin(tolerance, lower));
  return gap < (discrete ? mjMINVAL : tolerance) || (discrete && repeated(p, w));
}

// grow the polytope; returns the nearest face of its boundary, -1 if there is none or the origin is outside
static int grow(Polytope* p, int limit, mjtNum tolerance) {
  int face = -1;
  mjtNum upper2 = mjMAXVAL;
  p->gap = 0;
  p->upper = mjMAXVAL;
  for (int k = 0; k < limit; k++) {
    int last = face;
    face = nearestCandidate(p);
    if (face < 0 || p->face[face].dist2 > upper2) return last;
    const Face* f = &p->face[face];
    mjtNum lower = p->careful ? f->level : __builtin_sqrt(f->dist2);
    if (lower <= 0 && !p->careful) break;

    mjtNum length = p->careful ? 1 : lower;
    int w = addSupport(p, f->normal, length);
    mjtNum height = dot3(f->normal, at(p, w)) / length;
    p->gap = height - lower;
    if (height < 0) return -1;
    if (height < p->upper) {
      p->upper = height;
      upper2 = height * height;
    }
    if (isFound(p, w, p->upper - lower, lower, tolerance)) return face;

    Horizon h;  // without zeros: its lists are long, and what counts is their number
    h.w = at(p, w);
    h.n = 0;
    deleteFace(p, face);
    for (int e = 0; e < 3; e++) cross(p, &h, face, e);
    if (join(p, &h, w, f->dist2, upper2)) return face;
  }
  if (!p->careful) p->gap = 0;  // the iterations are used up: accept what the caller's limit allows
  return face;
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

// depth and witness points: the foot of the origin as a combination of the corners of a face
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
}

void LANE(epa)(mjiGjk* g, mjiConvex* a, mjiConvex* b) {
  Polytope p;
  p.a = a;
  p.b = b;
  int limit = g->max_iterations < MAXITER ? g->max_iterations : MAXITER;
  int exact = mji_support_discrete(a) && mji_support_discrete(b);
  int face = start(&p, g) ? -1 : grow(&p, limit, g->tolerance);
  mjtNum upper = mjMAXVAL;
  if (face >= 0) {
    setResult(g, &p, &p.face[face]);

    // corners of prisms have no vertex numbers, so repeated() ends their search early, as in the reference
    if (!exact || a->prism || b->prism || p.gap <= INCONSISTENT) return;
    upper = p.upper + INCONSISTENT;
  }
  face = startCarefully(&p) ? -1 : grow(&p, exact ? MAXITER : limit, g->tolerance);
  if (face < 0 || p.gap > g->tolerance) return;
  mjtNum depth = p.face[face].level;
  if (depth > p.slack && depth <= upper) setResult(g, &p, &p.face[face]);
}
