// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Named outputs of a request for derivatives of steps.
#ifndef SHEAF_BATCH_SLOPED_OUTPUT_H_
#define SHEAF_BATCH_SLOPED_OUTPUT_H_

#include "batch/columns.h"
#include "batch/evaluator.h"
#include "derive/derive.h"

typedef struct {
  mjiNamed named;
  int npart, nout;
  mjiOutputPart part[MJI_MAXRANGE + MJI_MAXOUTPUT];
  int first[MJI_MAXOUTPUT];  // where the numbers of an output begin among those of all
  size_t largest;            // numbers of the largest output
} mjiSloped;

// Find the outputs of a job's request. Returns 0, or a code with the reason in status: some outputs have no
// derivatives.
int mji_findSloped(const sheafJob* job, mjiSloped* s, sheafStatus* status);

// Write the derivatives of row `row` of the batch, from a lane of r->output; scratch has room for the largest output.
void mji_giveSloped(const mjiSloped* s, const mjiStepDerivative* r, const mjiChosen* chosen, int nlane, int lane,
                    int row, int bytes, mjtNum* scratch);

// Make them NaN.
void mji_undefineSloped(const mjiSloped* s, int row, int bytes);

#endif  // SHEAF_BATCH_SLOPED_OUTPUT_H_
