// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives by differences of whole steps, or of inverse dynamics.
#ifndef SHEAF_BATCH_STATE_DERIVATIVE_H_
#define SHEAF_BATCH_STATE_DERIVATIVE_H_

#include "batch/evaluator.h"

// What a request asks for; results that it does not want are NULL.
typedef struct {
  mjtNum eps;
  int centered;                // steps
  int actuation;               // inverse dynamics: subtract actuator forces
  int steps;                   // make the step, too: `status` tells whether it is valid
  void* matrix[4];             // A, B, C and D, or DfDq, DfDv and DfDa
  void *next_state, *qacc;     // of the step
  int32_t *fallback, *status;  //
} mjiDifferences;

// Make a job one of differences of steps, or of inverse dynamics. 0, or the code of `status`.
int mji_prepareSteps(sheafJob* job, const sheafPool* pool, const mjiDifferences* r, sheafStatus* status);
int mji_prepareInverses(sheafJob* job, const sheafPool* pool, const mjiDifferences* r, sheafStatus* status);

#endif  // SHEAF_BATCH_STATE_DERIVATIVE_H_
