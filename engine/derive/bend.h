// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How a row of moment arms changes with positions. Include lanes/lanes.h first.
//
// A row is the sum of wrenches on bodies: its arm for dof i is S_i' w, summed over the wrenches w of bodies that i
// moves. A nudge of dof k changes the wrenches, and carries along the axes of the dofs after k:
//   d arm_i / dk = sum over wrenches of S_i' (dw - S_k x* w),   the last term if k moves the body and i is not before k
#ifndef SHEAF_DERIVE_BEND_H_
#define SHEAF_DERIVE_BEND_H_

#include <mujoco/mujoco.h>

#include "lanes/lanes.h"

typedef struct LANE(Bend_) {
  int n;
  const int* col;  // (n) dofs, ascending
  const int* at;   // (nv) where a dof stands in col, or -1
  V* slope;        // (n x n) number i of row k: d arm of dof i / d position of dof k
} LANE(Bend);

// A bend of the dofs that move any of the bodies, without wrenches yet, on the stack of d. With `internal` dofs that
// move all of the bodies are left out: the row has no arms for them.
void LANE(startBend)(const mjModel* m, mjData* d, const int* body, int nbody, int internal, LANE(Bend)* b);

// The same of n consecutive dofs.
void LANE(startBendOfDofs)(const mjModel* m, mjData* d, int first, int n, LANE(Bend)* b);

// Add a wrench on a body and its change with dof k, both about the origin of the body's com frame.
void LANE(bendWrench)(const mjModel* m, const mjData* d, LANE(Bend)* b, int k, int body, const V* wrench,
                      const V* change);

// The same for a force at a point and a torque: each with its change.
typedef struct LANE(Push_) {
  V point[3], force[3], torque[3];
} LANE(Push);
void LANE(bendPush)(const mjModel* m, const mjData* d, LANE(Bend)* b, int k, int body, const LANE(Push)* push,
                    const LANE(Push)* change);

// out (n) = how the product of the row with x (nv) changes with each dof of col.
void LANE(bendTimes)(const LANE(Bend)* b, const V* x, V* out);

// Add `scale` times the bend to nv columns. With `actuator` rows of joints whose actuator force is at its limit stay.
void LANE(addBend)(const mjModel* m, const mjData* d, const LANE(Bend)* b, V scale, int actuator, V* column);

// Add arm (n, at dofs col) times x of the bend's dofs to nv columns.
void LANE(addArmTimes)(const mjModel* m, const LANE(Bend)* b, int n, const int* col, const V* arm, const V* x,
                       V* column);

// Add stiffness times the products of a tendon's moment arms to nv columns.
void LANE(addAlongTendon)(const mjModel* m, mjData* d, int t, V stiffness, V* column);

// What spatial tendons with bends add to the derivative of the residual by position: forces that follow moment arms.
// `force` are those of constraint rows at the residuals jar. Returns states that took differences.
M LANE(bentTendonsByPosition)(const mjModel* m, mjData* d, int actuation, const V* jar, const V* force, V* column);

// The bend of spatial tendon t, on the stack of d. Returns the states in which it goes around a geom, which takes
// differences of the path.
M LANE(tendonBend)(const mjModel* m, mjData* d, int t, LANE(Bend)* b);

// Does the row of a tendon change with positions?
int LANE(tendonBends)(const mjModel* m, int t);

// How length and moment arms of actuator i follow positions, on the stack of d. `by` is (n): d length / d dof of
// b->col. For a tendon's actuator, whose bend is the tendon's, and where nothing bends, n is zero: the length changes
// as the moment arms say. Returns states that took differences of the geometry of contacts.
M LANE(transmissionBend)(const mjModel* m, mjData* d, int i, LANE(Bend)* b, V** by);

#endif  // SHEAF_DERIVE_BEND_H_
