// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the files of this folder share. Include lanes/lanes.h first.
#ifndef SHEAF_DERIVE_SLOPES_H_
#define SHEAF_DERIVE_SLOPES_H_

#include <mujoco/mujoco.h>

#include "derive/derive.h"
#include "model/block.h"
#include "model/number.h"

// Nudge of differences. They are centered, so their error is its square; it is small because constraints are stiff: at
// a given acceleration a residual of a row changes by 1e5 times the nudge, and must not change its sign.
static const lane_t kNudge = 1e-7;

// How forces and rates of actuators follow controls and activations. An actuator without activation has zeros there.
typedef struct LANE(ActuatorSlopes_) {
  V* force_ctrl;  // (nu) d force / d ctrl
  V* force_act;   // (nu) d force / d act
  V* rate_ctrl;   // (nu) d act_dot / d ctrl
  V* rate_act;    // (nu) d act_dot / d act
  V* input_ctrl;  // (nu) d input / d ctrl, of the input that the gain multiplies
  V* input_act;   // (nu) d input / d act
  V* rate;        // (2*nv + na + nu columns x na) d act_dot, where code computes rates; else NULL: those above say all
} LANE(ActuatorSlopes);

// Slopes of all actuators after forward dynamics, on the stack of d.
void LANE(actuatorSlopes)(const mjModel* m, mjData* d, LANE(ActuatorSlopes)* s);

// How the next activation k of actuator i follows this activation and its rate (factors of both); zero at a limit.
void LANE(nextActivationSlopes)(const mjModel* m, const mjData* d, int i, int k, V act_dot, V* by_act, V* by_rate);

// Add to n columns of nv numbers: moment arms of actuator i times a slope, without dofs whose force is at its limit.
void LANE(addMoment)(const mjModel* m, const mjData* d, int i, V slope, V* column);

// What one evaluation of forward dynamics says about accelerations.
typedef struct LANE(Slopes_) {
  int ncol;           // of acc and move: 2*nv + na, or nu more, or the chosen ones
  const int* column;  // (ncol) the chosen ones, ascending; NULL: from 0 on
  V* all;             // with them: room for all columns of nv numbers
  int* fallback;      // of each lane: what differences were taken for is added, SHEAF_FALLBACK_*
  V* acc;             // (ncol x nv) d qacc
  V* move;            // (ncol x nv) d of the acceleration that the integrator moves by; may be acc
  const V* moved;     // (nv) that acceleration
  V *main, *mainacc;  // with noslip: as acc, and qacc (nv), of the solution before it; NULL: not wanted
  LANE(ActuatorSlopes) actuator;
} LANE(Slopes);

// Derivatives of the residual of inverse dynamics, force - actuator forces, at the accelerations of d, which does not
// change them: by positions and by velocities, nv columns each. With actuation zero actuator forces are left out. `jar`
// are the residuals of constraint rows.
// They add what took differences to `fallback`; columns that `wanted` does not want, if it is given, may lack what is
// expensive.
void LANE(residualByPosition)(const mjModel* m, mjData* d, int actuation, const V* jar, const char* wanted,
                              int* fallback, V* column);
void LANE(residualByVelocity)(const mjModel* m, mjData* d, int actuation, const V* jar, int* fallback, V* column);

// Derivatives of (implicit matrix * moved - M * qacc) at fixed accelerations, ncol columns of nv numbers, for
// integrators that move by another acceleration than qacc; at least the columns that s chooses. Returns
// SHEAF_FALLBACK_*: after differences M is that of the last nudge.
int LANE(shiftSlopes)(const mjModel* m, mjData* d, int ncol, const LANE(Slopes)* s, V* shift);

// On the stack of d: of each dof whether it is among n columns; NULL where they are all.
static inline const char* wantedDofs(const mjModel* m, mjData* d, const int* column, int n) {
  if (!column) return NULL;
  char* wanted = mj_stackAllocByte(d, (size_t)m->nv, 1);
  for (int i = 0; i < m->nv; i++) wanted[i] = mji_columnPlace(column, n, i) >= 0;
  return wanted;
}

// Add a bit for the lanes of a mask.
static inline void tellFallback(int* fallback, M on, int bit) {
  for (int lane = 0; lane < SHEAF_LANES; lane++) fallback[lane] |= m_get(on, lane) ? bit : 0;
}

// Its parts, each added to nv columns. `force` are those of constraint rows at the residuals jar. Those with a mask for
// a result return states that took differences of geometry.
// Inertial forces of the given accelerations; without velocities and gravity; with velocities alone.
typedef enum { MJI_INERTIAL_ALL, MJI_INERTIAL_ACCELERATION, MJI_INERTIAL_VELOCITY } mjiInertial;
void LANE(inertialByPosition)(const mjModel* m, mjData* d, const V* qacc, mjiInertial which, N scale, V* column);

// Springs, actuators, limits, equalities.
M LANE(forcesByPosition)(const mjModel* m, mjData* d, int actuation, const V* jar, const V* force, V* column);

// Connect and weld.
void LANE(joinByPosition)(const mjModel* m, mjData* d, const mjiBlock* b, const V* force, V* column);

// Forces that have no formula, by differences of these alone; nonzero if there are any. Afterwards d is as before. Rows
// that such a force comes from have no other part. (term_slope.c)
int LANE(termsByPosition)(const mjModel* m, mjData* d, const char* wanted, V* column);
int LANE(termsByVelocity)(const mjModel* m, mjData* d, V* column);
int LANE(isOfFlex)(const mjModel* m, const mjData* d, const mjiBlock* b);

// Where the force of an actuator is that of a plugin or a callback, formulas have no slopes of forces (slopeInLimits is
// zero). Instead, this adds the forces of actuators times `sign` to n columns from input `first` on, of which `wanted`
// may choose; how moment arms bend it leaves to formulas. Nonzero if there is such an actuator. (code_slope.c)
int LANE(addForcesByCode)(const mjModel* m, mjData* d, int first, int n, const char* wanted, lane_t sign, V* column);

// ActuatorSlopes.rate on the stack of d, for ncol columns or the chosen ones, if a plugin or a callback computes rates.
V* LANE(ratesByCode)(const mjModel* m, mjData* d, const int* column, int ncol);

// Gravity compensation, and forces of a medium.
void LANE(bodyForcesByPosition)(const mjModel* m, mjData* d, int actuation, V* column);

M LANE(contactsByPosition)(const mjModel* m, mjData* d, const V* jar, const V* force, const char* wanted, V* column);

// The armature of tendons: the inertia times qacc, and with `bias` the force that goes with velocities.
void LANE(armatureByPosition)(const mjModel* m, mjData* d, const V* qacc, int bias, V* column);
void LANE(armatureByVelocity)(const mjModel* m, mjData* d, V* column);

// Sums over the dofs that move a body (nbody x 6) of axis (nv x 6) times x (nv), and over those before the joint part
// of each dof (nv x 6): with cdof and x in place of qvel, velocities.
void LANE(bodyMotions)(const mjModel* m, const V* axis, const V* x, V* body, V* before);

// Does the force of an actuator follow the length of its transmission?
int LANE(actuatorStretches)(const mjModel* m, int i);

// Slopes after LANE(forward); `acc` and `move` have room. Takes scratch that the caller gives back.
void LANE(accelerationSlopes)(const mjModel* m, mjData* d, LANE(Slopes)* s);

// The acceleration (nv) that the integrator moves by, that of d or another one; and from derivatives of the solution's
// acceleration to those of this one, where `move` has ds/dx.
const V* LANE(movedBy)(const mjModel* m, mjData* d);
void LANE(throughIntegrator)(const mjModel* m, mjData* d, LANE(Slopes)* s);

// State and warm start of a step, on the stack of d; and the state back.
typedef struct LANE(Start_) {
  V *qpos, *qvel, *act, *warmstart, time;
} LANE(Start);
LANE(Start) LANE(saveStart)(const mjModel* m, mjData* d);
void LANE(restoreStart)(const mjModel* m, mjData* d, const LANE(Start)* s);

// dim x dim matrix -d force / d residual of a block's base rows, at the residuals of its rows.
void LANE(blockSlope)(const mjModel* m, const mjData* d, const mjiBlock* b, const V* jar, V* slope);

// J a - aref of all rows.
void LANE(rowResiduals)(const mjModel* m, const mjData* d, V* jar, const V* qacc);

// column += J' slope B J for all blocks, with the damping B of rows, or without.
void LANE(addBlockSlopes)(const mjModel* m, mjData* d, const V* jar, int damped, V* column);

// Tangent map of integratePos: x = D1 q + h D2 v for n columns; x may be q.
void LANE(moveTangent)(const mjModel* m, const mjtNum* qvel, N h, V* x, const V* q, const V* v, int n, int stride);

// Derivatives of sensordata, if r->sensors says so, and of the outputs of r along its columns, of which each moves qacc
// by a column of r->qacc; with noslip, the solution before it by one of s->main. Adds to r->fallback.
void LANE(sensorSlopes)(const mjModel* m, mjData* d, mjiStepDerivative* r, const LANE(Slopes)* s);

// With noslip: d->qacc and s->acc are those of the solution before it; make s->acc that of the acceleration after it,
// by differences of noslip alone. Everything in d is as before, except qacc and forces.
void LANE(noslipSlopes)(const mjModel* m, mjData* d, const LANE(Slopes)* s);

// What a difference moves, on the stack of d; and all of it back.
typedef struct LANE(Inputs_) {
  V *qpos, *qvel, *act, *ctrl, *qacc;
} LANE(Inputs);
LANE(Inputs) LANE(saveInputs)(const mjModel* m, mjData* d);
void LANE(restoreInputs)(const mjModel* m, mjData* d, const LANE(Inputs)* in);

// Move the input of column c; and the states in which this does not take a control out of its range, where it would
// have no effect.
void LANE(nudgeInput)(const mjModel* m, mjData* d, int c, lane_t eps);
M LANE(mayNudge)(const mjModel* m, const mjData* d, int c, lane_t eps);

// Zero if a part of the outputs has no formula; else its columns, each r->nout numbers after the one before it, from
// `to` on.
int LANE(outputFormula)(const mjModel* m, mjData* d, const mjiOutputPart* part, const mjiStepDerivative* r,
                        const V* acc, V* to);

// Turn or move one dof of qpos by a nudge.
void LANE(nudgePosition)(const mjModel* m, mjData* d, int dof, lane_t eps);

#endif  // SHEAF_DERIVE_SLOPES_H_
