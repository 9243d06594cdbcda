// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative by position of forces whose moment arms do not change: springs, actuators, limits and equalities of
// slides, hinges and fixed tendons.

#include "lanes/lanes.h"

#include "actuate/actuate.h"
#include "constraint/block_lanes.h"
#include "constraint/spring_lanes.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_row.h"
#include "integrate/derivative.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/row_class.h"
#include "model/work.h"

// ---- springs

static void addSprings(const mjModel* m, mjData* d, V* column) {
  size_t nv = (size_t)m->nv;
  if (mjDISABLED(mjDSBL_SPRING)) return;
  for (int j = 0; j < m->njnt; j++) {
    if (!m->jnt_stiffness[j]) continue;
    size_t i = (size_t)m->jnt_dofadr[j];
    column[i * nv + i] = column[i * nv + i] + NUM(jnt_stiffness)[j];
  }
  mj_markStack(d);
  int* col = mj_stackAllocInt(d, nv);
  V* arm = LANES(mji_stackNum(d, nv));
  for (int t = 0; t < m->ntendon; t++) {
    if (!m->tendon_stiffness[t]) continue;
    TendonRow row = tendonRow(m, d, t);
    int n = tendonArms(m, &row, col, arm);
    const N* slack = NUM(tendon_lengthspring) + 2 * t;
    V length = CLANES(d->ten_length)[t];
    M tense = v_lt(length, v_num(slack[0])) | v_gt(length, v_num(slack[1]));
    V stiffness = v_and(tense, v_num(NUM(tendon_stiffness)[t]));
    for (int c = 0; c < n; c++) {
      V slope = stiffness * arm[c];
      V* to = column + (size_t)col[c] * nv;
      for (int r = 0; r < n; r++) to[col[r]] = to[col[r]] + slope * arm[r];
    }
  }
  mj_freeStack(d);
}

// ---- actuators

int LANE(actuatorStretches)(const mjModel* m, int i) {
  return (m->actuator_biastype[i] == mjBIAS_AFFINE && m->actuator_biasprm[mjNBIAS * i + 1]) ||
         m->actuator_biastype[i] == mjBIAS_MUSCLE || m->actuator_gaintype[i] == mjGAIN_MUSCLE ||
         (m->actuator_gaintype[i] == mjGAIN_AFFINE && m->actuator_gainprm[mjNGAIN * i + 1]);
}

// slopes of a muscle's curves have cases, so they are differences, state by state
static V muscleByLength(const mjModel* m, const mjData* d, int i, V input) {
  V res = v_zero();
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    const mjModel* one = LANE_MODEL(lane);
    const mjtNum *gain = one->actuator_gainprm + mjNGAIN * i, *bias = one->actuator_biasprm + mjNBIAS * i;
    const mjtNum* range = one->actuator_lengthrange + 2 * i;
    lane_t l = v_get(CLANES(d->actuator_length)[i], lane), v = v_get(CLANES(d->actuator_velocity)[i], lane), sum = 0;
    for (lane_t side = -1; side <= 1; side += 2) {
      lane_t at = l + side * kNudge;
      if (m->actuator_gaintype[i] == mjGAIN_MUSCLE) {
        sum += side * mju_muscleGain(at, v, range, one->actuator_acc0[i], gain) * v_get(input, lane);
      }
      if (m->actuator_biastype[i] == mjBIAS_MUSCLE)
        sum += side * mju_muscleBias(at, range, one->actuator_acc0[i], bias);
    }
    v_put(&res, lane, sum / (2 * kNudge));
  }
  return res;
}

static V forceByLength(const mjModel* m, const mjData* d, int i, V input) {
  V slope = v_zero();
  if (m->actuator_gaintype[i] == mjGAIN_MUSCLE || m->actuator_biastype[i] == mjBIAS_MUSCLE) {
    slope = muscleByLength(m, d, i, input);
  }
  if (m->actuator_biastype[i] == mjBIAS_AFFINE) slope = slope + NUM(actuator_biasprm)[mjNBIAS * i + 1];
  if (m->actuator_gaintype[i] == mjGAIN_AFFINE) slope = slope + NUM(actuator_gainprm)[mjNGAIN * i + 1] * input;
  return slope;
}

static void addActuators(const mjModel* m, mjData* d, V* column) {
  if (!m->nu || mjDISABLED(mjDSBL_ACTUATION)) return;
  size_t top = mji_stackTop(d), nv = (size_t)m->nv;
  V* input = LANES(mji_stackNum(d, (size_t)m->nu));
  LANE(actuatorInputs)(m, d, input);
  for (int i = 0; i < m->nu; i++) {
    if (!LANE(actuatorStretches)(m, i) || mji_actuator_disabled(m, i)) continue;
    V slope = v_and(~LANE(actuatorHeld)(m, d, i), forceByLength(m, d, i, input[i]));
    int adr = d->moment_rowadr[i];
    for (int k = adr; k < adr + d->moment_rownnz[i]; k++) {
      LANE(addMoment)(m, d, i, -slope * CLANES(d->actuator_moment)[k], column + (size_t)d->moment_colind[k] * nv);
    }
  }
  mji_stackBack(d, top);
}

// ---- limits: the row moves its distance by as much as it moves along itself

static void addLimit(const mjModel* m, mjData* d, const mjiBlock* b, const V* jar, V* column) {
  int joint = b->type == mjCNSTR_LIMIT_JOINT;
  size_t nv = (size_t)m->nv;
  V slope, weight;
  LANE(blockSlope)(m, d, b, jar, &weight);
  if (!m_any(~v_eq(weight, v_zero()))) return;
  Spring spring;
  initSpring(m, (joint ? NUM(jnt_solref) : NUM(tendon_solref_lim)) + mjNREF * b->id,
             (joint ? NUM(jnt_solimp) : NUM(tendon_solimp_lim)) + mjNIMP * b->id, &spring);
  V x = CLANES(d->efc_pos)[b->efcadr] - CLANES(d->efc_margin)[b->efcadr];
  V imp = impedance(&spring, x, &slope);
  V bias = spring.K * (slope * x + imp);
  V change = weight * bias + weight * jar[b->efcadr] * (slope / (imp * (1.0 - imp)));
  const V* J = CLANES(b->J);
  for (int k = 0; k < b->ncol; k++) {
    V* to = column + (size_t)b->col[k] * nv;
    for (int i = 0; i < b->ncol; i++) to[b->col[i]] = to[b->col[i]] + J[i] * change * J[k];
  }
}

// ---- equalities of joints and fixed tendons: x1 = p(x2), with a row J = g1 - p'(x2) g2

typedef struct {
  V position;  // x2, from its reference
  V* arms;     // (nv) g2; NULL without a second joint or tendon
} Second;

static Second secondOf(const mjModel* m, mjData* d, int eq) {
  Second s = {.position = v_zero()};
  int id = m->eq_obj2id[eq], nv = (int)m->nv;
  if (id < 0) return s;
  s.arms = LANES(mji_stackNum(d, (size_t)nv));
  zeroN(s.arms, nv);
  if (m->eq_type[eq] == mjEQ_JOINT) {
    int adr = m->jnt_qposadr[id];
    s.position = CLANES(d->qpos)[adr] - NUM(qpos0)[adr];
    s.arms[m->jnt_dofadr[id]] = v_set1(1);
    return s;
  }
  s.position = CLANES(d->ten_length)[id] - NUM(tendon_length0)[id];
  TendonRow row = tendonRow(m, d, id);
  for (int k = 0; k < row.n; k++) s.arms[tendonColumn(&row, k)] = row.J[k];
  return s;
}

static V armOf(const Second* s, int dof) {
  if (!s->arms) return v_zero();
  return s->arms[dof];
}

static void addEquality(const mjModel* m, mjData* d, const mjiBlock* b, const V* jar, V* column) {
  size_t nv = (size_t)m->nv, top = mji_stackTop(d);
  Spring spring;
  initSpring(m, NUM(eq_solref) + mjNREF * b->id, NUM(eq_solimp) + mjNIMP * b->id, &spring);
  Second second = secondOf(m, d, b->id);
  const N* c = NUM(eq_data) + mjNEQDATA * b->id;
  V x = second.position, bend = -(2 * c[2] + x * (6 * c[3] + x * (12 * c[4])));  // dJ = bend g2 (g2 dq)
  V weight = CLANES(d->efc_D)[b->efcadr], force = -weight * jar[b->efcadr], pos = CLANES(d->efc_pos)[b->efcadr];
  V slope, imp = impedance(&spring, pos, &slope), motion = v_zero();
  for (size_t i = 0; second.arms && i < nv; i++) {
    motion = motion + second.arms[i] * (CLANES(d->qacc)[i] + dampingOf(b, 0) * CLANES(d->qvel)[i]);
  }
  V along = -weight * (spring.K * (slope * pos + imp)) + force * (slope / (imp * (1.0 - imp)));
  const V* J = CLANES(b->J);
  for (int k = 0; k < b->ncol; k++) {
    V* to = column + (size_t)b->col[k] * nv;
    V turn = bend * armOf(&second, b->col[k]);
    V change = along * J[k] - weight * (turn * motion);
    for (int i = 0; i < b->ncol; i++) {
      V arm = armOf(&second, b->col[i]);
      to[b->col[i]] = to[b->col[i]] - (J[i] * change + turn * arm * force);
    }
  }
  mji_stackBack(d, top);
}

void LANE(forcesByPosition)(const mjModel* m, mjData* d, int actuation, const V* jar, V* column) {
  addSprings(m, d, column);
  if (actuation) addActuators(m, d, column);
  const mjiWork* w = mji_work(d);
  for (int k = 0; k < w->nblock; k++) {
    if (mji_isLimit(w->block[k].type)) addLimit(m, d, w->block + k, jar, column);
    if (w->block[k].type == mjCNSTR_EQUALITY) addEquality(m, d, w->block + k, jar, column);
  }
}
