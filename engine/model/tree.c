// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/tree.h"

int mji_tree_qposSize(int jnttype) { return jnttype == mjJNT_FREE ? 7 : jnttype == mjJNT_BALL ? 4 : 1; }

int mji_tree_dofSize(int jnttype) { return jnttype == mjJNT_FREE ? 6 : jnttype == mjJNT_BALL ? 3 : 1; }

// numbers of the next joint, coordinate and dof
typedef struct {
  int joint, qpos, dof;
} Next;

// joints of one body, and their dofs: each dof hangs on the one before it, the first on the last of the
// nearest body above that has any
static void deriveJoints(mjModel* m, int body, Next* next) {
  int up = m->body_parentid[body];
  while (up && !m->body_dofnum[up]) up = m->body_parentid[up];
  int parentdof = m->body_dofnum[up] ? m->body_dofadr[up] + m->body_dofnum[up] - 1 : -1;

  int first = next->dof;
  m->body_jntadr[body] = m->body_jntnum[body] ? next->joint : -1;
  for (int k = 0; k < m->body_jntnum[body]; k++) {
    int joint = next->joint++, type = m->jnt_type[joint];
    m->jnt_bodyid[joint] = body;
    m->jnt_qposadr[joint] = next->qpos;
    m->jnt_dofadr[joint] = next->dof;
    for (int i = 0; i < mji_tree_dofSize(type); i++) {
      m->dof_bodyid[next->dof] = body;
      m->dof_jntid[next->dof] = joint;
      m->dof_parentid[next->dof] = parentdof;
      parentdof = next->dof++;
    }
    next->qpos += mji_tree_qposSize(type);
  }
  m->body_dofnum[body] = next->dof - first;
  m->body_dofadr[body] = m->body_dofnum[body] ? first : -1;
}

static void deriveTrees(mjModel* m) {
  int ntree = 0;
  m->body_treeid[0] = -1;
  for (int t = 0; t < m->ntree; t++) m->tree_bodynum[t] = m->tree_dofnum[t] = 0;
  for (int i = 1; i < m->nbody; i++) {
    int tree = m->body_treeid[m->body_parentid[i]];
    if (tree < 0 && m->body_dofnum[i]) {
      tree = ntree++;
      m->tree_bodyadr[tree] = i;
      m->tree_dofadr[tree] = m->body_dofadr[i];
    }
    m->body_treeid[i] = tree;
    if (tree < 0) continue;
    m->tree_bodynum[tree]++;
    m->tree_dofnum[tree] += m->body_dofnum[i];
    for (int k = 0; k < m->body_dofnum[i]; k++) m->dof_treeid[m->body_dofadr[i] + k] = tree;
  }
}

void mji_tree_derive(mjModel* m) {
  Next next = {0};
  for (int i = 0; i < m->nbody; i++) {
    int parent = m->body_parentid[i];
    m->body_rootid[i] = !i ? 0 : !parent ? i : m->body_rootid[parent];
    m->body_weldid[i] = !i ? 0 : m->body_jntnum[i] ? i : m->body_weldid[parent];
    m->body_dofnum[i] = 0;
    deriveJoints(m, i, &next);
  }
  deriveTrees(m);
}

void mji_tree_deriveSimple(mjModel* m) {
  int run = 0;
  for (int i = m->nv - 1; i >= 0; i--) {
    run = m->body_simple[m->dof_bodyid[i]] ? run + 1 : 0;
    m->dof_simplenum[i] = run;
  }
}
