// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The minimum of a convex function of one variable, piecewise smooth: Newton steps on its slope in
// one direction until the minimum is passed, then a bracket that three candidates narrow, the
// Newton points of both ends and the middle. How far a search of few evaluations comes is part of
// what users of `ls_iterations` see, so the order of evaluations is that of the reference.
//
// A search asks for one evaluation at a time (`ask`) and goes on when it is told: whoever evaluates
// may do so for many searches at once.
#ifndef SHEAF_SOLVE_BRACKET_H_
#define SHEAF_SOLVE_BRACKET_H_

#include <mujoco/mujoco.h>

typedef struct {
  mjtNum step, cost, slope, curvature;
} mjiLinePoint;

typedef struct {
  mjiLinePoint start;               // where the search begins: step 0
  mjiLinePoint near, far;           // ends of the bracket; one-sided: here, and the last one
  mjiLinePoint nextnear, nextfar;   // Newton points of both
  mjiLinePoint candidate[3];        // what may replace the ends
  mjiLinePoint found;               // the answer
  mjtNum gtol;                      // slopes below this end the search
  mjtNum ask;                       // step to be evaluated
  mjtNum direction;
  int maxeval, neval, stage, passed, narrowed;
} mjiLineSearch;

// Newton step from a point.
static inline mjtNum mji_bracket_newton(const mjiLinePoint* at) {
  mjtNum curvature = at->curvature > mjMINVAL ? at->curvature : mjMINVAL;
  return at->step - at->slope / curvature;
}

// Begin at a Newton step that has been evaluated, as has the start, after neval evaluations.
// Nonzero if the search asks for more, else `found` is the answer.
int mji_bracket_begin(mjiLineSearch* s, const mjiLinePoint* start, const mjiLinePoint* first,
                      mjtNum gtol, int neval, int maxeval);

// Go on with the point that was asked for.
int mji_bracket_next(mjiLineSearch* s, const mjiLinePoint* at);

#endif  // SHEAF_SOLVE_BRACKET_H_
