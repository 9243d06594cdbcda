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
  int ncol;                     // columns that are wanted: 2*nv + na, or nu more
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

// Derivatives of inverse dynamics at qpos, qvel and qacc. Each is (nv x nv), row: force.
typedef struct mjiInverseDerivative_ {
  int actuation;                // subtract actuator forces
  int fallback[MJI_MAX_LANES];  // of each lane
  mjtNum *DfDq, *DfDv, *DfDa;
} mjiInverseDerivative;

// Nonzero if the derivatives of a step (of inverse dynamics) have formulas for this model, or differences for single
// terms. Else there are only those of whole steps. (covered.c)
int mji_stepIsCovered(const mjModel* m);
int mji_inverseIsCovered(const mjModel* m);

// Is there a derivative of an array of the data? (output_arrays.c)
int mji_outputHasSlope(size_t offset);

// Numbers for each lane that a step needs.
size_t mji_stepDerivativeSize(const mjModel* m, int ncol, int sensors, int nout);

#endif  // SHEAF_DERIVE_DERIVE_H_
