// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The steps of planning by sampling (sheaf/sampling.h) for one plan: make its samples, and change the plan by their
// costs. These functions depend on their arguments alone and add in a fixed order, so results have the same bits
// everywhere.
#ifndef SHEAF_BATCH_SAMPLER_H_
#define SHEAF_BATCH_SAMPLER_H_

#include <sheaf/batch.h>

#include "batch/spline.h"

// What all plans of a request share.
typedef struct {
  const mjModel* m;
  int method, order;  // sheafMethod, sheafSpline
  int nknot, nu, nsample, nelite;
  double temperature, least_noise;
  int ncontrol;    // control rows of a rollout
  double* length;  // (nsample) of the steps along the gradient
  double* time;    // (nknot) times of knots, in steps
  mjiSpline* at;   // (ncontrol) knots and weights from which each control row is made
} mjiSampler;

// One plan, and what is known about its samples.
typedef struct {
  double *plan, *spread;  // (nknot x nu)
  uint32_t key[2];
  const double* gradient;  // (nknot x nu) of the cost by the plan
  double* direction;       // (nknot x nu) of the steps
  const double* knots;     // (nsample x nknot x nu)
  const double* cost;      // (nsample)
  int* order;              // (nsample) samples by their cost, lowest first
} mjiControlPlan;

// Times of knots, and weights of the control rows: `hold` steps each.
void mji_samplerTimes(const mjiSampler* s, int nstep, int hold);

// Lengths of the steps along the gradient: of sample 1, and of each other over that of the sample before.
void mji_samplerLengths(const mjiSampler* s, double first, double ratio);

// Move the plan forward, and clamp it. `from` has nknot x nu numbers.
void mji_samplerShift(const mjiSampler* s, double* plan, const double* from, int shift);

// Knots of sample i, and the control rows of knots (ncontrol x nu).
void mji_samplerDraw(const mjiSampler* s, const mjiControlPlan* p, int i, int iteration, double* knots);
void mji_samplerControls(const mjiSampler* s, const double* knots, double* control);

// Add `slope` (nu), the derivative by control row i, to the derivative by the knots.
void mji_samplerToKnots(const mjiSampler* s, const double* knots, int i, const double* slope, double* gradient);

// The direction of steps, from the gradient.
void mji_samplerDirection(const mjiSampler* s, mjiControlPlan* p);

// Sort the samples, and change the plan. Zero if all samples diverge.
int mji_samplerUpdate(const mjiSampler* s, mjiControlPlan* p);

#endif  // SHEAF_BATCH_SAMPLER_H_
