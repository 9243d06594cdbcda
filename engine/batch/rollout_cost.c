// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/rollout_cost.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "batch/evaluator.h"
#include "batch/output.h"
#include "model/work.h"

// ---- norms: the contribution of one element

static double squared(double x, double p, double q) { return (void)p, (void)q, x * x; }
static double smoothAbs(double x, double p, double q) { return (void)q, sqrt(x * x + p * p) - p; }
static double smoothAbs2(double x, double p, double q) { return pow(pow(fabs(x), q) + pow(p, q), 1 / q) - p; }
static double coshLoss(double x, double p, double q) { return (void)q, p * p * (cosh(x / p) - 1); }
static double power(double x, double p, double q) { return (void)q, pow(fabs(x), p); }
static double itself(double x, double p, double q) { return (void)p, (void)q, x; }

// p log(1 + exp(x / p)), in the form that does not overflow
static double rectify(double x, double p, double q) {
  (void)q;
  return (x > 0 ? x : 0) + p * log1p(exp(-fabs(x / p)));
}

// their derivatives; zero where there is none (l2 with p = 0 and power with p <= 1, at the target)
static double twice(double x, double p, double q) { return (void)p, (void)q, 2 * x; }
static double smoothAbsSlope(double x, double p, double q) { return (void)q, x / sqrt(x * x + p * p); }
static double coshSlope(double x, double p, double q) { return (void)q, p * sinh(x / p); }
static double powerSlope(double x, double p, double q) {
  (void)q;
  return x == 0 ? 0 : copysign(p * pow(fabs(x), p - 1), x);
}
static double smoothAbs2Slope(double x, double p, double q) {
  return x == 0 ? 0 : copysign(pow(pow(fabs(x), q) + pow(p, q), 1 / q - 1) * pow(fabs(x), q - 1), x);
}
static double rectifySlope(double x, double p, double q) {
  double small = exp(-fabs(x / p));
  (void)q;
  return x > 0 ? 1 / (1 + small) : small / (1 + small);
}
static double one(double x, double p, double q) { return (void)x, (void)p, (void)q, 1; }

static const struct {
  double (*element)(double x, double p, double q);
  double (*slope)(double x, double p, double q);
  int nparam;  // parameters that must be more than 0
} norms[SHEAF_NNORM] = {
    [SHEAF_NORM_QUADRATIC] = {squared, twice, 0},
    [SHEAF_NORM_L2] = {squared, twice, 0},
    [SHEAF_NORM_SMOOTH_ABS] = {smoothAbs, smoothAbsSlope, 1},
    [SHEAF_NORM_SMOOTH_ABS2] = {smoothAbs2, smoothAbs2Slope, 2},
    [SHEAF_NORM_COSH] = {coshLoss, coshSlope, 1},
    [SHEAF_NORM_POWER] = {power, powerSlope, 1},
    [SHEAF_NORM_RECTIFY] = {rectify, rectifySlope, 1},
    [SHEAF_NORM_SUM] = {itself, one, 0},
};

// the norm, from the sum over its elements
static double finishNorm(const mjiTerm* term, double sum) {
  if (term->norm == SHEAF_NORM_QUADRATIC) return 0.5 * sum;
  if (term->norm == SHEAF_NORM_L2) return sqrt(sum + term->p * term->p) - term->p;
  return sum;
}

// the factor of its slope in the slope of each element
static double slopeOfSum(const mjiTerm* term, double sum) {
  if (term->norm == SHEAF_NORM_QUADRATIC) return 0.5;
  if (term->norm != SHEAF_NORM_L2) return 1;
  double root = sqrt(sum + term->p * term->p);
  return root > 0 ? 0.5 / root : 0;
}

// ---- terms of a request

static int sourceSize(const mjModel* m, int source) {
  if (source == SHEAF_SOURCE_SENSORDATA) return (int)m->nsensordata;
  return source == SHEAF_SOURCE_CTRL ? (int)m->nu : mj_stateSize(m, mjSTATE_FULLPHYSICS);
}

// x as an integer from 0 to most; -1 if it is not such an integer
static int integerOf(double x, int most) { return x >= 0 && x <= most && x == floor(x) ? (int)x : -1; }

static int refuse(sheafStatus* status, int term, const char* what, double got) {
  return mji_status(status, SHEAF_INVALID_ARGUMENT, "cost_term", "expected %s, got %.10g in term %d", what, got, term);
}

static int checkParameters(const mjiTerm* t, int i, sheafStatus* status) {
  const double param[] = {t->p, t->q};
  for (int k = 0; k < norms[t->norm].nparam; k++) {
    if (!(param[k] > 0 && param[k] <= mjMAXVAL)) return refuse(status, i, "parameters of the norm above 0", param[k]);
  }
  if (!(t->p >= 0)) return refuse(status, i, "p of 0 or more", t->p);
  if (!isfinite(t->weight)) return refuse(status, i, "finite weights", t->weight);
  if (!isfinite(t->terminal)) return refuse(status, i, "finite weights", t->terminal);
  return 0;
}

// set target and stride of a term; refuse them if the targets of some step are missing
static int takeTarget(mjiTerm* t, const mjiCost* cost, const sheafCostTerm* from, int nstep, int i,
                      sheafStatus* status) {
  t->target = -1;
  if (from->target == -1) return 0;
  t->target = integerOf(from->target, cost->ntarget - 1);
  t->stride = integerOf(from->stride, INT_MAX);
  if (t->target < 0) return refuse(status, i, "a target inside of cost_target, or -1", from->target);
  if (t->stride < 0) return refuse(status, i, "a stride of 0 or more", from->stride);
  int64_t end = t->target + (int64_t)t->stride * (nstep - 1) + t->count;
  if (end > cost->ntarget) return refuse(status, i, "targets of all steps inside of cost_target", (double)end);
  return 0;
}

static int takeTerm(mjiTerm* t, const mjiCost* cost, const mjModel* m, const sheafCostTerm* from, int nstep, int i,
                    sheafStatus* status) {
  int norm = integerOf(from->norm, SHEAF_NNORM - 1), source = integerOf(from->source, SHEAF_NSOURCE - 1);
  if (norm < 0) return refuse(status, i, "a norm from 0 to 7", from->norm);
  if (source < 0) return refuse(status, i, "a source from 0 to 2", from->source);
  int size = sourceSize(m, source), first = integerOf(from->first, size - 1);
  int count = first < 0 ? -1 : integerOf(from->count, size - first);
  if (first < 0) return refuse(status, i, "a first element that the model has", from->first);
  if (count < 1) return refuse(status, i, "one or more elements that the model has", from->count);
  *t = (mjiTerm){norm, source, first, count, from->weight, from->terminal, from->p, from->q, -1, 0};
  int err = checkParameters(t, i, status);
  return err ? err : takeTarget(t, cost, from, nstep, i, status);
}

size_t mji_costTerms(const sheafRollout* r) {
  return r->cost_term && (r->cost || r->cost_parts) ? (size_t)r->ncost_term * (size_t)r->ncost : 0;
}

int mji_costTake(mjiCost* cost, const mjModel* m, const sheafRollout* r, int share, mjiTerm* room,
                 sheafStatus* status) {
  size_t n = mji_costTerms(r);
  *cost = (mjiCost){.nterm = r->ncost,
                    .nrow = r->ncost_term,
                    .share = share,
                    .term = room,
                    .target = r->cost_target,
                    .ntarget = r->cost_target ? r->ntarget : 0,
                    .ntarget_row = r->ncost_target,
                    .discount = r->discount,
                    .total = r->cost,
                    .parts = r->cost_parts};
  if (!n) cost->nterm = 0;
  if (!r->cost && !r->cost_parts) return 0;
  if (!n) return mji_status(status, SHEAF_INVALID_ARGUMENT, "cost_term", "expected terms, got none");
  if (r->ncost > SHEAF_MAXCOST) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "cost_term", "expected at most %d terms, got %d", SHEAF_MAXCOST,
                      r->ncost);
  }
  for (size_t i = 0; i < n; i++) {
    sheafCostTerm from;
    memcpy(&from, r->cost_term + i * SHEAF_NCOST, sizeof from);
    int err = takeTerm(room + i, cost, m, &from, r->nstep, (int)(i % (size_t)r->ncost), status);
    if (err) return err;
    cost->needs |= room[i].source == SHEAF_SOURCE_SENSORDATA ? MJI_NEED_SENSOR : 0;
  }
  return 0;
}

// ---- rows

// element i of the state: time, qpos, qvel, act, state of plugins
static const mjtNum* stateElement(const mjModel* m, const mjData* d, int* i) {
  const struct {
    const mjtNum* data;
    int n;
  } part[] = {{mji_time((mjData*)d), 1}, {d->qpos, (int)m->nq}, {d->qvel, (int)m->nv}, {d->act, (int)m->na}};
  for (int k = 0; k < 4; k++) {
    if (*i < part[k].n) return part[k].data;
    *i -= part[k].n;
  }
  return d->plugin_state;
}

static double elementOf(const mjModel* m, mjiPlace at, int source, int i) {
  const mjtNum* data = source == SHEAF_SOURCE_SENSORDATA ? at.d->sensordata
                       : source == SHEAF_SOURCE_CTRL     ? at.d->ctrl
                                                         : stateElement(m, at.d, &i);
  return data[(size_t)i * (size_t)at.nlane + (size_t)at.lane];
}

static double normOf(const mjiTerm* term, const mjModel* m, mjiPlace at, const double* target) {
  double sum = 0;
  for (int i = 0; i < term->count; i++) {
    double x = elementOf(m, at, term->source, term->first + i);
    sum += norms[term->norm].element(target ? x - target[i] : x, term->p, term->q);
  }
  return finishNorm(term, sum);
}

void mji_costBegin(const mjiCost* cost, int row) {
  if (!cost->nterm) return;
  if (cost->total) cost->total[row] = 0;
  for (int k = 0; cost->parts && k < cost->nterm; k++) cost->parts[(size_t)row * (size_t)cost->nterm + (size_t)k] = 0;
}

// the terms of a row, and the targets of a term in step t
static const mjiTerm* termsOf(const mjiCost* cost, int row) {
  return cost->term + (cost->nrow == 1 ? 0 : (size_t)(row / cost->share) * (size_t)cost->nterm);
}

static const double* targetOf(const mjiCost* cost, const mjiTerm* term, int row, int t) {
  if (term->target < 0) return NULL;
  const double* targets = mji_row(cost->target, cost->ntarget_row, row / cost->share, (size_t)cost->ntarget);
  return targets + term->target + (size_t)term->stride * (size_t)t;
}

static double discountOf(const mjiCost* cost, int t) { return cost->discount == 1 ? 1 : pow(cost->discount, t); }

static double weightOf(const mjiTerm* term, int last) { return last ? term->weight + term->terminal : term->weight; }

void mji_costStep(const mjiCost* cost, const mjModel* m, mjiPlace at, int row, int t, int last) {
  if (!cost->nterm) return;
  const mjiTerm* terms = termsOf(cost, row);
  double discount = discountOf(cost, t), sum = 0;
  for (int k = 0; k < cost->nterm; k++) {
    const mjiTerm* term = terms + k;
    double weight = weightOf(term, last);
    if (weight == 0) continue;
    double part = discount * (weight * normOf(term, m, at, targetOf(cost, term, row, t)));
    if (cost->parts) cost->parts[(size_t)row * (size_t)cost->nterm + (size_t)k] += part;
    sum += part;
  }
  if (!cost->total) return;
  cost->total[row] += sum;
  if (last && !isfinite(cost->total[row])) cost->total[row] = INFINITY;
}

void mji_costSlopes(const mjiCost* cost, int row, int t, int last, int source, const double* x, double* slope) {
  const mjiTerm* terms = termsOf(cost, row);
  for (int k = 0; k < cost->nterm; k++) {
    const mjiTerm* term = terms + k;
    double weight = discountOf(cost, t) * weightOf(term, last), sum = 0;
    const double *target = targetOf(cost, term, row, t), *from = x + term->first;
    if (term->source != source || weight == 0) continue;
    for (int i = 0; i < term->count && term->norm == SHEAF_NORM_L2; i++) {
      double error = target ? from[i] - target[i] : from[i];
      sum += error * error;
    }
    weight *= slopeOfSum(term, sum);
    for (int i = 0; i < term->count; i++) {
      double error = target ? from[i] - target[i] : from[i];
      slope[term->first + i] += weight * norms[term->norm].slope(error, term->p, term->q);
    }
  }
}

void mji_costSpoil(const mjiCost* cost, int row) {
  if (cost->nterm && cost->total) cost->total[row] = INFINITY;
}
