// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The primal constraint problem, and the pieces of its solvers.
//
// Unknown: the acceleration a. Minimize  1/2 (a - a0)' M (a - a0) + s(J a - aref)  with a0 =
// qacc_smooth and s the convex penalty of each row type (documentation of MuJoCo: Computation, "Solver"). Newton and
// conjugate gradients share everything but the direction.
//
// Lanes hold independent problems with a common block list, and each problem is a set of independent parts
// (solve/parts.h). `live` marks the lanes in which a part still iterates. The numbers of a part that has converged in a
// lane do not change any more while other lanes go on.
//
// Include lanes/lanes.h first.
#ifndef SHEAF_SOLVE_PRIMAL_H_
#define SHEAF_SOLVE_PRIMAL_H_

#include <mujoco/mujoco.h>

#include "constraint/block_ops.h"
#include "model/block.h"
#include "solve/parts.h"
#include "solve/pattern.h"

// sum, factor and 1/D of the Hessian
typedef struct {
  V *sum, *factor, *dinv;
} LANE(Values);

typedef struct LANE(Primal_) {
  const mjModel* m;
  mjData* d;
  const mjiBlock* block;
  int nblock, nv, nefc, ne, nf;
  int cone;  // elliptic cones are present

  V* qacc;    // (nv) iterate
  V* Ma;      // (nv) M * qacc
  V* Jaref;   // (nefc) J * qacc - aref
  V* grad;    // (nv) Ma - qfrc_smooth - qfrc_constraint
  V* Mgrad;   // (nv) preconditioned gradient
  V* search;  // (nv) direction
  V* Mv;      // (nv) M * search
  V* Jv;      // (nefc) J * search

  // of each part
  const LANE(Parts)* parts;
  V* cost;   // at the iterate
  V* gauss;  // the part of the cost without constraints
  V* scale;  // of improvements and gradients: 1 / inertia
  M* live;
  V* scratch;                       // (2 x n)
  struct LANE(LineScratch_)* line;  // scratch of line searches

  // Newton
  mjiPattern pattern;
  V* sum;            // M + J'WJ, accumulated
  V* factor;         // its factor; rows are D*L
  V* dinv;           // (nv) 1/D
  V* weight;         // (nefc) row weights that `sum` holds
  V* coneweight;     // dim x dim per elliptic contact that `sum` holds, in block order; after `weight`
  size_t nweight;    // numbers of weight and coneweight together
  int borrows;       // sum, factor and dinv point to those that an earlier solve began with (solve/kept_hessian.h)
  LANE(Values) own;  // while it borrows: memory for its own values, once they differ
  V* bound;          // (nv x 2) least pivot; largest diagonal of `sum` that keeps digits of M
  V* temp;           // scratch of the factorization: nv numbers (dense), or that for MJI_NODE_ROWS rows
  V* products;       // W J of a block, scratch
} LANE(Primal);

// Penalty s(jar) summed over rows in row order; force (may be NULL) receives -s'.
V LANE(penalty)(const mjModel* m, const mjData* d, const V* jar, V* force);

// The same for each part; force must not be NULL.
void LANE(penaltyOfParts)(const mjModel* m, const mjData* d, const LANE(Parts)* parts, const V* jar, V* force, V* cost);

// dim x dim Hessian of the penalty of an elliptic contact block at jar (dim rows of it).
void LANE(coneHessian)(const mjModel* m, const mjData* d, const mjiBlock* b, const V* jar, V* hessian);

// Weights of the rows of a block that is not an elliptic contact, at their residuals: D where the penalty is quadratic.
void LANE(rowWeights)(const mjData* d, const mjiBlock* b, const V* jar, V* w);

// Scratch for line searches, once for a problem.
void LANE(lineSearchInit)(LANE(Primal)* p);

// Exact line search of each part along p->search from the iterate: finds the steps (zero in lanes that are not live),
// the slopes at their ends, and the number of evaluations. If `newton` is set, p->search is a Newton direction, whose
// first step is 1; along any other direction the first step costs one evaluation more.
void LANE(lineSearch)(LANE(Primal)* p, int newton, const V* gtol, V* step, V* slope, int* neval);

// Allocate pattern and values for Newton on the stack of d. Sets `sum` to M, or borrows sum and factor of an earlier
// solve.
void LANE(hessianInit)(LANE(Primal)* p);

// Update `sum` to the current iterate by adding what changed. Returns the number of blocks that changed.
int LANE(hessianUpdate)(LANE(Primal)* p);

// Borrow the Hessian with which an earlier solve at these positions began (solve/kept_hessian.h), if it has the weights
// that p has at the start of its solve. Nonzero if so.
int LANE(hessianBorrow)(LANE(Primal)* p);

// Copy a borrowed sum and factor. Call it before `sum` changes.
void LANE(hessianOwn)(LANE(Primal)* p);

// Keep sum and factor for later solves, if solves are repeated and the arena has room. Call it after the first factor
// of a solve that borrowed nothing.
void LANE(hessianKeep)(LANE(Primal)* p);

// x = sum^-1 y. `factor` asks to factor `sum` first, which is needed if it has changed since the last call.
void LANE(hessianSolve)(LANE(Primal)* p, V* x, const V* y, int factor);

// The Hessian at an acceleration whose residuals are given, on the stack of d: `p` and `parts` are filled for
// hessianSolve. (hessian_at.c)
void LANE(hessianAt)(const mjModel* m, mjData* d, V* jar, LANE(Parts)* parts, LANE(Primal)* p);

// X = sum^-1 X for n vectors of nv numbers, one after the other; factors first. Each has the bits that it has alone.
void LANE(hessianSolveAll)(LANE(Primal)* p, V* x, int n);

// x = sum^-1 x, for a pattern with dense values.
void LANE(solveDense)(LANE(Primal)* p, V* x, int factor);

// J a - aref (solve/start.c)
void LANE(residuals)(const mjModel* m, const mjData* d, V* jar, const V* qacc);

// Choose where the solver starts, for each part: writes the acceleration to d->qacc, its M a to Ma, its J a - aref to
// jar, and the J a - aref of the unconstrained acceleration to `cold` (solve/start.c). Nonzero if it also knows, for
// that start, the penalty of each part (`penalty`), d->efc_force and d->qfrc_constraint.
int LANE(startPrimal)(const mjModel* m, mjData* d, const LANE(Parts)* parts, V* Ma, V* jar, V* cold, V* penalty);

// Newton or conjugate gradients from d->qacc. Ma = M*qacc and Jaref = J*qacc - aref belong to d->qacc, on entry and on
// return. Writes qacc, efc_force and qfrc_constraint. penalty: NULL, or what startPrimal knows.
void LANE(solvePrimal)(const mjModel* m, mjData* d, const LANE(Parts)* parts, int newton, V* Ma, V* Jaref,
                       const V* penalty);

// Solve from the center of the data (solve/center.h). Returns the lanes that are solved: they have qacc, efc_force and
// qfrc_constraint.
M LANE(solveFromCenter)(const mjModel* m, mjData* d);

// Projected Gauss-Seidel: efc_force in live lanes (solve/pgs.c). Noslip, after any solver: friction forces alone,
// without regularization (solve/noslip.c); `sweeps`, if it is given, are those of each lane, counted or, with `fixed`,
// prescribed. finishDual: qacc and qfrc_constraint that follow from efc_force (solve/pgs.c).
void LANE(solvePGS)(const mjModel* m, mjData* d, M live);
void LANE(solveNoslip)(const mjModel* m, mjData* d, M live, int* sweeps, int fixed);
void LANE(finishDual)(const mjModel* m, mjData* d, M on);

// Noslip after a solver that has found d->qacc: forces of the rows at that acceleration, then as solveNoslip. For
// derivatives: results are smooth as long as the number of sweeps stays. (solve/constraint_stage.c)
void LANE(noslipFrom)(const mjModel* m, mjData* d, int* sweeps, int fixed);

#endif  // SHEAF_SOLVE_PRIMAL_H_
