// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The tree: parents, joints and geoms of bodies are checked, and what follows from them is derived again
// and compared.
#include <string.h>

#include "model/check.h"
#include "model/model.h"
#include "model/sparse.h"
#include "model/tree.h"

// Y(array, count): what is given, and what follows from it
// clang-format off
#define GIVEN(Y) \
  Y(body_parentid, nbody) Y(body_jntnum, nbody) Y(body_simple, nbody) Y(jnt_type, njnt)

#define DERIVED(Y)                                                                          \
  Y(body_rootid, nbody) Y(body_weldid, nbody) Y(body_jntadr, nbody) Y(body_dofnum, nbody)   \
  Y(body_dofadr, nbody) Y(body_treeid, nbody) Y(jnt_qposadr, njnt) Y(jnt_dofadr, njnt)      \
  Y(jnt_bodyid, njnt) Y(dof_bodyid, nv) Y(dof_jntid, nv) Y(dof_parentid, nv)                \
  Y(dof_treeid, nv) Y(dof_simplenum, nv) Y(tree_bodyadr, ntree) Y(tree_bodynum, ntree)      \
  Y(tree_dofadr, ntree) Y(tree_dofnum, ntree)

#define STRUCTURE(Y)                                                                        \
  Y(dof_Madr, nv) Y(M_rownnz, nv) Y(M_rowadr, nv) Y(M_colind, nC) Y(mapM2M, nC)             \
  Y(D_rownnz, nv) Y(D_rowadr, nv) Y(D_diag, nv) Y(D_colind, nD) Y(mapM2D, nD) Y(mapD2M, nC) \
  Y(B_rownnz, nbody) Y(B_rowadr, nbody) Y(B_colind, nB)
// clang-format on

// depth-first: the parent of a body is the body before it, or above that
static int parentsOk(const mjModel* m) {
  if (m->body_parentid[0]) return 0;
  for (int b = 1; b < m->nbody; b++) {
    int up = b - 1;
    while (up > m->body_parentid[b]) up = m->body_parentid[up];
    if (up != m->body_parentid[b]) return 0;
  }
  return 1;
}

// bodies own all joints, joints own all coordinates and dofs, trees begin where the first joints are
static const char* checkSums(const mjModel* m) {
  int64_t njnt = 0, nq = 0, nv = 0, ntree = 0;
  for (int b = 0; b < m->nbody; b++) {
    if (m->body_jntnum[b] < 0 || m->body_jntnum[b] > m->njnt) return "body_jntnum";
    njnt += m->body_jntnum[b];
    int up = m->body_parentid[b];
    while (up && !m->body_jntnum[up]) up = m->body_parentid[up];
    ntree += m->body_jntnum[b] && !up;
  }
  for (int j = 0; j < m->njnt; j++) {
    nq += mji_tree_qposSize(m->jnt_type[j]);
    nv += mji_tree_dofSize(m->jnt_type[j]);
  }
  if (m->body_jntnum[0] || njnt != m->njnt) return "body_jntnum";
  return nq != m->nq ? "nq" : nv != m->nv ? "nv" : ntree != m->ntree ? "ntree" : NULL;
}

// geoms come in the order of their bodies; mocap bodies are numbered in order, and the world is their parent
static const char* checkBodies(const mjModel* m) {
  int geom = 0, mocap = 0;
  for (int b = 0; b < m->nbody; b++) {
    int n = m->body_geomnum[b];
    if (n < 0 || n > m->ngeom - geom) return "body_geomnum";
    if (m->body_geomadr[b] != (n ? geom : -1)) return "body_geomadr";
    for (int end = geom + n; geom < end; geom++) {
      if (m->geom_bodyid[geom] != b) return "geom_bodyid";
    }
    if (m->body_mocapid[b] == -1) continue;
    if (m->body_mocapid[b] != mocap++ || m->body_parentid[b] || m->body_jntnum[b]) return "body_mocapid";
  }
  return geom != m->ngeom ? "body_geomnum" : mocap != m->nmocap ? "nmocap" : NULL;
}

// a model with nothing but the tree
static mjModel* copyTree(const mjModel* m, mjModel* sizes) {
  sizes->nq = m->nq;
  sizes->nv = m->nv;
  sizes->nbody = m->nbody;
  sizes->njnt = m->njnt;
  sizes->ntree = m->ntree;
  mjModel* tree = mji_allocModel(sizes);
  if (!tree) return NULL;
#define Y(array, count) memcpy(tree->array, m->array, (size_t)m->count * sizeof *m->array);
  GIVEN(Y)
#undef Y
  mji_tree_derive(tree);
  mji_tree_deriveSimple(tree);
  return tree;
}

#define Y(array, count) \
  if (memcmp(own->array, m->array, (size_t)m->count * sizeof *m->array)) return #array;

static const char* compareTree(const mjModel* m, const mjModel* own) {
  DERIVED(Y)
  return NULL;
}

static const char* compareStructure(const mjModel* m, const mjModel* own) {
  STRUCTURE(Y)
  return NULL;
}

#undef Y

static const char* checkStructure(const mjModel* m, mjModel* sizes) {
  if (m->nM != sizes->nM || m->nC != sizes->nC || m->nD != sizes->nD || m->nB != sizes->nB) return "nM";
  mjModel* own = copyTree(m, sizes);
  const char* wrong = !own || mji_sparse_fill(own) ? "No memory to check it" : compareStructure(m, own);
  mj_deleteModel(own);
  return wrong;
}

const char* mji_checkTree(const mjModel* m) {
  if (!parentsOk(m)) return "body_parentid";
  const char* wrong = checkSums(m);
  if (!wrong) wrong = checkBodies(m);
  if (wrong) return wrong;

  mjModel sizes = {0};
  mjModel* own = copyTree(m, &sizes);
  if (!own) return "No memory to check it";
  wrong = compareTree(m, own);
  if (!wrong && mji_sparse_count(own, &sizes)) wrong = "nM";
  mj_deleteModel(own);
  return wrong ? wrong : checkStructure(m, &sizes);
}
