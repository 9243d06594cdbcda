// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Points and elements of a <flexcomp> from a file: lines, triangles or tetrahedra of a GMSH file, or the surface of an
// OBJ or STL file. Tetrahedra may be made of a surface: each triangle and the point `origin`.

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "formats/gmsh.h"
#include "formats/raw_mesh.h"
#include "mjcf/flexcomp.h"
#include "mjcf/source.h"

enum { MAX_PATH = 4096, ERROR_SIZE = 500 };

static int fail(char error[ERROR_SIZE], const char* reason) {
  snprintf(error, ERROR_SIZE, "%s", reason);
  return -1;
}

// ---- memory of the tree, as mji_readFail would lose what the readers of files allocated

static void* copyOf(mjiReader* r, const void* data, size_t size) {
  void* p = mji_treeAlloc(r->tree, size);
  return p && size ? memcpy(p, data, size) : p;
}

static int takePoints(mjiReader* r, mjiFlexcomp* f, const double* point, int n, char error[ERROR_SIZE]) {
  if (n > mjiMAX_FLEXPOINTS) {
    snprintf(error, ERROR_SIZE, "%d points, at most %d are allowed", n, mjiMAX_FLEXPOINTS);
    return -1;
  }
  f->npoint = n;
  f->point = copyOf(r, point, 3 * (size_t)n * sizeof(double));
  return f->point ? 0 : fail(error, "out of memory");
}

static int takeElements(mjiReader* r, mjiFlexcomp* f, const int* id, int nelem, char error[ERROR_SIZE]) {
  f->nid = nelem * (f->dim + 1);
  f->id = copyOf(r, id, (size_t)f->nid * sizeof(int));
  return f->id ? 0 : fail(error, "out of memory");
}

// ---- GMSH

static int takeGmsh(mjiReader* r, mjiFlexcomp* f, const mjiBytes* bytes, char error[ERROR_SIZE]) {
  mjiGmsh g;
  int bad = mji_gmsh_read(&g, bytes->data, bytes->size, error);
  if (!bad) {
    f->dim = g.dim;
    bad = takePoints(r, f, g.point, g.npoint, error) || takeElements(r, f, g.elem, g.nelem, error);
  }
  mji_gmsh_free(&g);
  return bad;
}

// ---- surfaces

static int checkMesh(const mjiRawMesh* m, char error[ERROR_SIZE]) {
  if (!m->nvert || !m->nface) return fail(error, "there must be vertices and faces");
  for (int i = 0; i < 3 * m->nvert; i++) {
    if (!isfinite(m->vert[i])) return fail(error, "a vertex is not finite");
  }
  for (int i = 0; i < 3 * m->nface; i++) {
    if (m->face[i] >= 0 && m->face[i] < m->nvert) continue;
    snprintf(error, ERROR_SIZE, "face %d: there is no vertex %d", i / 3, m->face[i]);
    return -1;
  }
  return 0;
}

// Texture coordinates if each corner of each face has one.
static int takeTexture(mjiReader* r, mjiFlexcomp* f, const mjiRawMesh* m, char error[ERROR_SIZE]) {
  for (int i = 0; i < 3 * m->nface && m->facetexcoord; i++) {
    if (m->facetexcoord[i] < 0 || m->facetexcoord[i] >= m->ntexcoord) return 0;
  }
  if (!m->facetexcoord) return 0;
  f->ntexcoord = m->ntexcoord;
  f->texcoord = copyOf(r, m->texcoord, 2 * (size_t)m->ntexcoord * sizeof(float));
  f->elemtexcoord = copyOf(r, m->facetexcoord, 3 * (size_t)m->nface * sizeof(int));
  return f->texcoord && f->elemtexcoord ? 0 : fail(error, "out of memory");
}

// Does a face look away from the origin, so that the two make a tetrahedron?
static int looksAway(const double origin[3], const double* vert, const int id[3]) {
  double a[3], b[3], c[3], cross[3];
  mju_sub3(a, vert + 3 * id[0], origin);
  mju_sub3(b, vert + 3 * id[1], origin);
  mju_sub3(c, vert + 3 * id[2], origin);
  mju_cross(cross, a, b);
  return mju_dot3(cross, c) / 6 > mjMINVAL;
}

// The origin becomes the first point.
static int fillSurface(mjiReader* r, mjiFlexcomp* f, const mjiRawMesh* m, const double origin[3],
                       char error[ERROR_SIZE]) {
  double* point = mji_treeAlloc(r->tree, 3 * (size_t)(m->nvert + 1) * sizeof(double));
  f->id = mji_treeAlloc(r->tree, 4 * (size_t)m->nface * sizeof(int));
  if (!point || !f->id) return fail(error, "out of memory");
  for (int e = 0; e < m->nface; e++) {
    const int* face = m->face + 3 * e;
    if (!looksAway(origin, m->vert, face)) continue;
    f->id[f->nid++] = 0;
    for (int k = 0; k < 3; k++) f->id[f->nid++] = face[k] + 1;
  }
  if (!f->nid) return fail(error, "no face looks away from origin");
  mju_copy3(point, origin);
  memcpy(point + 3, m->vert, 3 * (size_t)m->nvert * sizeof(double));
  return takePoints(r, f, point, m->nvert + 1, error);
}

static int takeSurface(mjiReader* r, mjiFlexcomp* f, const mjiRawMesh* m, const double* origin,
                       char error[ERROR_SIZE]) {
  if (f->dim == 3) return fillSurface(r, f, m, origin, error);
  return takePoints(r, f, m->vert, m->nvert, error) || takeElements(r, f, m->face, m->nface, error) ||
         takeTexture(r, f, m, error);
}

static int readMesh(mjiRawMesh* m, const char* name, const mjiBytes* bytes, char error[ERROR_SIZE]) {
  const char* ending = strrchr(name, '.');
  if (ending && !strcasecmp(ending, ".obj")) return mji_mesh_readOBJ(m, bytes->data, bytes->size, error);
  if (ending && !strcasecmp(ending, ".stl")) return mji_mesh_readSTL(m, bytes->data, bytes->size, error);
  return fail(error, "a mesh must be an OBJ or STL file (.obj, .stl)");
}

static int takeMesh(mjiReader* r, mjiFlexcomp* f, const char* name, const double* origin, const mjiBytes* bytes,
                    char error[ERROR_SIZE]) {
  mjiRawMesh m = {0};
  int bad = readMesh(&m, name, bytes, error) || checkMesh(&m, error);
  if (!bad && mji_mesh_joinVertices(&m)) bad = fail(error, "out of memory");
  bad = bad || takeSurface(r, f, &m, origin, error);
  mji_mesh_freeRaw(&m);
  return bad;
}

// ---- the file

static void openFile(mjiReader* r, const mjiFlexcomp* f, const char* name, mjiBytes* out) {
  char local[MAX_PATH];
  const char* folder = mjs_getString(r->spec->compiler.meshdir);
  if (!mji_pathAsset(local, sizeof local, folder, r->spec->strippath, name)) {
    mji_readFail(r, f->elem, "file name too long");
  }
  if (mji_bytesRead(out, r->vfs, r->dir, local)) return;
  mji_readFail(r, f->elem, "cannot open file '%.300s': %s", local, out->why);
}

void mji_flexcompFile(mjiReader* r, mjiFlexcomp* f) {
  const char* folder = mjs_getString(r->spec->compiler.meshdir);
  const char* name = mji_readPath(r, f->elem, folder, mji_readText(r, f->elem, "file", 1));
  double origin[3];
  const int given = mji_readNums(r, f->elem, "origin", origin, 3, 3), mesh = f->type == mjiFLEXCOMP_MESH;
  if (mesh && f->dim == 1) mji_readFail(r, f->elem, "a mesh has dim 2 or 3, not 1");
  if (mesh && f->dim == 3 && !given) mji_readFail(r, f->elem, "a mesh of dim 3 needs an origin");
  char error[ERROR_SIZE] = "";
  mjiBytes bytes;
  openFile(r, f, name, &bytes);
  const int bad = mesh ? takeMesh(r, f, name, origin, &bytes, error) : takeGmsh(r, f, &bytes, error);
  mji_bytesFree(&bytes);
  if (bad) mji_readFail(r, f->elem, "file '%.100s': %s", name, error);
}
