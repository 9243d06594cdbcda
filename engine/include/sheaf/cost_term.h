// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Costs of rollouts: the meaning of the numbers in `cost_term` of a request.
//
// The cost of a rollout of T steps is
//
//   sum over t < T of discount^t * sum over terms of weight * norm(r(t)) + discount^(T-1) * terminal * norm(r(T-1)) ,
//
// where r(t) are some elements of sensors, state or controls, minus their targets. The elements are those of step t in
// the rollout's results: the sensors that are computed within step t, from the state that the step began from; the
// state after the step; the controls that were applied in it. A rollout that stops being valid costs infinity, and so
// does one whose cost is not finite.
//
// The norms are those of MuJoCo MPC (Howell et al. 2022, arXiv:2212.00541, and the documentation of its `norm.h`), plus
// `sum`, for rewards. x are the elements of r, p and q the term's parameters:
//
//   quadratic    1/2 sum x^2
//   l2           sqrt(sum x^2 + p^2) - p
//   smooth_abs   sum (sqrt(x^2 + p^2) - p)
//   smooth_abs2  sum ((|x|^q + p^q)^(1/q) - p)
//   cosh         sum p^2 (cosh(x / p) - 1)
//   power        sum |x|^p
//   rectify      sum p log(1 + exp(x / p))
//   sum          sum x
#ifndef SHEAF_COST_TERM_H_
#define SHEAF_COST_TERM_H_

typedef enum sheafNorm_ {
  SHEAF_NORM_QUADRATIC = 0,
  SHEAF_NORM_L2,
  SHEAF_NORM_SMOOTH_ABS,
  SHEAF_NORM_SMOOTH_ABS2,
  SHEAF_NORM_COSH,
  SHEAF_NORM_POWER,
  SHEAF_NORM_RECTIFY,
  SHEAF_NORM_SUM,
  SHEAF_NNORM
} sheafNorm;

// The array that has the elements of a term.
typedef enum sheafSource_ {
  SHEAF_SOURCE_SENSORDATA = 0,
  SHEAF_SOURCE_STATE,  // time, qpos, qvel, act, as in rows of `state`
  SHEAF_SOURCE_CTRL,
  SHEAF_NSOURCE
} sheafSource;

// A term: a row of the array `cost_term`, so that every field is a double.
typedef struct sheafCostTerm_ {
  double norm;          // sheafNorm
  double source;        // sheafSource
  double first, count;  // the term's elements in a row of the source: first one, and how many
  double weight;        // weight in every step
  double terminal;      // weight in the last step, in addition to `weight`
  double p, q;          // parameters of the norm; must be more than 0 if the norm uses them
  double target;        // index in `cost_target` of the first element's target; -1: all targets are zero
  double stride;        // distance in `cost_target` from a target to that of the next step; 0: all steps have the same
} sheafCostTerm;

enum { SHEAF_NCOST = 10, SHEAF_MAXCOST = 256 };  // numbers of a term, terms of a request

#endif  // SHEAF_COST_TERM_H_
