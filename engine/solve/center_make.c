// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Make the center of the solution that a data holds (solve/center.h). All lanes hold the same state; the numbers are
// taken from the first one.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block_ops.h"
#include "lanes/kernels.h"
#include "model/row_class.h"
#include "model/work.h"
#include "solve/center.h"
#include "solve/hessian.h"
#include "solve/primal.h"
#include "solve/scratch.h"

static mjtNum first(const V* x, size_t i) { return ((const mjtNum*)x)[i * SHEAF_LANES]; }

static void firsts(mjtNum* to, const mjtNum* from, int n) { mji_gatherLane(to, from, n, SHEAF_LANES, 0); }

// Models and states that have a center: those whose forces are piecewise linear, and whose solver is Newton's from a
// warm start.
static int isPiecewiseLinear(const mjModel* m, const mjData* d) {
  const mjiWork* w = mji_work(d);
  if (!d->nefc || m->opt.solver != mjSOL_NEWTON || m->opt.iterations < 1 || m->opt.noslip_iterations > 0) return 0;
  if (mjDISABLED(mjDSBL_WARMSTART)) return 0;
  for (int k = 0; k < w->nblock; k++) {
    if (w->block[k].type == mjCNSTR_CONTACT_ELLIPTIC) return 0;
  }
  return 1;
}

// the laws of rows at their residuals
static void setLaws(mjiCenter* c, const mjData* d) {
  const mjiWork* w = mji_work(d);
  const V *D = CLANES(d->efc_D), *R = CLANES(d->efc_R), *loss = CLANES(d->efc_frictionloss);
  for (int k = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    for (int i = b->efcadr; i < b->efcadr + b->nrow; i++) {
      size_t n = (size_t)i;
      mjtNum x = c->Ja[i] - c->aref[i];
      c->block[i] = k;
      c->weight[i] = first(D, n);
      c->shift[i] = 0;
      if (mji_isFriction(b->type)) {
        mjtNum most = first(loss, n), edge = first(R, n) * most;
        if (fabs(x) >= edge) c->weight[i] = 0, c->shift[i] = x <= -edge ? most : -most;
      } else if (mji_isOneSided(b->type) && !(x < 0)) {
        c->weight[i] = 0;
      }
    }
  }
}

static void copyJacobian(mjiCenter* c, const mjData* d) {
  const mjiWork* w = mji_work(d);
  for (int k = 0, n = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    c->Jadr[k] = n;
    firsts(c->J + n, b->J, b->dim * b->ncol);
    n += b->dim * b->ncol;
  }
}

// M with the entries above its diagonal
static void copyInertia(mjiCenter* c, const mjModel* m, const mjData* d) {
  int *adr = c->M.adr, nv = c->nv;
  memset(adr, 0, ((size_t)nv + 1) * sizeof(int));
  for (int i = 0; i < nv; i++) {
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++) {
      adr[i + 1]++;
      adr[m->M_colind[k] + 1] += m->M_colind[k] != i;
    }
  }
  for (int i = 0; i < nv; i++) adr[i + 1] += adr[i];

  // by ascending i, row i gets its columns up to the diagonal before the rows below add theirs
  for (int i = 0; i < nv; i++) {
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++) {
      int j = m->M_colind[k];
      mjtNum entry = first(CLANES(d->M), (size_t)k);
      c->M.col[adr[i]] = j;
      c->M.value[adr[i]++] = entry;
      if (j == i) continue;
      c->M.col[adr[j]] = i;
      c->M.value[adr[j]++] = entry;
    }
  }
  for (int i = nv; i > 0; i--) adr[i] = adr[i - 1];
  adr[0] = 0;
}

// L from the rows of D L
static void copyFactor(mjiCenter* c, const LANE(Primal)* p) {
  const mjiPattern* s = &p->pattern;
  int n = 0;
  for (int i = 0; i < c->nv; i++) {
    c->dinv[i] = first(p->dinv, (size_t)i);
    c->below.adr[i] = n;
    for (int k = s->rowadr[i]; k < s->rowadr[i + 1] - 1; k++, n++) {
      size_t place = rowBase(s, i) + (size_t)(s->dense ? s->col[k] : k - s->rowadr[i]);
      c->below.col[n] = s->col[k];
      c->below.value[n] = first(p->factor, place) * c->dinv[i];
    }
  }
  c->below.adr[c->nv] = n;
  mji_centerColumns(c);
}

static void fill(mjiCenter* c, const mjModel* m, mjData* d, const LANE(Primal)* p, const V* Ja, const V* Ma) {
  int nv = c->nv, nefc = c->nefc;
  firsts(c->qacc, d->qacc, nv);
  firsts(c->smooth, d->qfrc_smooth, nv);
  firsts(c->aref, d->efc_aref, nefc);
  firsts(c->Ja, (const mjtNum*)Ja, nefc);
  firsts(c->qfrc, d->qfrc_constraint, nv);
  for (int i = 0; i < nv; i++) c->rest[i] = c->qfrc[i] - first(Ma, (size_t)i);
  setLaws(c, d);
  copyJacobian(c, d);
  copyInertia(c, m, d);
  copyFactor(c, p);
}

void LANE(centerMake)(const mjModel* m, mjData* d) {
  mjiWork* w = mji_work(d);
  w->center = NULL;
  if (!isPiecewiseLinear(m, d)) return;
  mj_markStack(d);
  size_t nv = (size_t)m->nv, nefc = (size_t)d->nefc, padded = (nv + 3) & ~(size_t)3;
  V* next = stackV(d, 2 * nefc + nv + padded);
  V *Ja = takeV(&next, nefc), *jar = takeV(&next, nefc), *Ma = takeV(&next, nv), *x = takeV(&next, padded);
  LANE(blockMulJ)(m, d, Ja, CLANES(d->qacc));
  for (size_t i = 0; i < nefc; i++) jar[i] = Ja[i] - CLANES(d->efc_aref)[i];
  LANE(mulM)(m, d, (mjtNum*)Ma, d->qacc);
  LANE(Parts) parts;
  LANE(Primal) p;
  LANE(hessianAt)(m, d, jar, &parts, &p);
  for (size_t i = 0; i < padded; i++) x[i] = v_zero();
  LANE(hessianSolve)(&p, x, x + 0, 1);
  w->center = mji_centerAlloc(m, d, p.pattern.rowadr[m->nv]);
  if (w->center) fill(w->center, m, d, &p, Ja, Ma);
  mj_freeStack(d);
}
