// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constants of flexes: edge lengths at qpos0, and how edges respond to forces along them.

#include <string.h>

#include "load/setconst.h"

// A flex with control nodes has no edges that anything measures.
static int hasEdges(const mjModel* m, int flex) { return !m->flex_interp[flex]; }

// Does anything act along the edges of the flex?
static int usesEdges(const mjModel* m, int flex) {
  return m->flex_edgeequality[flex] || m->flex_edgestiffness[flex] || m->flex_edgedamping[flex] ||
         m->flex_damping[flex];
}

static void placeVertex(mjtNum out[3], const mjModel* m, const mjData* d, int vert) {
  const int body = m->flex_vertbodyid[vert];
  mju_mulMatVec3(out, d->xmat + 9 * body, m->flex_vert + 3 * vert);
  mju_addTo3(out, d->xpos + 3 * body);
}

// J inv(M) J' for the derivative J of an edge length; work has room for 8 nv numbers
static mjtNum edgeInverse(const mjModel* m, mjData* d, const int body[2], mjtNum point[2][3], const mjtNum dir[3],
                          mjtNum* work) {
  const int nv = m->nv;
  mjtNum *jac[2] = {work, work + 3 * nv}, *J = work + 6 * nv, *x = work + 7 * nv;
  for (int i = 0; i < 2; i++) mj_jac(m, d, jac[i], NULL, point[i], body[i]);
  mju_subFrom(jac[1], jac[0], 3 * nv);
  mju_mulMatTVec(J, jac[1], dir, 3, nv);
  mj_solveM(m, d, x, J, 1);
  return mju_dot(x, J, nv);
}

static mjtNum edgeWeight(const mjModel* m, mjData* d, int flex, const int body[2], mjtNum point[2][3],
                         const mjtNum dir[3], mjtNum* work) {
  // bodies that only slide respond alike in all directions, each for itself
  if (m->body_simple[body[0]] == 2 && m->body_simple[body[1]] == 2) {
    return (m->body_invweight0[2 * body[0]] + m->body_invweight0[2 * body[1]]) / 2;
  }
  return usesEdges(m, flex) ? edgeInverse(m, d, body, point, dir, work) : 0;
}

static void setEdges(mjModel* m, mjData* d, int flex, mjtNum* work) {
  const int adr = m->flex_edgeadr[flex], vertadr = m->flex_vertadr[flex];
  for (int e = adr; e < adr + m->flex_edgenum[flex]; e++) {
    int body[2];
    mjtNum point[2][3], dir[3];
    for (int i = 0; i < 2; i++) {
      const int vert = vertadr + m->flex_edge[2 * e + i];
      body[i] = m->flex_vertbodyid[vert];
      placeVertex(point[i], m, d, vert);
    }
    mju_sub3(dir, point[1], point[0]);
    m->flexedge_length0[e] = mju_normalize3(dir);
    m->flexedge_invweight0[e] = m->flexedge_rigid[e] ? 0 : edgeWeight(m, d, flex, body, point, dir, work);
  }
}

void mji_const_flexes(mjModel* m, mjData* d) {
  if (!m->nflex) return;
  mj_markStack(d);
  mjtNum* work = mj_stackAllocNum(d, 8 * (size_t)m->nv + 1);
  for (int i = 0; i < m->nflex; i++) {
    if (hasEdges(m, i)) setEdges(m, d, i, work);
  }
  mj_freeStack(d);
}
