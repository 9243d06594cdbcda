// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Recursive Newton-Euler: forces from accelerations.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/rne.h"
#include "dynamics/spatial.h"
#include "model/each_span.h"
#include "model/number.h"
#include "model/work.h"

// Acceleration of the world: gravity is felt as an upward acceleration. 0 - x gives a zero the same sign in all
// variants; -x would give a zero a minus where lanes have their own numbers.
static void worldAcc(const mjModel* m, const mjData* d, V* acc) {
  int on = !(m->opt.disableflags & mjDSBL_GRAVITY);
  for (int k = 0; k < 3; k++) {
    acc[k] = v_zero();
    acc[3 + k] = v_zero();
    if (on) acc[3 + k] = acc[3 + k] - v_num(OPT(gravity)[k]);
  }
}

// acceleration of body b from that of its parent; qacc NULL: none
static inline void bodyAcc(const mjModel* m, const mjData* d, int b, const V* restrict qacc, V* cacc) {
  const V* cdof = CLANES(d->cdof);
  const V* cdofdot = CLANES(d->cdof_dot);
  const V* qvel = CLANES(d->qvel);
  V a[6];
  copyN(a, cacc + 6 * m->body_parentid[b], 6);

  int end = m->body_dofadr[b] + m->body_dofnum[b];
  for (int i = m->body_dofadr[b]; i < end; i++) {
    for (int k = 0; k < 6; k++) a[k] = a[k] + cdofdot[6 * i + k] * qvel[i];
  }
  if (qacc) {
    for (int i = m->body_dofadr[b]; i < end; i++) {
      for (int k = 0; k < 6; k++) a[k] = a[k] + cdof[6 * i + k] * qacc[i];
    }
  }
  copyN(cacc + 6 * b, a, 6);
}

// force that gives body b its acceleration: I * a + v x (I * v)
static inline void bodyForce(const mjData* d, int b, const V* cacc, V* force) {
  V momentum[6], f[6], g[6];
  const V* cinert = CLANES(d->cinert) + 10 * b;
  const V* cvel = CLANES(d->cvel) + 6 * b;
  mulInert(f, cinert, cacc + 6 * b);
  mulInert(momentum, cinert, cvel);
  crossForce(g, cvel, momentum);
  for (int k = 0; k < 6; k++) force[k] = f[k] + g[k];
}

// pass forces on from the leaves to the root's children
static inline void gatherForces(const mjModel* m, V* force, int first, int end) {
  for (int b = end - 1; b >= first; b--) {
    int parent = m->body_parentid[b];
    if (!parent) continue;
    for (int k = 0; k < 6; k++) force[6 * parent + k] = force[6 * parent + k] + force[6 * b + k];
  }
}

// forces along the dofs
static inline void projectForces(const mjModel* m, const mjData* d, const V* force, V* restrict res, int first,
                                 int end) {
  for (int i = first; i < end; i++) {
    res[i] = dot6(CLANES(d->cdof) + 6 * i, force + 6 * m->dof_bodyid[i]);
  }
}

// compute the bodies of a span; on entry cacc has the acceleration of the world
static inline __attribute__((always_inline)) void rneSpan(const mjModel* m, mjData* d, mjiSpan s, const V* qacc,
                                                          V* cacc, V* result) {
  V* force = cacc + 6 * m->nbody;
  for (int b = s.body; b < s.body_end; b++) {
    bodyAcc(m, d, b, qacc, cacc);
    bodyForce(d, b, cacc, force + 6 * b);
  }
  gatherForces(m, force, s.body, s.body_end);
  projectForces(m, d, force, result, s.dof, s.dof_end);
}

void LANE(rne)(const mjModel* m, mjData* d, int flg_acc, mjtNum* result) {
  size_t top = mji_stackTop(d);
  V* cacc = LANES(mji_stackNum(d, 12 * (size_t)m->nbody));
  worldAcc(m, d, cacc);
  rneSpan(m, d, mji_spanOfAll(m), flg_acc ? CLANES(d->qacc) : NULL, cacc, LANES(result));
  mji_stackBack(d, top);
}

static inline __attribute__((always_inline)) void biasSpan(const mjModel* m, mjData* d, mjiSpan s, V* cacc) {
  rneSpan(m, d, s, NULL, cacc, LANES(d->qfrc_bias));
}

void LANE(biasForce)(const mjModel* m, mjData* d) {
  size_t top = mji_stackTop(d);
  V* cacc = LANES(mji_stackNum(d, 12 * (size_t)m->nbody));
  worldAcc(m, d, cacc);
  mji_eachSpan(m, d, biasSpan, cacc);
  mji_stackBack(d, top);
}

void LANE(inertialForce)(const mjModel* m, mjData* d, mjtNum* result) {
  size_t top = mji_stackTop(d);
  V* cacc = LANES(mji_stackNum(d, 12 * (size_t)m->nbody));
  V* force = cacc + 6 * m->nbody;
  const V* cdof = CLANES(d->cdof);
  const V* qacc = CLANES(d->qacc);

  zeroN(cacc, 6);
  for (int b = 1; b < m->nbody; b++) {
    V a[6];
    copyN(a, cacc + 6 * m->body_parentid[b], 6);
    int end = m->body_dofadr[b] + m->body_dofnum[b];
    for (int i = m->body_dofadr[b]; i < end; i++) {
      for (int k = 0; k < 6; k++) a[k] = a[k] + cdof[6 * i + k] * qacc[i];
    }
    copyN(cacc + 6 * b, a, 6);
    mulInert(force + 6 * b, CLANES(d->cinert) + 10 * b, a);
  }
  gatherForces(m, force, 1, m->nbody);
  projectForces(m, d, force, LANES(result), 0, m->nv);
  mji_stackBack(d, top);
}

void LANE(addWrench)(const mjModel* m, mjData* d, int b, const V* torque, const V* force, const V* point, lane_t sign) {
  if (!b) return;
  V* ext = LANES(d->cfrc_ext) + 6 * b;
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[b];
  V arm[3], moment[3];
  for (int k = 0; k < 3; k++) arm[k] = point[k] - com[k];
  cross3(moment, arm, force);
  for (int k = 0; k < 3; k++) {
    ext[k] = ext[k] + sign * (torque[k] + moment[k]);
    ext[3 + k] = ext[3 + k] + sign * force[k];
  }
}

// forces that the user applies to bodies
static void appliedForces(const mjModel* m, mjData* d) {
  zeroN(LANES(d->cfrc_ext), 6);
  for (int b = 1; b < m->nbody; b++) {
    const V* applied = CLANES(d->xfrc_applied) + 6 * b;
    zeroN(LANES(d->cfrc_ext) + 6 * b, 6);
    LANE(addWrench)(m, d, b, applied + 3, applied, CLANES(d->xipos) + 3 * b, 1);
  }
}

void LANE(rnePostConstraint)(const mjModel* m, mjData* d) {
  V* cacc = LANES(d->cacc);
  V* cfrc = LANES(d->cfrc_int);

  // external forces: applied, contacts, equality constraints
  appliedForces(m, d);
  LANE(contactWrenches)(m, d);
  LANE(equalityWrenches)(m, d);

  // accelerations, then the forces that joints transmit
  worldAcc(m, d, cacc);
  for (int b = 1; b < m->nbody; b++) {
    bodyAcc(m, d, b, CLANES(d->qacc), cacc);
    bodyForce(d, b, cacc, cfrc + 6 * b);
    for (int k = 0; k < 6; k++) cfrc[6 * b + k] = cfrc[6 * b + k] - CLANES(d->cfrc_ext)[6 * b + k];
  }
  zeroN(cfrc, 6);
  for (int b = m->nbody - 1; b > 0; b--) {
    V* parent = cfrc + 6 * m->body_parentid[b];
    for (int k = 0; k < 6; k++) parent[k] = parent[k] + cfrc[6 * b + k];
  }
}
