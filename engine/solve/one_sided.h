// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One-sided rows: their penalty is quadratic on the negative side, zero on the positive. The rows of limits, of
// frictionless and of pyramidal contacts are one-sided, which is most rows of most models.
//
// With one state four neighbouring rows are computed at once (solve/one_sided_quads.c), with lanes one row of all
// states (solve/one_sided_lanes.c). Both add in the order of rows.
//
// Include lanes/lanes.h first.
#ifndef SHEAF_SOLVE_ONE_SIDED_H_
#define SHEAF_SOLVE_ONE_SIDED_H_

// at a point of a line: the cost and its derivatives with respect to the step
typedef struct LANE(Line_) {
  V cost, slope, curvature;
} LANE(Line);

// Add the penalty of rows start .. end-1 to a cost; force (may be NULL) receives its negative derivatives.
V LANE(oneSidedCost)(const V* D, const V* jar, V* force, int start, int end, V cost);

// Add the penalty of rows start .. end-1 at jar + step * jv.
void LANE(oneSidedLine)(const V* D, const V* jar, const V* jv, V step, int start, int end, LANE(Line)* line);

#endif  // SHEAF_SOLVE_ONE_SIDED_H_
