// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative of the forces of inverse dynamics by masses, centers of mass and moments of inertia, and by gravity: they
// are linear in the inertia of a body about any fixed point. Body b needs the wrench
//   f = I a + v x* (I v)
// in its com frame, with the acceleration a that gravity is part of. A change dI of I changes the force on each dof i
// that moves the body by S_i' (dI a + v x* (dI v)); that the origin of the frame moves with the masses does not matter,
// as the force does not depend on it.

#include "lanes/lanes.h"

#include "derive/regressor.h"
#include "dynamics/spatial.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/plan.h"
#include "model/work.h"

void LANE(bodyAccelerations)(const mjModel* m, const mjData* d, const V* qacc, int moving, V* acc) {
  const V *cdof = CLANES(d->cdof), *cdofdot = CLANES(d->cdof_dot);
  zeroN(acc, 6);
  int gravity = moving && !mjDISABLED(mjDSBL_GRAVITY);
  for (int k = 0; k < 3 && gravity; k++) acc[3 + k] = v_num(-OPT(gravity)[k]);
  for (int b = 1; b < m->nbody; b++) {
    V* to = acc + 6 * b;
    copyN(to, acc + 6 * m->body_parentid[b], 6);
    for (int k = m->body_dofadr[b]; k < m->body_dofadr[b] + m->body_dofnum[b]; k++) {
      for (int r = 0; r < 6; r++) {
        to[r] = to[r] + cdof[6 * k + r] * qacc[k];
        if (moving) to[r] = to[r] + cdofdot[6 * k + r] * CLANES(d->qvel)[k];
      }
    }
  }
}

// column += what a wrench on a body needs of each dof that moves it
static void addWrench(const mjModel* m, const mjData* d, int b, const V* wrench, lane_t scale, V* column) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[b];
  for (int c = 0; c < plan->chain_num[b]; c++) {
    int i = chain[c];
    column[i] = column[i] + scale * dot6(CLANES(d->cdof) + 6 * i, wrench);
  }
}

// inertia of a mass and of its offset from the origin, and how it moves: the change by an offset
static void pointInertia(N mass, const V* r, V* I) {
  V square = dot3(r, r);
  I[0] = mass * (square - r[0] * r[0]);
  I[1] = mass * (square - r[1] * r[1]);
  I[2] = mass * (square - r[2] * r[2]);
  I[3] = -(mass * r[0] * r[1]);
  I[4] = -(mass * r[0] * r[2]);
  I[5] = -(mass * r[1] * r[2]);
  for (int k = 0; k < 3; k++) I[6 + k] = mass * r[k];
  I[9] = v_num(mass);
}

static void movedInertia(N mass, const V* r, const V* dr, V* I) {
  V square = 2.0 * dot3(r, dr);
  for (int k = 0; k < 3; k++) I[k] = mass * (square - 2.0 * r[k] * dr[k]);
  I[3] = -(mass * (r[0] * dr[1] + dr[0] * r[1]));
  I[4] = -(mass * (r[0] * dr[2] + dr[0] * r[2]));
  I[5] = -(mass * (r[1] * dr[2] + dr[1] * r[2]));
  for (int k = 0; k < 3; k++) I[6 + k] = mass * dr[k];
  I[9] = v_zero();
}

// change of a body's inertia by a number
static void inertiaSlope(const mjModel* m, const mjData* d, const mjiColumn* c, int b, V* I) {
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[b];
  V r[3], axis[3];
  for (int k = 0; k < 3; k++) r[k] = CLANES(d->xipos)[3 * b + k] - com[k];
  int k = c->index % 3;
  switch (c->number) {
    case mjiNUM_body_mass: pointInertia(n_set1(1), r, I); break;
    case mjiNUM_body_ipos:
      for (int i = 0; i < 3; i++) axis[i] = CLANES(d->xmat)[9 * b + 3 * i + k];
      movedInertia(NUM(body_mass)[b], r, axis, I);
      break;
    default:  // body_inertia
      for (int i = 0; i < 3; i++) axis[i] = CLANES(d->ximat)[9 * b + 3 * i + k];
      for (int i = 0; i < 3; i++) I[i] = axis[i] * axis[i];
      I[3] = axis[0] * axis[1];
      I[4] = axis[0] * axis[2];
      I[5] = axis[1] * axis[2];
      zeroN(I + 6, 4);
      break;
  }
}

// the force that holds a body against gravity acts at its center of mass
static void addCompensation(const mjModel* m, mjData* d, int b, const V* force, const V* dr, V* column) {
  V wrench[6];
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[b];
  V arm[3];
  for (int k = 0; k < 3; k++) {
    arm[k] = CLANES(d->xipos)[3 * b + k] - com[k];
    wrench[3 + k] = force[k];
    if (dr) arm[k] = dr[k], wrench[3 + k] = v_zero();
  }
  cross3(wrench, arm, force);
  addWrench(m, d, b, wrench, -1, column);
}

static int compensates(const mjModel* m) {
  int passive = !mjDISABLED(mjDSBL_SPRING) || !mjDISABLED(mjDSBL_DAMPER);
  return passive && !mjDISABLED(mjDSBL_GRAVITY);
}

static void compensationByInertia(const mjModel* m, mjData* d, const mjiColumn* c, int b, V* column) {
  if (!compensates(m) || m->body_gravcomp[b] == 0 || c->number == mjiNUM_body_inertia) return;
  V force[3], axis[3];
  int moves = c->number == mjiNUM_body_ipos;
  N share = NUM(body_gravcomp)[b] * (moves ? NUM(body_mass)[b] : n_set1(1));
  for (int k = 0; k < 3; k++) force[k] = v_num(-OPT(gravity)[k] * share);
  for (int i = 0; i < 3; i++) axis[i] = CLANES(d->xmat)[9 * b + 3 * i + c->index % 3];
  addCompensation(m, d, b, force, moves ? axis : NULL, column);
}

// ---- gravity

static void byGravity(const mjModel* m, mjData* d, int axis, V* column) {
  if (mjDISABLED(mjDSBL_GRAVITY)) return;
  for (int b = 1; b < m->nbody; b++) {
    V acc[6], wrench[6], force[3];
    zeroN(acc, 6);
    acc[3 + axis] = v_set1(-1);
    mulInert(wrench, CLANES(d->cinert) + 10 * b, acc);
    addWrench(m, d, b, wrench, 1, column);
    if (!compensates(m) || m->body_gravcomp[b] == 0) continue;
    zeroN(force, 3);
    force[axis] = v_num(-(NUM(body_gravcomp)[b] * NUM(body_mass)[b]));
    addCompensation(m, d, b, force, NULL, column);
  }
}

static void byShare(const mjModel* m, mjData* d, int b, V* column) {
  if (!compensates(m)) return;
  V force[3];
  for (int k = 0; k < 3; k++) force[k] = v_num(-OPT(gravity)[k] * NUM(body_mass)[b]);
  addCompensation(m, d, b, force, NULL, column);
}

// `motion` are accelerations of bodies; without velocities and gravity in them, M a alone is differentiated
static void addInertial(const mjModel* m, mjData* d, const mjiColumn* c, int moving, const V* motion, V* column) {
  int b = c->number == mjiNUM_body_mass ? c->index : c->index / 3;
  V I[10], wrench[6], momentum[6], turn[6];
  inertiaSlope(m, d, c, b, I);
  mulInert(wrench, I, motion + 6 * b);
  if (moving) {
    const V* vel = CLANES(d->cvel) + 6 * b;
    mulInert(momentum, I, vel);
    crossForce(turn, vel, momentum);
    for (int k = 0; k < 6; k++) wrench[k] = wrench[k] + turn[k];
    compensationByInertia(m, d, c, b, column);
  }
  addWrench(m, d, b, wrench, 1, column);
}

void LANE(inertialByParameter)(const mjModel* m, mjData* d, const mjiColumn* c, const V* motion, V* column) {
  switch (c->number) {
    case mjiNUM_opt_gravity: byGravity(m, d, c->index, column); break;
    case mjiNUM_body_gravcomp: byShare(m, d, c->index, column); break;
    default: addInertial(m, d, c, 1, motion, column); break;
  }
}

void LANE(inertiaByParameter)(const mjModel* m, mjData* d, const mjiColumn* c, const V* motion, V* column) {
  addInertial(m, d, c, 0, motion, column);
}
