// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Parts of actuation that other folders call, or that lane sources and ordinary sources share.
#ifndef SHEAF_ACTUATE_ACTUATE_H_
#define SHEAF_ACTUATE_ACTUATE_H_

#include <mujoco/mujoco.h>

// Nonzero if the group of an actuator is switched off in the options.
int mji_actuator_disabled(const mjModel* m, int actuator);

// Derivative of mju_muscleGain by velocity.
mjtNum mji_muscle_gainVel(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]);

#ifdef SHEAF_LANES_LANES_H_

#include "model/number.h"

// Moment row of a body (adhesion) transmission, from the contacts of the body; the number of its entries. (adhesion.c)
int LANE(adhesionMoment)(const mjModel* m, mjData* d, int actuator, int* colind, V* moment);

// Velocities of all transmissions, d->actuator_velocity.
void LANE(actuatorVelocity)(const mjModel* m, mjData* d);

// The input of each actuator, which its gain multiplies: its control within its range, or its activation.
void LANE(actuatorInputs)(const mjModel* m, const mjData* d, V* input);

// The gain itself, and what is added to it times the input.
V LANE(actuatorGain)(const mjModel* m, const mjData* d, int actuator);
V LANE(actuatorBias)(const mjModel* m, const mjData* d, int actuator);

// x limited to a range; NaN stays NaN
static inline V mji_limitTo(V x, const N range[2]) {
  V low = v_num(range[0]), high = v_num(range[1]);
  return v_sel(v_lt(x, low), low, v_sel(v_lt(high, x), high, x));
}

// Activation of an actuator after a time step at the rate act_dot: exact for filterexact, Euler otherwise. Where
// actuation is disabled, it stays, even if it is beyond its range.
static inline V mji_nextActivation(const mjModel* m, const mjData* d, int actuator, V act, V act_dot) {
  if (mjDISABLED(mjDSBL_ACTUATION)) return act;
  N dt = OPT(timestep)[0];
  if (m->actuator_dyntype[actuator] == mjDYN_FILTEREXACT) {
    N tau = n_max(n_set1(mjMINVAL), NUM(actuator_dynprm)[mjNDYN * actuator]);
    act = act + act_dot * tau * (1 - n_exp(-dt / tau));
  } else {
    act = act + act_dot * dt;
  }
  if (m->actuator_actlimited[actuator]) act = mji_limitTo(act, NUM(actuator_actrange) + 2 * actuator);
  return act;
}

#endif  // SHEAF_LANES_LANES_H_

#endif  // SHEAF_ACTUATE_ACTUATE_H_
