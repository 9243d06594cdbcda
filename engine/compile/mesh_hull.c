// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Convex hulls, by qhull. The graph of a hull is one array of ints:
//   nvert, nface,
//   vert_edgeadr[nvert]          start of the neighbors of a hull vertex in edge_localid
//   vert_globalid[nvert]         vertex of the mesh
//   edge_localid[nvert+3*nface]  neighbors as hull vertices, each list ended by -1
//   face_globalid[3*nface]       triangles, as vertices of the mesh

#define _GNU_SOURCE  // fopencookie
#include <libqhull_r/qhull_ra.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compile/mesh.h"

int mji_hull_faceNum(const int* graph) { return graph[1]; }

const int* mji_hull_faces(const int* graph) { return graph + 2 + 3 * graph[0] + 3 * graph[1]; }

// neighbors of one vertex, as mesh vertices; returns how many were written, -1 if a facet is no
// triangle. seen[id] is the vertex that listed mesh vertex id last: tips of cones have many neighbors
static int listNeighbors(qhT* qh, vertexT* vertex, int* seen, int self, int* out) {
  int n = 0;
  facetT *facet, **facetp;
  FOREACHsetelement_(facetT, vertex->neighbors, facet) {
    int corners = 0;
    vertexT *other, **otherp;
    FOREACHsetelement_(vertexT, facet->vertices, other) {
      corners++;
      int id = qh_pointid(qh, other->point);
      if (other == vertex || seen[id] == self) continue;
      seen[id] = self;
      out[n++] = id;
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
  int* localid = mju_malloc(2 * (size_t)nmesh * sizeof *localid);
  int* seen = localid ? localid + nmesh : NULL;
  *graph = g;
  if (!g || !localid) return mju_free(localid), -1;
  g[0] = nvert;
  g[1] = nface;
  int *edgeadr = g + 2, *globalid = edgeadr + nvert, *edge = globalid + nvert;
  int* face = edge + nedge;

  // vertices and their neighbors
  for (int k = 0; k < nmesh; k++) seen[k] = -1;
  int i = 0, adr = 0, ok = 1;
  vertexT* vertex;
  FORALLvertices {
    edgeadr[i] = adr;
    globalid[i] = qh_pointid(qh, vertex->point);
    localid[globalid[i]] = i;
    int n = adr + qh_setsize(qh, vertex->neighbors) + 1 <= nedge ? listNeighbors(qh, vertex, seen, i, edge + adr) : -1;
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
    FOREACHsetelement_(vertexT, facet->vertices, corner) face[k < 2 && facet->toporient ? 1 - k++ : k++] =
        qh_pointid(qh, corner->point);
    face += 3;
  }
  mju_free(localid);
  return ok ? size : -1;
}

// ---- a hull takes time, and nobody waits for ever

enum { REPORT_FACETS = 1000, HULL_SECONDS = 30 };

// qhull writes its progress to a stream. Ours prints nothing: it looks at the clock, and when time is over it makes
// qhull stop at the next point.
typedef struct {
  qhT* qh;
  time_t deadline;  // in processor time of the thread
  int late;
} Watch;

static time_t processorTime(void) {
  struct timespec now;
  return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) ? 0 : now.tv_sec;
}

static ssize_t onReport(void* user, const char* text, size_t n) {
  (void)text;
  Watch* watch = user;
  if (processorTime() < watch->deadline) return (ssize_t)n;
  watch->late = 1;
  watch->qh->STOPadd = 1;
  return (ssize_t)n;
}

static FILE* openWatch(Watch* watch) {
  FILE* stream = fopencookie(watch, "w", (cookie_io_functions_t){.write = onReport});
  if (stream) setvbuf(stream, NULL, _IONBF, 0);
  return stream;
}

int mji_hull_make(int** graph, const mjiRawMesh* mesh, int maxvert, char error[500]) {
  *graph = NULL;
  if (maxvert > -1 && maxvert < 4) {
    snprintf(error, 500, "maxhullvert is %d, a hull has at least four vertices", maxvert);
    return -1;
  }
  char options[60];
  int n = snprintf(options, sizeof options, "qhull Qt TF%d", REPORT_FACETS);
  if (maxvert > -1) snprintf(options + n, sizeof options - (size_t)n, " TA%d", maxvert - 4);

  qhT* qh = malloc(sizeof *qh);
  Watch watch = {.qh = qh, .deadline = processorTime() + HULL_SECONDS};
  FILE* sink = openWatch(&watch);
  volatile int size = -1;
  if (sink && qh) {
    qh_init_A(qh, NULL, sink, sink, 0, NULL);
    if (!setjmp(qh->errexit)) {
      qh->NOerrexit = False;
      qh_initflags(qh, options);
      qh_init_B(qh, mesh->vert, mesh->nvert, 3, False);
      qh_qhull(qh);
      if (!watch.late) {
        qh_triangulate(qh);
        qh_vertexneighbors(qh);
        size = copyGraph(qh, graph, mesh->nvert);
      }
    }
    int curlong, totlong;
    qh->NOerrexit = True;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &curlong, &totlong);
  }
  free(qh);
  if (sink) fclose(sink);
  if (size < 0) {
    mju_free(*graph);
    *graph = NULL;
    snprintf(error, 500,
             watch.late ? "convex hull takes too long" : "convex hull failed: the vertices may lie in a plane");
  }
  return size;
}
