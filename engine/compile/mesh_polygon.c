// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Polygons of a mesh or of its hull: triangles in a plane become one face, with its boundary.
//
// Planes are kept in an ordered set (a red-black tree) by falling normal: x, then y, then z, where
// normals within a small angle count as equal. Such a relation is no strict order, so what is found
// depends on the shape of the tree; contacts depend on polygons, so the shape is part of the result
// and must not change.

#include <math.h>
#include <string.h>

#include "compile/compile.h"
#include "compile/mesh.h"

static const double coplanar = 0.99999872;   // cosine between normals

typedef struct {
  int from, to;
  int island;                     // edges of triangles that touch share one
} Edge;

typedef struct {
  double normal[3];
  Edge* edge;                     // boundary
  int nedge, cap, nisland;
  int link[2], parent, red;       // place in the tree: lower, higher
} Plane;

typedef struct {
  Plane* plane;
  int num, root;
} Planes;

// ---- the set

static int isBefore(const double a[3], const double b[3]) {
  if (mju_dot3(a, b) > coplanar) return 0;
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

// a new plane, or NULL if one on the way to its place counts as equal after all
static Plane* insert(Planes* set, const double normal[3]) {
  int parent = -1, side = 0;
  for (int i = set->root; i >= 0; i = set->plane[i].link[side]) {
    parent = i;
    side = !isBefore(normal, set->plane[i].normal);
    if (side && !isBefore(set->plane[i].normal, normal)) return NULL;
  }

  int x = set->num++;
  Plane* p = set->plane + x;
  *p = (Plane){.link = {-1, -1}, .parent = parent, .red = 1};
  mju_copy3(p->normal, normal);
  if (parent < 0) set->root = x;
  else set->plane[parent].link[side] = x;
  balance(set, x);
  return p;
}

// ---- boundaries

// two islands become one, which keeps the older number
static void mergeIslands(Plane* p, int a, int b) {
  int keep = a < b ? a : b, gone = a < b ? b : a;
  for (int i = 0; i < p->nedge; i++)
    if (p->edge[i].island == gone) p->edge[i].island = keep;
}

// add the edges of a triangle; edges that meet their opposite disappear
static int addTriangle(Plane* p, const int face[3]) {
  int add[3] = {1, 1, 1}, kept = 0, island = -1;
  for (int i = 0; i < p->nedge; i++)
    for (int k = 0; k < 3; k++) {
      if (p->edge[i].from != face[(k + 1) % 3] || p->edge[i].to != face[k]) continue;
      add[k] = 0;
      int other = p->edge[i].island;
      if (island >= 0 && other != island) mergeIslands(p, island, other);
      island = island < 0 || other < island ? other : island;
      p->edge[i].from = -1;
    }
  for (int i = 0; i < p->nedge; i++)
    if (p->edge[i].from >= 0) p->edge[kept++] = p->edge[i];
  p->nedge = kept;
  if (island < 0) island = p->nisland++;

  if (p->nedge + 3 > p->cap) {
    int cap = 2 * p->cap + 6;
    Edge* edge = mju_malloc((size_t)cap * sizeof *edge);
    if (!edge) return -1;
    if (p->nedge) memcpy(edge, p->edge, (size_t)p->nedge * sizeof *edge);
    mju_free(p->edge);
    p->edge = edge;
    p->cap = cap;
  }
  for (int k = 0; k < 3; k++)
    if (add[k]) p->edge[p->nedge++] = (Edge){face[k], face[(k + 1) % 3], island};
  return 0;
}

// walk once around an island; holes in it are left out. Returns the number of vertices
static int tracePath(const Plane* p, int island, int* out) {
  int n = 0, at = -1, start = -1;
  for (int i = 0; i < p->nedge && at < 0; i++)
    if (p->edge[i].island == island) at = i;
  if (at < 0) return 0;

  // three edges alone are taken as they are found; if their triangle had others within, that may turn
  // it inside out, which contacts feel as well
  if (p->nedge == 3) {
    for (int i = 0; i < 3; i++) out[i] = p->edge[i].from;
    return 3;
  }
  start = p->edge[at].from;
  while (at >= 0 && n < p->nedge) {
    out[n++] = p->edge[at].from;
    int next = p->edge[at].to;
    at = -1;
    for (int i = 0; next != start && i < p->nedge && at < 0; i++)
      if (p->edge[i].island == island && p->edge[i].from == next) at = i;
  }
  return n;
}

// ---- the whole

// a flat triangle counts as one that looks along x, and the length of its normal is that of a vector
// divided by almost nothing: such polygons are told from all others, and never coplanar with them
static void faceNormal(double normal[3], const mjiRawMesh* mesh, const int* face) {
  double e1[3], e2[3];
  mju_sub3(e1, mesh->vert + 3 * face[1], mesh->vert + 3 * face[0]);
  mju_sub3(e2, mesh->vert + 3 * face[2], mesh->vert + 3 * face[0]);
  mju_cross(normal, e1, e2);
  double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  for (int i = 0; length < MJI_EPS && i < 3; i++) normal[i] = i == 0;
  for (int i = 0; i < 3; i++) normal[i] /= length;
}

static int collect(Planes* set, int nface, const int* face, const mjiRawMesh* mesh) {
  for (int f = 0; f < nface; f++, face += 3) {
    double normal[3];
    faceNormal(normal, mesh, face);
    int found = find(set, normal);
    Plane* p = found >= 0 ? set->plane + found : insert(set, normal);
    if (p && addTriangle(p, face)) return -1;
  }
  return 0;
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

static int writePlane(mjiMesh* out, int* cap, const Plane* p) {
  for (int island = 0; island < p->nisland; island++) {
    // a path that never comes back to its start passes some edges more than once
    if (reserveCorners(out, cap, p->nedge)) return -1;
    int n = tracePath(p, island, out->polyvert + out->npolyvert);
    if (n < 3) continue;
    out->polyvertadr[out->npoly] = out->npolyvert;
    out->polyvertnum[out->npoly] = n;
    out->npoly++;
    out->npolyvert += n;
  }
  return 0;
}

// planes in their order
static int writePolygons(mjiMesh* out, const Planes* set) {
  int i = set->root, from = -2;   // -2: from above
  int cap = 0;
  while (i >= 0) {
    const Plane* p = set->plane + i;
    int next = -1;
    if (from == -2) next = p->link[0];
    if (from == -2 && next >= 0) {
      i = next;
      continue;
    }
    // the lower side is done, or there is none
    if (from == -2 || from == p->link[0]) {
      if (writePlane(out, &cap, p)) return -1;
      next = p->link[1];
      if (next >= 0) {
        i = next;
        from = -2;
        continue;
      }
    }
    from = i;
    i = p->parent;
  }
  return 0;
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

int mji_mesh_makePolygons(mjiMesh* out, const mjiRawMesh* mesh, int numface, const int* face) {
  size_t nface = (size_t)numface, nvert = (size_t)mesh->nvert;
  Planes set = {zeroed(nface, sizeof *set.plane), 0, -1};
  out->polynormal = zeroed(3 * nface, sizeof *out->polynormal);
  out->polyvertadr = zeroed(nface, sizeof *out->polyvertadr);
  out->polyvertnum = zeroed(nface, sizeof *out->polyvertnum);
  out->polymapadr = zeroed(nvert, sizeof *out->polymapadr);
  out->polymapnum = zeroed(nvert, sizeof *out->polymapnum);
  int ok = set.plane && out->polynormal && out->polyvertadr && out->polyvertnum &&
           out->polymapadr && out->polymapnum;
  out->nvert = mesh->nvert;
  ok = ok && !collect(&set, numface, face, mesh) && !writePolygons(out, &set) && !writeMap(out);
  for (int i = 0; set.plane && i < set.num; i++) mju_free(set.plane[i].edge);
  mju_free(set.plane);
  return ok ? 0 : -1;
}

void mji_mesh_polygonNormals(mjiMesh* out, const mjiRawMesh* mesh) {
  for (int i = 0; i < out->npoly; i++) {
    faceNormal(out->polynormal + 3 * i, mesh, out->polyvert + out->polyvertadr[i]);
  }
}
