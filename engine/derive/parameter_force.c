// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative of the residual of inverse dynamics by numbers of springs, dampers, armature and actuators, in which
// forces are linear.

#include "lanes/lanes.h"

#include "actuate/actuate.h"
#include "derive/actuator_limit.h"
#include "derive/regressor.h"
#include "derive/slopes.h"
#include "dynamics/passive.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_row.h"
#include "integrate/derivative.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/work.h"

static void addTendon(const mjModel* m, const mjData* d, int t, V factor, V* column) {
  TendonRow row = tendonRow(m, d, t);
  tendonAddTo(m, &row, factor, column);
}

static void byJointStiffness(const mjModel* m, mjData* d, int j, V* column) {
  static const int ndof[] = {6, 3, 1, 1};  // by mjtJoint
  V dif[6];
  LANE(springDeflection)(m, d, j, dif);
  for (int k = 0; k < ndof[m->jnt_type[j]]; k++) {
    V* to = column + m->jnt_dofadr[j] + k;
    *to = *to + dif[k];
  }
}

// the resting position of a slide, a hinge or the translations of a free joint
static void byRest(const mjModel* m, mjData* d, int index, V* column) {
  for (int j = 0; j < m->njnt; j++) {
    int k = index - m->jnt_qposadr[j];
    if (k < 0 || k >= (m->jnt_type[j] == mjJNT_FREE ? 3 : 1)) continue;
    V* to = column + m->jnt_dofadr[j] + k;
    *to = *to - NUM(jnt_stiffness)[j];
  }
}

static void byTendonStiffness(const mjModel* m, mjData* d, int t, V* column) {
  V length = CLANES(d->ten_length)[t];
  const N* slack = NUM(tendon_lengthspring) + 2 * t;
  V shorter = v_and(v_lt(length, v_num(slack[0])), length - slack[0]);
  addTendon(m, d, t, v_sel(v_gt(length, v_num(slack[1])), length - slack[1], shorter), column);
}

// force = gain * input + bias, with gain and bias c[0] + c[1] length + c[2] velocity
static void byActuator(const mjModel* m, mjData* d, int i, int k, int isfixed, V input, V* column) {
  if (mjDISABLED(mjDSBL_ACTUATION) || mji_actuator_disabled(m, i) || k > 2 || (isfixed && k)) return;
  V slope = input;
  if (k == 1) slope = slope * CLANES(d->actuator_length)[i];
  if (k == 2) slope = slope * CLANES(d->actuator_velocity)[i];
  LANE(addMoment)(m, d, i, -LANE(slopeInLimits)(m, d, i, slope), column);
}

static void byGain(const mjModel* m, mjData* d, int index, const V* input, V* column) {
  int i = index / mjNGAIN;
  byActuator(m, d, i, index % mjNGAIN, m->actuator_gaintype[i] == mjGAIN_FIXED, input[i], column);
}

static void byBias(const mjModel* m, mjData* d, int index, V* column) {
  int i = index / mjNBIAS;
  if (m->actuator_biastype[i] != mjBIAS_NONE) byActuator(m, d, i, index % mjNBIAS, 0, v_set1(1), column);
}

void LANE(forceByParameter)(const mjModel* m, mjData* d, const mjiColumn* c, int actuation, const V* input, V* column) {
  int i = c->index, spring = !mjDISABLED(mjDSBL_SPRING), damper = !mjDISABLED(mjDSBL_DAMPER);
  switch (c->number) {
    case mjiNUM_dof_armature: column[i] = column[i] + CLANES(d->qacc)[i]; break;
    case mjiNUM_dof_damping:
      if (damper) column[i] = column[i] + CLANES(d->qvel)[i];
      break;
    case mjiNUM_jnt_stiffness:
      if (spring) byJointStiffness(m, d, i, column);
      break;
    case mjiNUM_qpos_spring:
      if (spring) byRest(m, d, i, column);
      break;
    case mjiNUM_tendon_stiffness:
      if (spring) byTendonStiffness(m, d, i, column);
      break;
    case mjiNUM_tendon_damping:
      if (damper) addTendon(m, d, i, CLANES(d->ten_velocity)[i], column);
      break;
    case mjiNUM_actuator_gainprm:
      if (actuation) byGain(m, d, i, input, column);
      break;
    case mjiNUM_actuator_biasprm:
      if (actuation) byBias(m, d, i, column);
      break;
    default: break;
  }
}
