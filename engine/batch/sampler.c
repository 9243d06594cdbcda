// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/sampler.h"

#include <math.h>
#include <string.h>

#include "base/checkpoint.h"
#include "batch/noise.h"

static double clamp(const mjModel* m, int k, double x) {
  const mjtNum* range = m->actuator_ctrlrange + (size_t)2 * k;
  if (!m->actuator_ctrllimited[k]) return x;
  return x < range[0] ? range[0] : x > range[1] ? range[1] : x;
}

static size_t sizeOfKnots(const mjiSampler* s) { return (size_t)s->nknot * (size_t)s->nu; }

// ---- plans

void mji_samplerTimes(const mjiSampler* s, int nstep, int hold) {
  double step = s->order == SHEAF_SPLINE_ZERO ? (double)nstep / s->nknot
                : s->nknot > 1                ? (double)(nstep - 1) / (s->nknot - 1)
                                              : 0;
  for (int j = 0; j < s->nknot; j++) s->time[j] = j * step;
  for (int i = 0; i < s->ncontrol; i++) s->at[i] = mji_splineAt(s->order, s->time, s->nknot, (double)i * hold);
}

void mji_samplerLengths(const mjiSampler* s, double first, double ratio) {
  for (int i = 0; i < s->nsample; i++) s->length[i] = i == 0 ? 0 : i == 1 ? first : s->length[i - 1] * ratio;
}

void mji_samplerShift(const mjiSampler* s, double* plan, const double* from, int shift) {
  for (int j = 0; j < s->nknot; j++) {
    mjiSpline at = mji_splineAt(s->order, s->time, s->nknot, s->time[j] + shift);
    if (!shift) at = (mjiSpline){j, 1, {1}};
    for (int k = 0; k < s->nu; k++) {
      plan[(size_t)j * (size_t)s->nu + (size_t)k] = clamp(s->m, k, mji_splineValue(&at, from, s->nu, k));
    }
  }
}

// ---- samples

void mji_samplerDraw(const mjiSampler* s, const mjiControlPlan* p, int i, int iteration, double* knots) {
  if (i == 0) {
    memcpy(knots, p->plan, sizeOfKnots(s) * sizeof(double));
    return;
  }
  if (s->method == SHEAF_METHOD_GRADIENT) {
    for (size_t k = 0; k < sizeOfKnots(s); k++) {
      knots[k] = clamp(s->m, (int)(k % (size_t)s->nu), p->plan[k] - s->length[i] * p->direction[k]);
    }
    return;
  }
  for (int j = 0; j < s->nknot; j++) {
    mjiBlock block = {{0}};
    for (int k = 0; k < s->nu; k++) {
      size_t at = (size_t)j * (size_t)s->nu + (size_t)k;
      const mjiBlock counter = {{(uint32_t)i, (uint32_t)j, (uint32_t)k / 4, (uint32_t)iteration}};
      if (k % 4 == 0) block = mji_philox(counter, p->key);
      knots[at] = clamp(s->m, k, p->plan[at] + p->spread[at] * mji_normal(block.word[k % 4]));
    }
  }
}

void mji_samplerControls(const mjiSampler* s, const double* knots, double* control) {
  for (int i = 0; i < s->ncontrol; i++) {
    for (int k = 0; k < s->nu; k++) {
      control[(size_t)i * (size_t)s->nu + (size_t)k] = clamp(s->m, k, mji_splineValue(&s->at[i], knots, s->nu, k));
    }
  }
}

// ---- gradients

void mji_samplerToKnots(const mjiSampler* s, const double* knots, int i, const double* slope, double* gradient) {
  const mjiSpline* at = s->at + i;
  for (int k = 0; k < s->nu; k++) {
    double x = mji_splineValue(at, knots, s->nu, k);
    if (x != clamp(s->m, k, x)) continue;  // does not follow its knots
    for (int j = 0; j < at->n; j++) {
      gradient[(size_t)(at->first + j) * (size_t)s->nu + (size_t)k] += at->weight[j] * slope[k];
    }
  }
}

// of a knot that may move against its gradient; zero at the end of its range
static double freeSlope(const mjiSampler* s, const mjiControlPlan* p, size_t i) {
  int k = (int)(i % (size_t)s->nu);
  const mjtNum* range = s->m->actuator_ctrlrange + (size_t)2 * (size_t)k;
  double slope = p->gradient[i];
  if (!s->m->actuator_ctrllimited[k]) return slope;
  return (slope > 0 && p->plan[i] <= range[0]) || (slope < 0 && p->plan[i] >= range[1]) ? 0 : slope;
}

void mji_samplerDirection(const mjiSampler* s, mjiControlPlan* p) {
  double sum = 0;
  for (size_t i = 0; i < sizeOfKnots(s); i++) {
    double x = p->spread[i] * freeSlope(s, p, i);
    sum += x * x;
  }
  for (size_t i = 0; i < sizeOfKnots(s); i++) {
    p->direction[i] = sum > 0 && sum < INFINITY ? p->spread[i] * (p->spread[i] * freeSlope(s, p, i)) / sqrt(sum) : 0;
  }
}

// ---- changes of the plan

// is sample i worse than sample j? Of equal ones the later
static int isWorse(const double* cost, int i, int j) { return cost[i] > cost[j] || (cost[i] == cost[j] && i > j); }

// Let the sample at `at` sink in a heap of n whose first is the worst.
static void sink(int* order, const double* cost, size_t at, size_t n) {
  int sample = order[at];
  for (size_t child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && isWorse(cost, order[child + 1], order[child])) child++;
    if (!isWorse(cost, order[child], sample)) break;
    order[at] = order[child];
  }
  order[at] = sample;
}

// Sorts where it stands, because nobody would free other memory at a checkpoint.
static void sortSamples(const mjiSampler* s, mjiControlPlan* p) {
  size_t n = (size_t)s->nsample, spent = 0;
  enum { MOVES = 32 };  // about, of one sample
  for (size_t i = 0; i < n; i++) p->order[i] = (int)i;
  for (size_t i = n / 2; i-- > 0; mji_rest(&spent, MOVES)) sink(p->order, p->cost, i, n);
  for (size_t end = n; end-- > 1; mji_rest(&spent, MOVES)) {
    int worst = p->order[0];
    p->order[0] = p->order[end];
    p->order[end] = worst;
    sink(p->order, p->cost, 0, end);
  }
}

static const double* knotsOf(const mjiSampler* s, const mjiControlPlan* p, int i) {
  return p->knots + sizeOfKnots(s) * (size_t)i;
}

static void average(const mjiSampler* s, mjiControlPlan* p) {
  double lowest = p->cost[p->order[0]], sum = 0;
  size_t n = sizeOfKnots(s), spent = 0;
  memset(p->plan, 0, n * sizeof(double));
  for (int i = 0; i < s->nsample; i++, mji_rest(&spent, n)) {
    double weight = exp(-(p->cost[i] - lowest) / s->temperature);
    if (!(weight > 0)) continue;
    const double* x = knotsOf(s, p, i);
    for (size_t k = 0; k < n; k++) p->plan[k] += weight * x[k];
    sum += weight;
  }
  for (size_t k = 0; k < n; k++) p->plan[k] /= sum;
}

// mean and standard deviations of the first samples in order
static void fitElite(const mjiSampler* s, mjiControlPlan* p) {
  int count = 0;
  size_t n = sizeOfKnots(s), spent = 0;
  while (count < s->nelite && count < s->nsample && p->cost[p->order[count]] < INFINITY) count++;
  memset(p->plan, 0, n * sizeof(double));
  memset(p->spread, 0, n * sizeof(double));
  for (int i = 0; i < count; i++, mji_rest(&spent, n)) {
    const double* x = knotsOf(s, p, p->order[i]);
    for (size_t k = 0; k < n; k++) p->plan[k] += x[k];
  }
  for (size_t k = 0; k < n; k++) p->plan[k] /= count;
  for (int i = 0; i < count; i++, mji_rest(&spent, n)) {
    const double* x = knotsOf(s, p, p->order[i]);
    for (size_t k = 0; k < n; k++) p->spread[k] += (x[k] - p->plan[k]) * (x[k] - p->plan[k]);
  }
  for (size_t k = 0; k < n; k++) {
    p->spread[k] = sqrt(p->spread[k] / count);
    if (p->spread[k] < s->least_noise) p->spread[k] = s->least_noise;
  }
}

int mji_samplerUpdate(const mjiSampler* s, mjiControlPlan* p) {
  sortSamples(s, p);
  if (!(p->cost[p->order[0]] < INFINITY)) return 0;
  if (s->method == SHEAF_METHOD_MPPI) average(s, p);
  else if (s->method == SHEAF_METHOD_CEM) fitElite(s, p);
  else memcpy(p->plan, knotsOf(s, p, p->order[0]), sizeOfKnots(s) * sizeof(double));
  return 1;
}
