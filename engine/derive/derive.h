// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of a step and of inverse dynamics at the states of a data, without solving the constraint problem again
// for each direction. README.md has the mathematics.
//
// Matrices are stored column by column: number i of column j is at [j * nrow + i], with lanes innermost. Columns of a
// step come in the order positions (nv, in the tangent space), velocities (nv), activations (na), controls (nu).
#ifndef SHEAF_DERIVE_DERIVE_H_
#define SHEAF_DERIVE_DERIVE_H_

#include <mujoco/mujoco.h>

#include "lanes/lane_types.h"

// n consecutive numbers of an array of the data, whose pointer stands at `offset`; the energies have offset 0.
typedef struct mjiOutputPart_ {
  size_t offset;
  int first, n;
} mjiOutputPart;

// Derivatives of a step. On return the data has the next state, and the addresses below lead into `work`.
typedef struct mjiStepDerivative_ {
  int ncol;                     // columns that are wanted: the first 2*nv + na, or nu more, or those in `column`
  const int* column;            // (ncol) their numbers, ascending; NULL: from 0 on
  int sensors;                  // are those of sensors?
  int fallback[MJI_MAX_LANES];  // of each lane: what was done by differences, SHEAF_FALLBACK_*
  mjtNum* next;                 // (ncol x ndx) of the next state
  mjtNum* qacc;                 // (ncol x nv) of the acceleration at the start of the step
  mjtNum* sensor;               // (ncol x nsensordata) of sensordata
  int npart;                    // outputs at the start of the step
  const mjiOutputPart* part;
  int nout;              // numbers of all parts
  mjtNum* output;        // (ncol x nout) of them
  mjtNum* acceleration;  // (nv) qacc at the start of the step; the caller's
  mjtNum* work;          // mji_stepDerivativeSize numbers for each lane
} mjiStepDerivative;

// Derivatives of inverse dynamics at qpos, qvel and qacc. Each is (nv x nv), row: force; NULL: not wanted.
typedef struct mjiInverseDerivative_ {
  int actuation;                // subtract actuator forces
  int fallback[MJI_MAX_LANES];  // of each lane
  mjtNum *DfDq, *DfDv, *DfDa;
  int ncol;           // columns that DfDq needs, and their numbers, ascending; NULL: all
  const int* column;  //
} mjiInverseDerivative;

// NULL if the derivatives of a step (of inverse dynamics) have formulas for this model, or differences for single
// terms. Else there are only differences of whole steps, because the model has what is returned ("flexes"). (covered.c)
const char* mji_stepObstacle(const mjModel* m);
const char* mji_inverseObstacle(const mjModel* m);
const char* mji_stepRegressorObstacle(const mjModel* m);

// Are there passive forces of plugins or of a callback; actuators whose force, or rate of activations, is that of a
// plugin or a callback; dampers of flexes? Their derivatives are differences. (covered.c)
int mji_pushesByCode(const mjModel* m);
int mji_actuatesByCode(const mjModel* m);
int mji_ratesByCode(const mjModel* m);
int mji_flexesDamp(const mjModel* m);

// Is there a derivative of an array of the data? (output_arrays.c)
int mji_outputHasSlope(size_t offset);

// Do sensors or outputs follow the solution before noslip?
static inline int mji_needsMain(const mjModel* m, const mjiStepDerivative* r) {
  return m->opt.noslip_iterations > 0 && (r->sensors || r->npart);
}

// Numbers for each lane that a step needs in `work`.
size_t mji_stepDerivativeSize(const mjModel* m, const mjiStepDerivative* r);

// Columns of a step up to the controls, or with those if the last of the chosen ones is one.
static inline int mji_allColumns(const mjModel* m, const int* column, int ncol) {
  int ndx = (int)(2 * m->nv + m->na);
  return ncol && column[ncol - 1] >= ndx ? ndx + (int)m->nu : ndx;
}

// The number of the c-th chosen column, and the place of a column among them, -1 if it is not there.
static inline int mji_columnAt(const int* column, int c) { return column ? column[c] : c; }
static inline int mji_columnPlace(const int* column, int ncol, int number) {
  int low = 0, high = ncol;
  if (!column) return number < ncol ? number : -1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (column[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low < ncol && column[low] == number ? low : -1;
}

#endif  // SHEAF_DERIVE_DERIVE_H_
