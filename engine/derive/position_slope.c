// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative of the residual of inverse dynamics by position, at given accelerations: formulas where the model has
// nothing else, or differences, one position after the other. They solve nothing, so they are as smooth as contacts and
// springs are.

#include "lanes/lanes.h"

#include <sheaf/batch.h>

#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "integrate/integrate.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/work.h"
#include "pipeline/pipeline.h"

// turn a quaternion about one of its own axes
static void turn(V* quat, int axis, lane_t eps) {
  V step[4] = {v_set1(cos(0.5 * eps)), v_zero(), v_zero(), v_zero()};
  step[1 + axis] = v_set1(sin(0.5 * eps));
  mulQuatV(quat, quat, step);
}

void LANE(nudgePosition)(const mjModel* m, mjData* d, int dof, lane_t eps) {
  int j = m->dof_jntid[dof], axis = dof - m->jnt_dofadr[j];
  V* q = LANES(d->qpos) + m->jnt_qposadr[j];
  switch ((mjtJoint)m->jnt_type[j]) {
    case mjJNT_FREE:
      if (axis < 3) q[axis] = q[axis] + eps;
      else turn(q + 3, axis - 3, eps);
      break;
    case mjJNT_BALL: turn(q, axis, eps); break;
    case mjJNT_SLIDE:
    case mjJNT_HINGE: q[0] = q[0] + eps; break;
  }
}

// ---- differences

// to += scale * (implicit matrix * moved - M * qacc)
static void addShift(const mjModel* m, mjData* d, const V* moved, lane_t scale, V* to) {
  size_t top = mji_stackTop(d);
  mjtNum *left = mji_stackNum(d, (size_t)m->nv), *right = mji_stackNum(d, (size_t)m->nv);
  LANE(mulImplicit)(m, d, left, (const mjtNum*)moved);
  LANE(mulM)(m, d, right, d->qacc);
  for (int i = 0; i < m->nv; i++) to[i] = to[i] + scale * (LANES(left)[i] - LANES(right)[i]);
  mji_stackBack(d, top);
}

static void byDifferences(const mjModel* m, mjData* d, int actuation, V* column, const V* moved, V* shift) {
  int nq = (int)m->nq, nv = (int)m->nv;
  mj_markStack(d);
  V* start = LANES(mji_stackNum(d, (size_t)nq));
  copyN(start, CLANES(d->qpos), nq);
  zeroN(column, nv * nv);
  if (shift) zeroN(shift, nv * nv);
  for (int k = 0; k < nv; k++, column += nv) {
    for (lane_t side = -1; side <= 1; side += 2) {
      lane_t scale = side / (2 * kNudge);
      LANE(nudgePosition)(m, d, k, side * kNudge);
      LANE(invPosition)(m, d, 0);
      LANE(fwdVelocity)(m, d, 0);
      if (actuation || shift) LANE(fwdActuation)(m, d);
      LANE(invForces)(m, d, 0);
      for (int i = 0; i < nv; i++) {
        V force = CLANES(d->qfrc_inverse)[i];
        if (actuation) force = force - CLANES(d->qfrc_actuator)[i];
        column[i] = column[i] + scale * force;
      }
      if (shift) {
        LANE(makeM)(m, d);
        addShift(m, d, moved, scale, shift + (size_t)k * nv);
      }
      copyN(LANES(d->qpos), start, nq);
    }
  }
  mj_freeStack(d);
}

// ---- formulas

static int isStraight(int type) { return type == mjJNT_SLIDE || type == mjJNT_HINGE; }

// a tendon whose moment arms do not change
static int isFixed(const mjModel* m, int tendon) {
  int adr = m->tendon_adr[tendon];
  return !m->tendon_num[tendon] || m->wrap_type[adr] == mjWRAP_JOINT;
}

static int jointsHaveFormulas(const mjModel* m) {
  for (int j = 0; j < m->njnt; j++) {
    if (isStraight(m->jnt_type[j])) continue;
    if (m->jnt_stiffness[j] || (m->jnt_type[j] == mjJNT_BALL && m->jnt_limited[j])) return 0;
  }
  return 1;
}

static int tendonsHaveFormulas(const mjModel* m) {
  for (int t = 0; t < m->ntendon; t++) {
    int acts = m->tendon_stiffness[t] || m->tendon_damping[t] || m->tendon_limited[t] || m->tendon_frictionloss[t] > 0;
    if (acts && !isFixed(m, t)) return 0;
  }
  return 1;
}

// moment arms that do not change in the frame of the joint, and forces that follow no rotation
static int actuatorHasFormula(const mjModel* m, int i) {
  int id = m->actuator_trnid[2 * i];
  switch ((mjtTrn)m->actuator_trntype[i]) {
    case mjTRN_JOINT: return isStraight(m->jnt_type[id]) || !LANE(actuatorStretches)(m, i);
    case mjTRN_JOINTINPARENT: return isStraight(m->jnt_type[id]);
    case mjTRN_TENDON: return isFixed(m, id);
    default: return 0;
  }
}

static int equalitiesHaveFormulas(const mjModel* m) {
  for (int i = 0; i < m->neq; i++) {
    int tendons = m->eq_type[i] == mjEQ_TENDON, second = m->eq_obj2id[i];
    if (!tendons && m->eq_type[i] != mjEQ_JOINT) return 0;
    if (tendons && (!isFixed(m, m->eq_obj1id[i]) || (second >= 0 && !isFixed(m, second)))) return 0;
  }
  return 1;
}

int LANE(hasFormulas)(const mjModel* m, int actuation) {
  int fluid = m->opt.density > 0 || m->opt.viscosity > 0;
  if (m->ngravcomp || fluid) return 0;
  if (!jointsHaveFormulas(m) || !tendonsHaveFormulas(m) || !equalitiesHaveFormulas(m)) return 0;
  for (int i = 0; i < m->nu; i++) {
    if (actuation && !actuatorHasFormula(m, i)) return 0;
  }
  return 1;
}

// the shift of Euler, (M + h damping) moved - M qacc: M times the difference
static void eulerShift(const mjModel* m, mjData* d, const V* moved, V* shift) {
  size_t top = mji_stackTop(d);
  int nv = (int)m->nv;
  V* difference = LANES(mji_stackNum(d, (size_t)nv));
  for (int i = 0; i < nv; i++) difference[i] = moved[i] - CLANES(d->qacc)[i];
  LANE(inertialByPosition)(m, d, difference, 0, shift);
  mji_stackBack(d, top);
}

int LANE(residualByPosition)(const mjModel* m, mjData* d, int actuation, const V* jar, V* column, const V* moved,
                             V* shift) {
  int nn = (int)(m->nv * m->nv);
  if (!LANE(hasFormulas)(m, actuation) || (shift && LANE(shiftDepends)(m))) {
    byDifferences(m, d, actuation, column, moved, shift);
    return SHEAF_FALLBACK_POSITION | (shift ? SHEAF_FALLBACK_INTEGRATOR : 0);
  }
  zeroN(column, nn);
  LANE(inertialByPosition)(m, d, CLANES(d->qacc), 1, column);
  LANE(forcesByPosition)(m, d, actuation, jar, column);
  LANE(contactsByPosition)(m, d, jar, column);
  if (!shift) return 0;

  // the other parts of the matrix do not change with positions
  zeroN(shift, nn);
  eulerShift(m, d, moved, shift);
  return 0;
}

// may the implicit matrix change with velocities, activations or controls?
int LANE(shiftDepends)(const mjModel* m) {
  if (m->opt.integrator == mjINT_IMPLICIT) return 1;
  if (m->opt.integrator != mjINT_IMPLICITFAST) return 0;
  if (m->opt.density > 0 || m->opt.viscosity > 0) return 1;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_gaintype[i] == mjGAIN_MUSCLE) return 1;
    if (m->actuator_gaintype[i] == mjGAIN_AFFINE && m->actuator_gainprm[mjNGAIN * i + 2]) return 1;
  }
  return 0;
}

void LANE(shiftByRest)(const mjModel* m, mjData* d, int ncol, const V* moved, V* shift) {
  int nv = (int)m->nv, na = (int)m->na;
  zeroN(shift, (ncol - nv) * nv);
  for (int c = nv; c < ncol; c++, shift += nv) {
    V* input = c < 2 * nv        ? LANES(d->qvel) + c - nv
               : c < 2 * nv + na ? LANES(d->act) + c - 2 * nv
                                 : LANES(d->ctrl) + c - 2 * nv - na;
    V start = *input;
    for (lane_t side = -1; side <= 1; side += 2) {
      *input = start + side * kNudge;
      if (c < 2 * nv) LANE(fwdVelocity)(m, d, 0);
      LANE(fwdActuation)(m, d);
      addShift(m, d, moved, side / (2 * kNudge), shift);
    }
    *input = start;
    if (c == 2 * nv - 1) LANE(fwdVelocity)(m, d, 0);
  }
  LANE(fwdVelocity)(m, d, 0);
  LANE(fwdActuation)(m, d);
}
