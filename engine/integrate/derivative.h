// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Parts of the derivative of smooth forces by velocity. Each adds to d->qDeriv, which has the
// pattern of D: a dof's row holds its ancestors, itself and its descendants.
#ifndef SHEAF_INTEGRATE_DERIVATIVE_H_
#define SHEAF_INTEGRATE_DERIVATIVE_H_

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

// Add row' * factor * row where the pattern has an entry; the row's n columns are in ascending
// order.
void LANE(derivAddRow)(const mjModel* m, mjData* d, int n, const int* col, const V* row, V factor);

// Inertias (nbody x 10) and the matrices G of derivative_bias.c (nbody x 36), summed over subtrees.
void LANE(biasComposites)(const mjModel* m, const mjData* d, V* inert, V* G);

// Subtract the derivative of qfrc_bias.
void LANE(derivBias)(const mjModel* m, mjData* d);

// Derivative of an actuator's force by its velocity, before limits; `input` is what its gain multiplies. Zero for
// actuators that do not damp.
V LANE(forceByVelocity)(const mjModel* m, const mjData* d, int i, V input);
int LANE(actuatorDamps)(const mjModel* m, int i);

// States in which the force of an actuator does not follow its inputs, as it is at a limit of its own or of its tendon;
// those in which the actuator force on joint j is at its limit.
M LANE(actuatorHeld)(const mjModel* m, const mjData* d, int i);
M LANE(jointHeld)(const mjModel* m, const mjData* d, int j);

// A shape in a medium: its pose, its velocity relative to the medium and how the force on it follows that, both in its
// own frame with rotation first. geom is -1 for the box of a body.
typedef struct LANE(FlowShape_) {
  int body, geom;
  const V *pos, *mat;
  V vel[6], B[36];
} LANE(FlowShape);

// Call f for all shapes. The integrators' derivative has the lower limits of the reference; an exact one is that of the
// force.
typedef void (*LANE(FlowFunc))(const mjModel* m, mjData* d, const LANE(FlowShape)* shape, void* user);
void LANE(eachFlowShape)(const mjModel* m, mjData* d, int exact, LANE(FlowFunc) f, void* user);

// Add the derivative of qfrc_fluid. That of the integrators is symmetrized if the integrator wants it.
void LANE(derivFluid)(const mjModel* m, mjData* d, int exact);

#endif  // SHEAF_INTEGRATE_DERIVATIVE_H_
