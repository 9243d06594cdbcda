// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Flexes. Ids within a flex count from its own first vertex, edge or element, so the table of references cannot
// say their limits.
#include "model/check.h"
#include "model/flex_parts.h"

// Bodies of vertices; a flex with control nodes has no bodies of vertices, but one for each node.
static const char* checkBodies(const mjModel* m, int f) {
  const int interp = m->flex_interp[f];
  if (interp < 0 || interp > 2) return "flex_interp";
  const int side = interp + 1;
  if (m->flex_nodenum[f] != (interp ? side * side * side : 0)) return "flex_nodenum";
  const int n = m->flex_vertnum[f];
  const int* body = m->flex_vertbodyid + m->flex_vertadr[f];
  if (n && !mji_indicesOk(body, n, interp ? -1 : 0, interp ? 0 : m->nbody)) return "flex_vertbodyid";
  return NULL;
}

static const char* checkEdges(const mjModel* m, int f) {
  const int n = m->flex_edgenum[f], nvert = m->flex_vertnum[f];
  if (!n) return NULL;
  const size_t adr = 2 * (size_t)m->flex_edgeadr[f];
  if (n > INT32_MAX / 2 || !mji_indicesOk(m->flex_edge + adr, 2 * n, 0, nvert)) return "flex_edge";
  return mji_indicesOk(m->flex_edgeflap + adr, 2 * n, -1, nvert) ? NULL : "flex_edgeflap";
}

// n * each ids from adr on, which must lie within limit; NULL if they do
static const int* idsOf(const int* ids, int adr, int n, int each, int limit) {
  return n <= INT32_MAX / 6 && adr >= 0 && mji_rangeOk(adr, n * each, limit) ? ids + adr : NULL;
}

// texture coordinates of this flex: up to those of the next flex that has any
static int texcoordNum(const mjModel* m, int f) {
  int end = m->nflextexcoord;
  for (int i = m->nflex - 1; i > f; i--) {
    if (m->flex_texcoordadr[i] >= 0) end = m->flex_texcoordadr[i];
  }
  return end - m->flex_texcoordadr[f];
}

static const char* checkElements(const mjModel* m, int f) {
  const int n = m->flex_elemnum[f], dim = m->flex_dim[f], each = mji_flexElemEdges(dim);
  const int adr = m->flex_elemdataadr[f], texcoord = m->flex_texcoordadr[f] >= 0;
  const int* id = idsOf(m->flex_elem, adr, n, dim + 1, m->nflexelemdata);
  if (!id) return "flex_elemdataadr";
  if (!mji_indicesOk(id, n * (dim + 1), 0, m->flex_vertnum[f])) return "flex_elem";
  if (!mji_indicesOk(m->flex_elemtexcoord + adr, n * (dim + 1), 0, texcoord ? texcoordNum(m, f) : m->flex_vertnum[f]))
    return "flex_elemtexcoord";
  id = idsOf(m->flex_elemedge, m->flex_elemedgeadr[f], n, each, m->nflexelemedge);
  if (!id) return "flex_elemedgeadr";
  return mji_indicesOk(id, n * each, 0, m->flex_edgenum[f]) ? NULL : "flex_elemedge";
}

static const char* checkShell(const mjModel* m, int f) {
  const int n = m->flex_shellnum[f], dim = m->flex_dim[f];
  if (n < 0) return "flex_shellnum";
  if (!n) return NULL;
  const int* id = idsOf(m->flex_shell, m->flex_shelldataadr[f], n, dim, m->nflexshelldata);
  if (!id) return "flex_shelldataadr";
  return mji_indicesOk(id, n * dim, 0, m->flex_vertnum[f]) ? NULL : "flex_shell";
}

static const char* checkPairs(const mjModel* m, int f) {
  for (int i = 0; i < m->flex_evpairnum[f]; i++) {
    const int* pair = m->flex_evpair + 2 * ((size_t)m->flex_evpairadr[f] + (size_t)i);
    if (!mji_indicesOk(pair, 1, 0, m->flex_elemnum[f]) || !mji_indicesOk(pair + 1, 1, 0, m->flex_vertnum[f]))
      return "flex_evpair";
  }
  return NULL;
}

// A flex with nodes keeps the stiffness of all of them, a square matrix, where others keep that of their elements.
static const char* checkStiffness(const mjModel* m, int f) {
  const int64_t room = 21 * (int64_t)m->flex_elemnum[f], n = 3 * m->flex_nodenum[f];
  const int elastic = room && m->flex_stiffness[21 * (size_t)m->flex_elemadr[f]] != 0;
  return m->flex_interp[f] && elastic && n * n > room ? "flex_stiffness" : NULL;
}

// ---- bounding volumes

// Trees of flexes are behind those of bodies and meshes, where each step can fit their boxes.
static const char* checkVolumes(const mjModel* m, int f) {
  const int n = m->flex_bvhnum[f];
  if (!n) return NULL;
  return m->flex_bvhadr[f] >= m->nbvhstatic && mji_volumesOk(m, m->flex_bvhadr[f], n, m->flex_elemnum[f])
             ? NULL
             : "flex_bvhadr";
}

// ---- the whole

static int isCondim(int n) { return n == 1 || n == 3 || n == 4 || n == 6; }

const char* mji_checkFlexes(const mjModel* m) {
  static const char* (*const check[])(const mjModel*, int) = {checkBodies, checkEdges,     checkElements, checkShell,
                                                              checkPairs,  checkStiffness, checkVolumes};
  const char* wrong = NULL;
  int nedge = 0;  // of the flexes before: each edge has dofs of its own flex
  for (int f = 0; f < m->nflex && !wrong; f++) {
    if (!isCondim(m->flex_condim[f])) return "flex_condim";
    if (m->flex_edgenum[f] && m->flex_edgeadr[f] != nedge) return "flex_edgeadr";
    nedge += m->flex_edgenum[f];
    for (size_t i = 0; i < sizeof check / sizeof check[0] && !wrong; i++) wrong = check[i](m, f);
  }
  return wrong;
}
