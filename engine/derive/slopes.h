// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the files of this folder share. Include lanes/lanes.h first.
#ifndef SHEAF_DERIVE_SLOPES_H_
#define SHEAF_DERIVE_SLOPES_H_

#include <mujoco/mujoco.h>

#include "model/block.h"

// Nudge of differences. They are centered, so their error is its square; it is small because constraints are stiff: at
// a given acceleration a residual of a row changes by 1e5 times the nudge, and must not change its sign.
static const lane_t kNudge = 1e-7;

// How forces and rates of actuators follow controls and activations. An actuator without activation has zeros there.
typedef struct LANE(ActuatorSlopes_) {
  V* force_ctrl;  // (nu) d force / d ctrl
  V* force_act;   // (nu) d force / d act
  V* rate_ctrl;   // (nu) d act_dot / d ctrl
  V* rate_act;    // (nu) d act_dot / d act
} LANE(ActuatorSlopes);

// Slopes of all actuators after forward dynamics, on the stack of d.
void LANE(actuatorSlopes)(const mjModel* m, mjData* d, LANE(ActuatorSlopes)* s);

// How the next activation of actuator i follows its activation and rate (factors of both); zero at a limit.
void LANE(nextActivationSlopes)(const mjModel* m, const mjData* d, int i, V act_dot, V* by_act, V* by_rate);

// Add to n columns of nv numbers: moment arms of actuator i times a slope, without dofs whose force is at its limit.
void LANE(addMoment)(const mjModel* m, const mjData* d, int i, V slope, V* column);

// What one evaluation of forward dynamics says about accelerations.
typedef struct LANE(Slopes_) {
  int ncol;        // of acc and move: 2*nv + na, or nu more
  int fallback;    // what differences were taken for, SHEAF_FALLBACK_*
  V* acc;          // (ncol x nv) d qacc
  V* move;         // (ncol x nv) d of the acceleration that the integrator moves by; may be acc
  const V* moved;  // (nv) that acceleration
  LANE(ActuatorSlopes) actuator;
} LANE(Slopes);

// Derivatives of the residual of inverse dynamics, force - actuator forces, at the accelerations of d, which does not
// change them: by positions and by velocities, nv columns each. With actuation zero actuator forces are left out. `jar`
// are the residuals of constraint rows. The first returns SHEAF_FALLBACK_*; afterwards what depends on positions is
// that of the last nudge, but positions are back. `shift` (may be NULL) receives the derivatives by position of
// implicit matrix * moved - M * qacc, at fixed accelerations.
int LANE(residualByPosition)(const mjModel* m, mjData* d, int actuation, const V* jar, V* column, const V* moved,
                             V* shift);
void LANE(residualByVelocity)(const mjModel* m, mjData* d, int actuation, const V* jar, V* column);

// Parts of it that are formulas, and whether the model has no others: inertial forces of the given accelerations, with
// or without velocities and gravity; springs, actuators, limits, equalities; contacts. Each adds to nv columns.
int LANE(hasFormulas)(const mjModel* m, int actuation);
void LANE(inertialByPosition)(const mjModel* m, mjData* d, const V* qacc, int moving, V* column);
void LANE(forcesByPosition)(const mjModel* m, mjData* d, int actuation, const V* jar, V* column);
void LANE(contactsByPosition)(const mjModel* m, mjData* d, const V* jar, V* column);

// Does the force of an actuator follow the length of its transmission?
int LANE(actuatorStretches)(const mjModel* m, int i);

// The same shift by velocities, activations and controls: columns nv to ncol - 1 of a step. Nonzero if it has any.
int LANE(shiftDepends)(const mjModel* m);
void LANE(shiftByRest)(const mjModel* m, mjData* d, int ncol, const V* moved, V* shift);

// Slopes after LANE(forward); `acc` and `move` have room. Takes scratch that the caller gives back.
void LANE(accelerationSlopes)(const mjModel* m, mjData* d, LANE(Slopes)* s);

// dim x dim matrix -d force / d residual of a block's base rows, at the residuals of its rows.
void LANE(blockSlope)(const mjModel* m, const mjData* d, const mjiBlock* b, const V* jar, V* slope);

// J a - aref of all rows.
void LANE(rowResiduals)(const mjModel* m, const mjData* d, V* jar, const V* qacc);

// column += J' slope B J for all blocks, with the damping B of rows, or without.
void LANE(addBlockSlopes)(const mjModel* m, mjData* d, const V* jar, int damped, V* column);

// Tangent map of integratePos: x = D1 q + h D2 v for n columns; x may be q.
void LANE(moveTangent)(const mjModel* m, const mjtNum* qvel, lane_t h, V* x, const V* q, const V* v, int n, int stride);

// Derivatives of sensordata along ncol columns, of which each moves qacc by a column of acc.
void LANE(sensorSlopes)(const mjModel* m, mjData* d, int ncol, const V* acc, V* sensor);

// Turn or move one dof of qpos by a nudge.
void LANE(nudgePosition)(const mjModel* m, mjData* d, int dof, lane_t eps);

#endif  // SHEAF_DERIVE_SLOPES_H_
