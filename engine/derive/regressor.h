// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives by numbers of the model: the regressor of inverse dynamics, and how a step follows them. One column for
// each number that is asked for.
#ifndef SHEAF_DERIVE_REGRESSOR_H_
#define SHEAF_DERIVE_REGRESSOR_H_

#include <mujoco/mujoco.h>

#include "lanes/lane_types.h"
#include "model/number.h"

// A number of the model: element `index` of an array.
typedef struct {
  mjiNumber number;
  int index;
  int formula;             // else differences of inverse dynamics between the two models of `side`
  const mjModel* side[2];  // the model with the number a little less and a little more, and what follows from it
  mjtNum span;             // how far apart the numbers of the two are

  // how the inverse weights of bodies (nbody x 2), dofs (nv) and tendons (ntendon) follow the number; NULL: not at all
  const mjtNum* weights;
} mjiColumn;

typedef struct mjiRegressor_ {
  int ncol;
  const mjiColumn* column;
  int actuation;                // subtract actuator forces (inverse dynamics)
  int fallback[MJI_MAX_LANES];  // of each lane: what was done by differences, SHEAF_FALLBACK_*
  mjtNum* force;                // (ncol x nv) of the forces of inverse dynamics; after a step, of its acceleration
  mjtNum* next;                 // (ncol x ndx) of the next state; a step alone
  mjtNum* work;                 // mji_regressorWork numbers for each lane; a step alone
} mjiRegressor;

// Has the derivative of inverse dynamics by the number a formula?
int mji_hasParameterFormula(const mjModel* m, mjiNumber number, int index, int actuation);

// Does the formula read both models of `side`?
int mji_formulaReadsSides(mjiNumber number);

// Is it a number of the inertia of a body?
int mji_isInertial(mjiNumber number);

// Numbers for each lane that a step of ncol columns needs beside its results.
size_t mji_regressorWork(const mjModel* m, int ncol);

#ifdef SHEAF_LANES_LANES_H_

// Derivative of the residual of inverse dynamics, force - actuator forces, by the numbers of r at the accelerations of
// d. `jar` are the residuals of constraint rows. Nonzero if some columns were differences: afterwards everything in d
// is that of the nominal model again, except M.
int LANE(residualByParameters)(const mjModel* m, mjData* d, const mjiRegressor* r, int actuation, const V* jar,
                               V* column);

// Its parts, which add to the column of one number.
void LANE(inertialByParameter)(const mjModel* m, mjData* d, const mjiColumn* c, const V* motion, V* column);
void LANE(forceByParameter)(const mjModel* m, mjData* d, const mjiColumn* c, int actuation, const V* input, V* column);
void LANE(rowsByParameter)(const mjModel* m, mjData* d, const mjiColumn* c, const V* jar, V* column);
void LANE(rowsByWeights)(const mjModel* m, mjData* d, const mjtNum* weights, const V* jar, const V* force, V* column);

// Spatial accelerations (nbody x 6) at accelerations qacc, with those of velocities and gravity or without.
void LANE(bodyAccelerations)(const mjModel* m, const mjData* d, const V* qacc, int moving, V* acc);

// column += derivative of M a by a number of the inertia; `motion` are accelerations of bodies without velocities and
// gravity.
void LANE(inertiaByParameter)(const mjModel* m, mjData* d, const mjiColumn* c, const V* motion, V* column);

#endif  // SHEAF_LANES_LANES_H_

// As mji_inverseObstacle (derive.h), for regressors of inverse dynamics. (covered.c)
const char* mji_inverseRegressorObstacle(const mjModel* m);

#endif  // SHEAF_DERIVE_REGRESSOR_H_
