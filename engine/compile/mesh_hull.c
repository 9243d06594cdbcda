// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Convex hulls, by qhull. The graph of a hull is one array of ints:
//   nvert, nface,
//   vert_edgeadr[nvert]          start of the neighbors of a hull vertex in edge_localid
//   vert_globalid[nvert]         vertex of the mesh
//   edge_localid[nvert+3*nface]  neighbors as hull vertices, each list ended by -1
//   face_globalid[3*nface]       triangles, as vertices of the mesh

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/mesh.h"

int mji_hull_faceNum(const int* graph) {
  return graph[1];
}

const int* mji_hull_faces(const int* graph) {
  return graph + 2 + 3 * graph[0] + 3 * graph[1];
}

// neighbors of one vertex, as mesh vertices; returns how many were written, -1 if a facet is no triangle
static int listNeighbors(qhT* qh, vertexT* vertex, int* out) {
  int n = 0;
  facetT *facet, **facetp;
  FOREACHsetelement_(facetT, vertex->neighbors, facet) {
    int corners = 0;
    vertexT *other, **otherp;
    FOREACHsetelement_(vertexT, facet->vertices, other) {
      corners++;
      int id = qh_pointid(qh, other->point), j = 0;
      while (j < n && out[j] != id) j++;
      if (other != vertex && j == n) out[n++] = id;
    }
    if (corners != 3) return -1;
  }
  out[n++] = -1;
  return n;
}

// copy the hull that qhull holds into a new graph; returns its size, or -1
static int copyGraph(qhT* qh, int** graph, int nmesh) {
  int nvert = qh->num_vertices, nface = qh->num_facets;
  int nedge = nvert + 3 * nface, size = 2 + 2 * nvert + nedge + 3 * nface;
  int* g = mju_malloc((size_t)size * sizeof *g);
  int* localid = mju_malloc((size_t)nmesh * sizeof *localid);
  *graph = g;
  if (!g || !localid) return mju_free(localid), -1;
  g[0] = nvert;
  g[1] = nface;
  int *edgeadr = g + 2, *globalid = edgeadr + nvert, *edge = globalid + nvert;
  int* face = edge + nedge;

  // vertices and their neighbors
  int i = 0, adr = 0, ok = 1;
  vertexT* vertex;
  FORALLvertices {
    edgeadr[i] = adr;
    globalid[i] = qh_pointid(qh, vertex->point);
    localid[globalid[i]] = i;
    int n = adr + qh_setsize(qh, vertex->neighbors) + 1 <= nedge ? listNeighbors(qh, vertex, edge + adr)
                                                                 : -1;
    if (n < 0) {
      ok = 0;
      break;
    }
    adr += n;
    i++;
  }
  ok = ok && adr == nedge;
  for (int j = 0; ok && j < nedge; j++)
    if (edge[j] >= 0) edge[j] = localid[edge[j]];

  // faces, all turned the same way
  facetT* facet;
  FORALLfacets {
    if (!ok) break;
    int k = 0;
    vertexT *corner, **cornerp;
    FOREACHsetelement_(vertexT, facet->vertices, corner)
      face[k < 2 && facet->toporient ? 1 - k++ : k++] = qh_pointid(qh, corner->point);
    face += 3;
  }
  mju_free(localid);
  return ok ? size : -1;
}

int mji_hull_make(int** graph, const mjiRawMesh* mesh, int maxvert, char error[500]) {
  *graph = NULL;
  char options[40] = "qhull Qt", *log = NULL;
  if (maxvert > -1) snprintf(options, sizeof options, "qhull Qt TA%d", maxvert - 4);

  // qhull reports to a stream: to memory, since a library does not print
  size_t nlog = 0;
  FILE* sink = open_memstream(&log, &nlog);
  qhT* qh = malloc(sizeof *qh);
  volatile int size = -1;
  if (sink && qh) {
    qh_init_A(qh, NULL, sink, sink, 0, NULL);
    if (!setjmp(qh->errexit)) {
      qh->NOerrexit = False;
      qh_initflags(qh, options);
      qh_init_B(qh, mesh->vert, mesh->nvert, 3, False);
      qh_qhull(qh);
      qh_triangulate(qh);
      qh_vertexneighbors(qh);
      size = copyGraph(qh, graph, mesh->nvert);
    }
    int curlong, totlong;
    qh->NOerrexit = True;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &curlong, &totlong);
  }
  free(qh);
  if (sink) fclose(sink);
  free(log);
  if (size < 0) {
    mju_free(*graph);
    *graph = NULL;
    snprintf(error, 500, "convex hull failed: the vertices may lie in a plane");
  }
  return size;
}

// ---- polygons: neighboring triangles that lie in a plane

static const double coplanar = 0.99999872;   // cosine between normals

typedef struct {
  double normal[3];
  const int* face;                // its first triangle
  int nedge, cap;
  int (*edge)[2];                 // boundary, each edge from its first to its second vertex
} Polygon;

typedef struct {
  Polygon* polygon;
  int* order;                     // polygons by falling normal: x, then y, then z
  int num;
} Polygons;

// does a come before b
static int isBefore(const double a[3], const double b[3]) {
  for (int i = 0; i < 3; i++)
    if (a[i] != b[i]) return a[i] > b[i];
  return 0;
}

// where in the order a normal belongs
static int findPlace(const Polygons* set, const double normal[3]) {
  int lo = 0, hi = set->num;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (isBefore(set->polygon[set->order[mid]].normal, normal)) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

// a polygon in the plane of a normal, or NULL: it cannot be far in the order
static Polygon* findPolygon(const Polygons* set, const double normal[3], int place) {
  double window = sqrt(2 * (1 - coplanar));
  for (int dir = -1; dir <= 1; dir += 2)
    for (int i = dir < 0 ? place - 1 : place; i >= 0 && i < set->num; i += dir) {
      Polygon* p = set->polygon + set->order[i];
      if (fabs(p->normal[0] - normal[0]) > window) break;
      if (mju_dot3(p->normal, normal) > coplanar) return p;
    }
  return NULL;
}

// add the edges of a triangle; edges that meet their opposite disappear
static int addTriangle(Polygon* p, const int face[3]) {
  int add[3] = {1, 1, 1}, kept = 0;
  for (int i = 0; i < p->nedge; i++) {
    int gone = 0;
    for (int k = 0; k < 3; k++)
      if (p->edge[i][0] == face[(k + 1) % 3] && p->edge[i][1] == face[k]) add[k] = 0, gone = 1;
    if (!gone) memmove(p->edge[kept++], p->edge[i], sizeof *p->edge);
  }
  p->nedge = kept;
  if (p->nedge + 3 > p->cap) {
    int cap = 2 * p->cap + 6;
    int(*edge)[2] = mju_malloc((size_t)cap * sizeof *edge);
    if (!edge) return -1;
    memcpy(edge, p->edge, (size_t)p->nedge * sizeof *edge);
    mju_free(p->edge);
    p->edge = edge;
    p->cap = cap;
  }
  for (int k = 0; k < 3; k++)
    if (add[k]) {
      p->edge[p->nedge][0] = face[k];
      p->edge[p->nedge++][1] = face[(k + 1) % 3];
    }
  return 0;
}

static void faceNormal(double normal[3], const mjiRawMesh* mesh, const int* face) {
  double e1[3], e2[3];
  mju_sub3(e1, mesh->vert + 3 * face[1], mesh->vert + 3 * face[0]);
  mju_sub3(e2, mesh->vert + 3 * face[2], mesh->vert + 3 * face[0]);
  mju_cross(normal, e1, e2);
  mju_normalize3(normal);
}

// sort triangles into polygons
static int collect(Polygons* set, int nface, const int* face, const mjiRawMesh* mesh) {
  for (int f = 0; f < nface; f++, face += 3) {
    double normal[3];
    faceNormal(normal, mesh, face);
    int place = findPlace(set, normal);
    Polygon* p = findPolygon(set, normal, place);
    if (!p) {
      memmove(set->order + place + 1, set->order + place,
              (size_t)(set->num - place) * sizeof *set->order);
      set->order[place] = set->num;
      p = set->polygon + set->num++;
      *p = (Polygon){.face = face};
      mju_copy3(p->normal, normal);
    }
    if (addTriangle(p, face)) return -1;
  }
  return 0;
}

// walk along the boundary from edge start; used edges are marked by -1. Returns the number of vertices
static int tracePath(Polygon* p, int start, int* out) {
  int n = 0, first = p->edge[start][0], i = start;
  while (i >= 0) {
    out[n++] = p->edge[i][0];
    int next = p->edge[i][1];
    p->edge[i][0] = -1;
    i = -1;
    for (int j = 0; next != first && j < p->nedge && i < 0; j++)
      if (p->edge[j][0] == next) i = j;
  }
  return n;
}

// write the polygons in their order
static void writePolygons(mjiMesh* out, mjiRawMesh* mesh, Polygons* set) {
  for (int i = 0; i < set->num; i++) {
    Polygon* p = set->polygon + set->order[i];
    for (int j = 0; j < p->nedge; j++) {
      if (p->edge[j][0] < 0) continue;
      int n = tracePath(p, j, out->polyvert + out->npolyvert);
      if (n < 3) continue;
      out->polyvertadr[out->npoly] = out->npolyvert;
      out->polyvertnum[out->npoly] = n;
      memcpy(mesh->polyface + 3 * out->npoly++, p->face, 3 * sizeof *p->face);
      out->npolyvert += n;
    }
  }
}

// for each vertex the polygons around it, in their order
static void writeMap(mjiMesh* out) {
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
}

static void* zeroed(size_t num, size_t size) {
  void* p = mju_malloc((num + 1) * size);
  return p ? memset(p, 0, (num + 1) * size) : NULL;
}

int mji_mesh_makePolygons(mjiMesh* out, mjiRawMesh* mesh, int numface, const int* face) {
  size_t nface = (size_t)numface, nvert = (size_t)mesh->nvert;
  Polygons set = {zeroed(nface, sizeof *set.polygon), zeroed(nface, sizeof *set.order), 0};
  mesh->polyface = zeroed(3 * nface, sizeof *mesh->polyface);
  out->polynormal = zeroed(3 * nface, sizeof *out->polynormal);
  out->polyvertadr = zeroed(nface, sizeof *out->polyvertadr);
  out->polyvertnum = zeroed(nface, sizeof *out->polyvertnum);
  out->polyvert = zeroed(3 * nface, sizeof *out->polyvert);
  out->polymap = zeroed(3 * nface, sizeof *out->polymap);
  out->polymapadr = zeroed(nvert, sizeof *out->polymapadr);
  out->polymapnum = zeroed(nvert, sizeof *out->polymapnum);
  int ok = set.polygon && set.order && mesh->polyface && out->polynormal && out->polyvertadr &&
           out->polyvertnum && out->polyvert && out->polymap && out->polymapadr && out->polymapnum;
  ok = ok && !collect(&set, numface, face, mesh);
  if (ok) {
    out->nvert = mesh->nvert;
    writePolygons(out, mesh, &set);
    writeMap(out);
  }
  for (int i = 0; i < set.num; i++) mju_free(set.polygon[i].edge);
  mju_free(set.polygon);
  mju_free(set.order);
  return ok ? 0 : -1;
}

void mji_mesh_polygonNormals(mjiMesh* out, const mjiRawMesh* mesh) {
  for (int i = 0; i < out->npoly; i++)
    faceNormal(out->polynormal + 3 * i, mesh, mesh->polyface + 3 * i);
}
