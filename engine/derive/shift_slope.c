// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How s = P b - M a changes at given accelerations a of the solution and b of the integrator. P = M - h D, where D is
// the derivative of smooth forces by velocity, of which P keeps what lies within trees.
//
// Coriolis and centripetal forces are quadratic in the velocity, C(v, v). So D b = -2 C(v, b), whose derivative by
// velocity is D at the velocity b, and by position that of (C(v + b, v + b) - C(v - b, v - b)) / 2. Dampers of tendons
// and actuators are products g slope g' of moment arms, whose bends are in bend.h. The medium and flexes have no
// formula here: if P has parts of them, the shift is a difference.

#include "lanes/lanes.h"

#include <sheaf/batch.h>

#include "actuate/actuate.h"
#include "base/checkpoint.h"
#include "derive/bend.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_row.h"
#include "integrate/derivative.h"
#include "integrate/integrate.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/work.h"

typedef struct {
  const V* moved;  // b
  V* shift;        // (ncol x nv)
  int ncol;
  const LANE(Slopes)* slopes;  // whose columns are wanted
  const LANE(ActuatorSlopes)* actuator;
  V* input;  // (nu)
} Shift;

// ---- differences

// to += scale * (P b - M a)
static void addShift(const mjModel* m, mjData* d, const V* moved, lane_t scale, V* to) {
  size_t top = mji_stackTop(d);
  mjtNum *left = mji_stackNum(d, (size_t)m->nv), *right = mji_stackNum(d, (size_t)m->nv);
  LANE(mulImplicit)(m, d, left, (const mjtNum*)moved);
  LANE(mulM)(m, d, right, d->qacc);
  for (int i = 0; i < m->nv; i++) to[i] = to[i] + scale * (LANES(left)[i] - LANES(right)[i]);
  mji_stackBack(d, top);
}

static void nudge(const mjModel* m, mjData* d, int c, lane_t eps) {
  int nv = (int)m->nv, na = (int)m->na;
  if (c < nv) LANE(nudgePosition)(m, d, c, eps);
  else if (c < 2 * nv) LANES(d->qvel)[c - nv] = LANES(d->qvel)[c - nv] + eps;
  else if (c < 2 * nv + na) LANES(d->act)[c - 2 * nv] = LANES(d->act)[c - 2 * nv] + eps;
  else LANES(d->ctrl)[c - 2 * nv - na] = LANES(d->ctrl)[c - 2 * nv - na] + eps;
}

static void evaluate(const mjModel* m, mjData* d, int c) {
  if (c < m->nv) LANE(invPosition)(m, d, 0);
  if (c < 2 * m->nv) LANE(fwdVelocity)(m, d, 0);
  LANE(fwdActuation)(m, d);
  if (c < m->nv) LANE(makeM)(m, d);
}

static void byDifferences(const mjModel* m, mjData* d, const Shift* s) {
  int nq = (int)m->nq, nv = (int)m->nv, na = (int)m->na, nu = (int)m->nu, n = nq + nv + na + nu;
  size_t top = mji_stackTop(d);
  V* start = LANES(mji_stackNum(d, (size_t)n));
  V* input[4] = {LANES(d->qpos), LANES(d->qvel), LANES(d->act), LANES(d->ctrl)};
  const int size[4] = {nq, nv, na, nu};
  for (int k = 0, at = 0; k < 4; at += size[k++]) copyN(start + at, input[k], size[k]);
  for (int c = s->ncol - 1; c >= 0; c--) {
    int wanted = mji_columnPlace(s->slopes->column, s->slopes->ncol, c) >= 0;
    mji_checkpoint();
    // positions come last, because they spoil what the others need
    for (lane_t side = -1; side <= 1 && wanted; side += 2) {
      nudge(m, d, c, side * kNudge);
      evaluate(m, d, c);
      addShift(m, d, s->moved, side / (2 * kNudge), s->shift + (size_t)c * (size_t)nv);
      for (int k = 0, at = 0; k < 4; at += size[k++]) copyN(input[k], start + at, size[k]);
    }
    if (c == 2 * nv + na || c == 2 * nv || c == nv) evaluate(m, d, c == nv ? nv : c);
  }
  evaluate(m, d, 0);
  mji_stackBack(d, top);
}

// ---- bias forces

static void biasByVelocity(const mjModel* m, mjData* d, V* shift) {
  N h = OPT(timestep)[0];
  zeroN(LANES(d->qDeriv), m->nD);
  LANE(derivBias)(m, d);
  for (int i = 0; i < m->nv; i++) {
    for (int e = m->D_rowadr[i]; e < m->D_rowadr[i] + m->D_rownnz[i]; e++) {
      V* to = shift + (size_t)m->D_colind[e] * (size_t)m->nv + i;
      *to = *to - h * CLANES(d->qDeriv)[e];
    }
  }
}

// velocities of all bodies at the velocity from + side b
static void moveAlong(const mjModel* m, mjData* d, const V* from, lane_t side, const V* b) {
  for (int i = 0; i < m->nv; i++) LANES(d->qvel)[i] = from[i] + side * b[i];
  LANE(comVel)(m, d);
}

static void addBias(const mjModel* m, mjData* d, const Shift* s) {
  size_t nv = (size_t)m->nv, top = mji_stackTop(d);
  V *qvel = LANES(mji_stackNum(d, nv)), *none = LANES(mji_stackNum(d, nv));
  copyN(qvel, CLANES(d->qvel), (int)nv);
  zeroN(none, (int)nv);
  for (lane_t side = -1; side <= 1; side += 2) {
    moveAlong(m, d, qvel, side, s->moved);
    LANE(inertialByPosition)(m, d, none, MJI_INERTIAL_VELOCITY, side * 0.5 * OPT(timestep)[0], s->shift);
  }
  moveAlong(m, d, none, 1, s->moved);
  biasByVelocity(m, d, s->shift + nv * nv);
  copyN(LANES(d->qvel), qvel, (int)nv);
  LANE(comVel)(m, d);
  mji_stackBack(d, top);
}

// ---- products of moment arms: s_i += factor g_i sum of g_j b_j, over the j of which P has an entry with i

typedef struct {
  int n;
  const int* col;
  const V* arm;
  int actuator;  // rows of joints whose actuator force is at its limit are zero
} Arms;

// "implicitfast" has the pattern of M, and takes both halves from the lower triangle
static int hasEntry(const mjModel* m, int i, int j) {
  if (m->opt.integrator == mjINT_IMPLICITFAST) {
    int row = mjMAX(i, j), col = mjMIN(i, j);
    for (int e = m->M_rowadr[row]; e < m->M_rowadr[row] + m->M_rownnz[row]; e++) {
      if (m->M_colind[e] == col) return 1;
    }
    return 0;
  }
  for (int e = m->D_rowadr[i]; e < m->D_rowadr[i] + m->D_rownnz[i]; e++) {
    if (m->D_colind[e] == j) return 1;
  }
  return 0;
}

static M entryHeld(const mjModel* m, const mjData* d, const Arms* a, int i, int j) {
  int row = m->opt.integrator == mjINT_IMPLICITFAST ? mjMAX(i, j) : i, joint = m->dof_jntid[row];
  if (!a->actuator || m->jnt_dofadr[joint] != row) return m_none();
  return LANE(jointHeld)(m, d, joint);
}

// sum of x_j b_j over the entries of row i, with x at dofs col
static V rowTimes(const mjModel* m, const mjData* d, const Arms* a, int i, int n, const int* col, const V* x,
                  const V* b) {
  V sum = v_zero();
  for (int j = 0; j < n; j++) {
    if (hasEntry(m, i, col[j])) sum = sum + v_and(~entryHeld(m, d, a, i, col[j]), x[j] * b[col[j]]);
  }
  return sum;
}

// columns that scale the product: shift of column k += x_k g_i sum of g_j b_j
static void addProducts(const mjModel* m, mjData* d, const Arms* a, const V* b, int n, const int* col, const V* x,
                        V* shift) {
  for (int r = 0; r < a->n; r++) {
    int i = a->col[r];
    V product = a->arm[r] * rowTimes(m, d, a, i, a->n, a->col, a->arm, b);
    for (int k = 0; k < n; k++) {
      V* to = shift + (size_t)col[k] * (size_t)m->nv + i;
      *to = *to + x[k] * product;
    }
  }
}

// columns in which the arms bend
static void addBends(const mjModel* m, mjData* d, const Arms* a, const LANE(Bend)* bend, const V* b, V factor,
                     V* shift) {
  for (int r = 0; r < bend->n; r++) {
    int i = bend->col[r];
    V along = rowTimes(m, d, a, i, a->n, a->col, a->arm, b), arm = v_zero();
    for (int e = 0; e < a->n; e++) {
      if (a->col[e] == i) arm = a->arm[e];
    }
    for (int k = 0; k < bend->n; k++) {
      const V* slope = bend->slope + k * bend->n;
      V* to = shift + (size_t)bend->col[k] * (size_t)m->nv + i;
      V bent = slope[r] * along + arm * rowTimes(m, d, a, i, bend->n, bend->col, slope, b);
      *to = *to + factor * bent;
    }
  }
}

static void addTendonDampers(const mjModel* m, mjData* d, const Shift* s) {
  if (mjDISABLED(mjDSBL_DAMPER)) return;
  for (int t = 0; t < m->ntendon; t++) {
    if (!m->tendon_damping[t] || !LANE(tendonBends)(m, t)) continue;
    mj_markStack(d);
    int* col = mj_stackAllocInt(d, (size_t)m->nv);
    V* arm = LANES(mji_stackNum(d, (size_t)m->nv));
    TendonRow row = tendonRow(m, d, t);
    Arms a = {.n = tendonArms(m, &row, col, arm), .col = col, .arm = arm};
    LANE(Bend) bend;
    LANE(tendonBend)(m, d, t, &bend);
    addBends(m, d, &a, &bend, s->moved, v_num(OPT(timestep)[0] * NUM(tendon_damping)[t]), s->shift);
    mj_freeStack(d);
  }
}

// ---- actuators: slope (length, velocity, input) of the force by velocity

// changes of that slope; those of muscles have cases, so they are differences of its curve
static void slopeChanges(const mjModel* m, const mjData* d, int i, V input, V* by_length, V* by_velocity, V* by_input) {
  *by_length = *by_velocity = *by_input = v_zero();
  if (m->actuator_gaintype[i] == mjGAIN_AFFINE) *by_input = v_num(NUM(actuator_gainprm)[mjNGAIN * i + 2]);
  if (m->actuator_gaintype[i] != mjGAIN_MUSCLE) return;
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    const mjModel* one = LANE_MODEL(lane);
    const mjtNum *prm = one->actuator_gainprm + mjNGAIN * i, *range = one->actuator_lengthrange + 2 * i;
    lane_t l = v_get(CLANES(d->actuator_length)[i], lane), v = v_get(CLANES(d->actuator_velocity)[i], lane);
    lane_t acc0 = one->actuator_acc0[i], x = v_get(input, lane), h = kNudge;
    v_put(by_input, lane, mji_muscle_gainVel(l, v, range, acc0, prm));
    v_put(by_length, lane,
          x * (mji_muscle_gainVel(l + h, v, range, acc0, prm) - mji_muscle_gainVel(l - h, v, range, acc0, prm)) /
              (2 * h));
    v_put(by_velocity, lane,
          x * (mji_muscle_gainVel(l, v + h, range, acc0, prm) - mji_muscle_gainVel(l, v - h, range, acc0, prm)) /
              (2 * h));
  }
}

// by position: through the length, the velocity and the arms
static void actuatorByPosition(const mjModel* m, mjData* d, int i, const Arms* a, V by_length, V by_velocity, V slope,
                               const Shift* s) {
  N h = OPT(timestep)[0];
  LANE(Bend) bend;
  V *by, *x;
  N gear = n_set1(1);
  if (m->actuator_trntype[i] == mjTRN_TENDON && LANE(tendonBends)(m, m->actuator_trnid[2 * i])) {
    LANE(tendonBend)(m, d, m->actuator_trnid[2 * i], &bend);
    by = NULL;
    gear = NUM(actuator_gear)[6 * i];
  } else {
    LANE(transmissionBend)(m, d, i, &bend, &by);
  }
  if (!by) {
    x = LANES(mji_stackNum(d, (size_t)a->n));
    for (int k = 0; k < a->n; k++) x[k] = -h * (by_length * a->arm[k]);
    addProducts(m, d, a, s->moved, a->n, a->col, x, s->shift);
  }
  if (!bend.n) return;
  x = LANES(mji_stackNum(d, (size_t)bend.n));
  for (int k = 0; k < bend.n * bend.n; k++) bend.slope[k] = gear * bend.slope[k];
  LANE(bendTimes)(&bend, CLANES(d->qvel), x);
  for (int k = 0; k < bend.n; k++) {
    V change = by_velocity * x[k];
    if (by) change = change + by_length * by[k];
    x[k] = -h * change;
  }
  addProducts(m, d, a, s->moved, bend.n, bend.col, x, s->shift);
  addBends(m, d, a, &bend, s->moved, -h * slope, s->shift);
}

static void addActuator(const mjModel* m, mjData* d, int i, const Shift* s) {
  int nv = (int)m->nv, na = (int)m->na, adr = d->moment_rowadr[i], act = m->actuator_actadr[i];
  N h = OPT(timestep)[0];
  M free = ~LANE(actuatorHeld)(m, d, i);
  V by_length, by_velocity, by_input, slope = v_and(free, LANE(forceByVelocity)(m, d, i, s->input[i]));
  slopeChanges(m, d, i, s->input[i], &by_length, &by_velocity, &by_input);
  by_length = v_and(free, by_length), by_velocity = v_and(free, by_velocity), by_input = v_and(free, by_input);
  Arms a = {.n = d->moment_rownnz[i], .col = d->moment_colind + adr, .arm = CLANES(d->actuator_moment) + adr};
  a.actuator = 1;
  actuatorByPosition(m, d, i, &a, by_length, by_velocity, slope, s);

  V* x = LANES(mji_stackNum(d, (size_t)a.n + 1));
  for (int k = 0; k < a.n; k++) x[k] = -h * (by_velocity * a.arm[k]);
  addProducts(m, d, &a, s->moved, a.n, a.col, x, s->shift + (size_t)nv * (size_t)nv);
  int column = 2 * nv + act + m->actuator_actnum[i] - 1;
  x[0] = -h * (by_input * s->actuator->input_act[i]);
  if (act >= 0) addProducts(m, d, &a, s->moved, 1, &column, x, s->shift);
  column = 2 * nv + na + i;
  x[0] = -h * (by_input * s->actuator->input_ctrl[i]);
  if (s->ncol > column) addProducts(m, d, &a, s->moved, 1, &column, x, s->shift);
}

static void addActuators(const mjModel* m, mjData* d, Shift* s) {
  if (!m->nu || mjDISABLED(mjDSBL_ACTUATION)) return;
  mj_markStack(d);
  s->input = LANES(mji_stackNum(d, (size_t)m->nu));
  LANE(actuatorInputs)(m, d, s->input);
  for (int i = 0; i < m->nu; i++) {
    if (!LANE(actuatorDamps)(m, i) || mji_actuator_disabled(m, i)) continue;
    mj_markStack(d);
    addActuator(m, d, i, s);
    mj_freeStack(d);
  }
  mj_freeStack(d);
}

// ---- all of it

// Has the matrix what has no formula here: a medium, dampers of the edges of flexes, or gains of activations after the
// step, whose rates are those of code?
static int takesDifferences(const mjModel* m) {
  int implicit = m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
  int passive = !mjDISABLED(mjDSBL_SPRING) || !mjDISABLED(mjDSBL_DAMPER);
  if (implicit && passive && (m->opt.density > 0 || m->opt.viscosity > 0)) return 1;
  for (int i = 0; i < m->nu && implicit && mji_ratesByCode(m); i++) {
    if (m->actuator_actearly[i] && LANE(actuatorDamps)(m, i)) return 1;
  }
  return implicit && mji_flexesDamp(m);
}

int LANE(shiftSlopes)(const mjModel* m, mjData* d, int ncol, const LANE(Slopes)* slopes, V* shift) {
  size_t nv = (size_t)m->nv, top = mji_stackTop(d);
  const V* moved = slopes->moved;
  Shift s = {.moved = moved, .shift = shift, .ncol = ncol, .slopes = slopes, .actuator = &slopes->actuator};
  zeroN(shift, ncol * (int)nv);
  if (takesDifferences(m)) {
    byDifferences(m, d, &s);
    return SHEAF_FALLBACK_INTEGRATOR;
  }

  // (M + constant damping) b - M a
  V* difference = LANES(mji_stackNum(d, nv));
  for (size_t i = 0; i < nv; i++) difference[i] = moved[i] - CLANES(d->qacc)[i];
  LANE(inertialByPosition)(m, d, difference, MJI_INERTIAL_ACCELERATION, n_set1(1), shift);
  LANE(armatureByPosition)(m, d, difference, 0, shift);
  if (m->opt.integrator == mjINT_IMPLICIT) addBias(m, d, &s);
  if (m->opt.integrator != mjINT_EULER) {
    addTendonDampers(m, d, &s);
    addActuators(m, d, &s);
  }
  mji_stackBack(d, top);
  return 0;
}
