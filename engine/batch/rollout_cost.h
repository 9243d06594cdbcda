// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Costs of rollouts (sheaf/cost_term.h). The sums grow in the arrays of results while a rollout runs. Each row is
// summed alone and in the order of its steps and terms, so its bits do not depend on lanes or threads.
#ifndef SHEAF_BATCH_ROLLOUT_COST_H_
#define SHEAF_BATCH_ROLLOUT_COST_H_

#include <sheaf/batch.h>

#include "batch/apart.h"

// A term after mji_costTake has checked it.
typedef struct {
  int norm, source, first, count;
  double weight, terminal, p, q;
  int target, stride;  // target -1: zeros
} mjiTerm;

// The costs of a request.
typedef struct {
  int nterm;  // 0: none
  int nrow;   // rows of terms: 1, or one for `share` rows of the batch each; the same of targets
  int share;
  const mjiTerm* term;  // nrow x nterm
  const double* target;
  int ntarget, ntarget_row;  // numbers in a row of targets, and rows
  double discount;
  int needs;      // MJI_NEED_*
  double* total;  // (nbatch) or NULL
  double* parts;  // (nbatch x nterm) or NULL
} mjiCost;

// How many terms the request has. The caller gives mji_costTake memory for as many.
size_t mji_costTerms(const sheafRollout* r);

// Check the costs of a request, in which `share` rows have their terms and targets in common. 0, or the code that is
// also in status.
int mji_costTake(mjiCost* cost, const mjModel* m, const sheafRollout* r, int share, mjiTerm* room, sheafStatus* status);

// Call these when a row begins, after its step t, and when it stops being valid.
void mji_costBegin(const mjiCost* cost, int row);
void mji_costStep(const mjiCost* cost, const mjModel* m, mjiPlace at, int row, int t, int last);
void mji_costSpoil(const mjiCost* cost, int row);

// Add the derivatives of the cost of step t by the elements of a source (sheafSource), whose values in that step are x.
void mji_costSlopes(const mjiCost* cost, int row, int t, int last, int source, const double* x, double* slope);

#endif  // SHEAF_BATCH_ROLLOUT_COST_H_
