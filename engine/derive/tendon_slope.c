// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the bends of spatial tendons add to the derivative of the residual by position. What follows the length of a
// tendon at fixed moment arms is in force_position.c, which treats all tendons alike.
//
// A force f along a row of arms g, of which the tendon's arms are a part with factor c, changes with position through
//   c f dg + g (df/dvelocity c dg'v + df/dacceleration c dg'a)

#include "lanes/lanes.h"

#include "actuate/actuate.h"
#include "constraint/block_lanes.h"
#include "derive/actuator_limit.h"
#include "derive/bend.h"
#include "derive/slopes.h"
#include "dynamics/tendon_length.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_row.h"
#include "integrate/derivative.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/row_class.h"
#include "model/work.h"

void LANE(addAlongTendon)(const mjModel* m, mjData* d, int t, V stiffness, V* column) {
  mj_markStack(d);
  int* col = mj_stackAllocInt(d, (size_t)m->nv);
  V* arm = LANES(mji_stackNum(d, (size_t)m->nv));
  TendonRow row = tendonRow(m, d, t);
  int n = tendonArms(m, &row, col, arm);
  for (int c = 0; c < n; c++) {
    V slope = stiffness * arm[c];
    V* to = column + (size_t)col[c] * (size_t)m->nv;
    for (int r = 0; r < n; r++) to[col[r]] = to[col[r]] + slope * arm[r];
  }
  mj_freeStack(d);
}

typedef struct {
  LANE(Bend) bend;
  V *velocity, *motion;  // (n) changes of the velocity along the tendon, and of motion along it, per dof
  V* scratch;            // (nv)
  V tension;             // sum of passive and constraint forces along the tendon
  M around;              // states in which it goes around a geom
} Tendon;

static void open(const mjModel* m, mjData* d, int t, Tendon* s) {
  s->around = LANE(tendonBend)(m, d, t, &s->bend);
  size_t n = (size_t)s->bend.n;
  s->velocity = LANES(mji_stackNum(d, n));
  s->motion = LANES(mji_stackNum(d, n));
  s->scratch = LANES(mji_stackNum(d, (size_t)m->nv));
  s->tension = v_zero();
  LANE(bendTimes)(&s->bend, CLANES(d->qvel), s->velocity);
}

// ---- springs and dampers

static void addPassive(const mjModel* m, mjData* d, int t, Tendon* s, V* column) {
  if (m->tendon_stiffness[t] && !mjDISABLED(mjDSBL_SPRING)) {
    s->tension = s->tension + LANE(tendonSpringForce)(m, d, t);
  }
  if (!m->tendon_damping[t] || mjDISABLED(mjDSBL_DAMPER)) return;
  N damping = NUM(tendon_damping)[t];
  s->tension = s->tension - damping * CLANES(d->ten_velocity)[t];
  mj_markStack(d);
  int* col = mj_stackAllocInt(d, (size_t)m->nv);
  V* arm = LANES(mji_stackNum(d, (size_t)m->nv));
  TendonRow row = tendonRow(m, d, t);
  int n = tendonArms(m, &row, col, arm);
  for (int i = 0; i < n; i++) arm[i] = damping * arm[i];
  LANE(addArmTimes)(m, &s->bend, n, col, arm, s->velocity, column);
  mj_freeStack(d);
}

// ---- actuators

static void addActuator(const mjModel* m, mjData* d, int i, V input, Tendon* s, V* column) {
  N gear = NUM(actuator_gear)[6 * i];
  LANE(addBend)(m, d, &s->bend, -(gear * CLANES(d->actuator_force)[i]), 1, column);
  if (!LANE(actuatorDamps)(m, i)) return;
  V slope = LANE(slopeInLimits)(m, d, i, LANE(forceByVelocity)(m, d, i, input));
  for (int k = 0; k < s->bend.n; k++) {
    LANE(addMoment)(m, d, i, -(slope * (gear * s->velocity[k])), column + (size_t)s->bend.col[k] * (size_t)m->nv);
  }
}

static void addActuators(const mjModel* m, mjData* d, int t, Tendon* s, V* column) {
  if (!m->nu || mjDISABLED(mjDSBL_ACTUATION)) return;
  size_t top = mji_stackTop(d);
  V* input = LANES(mji_stackNum(d, (size_t)m->nu));
  LANE(actuatorInputs)(m, d, input);
  for (int i = 0; i < m->nu; i++) {
    int pulls = m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_trnid[2 * i] == t;
    if (pulls && !mji_actuator_disabled(m, i)) addActuator(m, d, i, input[i], s, column);
  }
  mji_stackBack(d, top);
}

// ---- constraint rows

// a block of one row, of which the tendon's arms are a part
static void addRow(const mjModel* m, mjData* d, const mjiBlock* b, const V* jar, const V* force, V part, Tendon* s,
                   V* column) {
  V weight;
  LANE(blockSlope)(m, d, b, jar, &weight);
  s->tension = s->tension + part * force[b->efcadr];
  for (int i = 0; i < m->nv; i++) s->scratch[i] = CLANES(d->qacc)[i] + dampingOf(b, 0) * CLANES(d->qvel)[i];
  LANE(bendTimes)(&s->bend, s->scratch, s->motion);
  for (int k = 0; k < s->bend.n; k++) s->motion[k] = weight * (part * s->motion[k]);
  LANE(addArmTimes)(m, &s->bend, b->ncol, b->col, CLANES(b->J), s->motion, column);
}

// of two limits the first is the lower one; one alone says by its distance which it is
static lane_t limitSide(const mjModel* m, const mjData* d, const mjiWork* w, int k, int t) {
  const mjiBlock *b = w->block + k, *before = b - 1, *after = b + 1;
  if (k && before->type == b->type && before->id == t) return -1;
  if (k + 1 < w->nblock && after->type == b->type && after->id == t) return 1;
  V low = CLANES(d->ten_length)[t] - NUM(tendon_range)[2 * t];
  return v_get(low, 0) == v_get(CLANES(d->efc_pos)[b->efcadr], 0) ? 1 : -1;
}

// the part of a tendon in the row of an equality: 1 of the first, minus the slope of the polynomial of the second
static int equalityPart(const mjModel* m, const mjData* d, int eq, int t, V* part) {
  int first = m->eq_obj1id[eq], second = m->eq_obj2id[eq];
  if (m->eq_type[eq] != mjEQ_TENDON || (first != t && second != t)) return 0;
  *part = first == t ? v_set1(1) : v_zero();
  if (second != t) return 1;
  const N* c = NUM(eq_data) + mjNEQDATA * eq;
  V x = CLANES(d->ten_length)[t] - NUM(tendon_length0)[t];
  *part = *part - (c[1] + x * (2 * c[2] + x * (3 * c[3] + x * (4 * c[4]))));
  return 1;
}

static void addRows(const mjModel* m, mjData* d, int t, const V* jar, const V* force, Tendon* s, V* column) {
  const mjiWork* w = mji_work(d);
  for (int k = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    V part = v_set1(1);
    int takes = b->id == t && (b->type == mjCNSTR_FRICTION_TENDON || b->type == mjCNSTR_LIMIT_TENDON);
    if (takes && b->type == mjCNSTR_LIMIT_TENDON) part = v_set1(limitSide(m, d, w, k, t));
    if (b->type == mjCNSTR_EQUALITY) takes = equalityPart(m, d, b->id, t, &part);
    if (takes) addRow(m, d, b, jar, force, part, s, column);
  }
}

M LANE(bentTendonsByPosition)(const mjModel* m, mjData* d, int actuation, const V* jar, const V* force, V* column) {
  M around = m_none();
  for (int t = 0; t < m->ntendon; t++) {
    if (!LANE(tendonBends)(m, t)) continue;
    mj_markStack(d);
    Tendon s;
    open(m, d, t, &s);
    addPassive(m, d, t, &s, column);
    if (actuation) addActuators(m, d, t, &s, column);
    addRows(m, d, t, jar, force, &s, column);
    LANE(addBend)(m, d, &s.bend, -s.tension, 0, column);
    around |= s.around;
    mj_freeStack(d);
  }
  return around;
}
