// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The small bounded problems of elliptic contacts; states of rows that follow from forces.

#include "solve/dual.h"

#include <math.h>

#include <mujoco/mujoco.h>

enum { MAXDIM = 6 };

// Returns the change of the cost when forces move from `old` to `force`. Undoes a move that raises the cost.
static mjtNum costChange(const mjtNum* A, mjtNum* force, const mjtNum* old, const mjtNum* res, int n) {
  mjtNum change = 0;
  for (int r = 0; r < n; r++) {
    mjtNum delta = force[r] - old[r];
    change += delta * res[r];
    for (int c = 0; c < n; c++) change += 0.5 * delta * A[r * n + c] * (force[c] - old[c]);
  }
  if (change > 1e-10) {
    mju_copy(force, old, n);
    return 0;
  }
  return change;
}

// Inverse of a symmetric matrix of size 2 or 3 by cofactors; zero where its determinant is small.
static int invertSmall(mjtNum* inv, const mjtNum* S, int n) {
  mjtNum det;
  if (n == 2) {
    det = S[0] * S[3] - S[1] * S[1];
    mjtNum cofactor[4] = {S[3], -S[1], -S[1], S[0]};
    mju_copy(inv, cofactor, 4);
  } else {
    inv[0] = S[4] * S[8] - S[5] * S[5];
    inv[1] = inv[3] = S[2] * S[5] - S[1] * S[8];
    inv[2] = inv[6] = S[1] * S[5] - S[2] * S[4];
    inv[4] = S[0] * S[8] - S[2] * S[2];
    inv[5] = inv[7] = S[1] * S[2] - S[0] * S[5];
    inv[8] = S[0] * S[4] - S[1] * S[1];
    det = S[0] * inv[0] + S[1] * inv[1] + S[2] * inv[2];
  }
  if (det < 1e-10) return 0;
  mju_scl(inv, inv, 1 / det, n * n);
  return 1;
}

// y = -inv(S) b and v = inv(S) y. Returns zero if S counts as singular; the test for that depends on the size n.
static int solveTwice(mjtNum* y, mjtNum* v, mjtNum* S, const mjtNum* b, int n) {
  if (n == 2 || n == 3) {
    mjtNum inv[9];
    if (!invertSmall(inv, S, n)) return 0;
    mju_mulMatVec(y, inv, b, n, n);
    mju_scl(y, y, -1, n);
    mju_mulMatVec(v, inv, y, n, n);
    return 1;
  }
  if (mju_cholFactor(S, n, 1e-10) < n) return 0;
  mju_cholSolve(y, S, b, n);
  mju_scl(y, y, -1, n);
  mju_cholSolve(v, S, y, n);
  return 1;
}

int mji_boundedQP(mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* scale, mjtNum radius, int n) {
  mjtNum H[25], S[25], bs[5], v[5];
  mjtNum lambda = 0;
  mju_zero(x, n);

  // substitute x = scale * y, so that the bound becomes a ball
  for (int i = 0; i < n; i++) {
    bs[i] = b[i] * scale[i];
    for (int j = 0; j < n; j++) H[i * n + j] = A[i * n + j] * scale[i] * scale[j];
  }

  // Newton on |y(lambda)|^2 = radius^2 with y = -inv(H + lambda I) b; lambda starts at 0 and only grows
  for (int iter = 0; iter < 20; iter++) {
    mju_copy(S, H, n * n);
    for (int i = 0; i < n; i++) S[i * n + i] += lambda;
    if (!solveTwice(x, v, S, bs, n)) {
      mju_zero(x, n);
      return 0;
    }
    mjtNum excess = mju_dot(x, x, n) - radius * radius;
    if (excess < 1e-10) break;
    mjtNum slope = -2 * mju_dot(x, v, n), delta = -excess / slope;
    if (delta < 1e-10) break;
    lambda += delta;
  }
  for (int i = 0; i < n; i++) x[i] *= scale[i];
  return lambda != 0;
}

// friction forces of an elliptic contact for a given normal force
static void solveFriction(mjtNum* force, const mjtNum* A, const mjtNum* b, const mjtNum* friction, mjtNum normal,
                          int n) {
  if (normal < mjMINVAL) {
    mju_zero(force, n);
    return;
  }
  if (!mji_boundedQP(force, A, b, friction, normal, n)) return;

  // the solution lies on the surface: place it there exactly
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) sum += force[i] * force[i] / (friction[i] * friction[i]);
  mju_scl(force, force, sqrt(normal * normal / mju_max(mjMINVAL, sum)), n);
}

// Ac and bc of the friction subproblem: bc is the residual at zero friction force and the new normal force
static void frictionBlock(mjtNum* Ac, mjtNum* bc, const mjtNum* A, const mjtNum* res, const mjtNum* force,
                          const mjtNum* old, int dim) {
  int n = dim - 1;
  for (int r = 0; r < n; r++) {
    bc[r] = res[r + 1] + A[(r + 1) * dim] * (force[0] - old[0]);
    for (int c = 0; c < n; c++) {
      Ac[r * n + c] = A[(r + 1) * dim + c + 1];
      bc[r] -= Ac[r * n + c] * old[c + 1];
    }
  }
}

mjtNum mji_coneSweep(mjtNum* force, const mjtNum* A, const mjtNum* res, const mjtNum* friction, int dim) {
  mjtNum Ac[25], bc[5], old[MAXDIM];
  mju_copy(old, force, dim);
  if (force[0] < mjMINVAL) {
    // no force yet: move along the normal only
    force[0] = mju_max(0, force[0] - res[0] / A[0]);
    mju_zero(force + 1, dim - 1);
  } else {
    // move along the ray of the present force
    mjtNum denom = mju_mulVecMatVec(force, A, force, dim);
    if (denom >= mjMINVAL) {
      mjtNum x = mju_max(-mju_dot(force, res, dim) / denom, -1);
      mju_addToScl(force, old, x, dim);
    }
  }
  frictionBlock(Ac, bc, A, res, force, old, dim);
  solveFriction(force + 1, Ac, bc, friction, force[0], dim - 1);
  return costChange(A, force, old, res, dim);
}

mjtNum mji_slipCone(mjtNum* force, const mjtNum* A, const mjtNum* res, const mjtNum* friction, mjtNum normal, int n) {
  mjtNum b[MAXDIM], old[MAXDIM];
  mju_copy(old, force, n);
  for (int r = 0; r < n; r++) b[r] = res[r] - mju_dot(A + r * n, old, n);
  solveFriction(force, A, b, friction, normal, n);
  return costChange(A, force, old, res, n);
}

// ---- states

static int scalarState(const mjData* d, int i) {
  mjtNum force = d->efc_force[i], loss = d->efc_frictionloss[i];
  if (i < d->ne) return mjCNSTRSTATE_QUADRATIC;
  if (i >= d->ne + d->nf) return force > 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
  return force >= loss ? mjCNSTRSTATE_LINEARNEG : force <= -loss ? mjCNSTRSTATE_LINEARPOS : mjCNSTRSTATE_QUADRATIC;
}

// An elliptic contact whose force is inside its cone sticks, and counts as satisfied. The update of a sliding contact
// puts its force on the cone, most often exactly; this counts as satisfied, too.
static int coneState(const mjContact* con, const mjtNum* force) {
  if (force[0] < mjMINVAL) return mjCNSTRSTATE_SATISFIED;
  mjtNum sum = 0;
  for (int j = 1; j < con->dim; j++) {
    mjtNum f = force[j] / con->friction[j - 1];
    sum += f * f;
  }
  return sqrt(sum) <= force[0] ? mjCNSTRSTATE_SATISFIED : mjCNSTRSTATE_CONE;
}

// states of one-sided rows that are not those of elliptic contacts
static void oneSidedStates(mjData* d, int start, mjSolverStat* stat) {
  int active = 0, change = 0;
  for (int i = start; i < d->nefc; i++) {
    int state = d->efc_force[i] > 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
    active += state;
    change += d->efc_state[i] != state;
    d->efc_state[i] = state;
  }
  stat->nactive += active;
  stat->nchange += change;
}

mjSolverStat mji_dualStates(const mjModel* m, mjData* d) {
  int pyramids = m->opt.cone == mjCONE_PYRAMIDAL, end = pyramids ? d->ne + d->nf : d->nefc;
  mjSolverStat stat = {0};
  for (int i = 0, n = 1; i < end; i += n) {
    const mjContact* con = d->contact + d->efc_id[i];
    int cone = d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC;
    int state = cone ? coneState(con, d->efc_force + i) : scalarState(d, i);
    n = cone ? con->dim : 1;
    for (int j = i; j < i + n; j++) {
      stat.nactive += state != mjCNSTRSTATE_SATISFIED;
      stat.nchange += d->efc_state[j] != state;
      d->efc_state[j] = state;
    }
  }
  oneSidedStates(d, end, &stat);
  return stat;
}

void mji_dualRecord(const mjModel* m, mjData* d, mjtNum improvement) {
  int iter = d->solver_niter[0]++;
  mjSolverStat stat = mji_dualStates(m, d);
  stat.improvement = improvement;
  if (iter < mjNSOLVER) d->solver[iter] = stat;
}
