// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Planning by sampling: what a request `sample` computes, so that every number of it can be computed again elsewhere.
//
// A plan is a spline: `nknot` knots of nu controls, at steps j * nstep / nknot (zero-order) or
// j * (nstep - 1) / (nknot - 1) (linear, cubic). In steps i*hold to (i+1)*hold - 1 the control is the value of the
// spline at step i*hold. Values between knots are those of cubic Hermite splines with finite differences:
// with t in [t[j], t[j+1]], h = t[j+1] - t[j], s = (t - t[j]) / h and slopes v[j], the mean of the two
// (p[j+1] - p[j]) / (t[j+1] - t[j]) on the sides of a knot (at the ends the one that exists),
//
//   (2s^3 - 3s^2 + 1) p[j] + (s^3 - 2s^2 + s) h v[j] + (3s^2 - 2s^3) p[j+1] + (s^3 - s^2) h v[j+1] .
//
// First the plan is moved forward: knot j becomes the spline's value at its time plus `shift` steps; after the last
// knot the spline keeps the last knot's value. Knots and values of the spline are clamped to the ranges of actuators
// that have one.
//
// Then, in each iteration:
//   1. Sample 0 is the plan. Knot j, control k of sample i > 0 is that of the plan plus noise[j][k] times a standard
//      normal number: that of word k % 4 of Philox-4x32-10 with counter (i, j, k / 4, iteration from 0) and key (seed
//      modulo 2^32, seed / 2^32). Word u becomes normal number PPND7((u + 1/2) / 2^32) (Wichura 1988, AS 241).
//   2. Each sample is rolled out from the same state; sheaf/cost_term.h defines its cost. The cost of a rollout that
//      diverges is infinity.
//   3. The plan changes:
//        predictive sampling (Howell et al. 2022): to the sample of lowest cost;
//        MPPI (Williams et al. 2017): to the mean of all samples with weights exp(-(cost - lowest cost) / temperature);
//        cross-entropy method (Rubinstein 1999): to the mean of the `nelite` samples of lowest cost, and noise to their
//        standard deviations (of the population), at least `least_noise`. Samples that diverge are never among them.
//      Of samples with equal costs, the one with the lower number counts as lower. If all samples diverge, the plan and
//      the noise do not change.
//
// Steps along the gradient (as the gradient planner of Howell et al. 2022) have other samples. With g = d cost / d
// knots of the plan and w = noise * g, number by number, sample i > 0 is the plan minus step * step_ratio^(i-1) times
// noise * w / |w|; the plan becomes the sample of lowest cost. In w, knots at the end of a range that a step would move
// out of it count as zero; if w is zero or the plan diverges, all samples are the plan. g is the exact derivative of
// the cost where it has one: through the spline (a value that is clamped does not follow its knots), the derivatives of
// each step (transition_derivatives in request_table.h; for models that it does not cover, centered differences of
// steps) and those of the cost's norms (zero at a kink). Where the solver starts does not count.
//
// Samples may be computed in parts, by several servers. A request with sample_count rolls out samples sample_begin to
// sample_begin + sample_count - 1 only; of its results `cost` has their costs (NaN elsewhere), and the plan stays,
// moved forward. A request with sample_cost takes the costs of all samples from there, instead of rolling them out.
// Both have one iteration, and first_iteration says which: the noise depends on it.
//
// Trajectories: plan_state, plan_cost and plan_solution are of a rollout of the improved plan, top_state of rollouts of
// the ntop samples of lowest cost in the last iteration, and outputs by name of both: the rows of a plan are its own
// rollout, then those of its best samples. These rollouts are made once more after the last iteration, in one round,
// and only if one of these results is asked for. `every`, `aligned` and `dtype` mean what they do in rollouts.
//
// Each row of the batch is a plan of its own. Rows may have different seeds, or share one and so have the same noise.
#ifndef SHEAF_SAMPLING_H_
#define SHEAF_SAMPLING_H_

typedef enum sheafMethod_ {
  SHEAF_METHOD_PREDICTIVE = 1,
  SHEAF_METHOD_MPPI,
  SHEAF_METHOD_CEM,
  SHEAF_METHOD_GRADIENT,
} sheafMethod;

typedef enum sheafSpline_ {
  SHEAF_SPLINE_ZERO = 1,
  SHEAF_SPLINE_LINEAR,
  SHEAF_SPLINE_CUBIC,
} sheafSpline;

#endif  // SHEAF_SAMPLING_H_
