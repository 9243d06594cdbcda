// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative of the residual of inverse dynamics by position, at given accelerations, put together from the formulas
// of its forces. Differences of positions are for the matrix of an integrator that has none (shift_slope.c).

#include "lanes/lanes.h"

#include <sheaf/batch.h>

#include "derive/bend.h"
#include "derive/contact_slope.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "solve/primal.h"

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

void LANE(residualByPosition)(const mjModel* m, mjData* d, int actuation, const V* jar, const char* wanted,
                              int* fallback, V* column) {
  size_t top = mji_stackTop(d);
  V* force = LANES(mji_stackNum(d, (size_t)d->nefc));
  LANE(penalty)(m, d, jar, force);
  zeroN(column, (int)(m->nv * m->nv));
  LANE(inertialByPosition)(m, d, CLANES(d->qacc), MJI_INERTIAL_ALL, n_set1(1), column);
  LANE(armatureByPosition)(m, d, CLANES(d->qacc), 1, column);
  M differed = LANE(forcesByPosition)(m, d, actuation, jar, force, column);
  LANE(bodyForcesByPosition)(m, d, actuation, column);
  differed |= LANE(contactsByPosition)(m, d, jar, force, wanted, column);
  tellFallback(fallback, differed, SHEAF_FALLBACK_GEOMETRY);
  mji_stackBack(d, top);

  // last, because the rows are made again
  if (actuation && LANE(addForcesByCode)(m, d, 0, (int)m->nv, wanted, -1, column)) {
    tellFallback(fallback, m_full(), SHEAF_FALLBACK_FORCE);
  }
  if (LANE(termsByPosition)(m, d, wanted, column)) tellFallback(fallback, m_full(), SHEAF_FALLBACK_FORCE);
}
