// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Velocities of bodies and change of the motion axes, in the com frame; momenta of subtrees.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/spatial.h"
#include "model/each_span.h"
#include "model/number.h"
#include "model/work.h"

// v += cdof * qvel for one dof
static inline void addDof(V* v, const V* cdof, V qvel) {
  for (int k = 0; k < 6; k++) v[k] = v[k] + cdof[k] * qvel;
}

// velocity of one body from that of its parent
static inline __attribute__((always_inline)) void bodyVel(const mjModel* m, mjData* d, int b) {
  const V* cdof = CLANES(d->cdof);
  const V* qvel = CLANES(d->qvel);
  V* cdofdot = LANES(d->cdof_dot);
  V v[6];
  copyN(v, CLANES(d->cvel) + 6 * m->body_parentid[b], 6);

  int jend = m->body_jntadr[b] + m->body_jntnum[b];
  for (int j = m->body_jntadr[b]; j < jend; j++) {
    int i = m->jnt_dofadr[j];
    switch ((mjtJoint)m->jnt_type[j]) {
      case mjJNT_FREE:
        // translation axes do not change
        zeroN(cdofdot + 6 * i, 18);
        for (int k = i; k < i + 3; k++) addDof(v, cdof + 6 * k, qvel[k]);
        i += 3;
        // fall through
      case mjJNT_BALL:
        // the three axes turn together
        for (int k = i; k < i + 3; k++) crossMotion(cdofdot + 6 * k, v, cdof + 6 * k);
        for (int k = i; k < i + 3; k++) addDof(v, cdof + 6 * k, qvel[k]);
        break;
      case mjJNT_SLIDE:
      case mjJNT_HINGE:
        crossMotion(cdofdot + 6 * i, v, cdof + 6 * i);
        addDof(v, cdof + 6 * i, qvel[i]);
        break;
    }
  }
  copyN(LANES(d->cvel) + 6 * b, v, 6);
}

static inline __attribute__((always_inline)) void bodyVels(const mjModel* m, mjData* d, mjiSpan s, V* x) {
  for (int b = s.body; b < s.body_end; b++) bodyVel(m, d, b);
}

void LANE(comVel)(const mjModel* m, mjData* d) {
  zeroN(LANES(d->cvel), 6);
  mji_eachSpan(m, d, bodyVels, NULL);
}

// velocity of a body's center of mass
static void inertialVel(const mjModel* m, const mjData* d, int b, V* vel) {
  const V* cvel = CLANES(d->cvel) + 6 * b;
  V arm[3];
  for (int k = 0; k < 3; k++) {
    arm[k] = CLANES(d->xipos)[3 * b + k] - CLANES(d->subtree_com)[3 * m->body_rootid[b] + k];
  }
  cross3(vel, cvel, arm);
  for (int k = 0; k < 3; k++) vel[k] = vel[k] + cvel[3 + k];
}

// r += mass * (pos x vel)
static void addMoment(V* r, const V* pos, const V* vel, N mass) {
  V t[3];
  cross3(t, pos, vel);
  for (int k = 0; k < 3; k++) r[k] = r[k] + mass * t[k];
}

static void sub3(V* r, const V* a, const V* b) {
  for (int k = 0; k < 3; k++) r[k] = a[k] - b[k];
}

void LANE(subtreeVel)(const mjModel* m, mjData* d) {
  V* linvel = LANES(d->subtree_linvel);
  V* angmom = LANES(d->subtree_angmom);
  const V* com = CLANES(d->subtree_com);
  V dx[3], dv[3];

  // each body alone: momentum, spin about its own center
  size_t top = mji_stackTop(d);
  V* vel = LANES(mji_stackNum(d, 3 * m->nbody));
  for (int b = 0; b < m->nbody; b++) {
    V local[3];
    const V* mat = CLANES(d->ximat) + 9 * b;
    inertialVel(m, d, b, vel + 3 * b);
    for (int k = 0; k < 3; k++) linvel[3 * b + k] = NUM(body_mass)[b] * vel[3 * b + k];
    mulMatT3(local, mat, CLANES(d->cvel) + 6 * b);
    for (int k = 0; k < 3; k++) local[k] = local[k] * NUM(body_inertia)[3 * b + k];
    mulMat3(angmom + 3 * b, mat, local);
  }

  // subtree momentum, then velocity of its center
  for (int b = m->nbody - 1; b >= 0; b--) {
    if (b) {
      V* parent = linvel + 3 * m->body_parentid[b];
      for (int k = 0; k < 3; k++) parent[k] = parent[k] + linvel[3 * b + k];
    }
    N scale = 1 / n_max(NUM(body_subtreemass)[b], n_set1(mjMINVAL));
    for (int k = 0; k < 3; k++) linvel[3 * b + k] = linvel[3 * b + k] * scale;
  }

  // angular momentum about the subtree's center: the body's own, then passed on to the parent's
  // subtree
  for (int b = m->nbody - 1; b > 0; b--) {
    int p = m->body_parentid[b];
    sub3(dx, CLANES(d->xipos) + 3 * b, com + 3 * b);
    sub3(dv, vel + 3 * b, linvel + 3 * b);
    addMoment(angmom + 3 * b, dx, dv, NUM(body_mass)[b]);

    for (int k = 0; k < 3; k++) angmom[3 * p + k] = angmom[3 * p + k] + angmom[3 * b + k];
    sub3(dx, com + 3 * b, com + 3 * p);
    sub3(dv, linvel + 3 * b, linvel + 3 * p);
    addMoment(angmom + 3 * p, dx, dv, NUM(body_subtreemass)[b]);
  }
  mji_stackBack(d, top);
}
