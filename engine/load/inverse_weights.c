// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Inverse weights over lanes: how bodies, dofs, tendons and actuators respond to forces at the pose of the data, whose
// M is factored. All are products with inv(M).

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/inertia.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_row.h"
#include "load/setconst.h"
#include "model/number.h"
#include "model/plan.h"

// Dofs that move something, from the root on: the only columns in which its Jacobian is not zero.
typedef struct {
  const int* dof;
  int n;
} Chain;

enum { MOST = 6 };  // right-hand sides that are solved side by side

// ---- in the columns of a chain: x[a * n + r] belongs to dof a of the chain and to vector r

// x <- inv(M) x for n vectors, element by element side by side. These are the operations of mj_solveM, in its order and
// with its two sums, but for those with zeros and for results that the chain does not need.
static inline __attribute__((always_inline)) void solveRows(const mjModel* m, const mjData* d, Chain c, V* restrict x,
                                                            int n) {
  const V* LD = CLANES(d->qLD);
  V even[MOST], odd[MOST];
  for (int b = c.n - 1; b >= 0; b--) {
    for (int r = 0; r < n; r++) even[r] = x[b * n + r], odd[r] = v_zero();
    for (int a = b + 1; a < c.n; a++) {
      int k = c.dof[a];
      if (m->M_rownnz[k] != a + 1) continue;  // a simple dof has a row of its own
      V l = LD[m->M_rowadr[k] + b], other = (k - c.dof[b]) & 1 ? v_zero() : l;
      l = l - other;
      for (int r = 0; r < n; r++) even[r] = even[r] - l * x[a * n + r];
      for (int r = 0; r < n; r++) odd[r] = odd[r] + other * x[a * n + r];
    }
    for (int r = 0; r < n; r++) x[b * n + r] = even[r] - odd[r];
  }
  for (int a = 0; a < c.n; a++) {
    int i = c.dof[a], nnz = m->M_rownnz[i] - 1, k = 0;
    const V* row = LD + m->M_rowadr[i];
    for (int r = 0; r < n; r++) even[r] = x[a * n + r] * CLANES(d->qLDiagInv)[i], odd[r] = v_zero();
    for (; k + 1 < nnz; k += 2) {
      for (int r = 0; r < n; r++) even[r] = even[r] - row[k] * x[k * n + r];
      for (int r = 0; r < n; r++) odd[r] = odd[r] + row[k + 1] * x[(k + 1) * n + r];
    }
    for (int r = 0; r < n && k < nnz; r++) even[r] = even[r] - row[k] * x[k * n + r];
    for (int r = 0; r < n; r++) x[a * n + r] = even[r] - odd[r];
  }
}

static void solveChain(const mjModel* m, const mjData* d, Chain c, V* x, int n) {
  if (n == 6) solveRows(m, d, c, x, 6);
  else if (n == 3) solveRows(m, d, c, x, 3);
  else solveRows(m, d, c, x, 1);
}

// The mean of x'y for n of `width` vectors, the first and those after it: added as mju_dot adds vectors of nv numbers
// that lie one after the other.
static inline V meanDot(const mjModel* m, Chain c, const V* x, const V* y, int width, int first, int n) {
  V part[4] = {v_zero(), v_zero(), v_zero(), v_zero()}, rest[3] = {v_zero(), v_zero(), v_zero()};
  int joined = n * (int)m->nv & ~3;
  for (int r = 0; r < n; r++) {
    for (int a = 0; a < c.n; a++) {
      int e = r * (int)m->nv + c.dof[a], k = a * width + first + r;
      V* sum = e < joined ? part + (e & 3) : rest + (e - joined);
      *sum = *sum + x[k] * y[k];
    }
  }
  V sum = (part[0] + part[2]) + (part[1] + part[3]);
  for (int k = 0; k < 3; k++) sum = sum + rest[k];
  return sum / v_set1(n);
}

// ---- bodies: the means of the diagonal of J * inv(M) * J' at the center of mass, for translations and rotations

static void bodyJacobian(const mjModel* m, const mjData* d, int body, Chain c, V* J) {
  V offset[3];
  const V *point = CLANES(d->xipos) + 3 * body, *com = CLANES(d->subtree_com) + 3 * m->body_rootid[body];
  for (int k = 0; k < 3; k++) offset[k] = point[k] - com[k];
  for (int a = 0; a < c.n; a++, J += 6) {
    const V* cdof = CLANES(d->cdof) + 6 * c.dof[a];
    cross3(J, cdof, offset);
    for (int k = 0; k < 3; k++) J[k] = J[k] + cdof[3 + k];
    copy3(J + 3, cdof);
  }
}

static void weighBodies(const mjModel* m, const mjData* d, V* weight, V* J, V* x) {
  const mjiPlan* plan = mji_plan(m);
  for (int i = 0; i < m->nbody; i++, weight += 2) {
    weight[0] = weight[1] = v_zero();
    if (!m->body_weldid[i]) continue;
    if (m->body_simple[i] == 2) {
      weight[0] = 1.0 / v_max(v_set1(mjMINVAL), v_num(NUM(body_mass)[i]));
      continue;
    }
    Chain c = {plan->chain_ind + plan->chain_adr[i], plan->chain_num[i]};
    bodyJacobian(m, d, i, c, J);
    copyN(x, J, 6 * c.n);
    solveChain(m, d, c, x, 6);
    for (int k = 0; k < 2; k++) weight[k] = meanDot(m, c, x, J, 6, 3 * k, 3);
  }
}

// ---- dofs: averaged over the dofs of a joint that have the same unit

static V dofWeight(const mjModel* m, const mjData* d, int body, int dof, int size, V* unit, V* x) {
  if (m->body_simple[body] == 2) return 1.0 / v_max(v_set1(mjMINVAL), v_num(NUM(body_mass)[body]));
  const mjiPlan* plan = mji_plan(m);
  Chain c = {plan->chain_ind + plan->chain_adr[body], plan->dof_depth[dof + size - 1]};
  zeroN(unit, c.n * size);
  for (int k = 0; k < size; k++) unit[(plan->dof_depth[dof + k] - 1) * size + k] = v_set1(1);
  copyN(x, unit, c.n * size);
  solveChain(m, d, c, x, size);
  return meanDot(m, c, x, unit, size, 0, size);
}

static void weighDofs(const mjModel* m, const mjData* d, V* weight, V* unit, V* x) {
  for (int j = 0; j < m->njnt; j++) {
    int dof = m->jnt_dofadr[j];
    mjtJoint type = m->jnt_type[j];
    int size = type == mjJNT_FREE || type == mjJNT_BALL ? 3 : 1;
    int kinds = type == mjJNT_FREE ? 2 : 1;  // translations and rotations
    for (int kind = 0; kind < kinds; kind++, dof += size) {
      V w = dofWeight(m, d, m->jnt_bodyid[j], dof, size, unit, x);
      for (int k = 0; k < size; k++) weight[dof + k] = w;
    }
  }
}

// ---- tendons and actuators

static V dot(const V* a, const V* b, int n) {
  V part[4] = {v_zero(), v_zero(), v_zero(), v_zero()};
  int i = 0;
  for (; i < (n & ~3); i++) part[i & 3] = part[i & 3] + a[i] * b[i];
  V sum = (part[0] + part[2]) + (part[1] + part[3]);
  for (; i < n; i++) sum = sum + a[i] * b[i];
  return sum;
}

static void weighTendons(const mjModel* m, mjData* d, V* weight, V* J, V* x) {
  for (int i = 0; i < m->ntendon; i++) {
    TendonRow row = tendonRow(m, d, i);
    zeroN(J, (int)m->nv);
    for (int k = 0; k < row.n; k++) J[tendonColumn(&row, k)] = row.J[k];
    if (m->nv) LANE(solveM)(m, d, (mjtNum*)x, (const mjtNum*)J, 1);
    weight[i] = m->nv ? dot(x, J, (int)m->nv) : v_zero();
  }
}

enum { TOGETHER = 3 };  // vectors that mj_solveM takes at a time

// the length of the acceleration that a unit force makes
static void weighActuators(const mjModel* m, mjData* d, V* weight, V* x) {
  int nv = (int)m->nv;
  for (int first = 0; first < m->nu; first += TOGETHER) {
    int n = mjMIN(TOGETHER, (int)m->nu - first);
    zeroN(x, n * nv);
    for (int r = 0; r < n; r++) {
      int adr = d->moment_rowadr[first + r];
      for (int k = adr; k < adr + d->moment_rownnz[first + r]; k++) {
        x[r * nv + d->moment_colind[k]] = CLANES(d->actuator_moment)[k];
      }
    }
    if (nv) LANE(solveM)(m, d, (mjtNum*)x, (const mjtNum*)x, n);
    for (int r = 0; r < n; r++) weight[first + r] = v_sqrt(dot(x + r * nv, x + r * nv, nv));
  }
}

void LANE(inverseWeights)(const mjModel* m, mjData* d, mjiInverseWeights* w) {
  size_t top = mji_stackTop(d), n = 6 * (size_t)m->nv + 1;
  V *J = LANES(mji_stackNum(d, n)), *x = LANES(mji_stackNum(d, n));
  weighBodies(m, d, LANES(w->body), J, x);
  weighDofs(m, d, LANES(w->dof), J, x);
  weighTendons(m, d, LANES(w->tendon), J, x);
  weighActuators(m, d, LANES(w->actuator), x);
  mji_stackBack(d, top);
}
