// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// EPA: grow a polytope inside of the Minkowski difference around the origin until its nearest face
// is on the boundary; the foot of the origin on that face is the least translation that separates.
//
// Every face knows its three neighbours; adj[i] is across the edge from vertex i to the next. A new
// vertex deletes the faces that it sees and is joined to the horizon, the edges around them. Faces
// that can still become the nearest are candidates.

#include <string.h>

#include "collide/gjk.h"
#include "collide/vec3.h"

enum { MAXITER = 200, MAXVERTEX = MAXITER + 5, MAXFACE = 6 * MAXITER, MAXHORIZON = 200 };

enum { CLOSED = -1, DELETED = -2 };  // index of faces that are no candidates

typedef struct Face_ {
  mjtNum foot[3];  // of the origin on the plane
  mjtNum dist2;
  int vertex[3];
  int adj[3];
  int index;  // in the list of candidates, CLOSED or DELETED
} Face;

typedef struct Polytope_ {
  mjiConvex *a, *b;
  mjiVertex vertex[MAXVERTEX];
  Face face[MAXFACE];
  int candidate[MAXFACE];
  int nvertex, nface, ncandidate;
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
  mji_gjk_support(&p->vertex[p->nvertex], p->a, p->b, unit);
  return p->nvertex++;
}

static const mjtNum* at(const Polytope* p, int i) { return p->vertex[i].v; }

// add a face, return its squared distance; zero if the origin is on it or it has no plane
static mjtNum addFace(Polytope* p, const int v[3], const int adj[3]) {
  Face* f = &p->face[p->nface++];
  memcpy(f->vertex, v, sizeof f->vertex);
  memcpy(f->adj, adj, sizeof f->adj);
  f->index = CLOSED;
  if (mji_gjk_planeFoot(f->foot, at(p, v[2]), at(p, v[1]), at(p, v[0]))) return f->dist2 = 0;
  return f->dist2 = dot3(f->foot, f->foot);
}

static void makeCandidate(Polytope* p, int face) {
  p->face[face].index = p->ncandidate;
  p->candidate[p->ncandidate++] = face;
}

static void deleteFace(Polytope* p, int face) {
  Face* f = &p->face[face];
  if (f->index >= 0) {
    int last = p->candidate[--p->ncandidate];
    p->candidate[f->index] = last;
    p->face[last].index = f->index;
  }
  f->index = DELETED;
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
  return sameSide(a, b, c, d) && sameSide(b, c, d, a) && sameSide(c, d, a, b) &&
         sameSide(d, a, b, c);
}

// two tetrahedra on both sides of a triangle
static int startTriangle(Polytope* p, const mjiVertex* s) {
  static const int vertex[6][3] = {{3, 0, 1}, {3, 2, 0}, {3, 1, 2},
                                   {4, 1, 0}, {4, 0, 2}, {4, 2, 1}};
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
  if (!tetraHasOrigin(at(p, 0), at(p, 1), at(p, 2), at(p, 3)) &&
      !tetraHasOrigin(at(p, 0), at(p, 1), at(p, 2), at(p, 4))) {
    // the origin may lie in the triangle that both share
    mjtNum weight[4];
    mji_gjk_closest(weight, p->vertex, 3, 0);
    mjtNum x[3] = {0};
    for (int i = 0; i < 3; i++) addScaled3(x, x, at(p, i), weight[i]);
    if (norm3(x) > 1e-10) return 1;
  }
  return addFaces(p, vertex, adj, 6);
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

// rotation by 120 degrees about an axis
static void turn120(mjtNum R[9], const mjtNum axis[3]) {
  mjtNum x = axis[0], y = axis[1], z = axis[2], s = __builtin_sqrt(3.0) / 2, c = -0.5;
  mjtNum r[9] = {c + x * x * (1 - c),     x * y * (1 - c) - z * s, x * z * (1 - c) + y * s,
                 x * y * (1 - c) + z * s, c + y * y * (1 - c),     y * z * (1 - c) - x * s,
                 x * z * (1 - c) - y * s, y * z * (1 - c) + x * s, c + z * z * (1 - c)};
  memcpy(R, r, sizeof r);
}

// two tetrahedra that share the triangle of three supports around a segment
static int startSegment(Polytope* p, const mjiVertex* s) {
  static const int vertex[6][3] = {{0, 2, 3}, {0, 4, 2}, {0, 3, 4},
                                   {1, 3, 2}, {1, 2, 4}, {1, 4, 3}};
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

// ---- growing

// edge of a face that starts at a vertex
static int edgeFrom(const Face* f, int v) {
  return f->vertex[0] == v ? 0 : f->vertex[1] == v ? 1 : 2;
}

static void look(Polytope* p, Horizon* h, int face, int edge);

// step over an edge of a deleted face: the neighbour goes too, or the edge is on the horizon
static void cross(Polytope* p, Horizon* h, int face, int edge) {
  const Face* f = &p->face[face];
  int next = f->adj[edge];
  if (p->face[next].index != DELETED)
    look(p, h, next, edgeFrom(&p->face[next], f->vertex[(edge + 1) % 3]));
}

static void look(Polytope* p, Horizon* h, int face, int edge) {
  const Face* f = &p->face[face];
  if (dot3(f->foot, h->w) - f->dist2 > mjMINVAL) {
    deleteFace(p, face);
    cross(p, h, face, (edge + 1) % 3);
    cross(p, h, face, (edge + 2) % 3);
  } else if (h->n < MAXHORIZON) {
    h->face[h->n] = face;
    h->edge[h->n++] = edge;
  }
}

// join a vertex to the horizon; nonzero if a face came out flat or there is no room
static int join(Polytope* p, const Horizon* h, int w, mjtNum lower2, mjtNum upper2) {
  int first = p->nface, n = h->n;
  if (n < 3 || n >= MAXHORIZON || first + n > MAXFACE) return 1;
  for (int i = 0; i < n; i++) {
    Face* f = &p->face[h->face[i]];
    int e = h->edge[i];
    int v[3] = {w, f->vertex[(e + 1) % 3], f->vertex[e]};
    int adj[3] = {first + (i + n - 1) % n, h->face[i], first + (i + 1) % n};
    f->adj[e] = first + i;
    mjtNum dist2 = addFace(p, v, adj);
    if (dist2 == 0) return 1;
    if (dist2 >= lower2 && dist2 <= upper2) makeCandidate(p, first + i);
  }
  return 0;
}

static int nearestCandidate(const Polytope* p) {
  int best = -1;
  mjtNum dist2 = mjMAXVAL;
  for (int i = 0; i < p->ncandidate; i++) {
    const Face* f = &p->face[p->candidate[i]];
    if (f->dist2 < dist2) {
      dist2 = f->dist2;
      best = p->candidate[i];
    }
  }
  return best;
}

static int repeated(const Polytope* p, int w) {
  for (int i = 0; i < w; i++) {
    if (p->vertex[i].ia == p->vertex[w].ia && p->vertex[i].ib == p->vertex[w].ib) return 1;
  }
  return 0;
}

// the nearest face of the boundary, -1 if there is none
static int grow(Polytope* p, const mjiGjk* g) {
  int discrete = mji_support_discrete(p->a) && mji_support_discrete(p->b), face = -1;
  int limit = g->max_iterations < MAXITER ? g->max_iterations : MAXITER;
  mjtNum upper = mjMAXVAL, upper2 = mjMAXVAL;
  for (int k = 0; k < limit; k++) {
    int last = face;
    face = nearestCandidate(p);
    if (face < 0 || p->face[face].dist2 > upper2) return last;
    mjtNum lower2 = p->face[face].dist2, lower = __builtin_sqrt(lower2);
    if (lower2 <= 0) break;

    int w = addSupport(p, p->face[face].foot, lower);
    mjtNum height = dot3(p->face[face].foot, at(p, w)) / lower;
    if (height < upper) {
      upper = height;
      upper2 = height * height;
    }
    if (upper - lower < (discrete ? mjMINVAL : g->tolerance) || (discrete && repeated(p, w))) break;

    Horizon h = {.w = at(p, w)};
    deleteFace(p, face);
    for (int e = 0; e < 3; e++) cross(p, &h, face, e);
    if (join(p, &h, w, lower2, upper2)) break;
  }
  return face;
}

void mji_epa(mjiGjk* g, mjiConvex* a, mjiConvex* b) {
  Polytope p;
  p.a = a;
  p.b = b;
  int failed = g->nsimplex == 2   ? startSegment(&p, g->simplex)
               : g->nsimplex == 3 ? startTriangle(&p, g->simplex)
                                  : startTetrahedron(&p, g->simplex);
  if (failed) return;
  int face = grow(&p, g);
  if (face < 0) return;

  // witness points: the foot as a combination of the corners
  const Face* f = &p.face[face];
  for (int i = 0; i < 3; i++) g->face_vertex[i] = p.vertex[f->vertex[i]];
  mjtNum weight[3];
  mji_gjk_affine(weight, f->foot, g->face_vertex);
  set3(g->x1, 0, 0, 0);
  set3(g->x2, 0, 0, 0);
  for (int i = 0; i < 3; i++) {
    addScaled3(g->x1, g->x1, g->face_vertex[i].a, weight[i]);
    addScaled3(g->x2, g->x2, g->face_vertex[i].b, weight[i]);
  }
  g->dist = -__builtin_sqrt(f->dist2);
}
