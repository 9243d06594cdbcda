// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Polygons of a mesh or of its hull: triangles in a plane become one face, with its boundary.
//
// Planes are kept in an ordered set (a red-black tree) by falling normal: x, then y, then z, where
// normals within a small angle count as equal. Such a relation is no strict order, so which plane is
// found depends on the shape of the tree. Contacts depend on polygons, so the shape of the tree must not change: when
// planes were found by a grid and sorted instead, 200 of 280 meshes of published models got other polygons.

#include <math.h>
#include <string.h>

#include "compile/compile.h"
#include "compile/mesh.h"

static const double coplanar = 0.99999872;  // cosine between normals

// indices of others of the same kind are -1 where there is none
typedef struct {
  int from, to;
  int island;        // edges of triangles that touch share one
  int older, newer;  // neighbors in its plane
  int chain;         // next younger with the same hash
  int next;          // next in its island, once all triangles are in
} Edge;

typedef struct {
  int plane;
  int into;         // the island it became part of, or itself
  int next;         // next in its plane
  int first, last;  // its edges, once all triangles are in
} Island;

typedef struct {
  double normal[3];
  int oldest, newest, nedge;  // boundary
  int firstisland, lastisland;
  int link[2], parent, red;  // place in the tree: lower, higher
} Plane;

typedef struct {
  int first, last;  // the oldest and the newest edge
} Bucket;

typedef struct {
  Plane* plane;
  int num, root;
  Edge* edge;  // of all planes
  int nedge;
  Island* island;
  int nisland;
  Bucket* bucket;  // edges by hash
  unsigned mask;
  int* leaving;  // edge that leaves a vertex, while an island is traced
} Planes;

// ---- the set

static int isBefore(const double a[3], const double b[3]) {
  if (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > coplanar) return 0;
  for (int i = 0; i < 3; i++)
    if (fabs(a[i] - b[i]) > mjMINVAL) return a[i] > b[i];
  return 0;
}

// plane equal to a normal, or -1
static int find(const Planes* set, const double normal[3]) {
  int found = -1;
  for (int i = set->root; i >= 0;) {
    int side = isBefore(set->plane[i].normal, normal);
    if (!side) found = i;
    i = set->plane[i].link[side];
  }
  return found >= 0 && !isBefore(normal, set->plane[found].normal) ? found : -1;
}

static void rotate(Planes* set, int x, int side) {
  Plane* p = set->plane;
  int y = p[x].link[!side], up = p[x].parent, inner = p[y].link[side];
  p[x].link[!side] = inner;
  if (inner >= 0) p[inner].parent = x;
  p[y].parent = up;
  if (up < 0) set->root = y;
  else p[up].link[p[up].link[1] == x] = y;
  p[y].link[side] = x;
  p[x].parent = y;
}

static void balance(Planes* set, int x) {
  Plane* p = set->plane;
  while (x != set->root && p[p[x].parent].red) {
    int parent = p[x].parent, up = p[parent].parent;
    int side = p[up].link[1] == parent;
    int uncle = p[up].link[!side];
    if (uncle >= 0 && p[uncle].red) {
      p[parent].red = p[uncle].red = 0;
      p[up].red = 1;
      x = up;
      continue;
    }
    if (p[parent].link[!side] == x) {
      x = parent;
      rotate(set, x, side);
      parent = p[x].parent;
    }
    p[parent].red = 0;
    p[up].red = 1;
    rotate(set, up, !side);
  }
  p[set->root].red = 0;
}

// Insert a new plane. NULL if a plane on the way to its place counts as equal after all.
static Plane* insert(Planes* set, const double normal[3]) {
  int parent = -1, side = 0;
  for (int i = set->root; i >= 0; i = set->plane[i].link[side]) {
    parent = i;
    side = !isBefore(normal, set->plane[i].normal);
    if (side && !isBefore(set->plane[i].normal, normal)) return NULL;
  }

  int x = set->num++;
  Plane* p = set->plane + x;
  *p = (Plane){
      .link = {-1, -1}, .parent = parent, .red = 1, .oldest = -1, .newest = -1, .firstisland = -1, .lastisland = -1};
  mju_copy3(p->normal, normal);
  if (parent < 0) set->root = x;
  else set->plane[parent].link[side] = x;
  balance(set, x);
  return p;
}

// ---- boundaries

static Bucket* bucketOf(Planes* set, const Plane* p, int from, int to) {
  unsigned plane = (unsigned)(p - set->plane);
  unsigned hash = (unsigned)from * 73856093u ^ (unsigned)to * 19349663u ^ plane * 83492791u;
  return set->bucket + ((hash ^ hash >> 15) & set->mask);
}

static int isEdge(const Planes* set, const Plane* p, int e, int from, int to) {
  const Edge* edge = set->edge + e;
  return edge->from == from && edge->to == to && set->island[edge->island].plane == (int)(p - set->plane);
}

static int newIsland(Planes* set, Plane* p) {
  int i = set->nisland++;
  set->island[i] = (Island){(int)(p - set->plane), i, -1, -1, -1};
  if (p->firstisland < 0) p->firstisland = i;
  else set->island[p->lastisland].next = i;
  return p->lastisland = i;
}

// the island that island i has been joined to, by now
static int islandOf(const Planes* set, int i) {
  Island* island = set->island;
  while (island[i].into != i) i = island[i].into = island[island[i].into].into;
  return i;
}

static void addEdge(Planes* set, Plane* p, int from, int to, int island) {
  int e = set->nedge++;
  Bucket* bucket = bucketOf(set, p, from, to);
  set->edge[e] = (Edge){from, to, island, p->newest, -1, -1, -1};
  *(bucket->first < 0 ? &bucket->first : &set->edge[bucket->last].chain) = e;
  bucket->last = e;
  if (p->newest < 0) p->oldest = e;
  else set->edge[p->newest].newer = e;
  p->newest = e;
  p->nedge++;
}

static void unlinkEdge(Planes* set, Plane* p, int e) {
  int older = set->edge[e].older, newer = set->edge[e].newer;
  if (older < 0) p->oldest = newer;
  else set->edge[older].newer = newer;
  if (newer < 0) p->newest = older;
  else set->edge[newer].older = older;
  p->nedge--;
}

// Remove the oldest edge of a plane between two vertices. Join its island with one more (-1: none); the result, which
// is returned, keeps the lower number.
static int removeEdge(Planes* set, Plane* p, int from, int to, int island, int* removed) {
  Bucket* bucket = bucketOf(set, p, from, to);
  int before = -1, e = bucket->first;
  while (e >= 0 && !isEdge(set, p, e, from, to)) {
    before = e;
    e = set->edge[e].chain;
  }
  if (e < 0) return island;
  *(before < 0 ? &bucket->first : &set->edge[before].chain) = set->edge[e].chain;
  if (bucket->last == e) bucket->last = before;
  unlinkEdge(set, p, e);
  *removed = 1;

  int other = islandOf(set, set->edge[e].island);
  int keep = island < 0 || other < island ? other : island;
  if (island >= 0) set->island[island].into = keep;
  return set->island[other].into = keep;
}

// add the edges of a triangle; each removes one that runs the other way
static void addTriangle(Planes* set, Plane* p, const int face[3]) {
  int removed[3] = {0, 0, 0}, island = -1;
  for (int k = 0; k < 3; k++) island = removeEdge(set, p, face[(k + 1) % 3], face[k], island, removed + k);
  if (island < 0) island = newIsland(set, p);
  for (int k = 0; k < 3; k++)
    if (!removed[k]) addEdge(set, p, face[k], face[(k + 1) % 3], island);
}

// hand the edges of a plane to their islands, by age
static void fillIslands(Planes* set, const Plane* p) {
  for (int e = p->oldest; e >= 0; e = set->edge[e].newer) {
    Island* island = set->island + islandOf(set, set->edge[e].island);
    if (island->first < 0) island->first = e;
    else set->edge[island->last].next = e;
    island->last = e;
  }
}

// walk once around an island; holes in it are left out. Returns the number of vertices
static int tracePath(Planes* set, const Plane* p, const Island* island, int* out) {
  const Edge* edge = set->edge;
  int n = 0;
  if (island->first < 0) return 0;

  // Three edges alone are taken in the order in which they are found. If their triangle had others within, that may
  // turn it inside out, as in the reference; contacts depend on it.
  if (p->nedge == 3) {
    for (int e = p->oldest; e >= 0; e = edge[e].newer) out[n++] = edge[e].from;
    return n;
  }
  // an edge from a vertex to itself does not stop the walk if it is the oldest of its plane
  for (int e = island->first; e >= 0; e = edge[e].next) {
    int* leaving = set->leaving + edge[e].from;
    if (*leaving < 0 || *leaving == p->oldest) *leaving = e;
  }
  int at = island->first, start = edge[at].from;
  do {
    out[n++] = edge[at].from;
    at = set->leaving[edge[at].to];
  } while (at >= 0 && edge[at].to != start && n + 1 < p->nedge);
  if (at >= 0) out[n++] = edge[at].from;
  int back = at >= 0 && edge[at].to == start;
  for (int e = island->first; e >= 0; e = edge[e].next) set->leaving[edge[e].from] = -1;
  return back ? n : 0;
}

// ---- the whole

// A triangle without area gets a normal along x, as long as a vector divided by almost nothing: so such triangles are
// in no plane with any others.
static void faceNormal(double normal[3], const mjiRawMesh* mesh, const int* face) {
  double e1[3], e2[3];
  mju_sub3(e1, mesh->vert + 3 * face[1], mesh->vert + 3 * face[0]);
  mju_sub3(e2, mesh->vert + 3 * face[2], mesh->vert + 3 * face[0]);
  mju_cross(normal, e1, e2);
  double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  for (int i = 0; length < MJI_EPS && i < 3; i++) normal[i] = i == 0;
  for (int i = 0; i < 3; i++) normal[i] /= length;
}

static void collect(Planes* set, int nface, const int* face, const mjiRawMesh* mesh) {
  for (int f = 0; f < nface; f++, face += 3) {
    double normal[3];
    faceNormal(normal, mesh, face);
    int found = find(set, normal);
    Plane* p = found >= 0 ? set->plane + found : insert(set, normal);
    if (p) addTriangle(set, p, face);
  }
}

// room for n more corners; cap: what there is
static int reserveCorners(mjiMesh* out, int* cap, int n) {
  if (out->npolyvert + n <= *cap) return 0;
  int larger = 2 * (out->npolyvert + n);
  int* polyvert = mju_malloc((size_t)larger * sizeof *polyvert);
  if (!polyvert) return -1;
  if (out->npolyvert) memcpy(polyvert, out->polyvert, (size_t)out->npolyvert * sizeof *polyvert);
  mju_free(out->polyvert);
  out->polyvert = polyvert;
  *cap = larger;
  return 0;
}

static int writePlane(mjiMesh* out, int* cap, Planes* set, const Plane* p) {
  if (p->nedge < 3) return 0;  // all its triangles were degenerate, or cancelled each other
  fillIslands(set, p);
  for (int i = p->firstisland; i >= 0; i = set->island[i].next) {
    // make room: a path that never comes back to its start may have every edge of the plane
    if (reserveCorners(out, cap, p->nedge)) return -1;
    int n = tracePath(set, p, set->island + i, out->polyvert + out->npolyvert);
    if (n < 3) continue;
    out->polyvertadr[out->npoly] = out->npolyvert;
    out->polyvertnum[out->npoly] = n;
    out->npoly++;
    out->npolyvert += n;
  }
  return 0;
}

// planes in their order, from node i of the tree on
static int writePolygons(mjiMesh* out, int* cap, Planes* set, int i) {
  if (i < 0) return 0;
  const Plane* p = set->plane + i;
  return writePolygons(out, cap, set, p->link[0]) || writePlane(out, cap, set, p) ||
         writePolygons(out, cap, set, p->link[1]);
}

// for each vertex the polygons around it, in their order
static int writeMap(mjiMesh* out) {
  out->polymap = mju_malloc(((size_t)out->npolyvert + 1) * sizeof *out->polymap);
  if (!out->polymap) return -1;
  for (int i = 0; i < out->npolyvert; i++) out->polymapnum[out->polyvert[i]]++;
  for (int v = 0; v < out->nvert; v++) {
    out->polymapadr[v] = out->npolymap;
    out->npolymap += out->polymapnum[v];
    out->polymapnum[v] = 0;
  }
  for (int p = 0; p < out->npoly; p++)
    for (int i = 0; i < out->polyvertnum[p]; i++) {
      int v = out->polyvert[out->polyvertadr[p] + i];
      out->polymap[out->polymapadr[v] + out->polymapnum[v]++] = p;
    }
  return 0;
}

static void* zeroed(size_t num, size_t size) {
  void* p = mju_malloc((num + 1) * size);
  return p ? memset(p, 0, (num + 1) * size) : NULL;
}

static int* minusOnes(size_t num) {
  int* p = mju_malloc((num + 1) * sizeof *p);
  return p ? memset(p, -1, (num + 1) * sizeof *p) : NULL;
}

// make room for whatever so many triangles can need
static int makePlanes(Planes* set, size_t nface, size_t nvert) {
  size_t nbucket = 16;
  while (nbucket < 3 * nface) nbucket *= 2;
  *set = (Planes){.root = -1, .mask = (unsigned)(nbucket - 1)};
  set->plane = mju_malloc((nface + 1) * sizeof *set->plane);
  set->edge = mju_malloc((3 * nface + 1) * sizeof *set->edge);
  set->island = mju_malloc((nface + 1) * sizeof *set->island);
  set->bucket = (Bucket*)minusOnes(2 * nbucket);
  set->leaving = minusOnes(nvert);
  return set->plane && set->edge && set->island && set->bucket && set->leaving ? 0 : -1;
}

static void freePlanes(Planes* set) {
  mju_free(set->plane);
  mju_free(set->edge);
  mju_free(set->island);
  mju_free(set->bucket);
  mju_free(set->leaving);
}

int mji_mesh_makePolygons(mjiMesh* out, const mjiRawMesh* mesh, int numface, const int* face) {
  size_t nface = (size_t)numface, nvert = (size_t)mesh->nvert;
  Planes set;
  int ok = !makePlanes(&set, nface, nvert);
  out->polynormal = zeroed(3 * nface, sizeof *out->polynormal);
  out->polyvertadr = zeroed(nface, sizeof *out->polyvertadr);
  out->polyvertnum = zeroed(nface, sizeof *out->polyvertnum);
  out->polymapadr = zeroed(nvert, sizeof *out->polymapadr);
  out->polymapnum = zeroed(nvert, sizeof *out->polymapnum);
  ok = ok && out->polynormal && out->polyvertadr && out->polyvertnum && out->polymapadr && out->polymapnum;
  out->nvert = mesh->nvert;
  if (ok) collect(&set, numface, face, mesh);
  int cap = 0;
  ok = ok && !writePolygons(out, &cap, &set, set.root) && !writeMap(out);
  freePlanes(&set);
  return ok ? 0 : -1;
}

void mji_mesh_polygonNormals(mjiMesh* out, const mjiRawMesh* mesh) {
  for (int i = 0; i < out->npoly; i++) {
    faceNormal(out->polynormal + 3 * i, mesh, out->polyvert + out->polyvertadr[i]);
  }
}
