// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Jacobians of points and axes, dense (3 x nv), for one state. Either of the outputs jacp
// (translation) and jacr (rotation) may be NULL.

#include <mujoco/mujoco.h>

#include "model/work.h"

// vector from the origin of a body's com frame to a point
static void comOffset(const mjModel* m, const mjData* d, int body, const mjtNum point[3], mjtNum offset[3]) {
  mju_sub3(offset, point, d->subtree_com + 3 * m->body_rootid[body]);
}

// column of a (3 x nv) matrix
static void setColumn(mjtNum* mat, int nv, int i, const mjtNum v[3]) {
  for (int k = 0; k < 3; k++) mat[k * nv + i] = v[k];
}

// velocity of a point that a motion (rotation, translation at the origin) gives
static void pointVel(mjtNum vel[3], const mjtNum motion[6], const mjtNum offset[3]) {
  mju_cross(vel, motion, offset);
  mju_addTo3(vel, motion + 3);
}

void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[body];
  int nv = m->nv;
  mjtNum offset[3], vel[3];
  comOffset(m, d, body, point, offset);

  if (jacp) mju_zero(jacp, 3 * nv);
  if (jacr) mju_zero(jacr, 3 * nv);
  for (int c = 0; c < plan->chain_num[body]; c++) {
    const mjtNum* cdof = d->cdof + 6 * chain[c];
    if (jacr) setColumn(jacr, nv, chain[c], cdof);
    if (jacp) {
      pointVel(vel, cdof, offset);
      setColumn(jacp, nv, chain[c], vel);
    }
  }
}

void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  mj_jac(m, d, jacp, jacr, d->xpos + 3 * body, body);
}

void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  mj_jac(m, d, jacp, jacr, d->xipos + 3 * body, body);
}

void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom) {
  mj_jac(m, d, jacp, jacr, d->geom_xpos + 3 * geom, m->geom_bodyid[geom]);
}

void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site) {
  mj_jac(m, d, jacp, jacr, d->site_xpos + 3 * site, m->site_bodyid[site]);
}

// last body of a subtree, plus one
static int subtreeEnd(const mjModel* m, int body) {
  int end = body + 1;
  while (end < m->nbody && m->body_parentid[end] >= body) end++;
  return end;
}

// mean over the subtree's bodies, weighted by mass
void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body) {
  const mjiPlan* plan = mji_plan(m);
  int nv = m->nv, end = subtreeEnd(m, body);
  mju_zero(jacp, 3 * nv);
  for (int b = body; b < end; b++) {
    const int* chain = plan->chain_ind + plan->chain_adr[b];
    mjtNum offset[3], vel[3];
    comOffset(m, d, b, d->xipos + 3 * b, offset);
    for (int c = 0; c < plan->chain_num[b]; c++) {
      pointVel(vel, d->cdof + 6 * chain[c], offset);
      for (int k = 0; k < 3; k++) jacp[k * nv + chain[c]] += m->body_mass[b] * vel[k];
    }
  }
  mju_scl(jacp, jacp, 1 / m->body_subtreemass[body], 3 * nv);
}

// Jacobians of a point, and of an axis that turns with the body
void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis, const mjtNum point[3],
                     const mjtNum axis[3], int body) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[body];
  if (jacPoint) mj_jac(m, d, jacPoint, NULL, point, body);
  if (!jacAxis) return;

  mju_zero(jacAxis, 3 * m->nv);
  for (int c = 0; c < plan->chain_num[body]; c++) {
    mjtNum change[3];
    mju_cross(change, d->cdof + 6 * chain[c], axis);
    setColumn(jacAxis, m->nv, chain[c], change);
  }
}

// change of a motion s carried by a motion v
static void carry(mjtNum res[6], const mjtNum v[6], const mjtNum s[6]) {
  mjtNum t[3];
  mju_cross(res, v, s);
  mju_cross(res + 3, v, s + 3);
  mju_cross(t, v + 3, s);
  mju_addTo3(res + 3, t);
}

// nonzero if dof i is one of the three axes of a ball or free joint, which turn with the body
static int isBodyAxis(const mjModel* m, int i) {
  int j = m->dof_jntid[i];
  int type = m->jnt_type[j];
  return type == mjJNT_BALL || (type == mjJNT_FREE && i >= m->jnt_dofadr[j] + 3);
}

// time derivative of mj_jac at the current velocity
void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[body];
  int nv = m->nv;
  mjtNum offset[3], speed[3];
  comOffset(m, d, body, point, offset);
  pointVel(speed, d->cvel + 6 * body, offset);

  if (jacp) mju_zero(jacp, 3 * nv);
  if (jacr) mju_zero(jacr, 3 * nv);
  for (int c = 0; c < plan->chain_num[body]; c++) {
    int i = chain[c];
    mjtNum dot[6], vel[3], move[3];
    if (isBodyAxis(m, i)) carry(dot, d->cvel + 6 * m->dof_bodyid[i], d->cdof + 6 * i);
    else mju_copy(dot, d->cdof_dot + 6 * i, 6);

    // d/dt (v + w x offset), where the point moves with the body
    pointVel(vel, dot, offset);
    mju_cross(move, d->cdof + 6 * i, speed);
    mju_addTo3(vel, move);
    if (jacp) setColumn(jacp, nv, i, vel);
    if (jacr) setColumn(jacr, nv, i, dot);
  }
}

// angular momentum of a subtree about its center of mass: mat (3 x nv) times qvel
void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body) {
  const mjiPlan* plan = mji_plan(m);
  const mjtNum* com = d->subtree_com + 3 * body;
  int nv = m->nv, end = subtreeEnd(m, body);
  mju_zero(mat, 3 * nv);

  for (int b = body; b < end; b++) {
    const int* chain = plan->chain_ind + plan->chain_adr[b];
    const mjtNum* ximat = d->ximat + 9 * b;
    mjtNum offset[3], arm[3];
    comOffset(m, d, b, d->xipos + 3 * b, offset);
    mju_sub3(arm, d->xipos + 3 * b, com);

    // spin of the body, and moment of its momentum; the momenta about the center sum up to zero, so the velocity of
    // the center itself drops out
    for (int c = 0; c < plan->chain_num[b]; c++) {
      const mjtNum* cdof = d->cdof + 6 * chain[c];
      mjtNum local[3], spin[3], vel[3], moment[3];
      mju_mulMatTVec3(local, ximat, cdof);
      for (int k = 0; k < 3; k++) local[k] *= m->body_inertia[3 * b + k];
      mju_mulMatVec3(spin, ximat, local);
      pointVel(vel, cdof, offset);
      mju_cross(moment, arm, vel);
      for (int k = 0; k < 3; k++) mat[k * nv + chain[c]] += spin[k] + m->body_mass[b] * moment[k];
    }
  }
}
