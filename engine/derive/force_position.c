// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative by position of the forces of springs, actuators, limits and equalities, as the lengths that they follow
// change. How the moment arms of tendons bend is in tendon_slope.c, those of connect and weld in join_slope.c.

#include "lanes/lanes.h"

#include "actuate/actuate.h"
#include "constraint/block_lanes.h"
#include "constraint/spring_lanes.h"
#include "derive/actuator_limit.h"
#include "derive/bend.h"
#include "derive/slopes.h"
#include "derive/turn_map.h"
#include "dynamics/passive.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_row.h"
#include "integrate/derivative.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/row_class.h"
#include "model/work.h"

// ---- springs

// the rotation vector from the rest of a ball's spring follows turns
static void addTurnSpring(const mjModel* m, mjData* d, int j, V* column) {
  size_t nv = (size_t)m->nv, first = (size_t)m->jnt_dofadr[j];
  int free = m->jnt_type[j] == mjJNT_FREE;
  V stiffness = v_num(NUM(jnt_stiffness)[j]), dif[6], slope[9];
  LANE(springDeflection)(m, d, j, dif);
  for (size_t i = 0; free && i < 3; i++, first++) {
    column[first * nv + first] = column[first * nv + first] + stiffness;
  }
  logSlope(dif + (free ? 3 : 0), slope);
  for (size_t k = 0; k < 3; k++) {
    V* to = column + (first + k) * nv + first;
    for (size_t i = 0; i < 3; i++) to[i] = to[i] + stiffness * slope[3 * i + k];
  }
}

static void addSprings(const mjModel* m, mjData* d, V* column) {
  size_t nv = (size_t)m->nv;
  if (mjDISABLED(mjDSBL_SPRING)) return;
  for (int j = 0; j < m->njnt; j++) {
    if (!m->jnt_stiffness[j]) continue;
    if (m->jnt_type[j] == mjJNT_FREE || m->jnt_type[j] == mjJNT_BALL) {
      addTurnSpring(m, d, j, column);
      continue;
    }
    size_t i = (size_t)m->jnt_dofadr[j];
    column[i * nv + i] = column[i * nv + i] + NUM(jnt_stiffness)[j];
  }
  for (int t = 0; t < m->ntendon; t++) {
    if (!m->tendon_stiffness[t]) continue;
    const N* slack = NUM(tendon_lengthspring) + 2 * t;
    V length = CLANES(d->ten_length)[t];
    M tense = v_lt(length, v_num(slack[0])) | v_gt(length, v_num(slack[1]));
    LANE(addAlongTendon)(m, d, t, v_and(tense, v_num(NUM(tendon_stiffness)[t])), column);
  }
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

// the force follows the length, and the velocity as moment arms bend; the arms themselves carry it along
static M addActuator(const mjModel* m, mjData* d, int i, V input, V* column) {
  size_t nv = (size_t)m->nv;
  LANE(Bend) b;
  V* by;
  M differed = LANE(transmissionBend)(m, d, i, &b, &by);
  V stretch = LANE(actuatorStretches)(m, i) ? LANE(slopeInLimits)(m, d, i, forceByLength(m, d, i, input)) : v_zero();
  if (!by) {
    int adr = d->moment_rowadr[i];
    for (int k = adr; LANE(actuatorStretches)(m, i) && k < adr + d->moment_rownnz[i]; k++) {
      V slope = stretch * CLANES(d->actuator_moment)[k];
      LANE(addMoment)(m, d, i, -slope, column + (size_t)d->moment_colind[k] * nv);
    }
    return differed;
  }
  V damp = LANE(actuatorDamps)(m, i) ? LANE(slopeInLimits)(m, d, i, LANE(forceByVelocity)(m, d, i, input)) : v_zero();
  V* velocity = LANES(mji_stackNum(d, (size_t)b.n));
  LANE(bendTimes)(&b, CLANES(d->qvel), velocity);
  for (int k = 0; k < b.n; k++) {
    LANE(addMoment)(m, d, i, -(stretch * by[k] + damp * velocity[k]), column + (size_t)b.col[k] * nv);
  }
  LANE(addBend)(m, d, &b, -CLANES(d->actuator_force)[i], 1, column);
  return differed;
}

static M addActuators(const mjModel* m, mjData* d, V* column) {
  M differed = m_none();
  if (!m->nu || mjDISABLED(mjDSBL_ACTUATION)) return differed;
  mj_markStack(d);
  V* input = LANES(mji_stackNum(d, (size_t)m->nu));
  LANE(actuatorInputs)(m, d, input);
  for (int i = 0; i < m->nu; i++) {
    if (mji_actuator_disabled(m, i)) continue;
    mj_markStack(d);
    differed |= addActuator(m, d, i, input[i], column);
    mj_freeStack(d);
  }
  mj_freeStack(d);
  return differed;
}

// ---- limits: the row moves its distance by as much as it moves along itself

// The row of a ball's limit is minus the axis n of its turn by an angle x, and a turn w changes the axis by
//   dn = n x w / 2 + cot(x/2) / 2 (1 - n n') w
static void addTurningAxis(const mjModel* m, const mjData* d, const mjiBlock* b, const V* jar, V weight, V* column) {
  size_t nv = (size_t)m->nv;
  const V* J = CLANES(b->J);
  const N* range = NUM(jnt_range) + 2 * b->id;
  V angle = n_max(range[0], range[1]) - CLANES(d->efc_pos)[b->efcadr];
  M none = v_lt(angle, v_set1(mjMINVAL));
  V cot = v_and(~none, halfCot(angle * angle) / v_sel(none, v_set1(1), angle)), force = -weight * jar[b->efcadr];
  for (int k = 0; k < 3; k++) {
    int next = (k + 1) % 3, last = (k + 2) % 3;
    V turn[3], along = v_zero();
    for (int i = 0; i < 3; i++) turn[i] = cot * (J[i] * J[k] - (i == k ? v_set1(1) : v_zero()));
    turn[next] = turn[next] + 0.5 * J[last];
    turn[last] = turn[last] - 0.5 * J[next];
    V* to = column + (size_t)b->col[k] * nv;
    for (int i = 0; i < 3; i++) {
      int dof = b->col[i];
      along = along + turn[i] * (CLANES(d->qacc)[dof] + dampingOf(b, 0) * CLANES(d->qvel)[dof]);
    }
    for (int i = 0; i < 3; i++) to[b->col[i]] = to[b->col[i]] + (weight * along * J[i] - force * turn[i]);
  }
}

static void addLimit(const mjModel* m, mjData* d, const mjiBlock* b, const V* jar, V* column) {
  int joint = b->type == mjCNSTR_LIMIT_JOINT;
  size_t nv = (size_t)m->nv;
  V slope, weight;
  LANE(blockSlope)(m, d, b, jar, &weight);
  if (!m_any(~v_eq(weight, v_zero()))) return;
  Spring spring;
  initSpring(m, d, (joint ? NUM(jnt_solref) : NUM(tendon_solref_lim)) + mjNREF * b->id,
             (joint ? NUM(jnt_solimp) : NUM(tendon_solimp_lim)) + mjNIMP * b->id, &spring);
  V x = CLANES(d->efc_pos)[b->efcadr] - CLANES(d->efc_margin)[b->efcadr];
  V imp = impedance(&spring, x, &slope);
  V bias = spring.K * (slope * x + imp);
  V change = weight * bias + weight * jar[b->efcadr] * (slope / (imp * (1.0 - imp)));
  const V* J = CLANES(b->J);
  if (joint && m->jnt_type[b->id] == mjJNT_BALL) addTurningAxis(m, d, b, jar, weight, column);
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
  initSpring(m, d, NUM(eq_solref) + mjNREF * b->id, NUM(eq_solimp) + mjNIMP * b->id, &spring);
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

M LANE(forcesByPosition)(const mjModel* m, mjData* d, int actuation, const V* jar, const V* force, V* column) {
  addSprings(m, d, column);
  M differed = actuation ? addActuators(m, d, column) : m_none();
  const mjiWork* w = mji_work(d);
  for (int k = 0; k < w->nblock; k++) {
    if (mji_isLimit(w->block[k].type)) addLimit(m, d, w->block + k, jar, column);
    if (w->block[k].type != mjCNSTR_EQUALITY || LANE(isOfFlex)(m, d, w->block + k)) continue;
    int type = m->eq_type[w->block[k].id];
    if (type == mjEQ_JOINT || type == mjEQ_TENDON) addEquality(m, d, w->block + k, jar, column);
    else LANE(joinByPosition)(m, d, w->block + k, force, column);
  }
  return differed | LANE(bentTendonsByPosition)(m, d, actuation, jar, force, column);
}
