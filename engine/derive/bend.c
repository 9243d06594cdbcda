// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Changes of moment arms with positions, from wrenches on bodies.

#include "lanes/lanes.h"

#include "derive/bend.h"
#include "derive/dof_motion.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "integrate/derivative.h"
#include "model/work.h"

// does a dof move all of the bodies?
static int movesAll(const mjiPlan* plan, const int* body, int nbody, int dof) {
  for (int i = 0; i < nbody; i++) {
    if (!chainHas(plan, body[i], dof)) return 0;
  }
  return 1;
}

static void allocate(mjData* d, int nv, LANE(Bend)* b, int** col, int** at) {
  *at = mj_stackAllocInt(d, (size_t)nv);
  *col = mj_stackAllocInt(d, (size_t)nv);
  for (int i = 0; i < nv; i++) (*at)[i] = -1;
  *b = (LANE(Bend)){.col = *col, .at = *at};
}

static void clear(mjData* d, int n, LANE(Bend)* b) {
  b->n = n;
  b->slope = LANES(mji_stackNum(d, (size_t)n * (size_t)n));
  zeroN(b->slope, n * n);
}

void LANE(startBendOfDofs)(const mjModel* m, mjData* d, int first, int n, LANE(Bend)* b) {
  int *at, *col;
  allocate(d, (int)m->nv, b, &col, &at);
  for (int i = 0; i < n; i++) {
    col[i] = first + i;
    at[first + i] = i;
  }
  clear(d, n, b);
}

void LANE(startBend)(const mjModel* m, mjData* d, const int* body, int nbody, int internal, LANE(Bend)* b) {
  const mjiPlan* plan = mji_plan(m);
  int nv = (int)m->nv, n = 0;
  int *at, *col;
  allocate(d, nv, b, &col, &at);
  for (int s = 0; s < nbody; s++) {
    const int* chain = plan->chain_ind + plan->chain_adr[body[s]];
    for (int e = 0; e < plan->chain_num[body[s]]; e++) at[chain[e]] = 0;
  }
  for (int i = 0; i < nv; i++) {
    if (at[i] < 0) continue;
    at[i] = internal && movesAll(plan, body, nbody, i) ? -1 : n;
    if (at[i] >= 0) col[n++] = i;
  }
  clear(d, n, b);
}

void LANE(bendWrench)(const mjModel* m, const mjData* d, LANE(Bend)* b, int k, int body, const V* wrench,
                      const V* change) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[body];
  int moved = chainHas(plan, body, k), part = partOf(m, k);
  V along[6], *row = b->slope + b->at[k] * b->n;
  zeroN(along, 6);
  if (moved) crossForce(along, CLANES(d->cdof) + 6 * k, wrench);
  for (int e = 0; e < plan->chain_num[body]; e++) {
    int i = chain[e], at = b->at[i];
    if (at < 0) continue;
    const V* S = CLANES(d->cdof) + 6 * i;
    V slope = dot6(S, change);
    if (moved && i >= part) slope = slope - dot6(S, along);
    row[at] = row[at] + slope;
  }
}

void LANE(bendPush)(const mjModel* m, const mjData* d, LANE(Bend)* b, int k, int body, const LANE(Push)* push,
                    const LANE(Push)* change) {
  V arm[3], wrench[6], dwrench[6], cross[3];
  armTo(m, d, body, push->point, arm);
  cross3(wrench, arm, push->force);
  cross3(dwrench, arm, change->force);
  cross3(cross, change->point, push->force);
  for (int r = 0; r < 3; r++) {
    wrench[r] = wrench[r] + push->torque[r];
    wrench[3 + r] = push->force[r];
    dwrench[r] = dwrench[r] + (cross[r] + change->torque[r]);
    dwrench[3 + r] = change->force[r];
  }
  LANE(bendWrench)(m, d, b, k, body, wrench, dwrench);
}

void LANE(bendTimes)(const LANE(Bend)* b, const V* x, V* out) {
  for (int k = 0; k < b->n; k++) {
    const V* row = b->slope + k * b->n;
    V sum = v_zero();
    for (int i = 0; i < b->n; i++) sum = sum + row[i] * x[b->col[i]];
    out[k] = sum;
  }
}

void LANE(addBend)(const mjModel* m, const mjData* d, const LANE(Bend)* b, V scale, int actuator, V* column) {
  size_t nv = (size_t)m->nv;
  for (int i = 0; i < b->n; i++) {
    int dof = b->col[i], joint = m->dof_jntid[dof];
    V factor = scale;
    if (actuator && m->jnt_dofadr[joint] == dof) factor = v_and(~LANE(jointHeld)(m, d, joint), scale);
    for (int k = 0; k < b->n; k++) {
      V* to = column + (size_t)b->col[k] * nv + dof;
      *to = *to + factor * b->slope[k * b->n + i];
    }
  }
}

void LANE(addArmTimes)(const mjModel* m, const LANE(Bend)* b, int n, const int* col, const V* arm, const V* x,
                       V* column) {
  size_t nv = (size_t)m->nv;
  for (int k = 0; k < b->n; k++) {
    V* to = column + (size_t)b->col[k] * nv;
    for (int i = 0; i < n; i++) to[col[i]] = to[col[i]] + arm[i] * x[k];
  }
}
