// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of forms (batch/form.h), of one lane at a time.
#ifndef SHEAF_BATCH_FORM_VALUE_H_
#define SHEAF_BATCH_FORM_VALUE_H_

#include "batch/form.h"
#include "lanes/kernels.h"

// A lane whose outputs are computed. What functions of one state need is shown as the data of one state, once for all
// outputs.
typedef struct mjiView_ {
  const mjModel* m;  // of the group
  mjData* d;
  int lane, nlane;
  const mjiKernels* kernels;
  const mjModel* own;  // the model with the numbers of the lane
  mjData* one;         // the lane as one state, as far as `have` says (MJI_ONE_*)
  int have;
} mjiView;

mjiView mji_viewOf(const mjModel* m, mjData* d, int lane);

// Contacts and constraint rows that the lane has.
void mji_viewRows(mjiView* v, int* ncon, int* nefc);

#endif  // SHEAF_BATCH_FORM_VALUE_H_
