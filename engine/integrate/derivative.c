// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative of the smooth forces by velocity: actuators, dampers, fluid, bias forces.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "actuate/actuate.h"
#include "dynamics/flex.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_row.h"
#include "integrate/derivative.h"
#include "integrate/integrate.h"
#include "model/number.h"
#include "model/work.h"

void LANE(derivAddRow)(const mjModel* m, mjData* d, int n, const int* col, const V* row, V factor) {
  V* deriv = LANES(d->qDeriv);
  for (int r = 0; r < n; r++) {
    const int* colind = m->D_colind + m->D_rowadr[col[r]];
    V* out = deriv + m->D_rowadr[col[r]];
    V scale = factor * row[r];
    int nnz = m->D_rownnz[col[r]];

    // both lists of columns ascend
    for (int k = 0, c = 0; k < nnz && c < n;) {
      if (colind[k] < col[c]) k++;
      else if (colind[k] > col[c]) c++;
      else out[k++] += scale * row[c++];
    }
  }
}

static V muscleGainVel(const mjModel* m, const mjData* d, int i) {
  V res = v_zero();
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    const mjModel* one = LANE_MODEL(lane);
    v_put(&res, lane,
          mji_muscle_gainVel(v_get(CLANES(d->actuator_length)[i], lane), v_get(CLANES(d->actuator_velocity)[i], lane),
                             one->actuator_lengthrange + 2 * i, one->actuator_acc0[i],
                             one->actuator_gainprm + mjNGAIN * i));
  }
  return res;
}

// Is a force that was limited to a range at one of its ends? Scaling the forces on a tendon changes their last bits, so
// the comparison allows for rounding.
static M atLimit(V force, const N range[2]) {
  V low = v_num(range[0]), high = v_num(range[1]);
  return v_le(force, low + 1e-12 * v_abs(low)) | v_le(high - 1e-12 * v_abs(high), force);
}

V LANE(forceByVelocity)(const mjModel* m, const mjData* d, int i, V input) {
  V slope = v_zero(), gain;
  if (m->actuator_biastype[i] == mjBIAS_AFFINE) slope = v_num(NUM(actuator_biasprm)[mjNBIAS * i + 2]);

  if (m->actuator_gaintype[i] == mjGAIN_AFFINE) gain = v_num(NUM(actuator_gainprm)[mjNGAIN * i + 2]);
  else if (m->actuator_gaintype[i] == mjGAIN_MUSCLE) gain = muscleGainVel(m, d, i);
  else return slope;
  return slope + gain * input;
}

// states in which the force on a tendon is at its limit
static M tendonAtLimit(const mjModel* m, const mjData* d, int tendon) {
  V total = v_zero();
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] != mjTRN_TENDON || m->actuator_trnid[2 * i] != tendon) continue;
    total = total + CLANES(d->actuator_force)[i];
  }
  return atLimit(total, NUM(tendon_actfrcrange) + 2 * tendon);
}

M LANE(actuatorHeld)(const mjModel* m, const mjData* d, int i) {
  M held = m_none();
  if (m->actuator_forcelimited[i]) held = atLimit(CLANES(d->actuator_force)[i], NUM(actuator_forcerange) + 2 * i);
  int tendon = m->actuator_trntype[i] == mjTRN_TENDON ? m->actuator_trnid[2 * i] : -1;
  if (tendon >= 0 && m->tendon_actfrclimited[tendon]) held |= tendonAtLimit(m, d, tendon);
  return held;
}

int LANE(actuatorDamps)(const mjModel* m, int i) {
  return (m->actuator_biastype[i] == mjBIAS_AFFINE && m->actuator_biasprm[mjNBIAS * i + 2]) ||
         (m->actuator_gaintype[i] == mjGAIN_AFFINE && m->actuator_gainprm[mjNGAIN * i + 2]) ||
         m->actuator_gaintype[i] == mjGAIN_MUSCLE;
}

M LANE(jointHeld)(const mjModel* m, const mjData* d, int j) {
  if (!m->jnt_actfrclimited[j]) return m_none();
  return atLimit(CLANES(d->qfrc_actuator)[m->jnt_dofadr[j]], NUM(jnt_actfrcrange) + 2 * j);
}

// a joint whose actuator force is at its limit has the same force at any velocity
static void holdJoints(const mjModel* m, mjData* d) {
  for (int j = 0; j < m->njnt; j++) {
    if (!m->jnt_actfrclimited[j]) continue;
    int dof = m->jnt_dofadr[j];
    M held = LANE(jointHeld)(m, d, j);
    V* row = LANES(d->qDeriv) + m->D_rowadr[dof];
    for (int k = 0; k < m->D_rownnz[dof]; k++) row[k] = v_and(~held, row[k]);
  }
}

static void addActuators(const mjModel* m, mjData* d) {
  if (!m->nu || mjDISABLED(mjDSBL_ACTUATION)) return;
  size_t top = mji_stackTop(d);
  V* input = LANES(mji_stackNum(d, m->nu));
  LANE(actuatorInputs)(m, d, input);
  for (int i = 0; i < m->nu; i++) {
    if (!LANE(actuatorDamps)(m, i) || mji_actuator_disabled(m, i)) continue;
    V slope = v_and(~LANE(actuatorHeld)(m, d, i), LANE(forceByVelocity)(m, d, i, input[i]));
    int adr = d->moment_rowadr[i];
    LANE(derivAddRow)(m, d, d->moment_rownnz[i], d->moment_colind + adr, CLANES(d->actuator_moment) + adr, slope);
  }
  mji_stackBack(d, top);
  holdJoints(m, d);
}

static void addDampers(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    V* diag = LANES(d->qDeriv) + m->D_rowadr[i] + m->D_diag[i];
    *diag = *diag - NUM(dof_damping)[i];
  }
}

static void addTendonDampers(const mjModel* m, mjData* d) {
  mj_markStack(d);
  int* col = mj_stackAllocInt(d, (size_t)m->nv);
  V* arm = LANES(mji_stackNum(d, (size_t)m->nv));
  for (int t = 0; t < m->ntendon; t++) {
    if (!m->tendon_damping[t]) continue;
    TendonRow row = tendonRow(m, d, t);
    int n = tendonArms(m, &row, col, arm);
    LANE(derivAddRow)(m, d, n, col, arm, v_num(-NUM(tendon_damping)[t]));
  }
  mj_freeStack(d);
}

static void addFlexDampers(const mjModel* m, mjData* d) {
  mj_markStack(d);
  V* arm = LANES(mji_stackNum(d, (size_t)m->nv));
  for (int f = 0; f < m->nflex; f++) {
    if (!mji_flexHasEdges(m, f) || m->flex_edgedamping[f] == 0) continue;
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      if (m->flexedge_rigid[e]) continue;
      FlexEdgeRow row = flexEdgeRow(m, d, e);
      for (int i = 0; i < row.n; i++) arm[i] = flexEdgeEntry(&row, i);
      LANE(derivAddRow)(m, d, row.n, row.col, arm, v_set1(-m->flex_edgedamping[f]));
    }
  }
  mj_freeStack(d);
}

void LANE(smoothVel)(const mjModel* m, mjData* d, int flg_bias) {
  zeroN(LANES(d->qDeriv), m->nD);
  addActuators(m, d);

  // as passive forces, the medium acts unless both springs and dampers are disabled
  int passive = !mjDISABLED(mjDSBL_SPRING) || !mjDISABLED(mjDSBL_DAMPER);
  if (passive && (m->opt.density > 0 || m->opt.viscosity > 0)) LANE(derivFluid)(m, d, 0);
  if (!mjDISABLED(mjDSBL_DAMPER)) {
    addDampers(m, d);
    addTendonDampers(m, d);
    if (m->nflex) addFlexDampers(m, d);
  }
  if (flg_bias) LANE(derivBias)(m, d);
}
