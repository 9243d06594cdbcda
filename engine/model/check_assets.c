// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Meshes with their hulls and polygons, skins, height fields, textures, bounding volumes.
#include "model/check.h"

// ---- meshes

// the graph of a hull, see compile/mesh_hull.c: every list of neighbors ends within the edges
static int graphOk(const int* graph, int64_t room, int nmeshvert) {
  if (room < 2) return 0;
  int64_t nvert = graph[0], nface = graph[1], nedge = nvert + 3 * nface;
  if (nvert < 1 || nface < 0 || 2 + 2 * nvert + nedge + 3 * nface > room) return 0;
  const int *start = graph + 2, *global = start + nvert, *edge = global + nvert, *face = edge + nedge;
  return edge[nedge - 1] == -1 && mji_indicesOk(start, (int)nvert, 0, (int)nedge) &&
         mji_indicesOk(global, (int)nvert, 0, nmeshvert) && mji_indicesOk(edge, (int)nedge, -1, (int)nvert) &&
         mji_indicesOk(face, 3 * (int)nface, 0, nmeshvert);
}

// corners of polygons, and the polygons around each vertex
static const char* checkPolygons(const mjModel* m, int i) {
  int nvert = m->mesh_vertnum[i], npoly = m->mesh_polynum[i];
  for (int p = m->mesh_polyadr[i]; p < m->mesh_polyadr[i] + npoly; p++) {
    int n = m->mesh_polyvertnum[p];
    if (n < 1 || !mji_indicesOk(m->mesh_polyvert + m->mesh_polyvertadr[p], n, 0, nvert)) {
      return "mesh_polyvert";
    }
  }
  for (int v = m->mesh_vertadr[i]; v < m->mesh_vertadr[i] + nvert; v++) {
    if (!m->mesh_polymapnum[v]) continue;
    if (!mji_indicesOk(m->mesh_polymap + m->mesh_polymapadr[v], m->mesh_polymapnum[v], 0, npoly)) {
      return "mesh_polymap";
    }
  }
  return NULL;
}

// the octree of a mesh: children come after their parent, so that every way down ends
static const char* checkOctree(const mjModel* m, int i) {
  int adr = m->mesh_octadr[i], num = m->mesh_octnum[i];
  if (adr < 0) return num ? "mesh_octnum" : NULL;
  if (num < 1 || !mji_rangeOk(adr, num, m->noct)) return "mesh_octadr";
  for (int k = 0; k < num; k++) {
    const int* child = m->oct_child + 8 * ((size_t)adr + (size_t)k);
    for (int j = 0; j < 8; j++) {
      if (child[j] == -1 ? child[0] != -1 : child[j] <= k || child[j] >= num) return "oct_child";
    }
  }
  return NULL;
}

static const char* checkMesh(const mjModel* m, int i) {
  int n = m->mesh_facenum[i], adr = m->mesh_faceadr[i], graph = m->mesh_graphadr[i];
  if (m->mesh_vertnum[i] < 1) return "mesh_vertnum";
  const char* octree = checkOctree(m, i);
  if (octree) return octree;
  if (n && !mji_indicesOk(m->mesh_face + 3 * (size_t)adr, 3 * n, 0, m->mesh_vertnum[i])) return "mesh_face";
  if (graph >= 0 && !graphOk(m->mesh_graph + graph, m->nmeshgraph - (int64_t)graph, m->mesh_vertnum[i])) {
    return "mesh_graph";
  }
  return m->mesh_polynum[i] ? checkPolygons(m, i) : NULL;
}

// ---- others

static const char* checkSkin(const mjModel* m, int i) {
  int nvert = m->skin_vertnum[i], nface = m->skin_facenum[i], nbone = m->skin_bonenum[i];
  const int* face = m->skin_face + 3 * (size_t)m->skin_faceadr[i];
  if (nface && !mji_indicesOk(face, 3 * nface, 0, nvert)) return "skin_face";
  int texcoord = m->skin_texcoordadr[i];
  if (texcoord < -1 || (texcoord >= 0 && !mji_rangeOk(texcoord, nvert, m->nskintexvert))) {
    return "skin_texcoordadr";
  }
  for (int b = m->skin_boneadr[i]; b < m->skin_boneadr[i] + nbone; b++) {
    int n = m->skin_bonevertnum[b];
    if (n && !mji_indicesOk(m->skin_bonevertid + m->skin_bonevertadr[b], n, 0, nvert)) {
      return "skin_bonevertid";
    }
  }
  return NULL;
}

static const char* checkFields(const mjModel* m) {
  for (int i = 0; i < m->nhfield; i++) {
    int64_t size = (int64_t)m->hfield_nrow[i] * m->hfield_ncol[i];
    if (m->hfield_nrow[i] < 1 || m->hfield_ncol[i] < 1) return "hfield_nrow";
    if (m->hfield_adr[i] < 0 || m->hfield_adr[i] + size > m->nhfielddata) return "hfield_adr";
  }
  return NULL;
}

static const char* checkTextures(const mjModel* m) {
  for (int i = 0; i < m->ntex; i++) {
    int64_t w = m->tex_width[i], h = m->tex_height[i], n = m->tex_nchannel[i];
    if (w < 0 || h < 0 || n < 1 || n > 4 || (h && w > INT32_MAX / h)) return "tex_width";
    if (m->tex_adr[i] < 0 || m->tex_adr[i] + w * h * n > m->ntexdata) return "tex_adr";
  }
  return NULL;
}

// ---- bounding volumes

enum { MAX_DEPTH = 40 };  // a tree that is divided in halves is not deeper

// a tree: its nodes, and how many things its leaves can name
typedef struct {
  const int *child, *leaf;
  int num, nleaf;
} Volumes;

// The number of the node after the subtree of node i; -1 if the subtree is wrong.
static int treeEnd(const Volumes* v, int i, int depth) {
  if (i < 0 || i >= v->num || depth > MAX_DEPTH) return -1;
  const int *child = v->child + 2 * (size_t)i, leaf = v->leaf[i];
  if (child[0] == -1 && child[1] == -1) return leaf >= 0 && leaf < v->nleaf ? i + 1 : -1;
  if (child[0] != i + 1 || leaf != -1) return -1;
  const int middle = treeEnd(v, i + 1, depth + 1);
  return middle >= 0 && child[1] == middle ? treeEnd(v, middle, depth + 1) : -1;
}

int mji_volumesOk(const mjModel* m, int adr, int num, int nleaf) {
  if (!num) return 1;
  const Volumes v = {m->bvh_child + 2 * (size_t)adr, m->bvh_nodeid + adr, num, nleaf};
  return treeEnd(&v, 0, 0) == num;
}

static const char* checkVolumes(const mjModel* m) {
  for (int i = 0; i < m->nbody; i++) {
    if (!mji_volumesOk(m, m->body_bvhadr[i], m->body_bvhnum[i], m->ngeom)) return "body_bvhadr";
  }
  for (int i = 0; i < m->nmesh; i++) {
    if (!mji_volumesOk(m, m->mesh_bvhadr[i], m->mesh_bvhnum[i], m->mesh_facenum[i])) return "mesh_bvhadr";
  }
  return NULL;
}

// ---- geoms

// what geoms of these types refer to
static const char* checkGeoms(const mjModel* m) {
  for (int g = 0; g < m->ngeom; g++) {
    int field = m->geom_type[g] == mjGEOM_HFIELD,
        needs = field || m->geom_type[g] == mjGEOM_MESH || m->geom_type[g] == mjGEOM_SDF;
    int n = field ? m->nhfield : m->nmesh;
    if (!mji_indicesOk(m->geom_dataid + g, 1, needs ? 0 : -1, n)) return "geom_dataid";
    int sdf = m->geom_type[g] == mjGEOM_SDF && m->geom_plugin[g] < 0;
    if (sdf && m->mesh_octadr[m->geom_dataid[g]] < 0) return "mesh_octadr";
  }
  return NULL;
}

const char* mji_checkAssets(const mjModel* m) {
  const char* wrong = NULL;
  for (int i = 0; i < m->nmesh && !wrong; i++) wrong = checkMesh(m, i);
  for (int i = 0; i < m->nskin && !wrong; i++) wrong = checkSkin(m, i);
  static const char* (*const check[])(const mjModel*) = {checkFields, checkTextures, checkVolumes, checkGeoms};
  for (size_t i = 0; i < sizeof check / sizeof check[0] && !wrong; i++) wrong = check[i](m);
  return wrong;
}
