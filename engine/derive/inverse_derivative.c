// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of inverse dynamics at given positions, velocities and accelerations.

#include "lanes/lanes.h"

#include <string.h>

#include <sheaf/batch.h>

#include "derive/derive.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "integrate/integrate.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "pipeline/pipeline.h"
#include "solve/scratch.h"

// by acceleration: M + J'SJ
static void byAcceleration(const mjModel* m, mjData* d, const V* jar, V* column) {
  size_t nv = (size_t)m->nv;
  zeroN(column, (int)(nv * nv));
  for (size_t i = 0; i < nv; i++) {
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++) {
      size_t j = (size_t)m->M_colind[k];
      column[i * nv + j] = column[j * nv + i] = CLANES(d->M)[k];
    }
  }
  LANE(addBlockSlopes)(m, d, jar, 0, column);
}

// ---- accelerations b of a discrete step: the forces are those of a = inv(M) P b, where P is the integrator's matrix

// states in which P is not M
static M movesOtherwise(const mjModel* m, const mjData* d) {
  if (!mjENABLED(mjENBL_INVDISCRETE)) return m_none();
  return m->opt.integrator == mjINT_EULER ? dampedLanes(m, d) : m_full();
}

// columns of P
static void implicitColumns(const mjModel* m, mjData* d, V* column) {
  size_t nv = (size_t)m->nv, top = mji_stackTop(d);
  V* unit = stackV(d, nv);
  zeroN(unit, (int)nv);
  for (size_t k = 0; k < nv; k++) {
    unit[k] = v_set1(1);
    LANE(mulImplicit)(m, d, (mjtNum*)(column + k * nv), (const mjtNum*)unit);
    unit[k] = v_zero();
  }
  mji_stackBack(d, top);
}

// to += H inv(M) x for nv columns, in the states of the mask; x is lost
static void addThrough(const mjModel* m, mjData* d, M on, const V* H, V* x, V* to) {
  size_t nv = (size_t)m->nv;
  LANE(solveM)(m, d, (mjtNum*)x, (const mjtNum*)x, (int)nv);
  for (size_t c = 0; c < nv; c++, x += nv, to += nv) {
    for (size_t i = 0; i < nv; i++) {
      V sum = v_zero();
      for (size_t k = 0; k < nv; k++) sum = sum + H[i * nv + k] * x[k];
      to[i] = to[i] + v_and(on, sum);
    }
  }
}

// With s = P b - M a at fixed a and b, da = inv(M) (ds + P db): add dr/da = H times that to derivatives at fixed a.
static void throughDiscrete(const mjModel* m, mjData* d, M on, const V* given, const V* H, mjiInverseDerivative* r) {
  size_t nv = (size_t)m->nv, ncol = 2 * nv + (size_t)m->na;
  V *shift = stackV(d, ncol * nv), *inertia = stackV(d, (size_t)m->nC);
  if (r->DfDa) {
    V* to = LANES(r->DfDa);
    for (size_t i = 0; i < nv * nv; i++) to[i] = v_sel(on, v_zero(), H[i]);
    implicitColumns(m, d, shift);
    addThrough(m, d, on, H, shift, to);
  }
  if (!r->DfDq && !r->DfDv) return;
  LANE(Slopes) s = {.ncol = (int)ncol, .moved = given};
  LANE(actuatorSlopes)(m, d, &s.actuator);
  copyN(inertia, CLANES(d->M), (int)m->nC);
  tellFallback(r->fallback, on, LANE(shiftSlopes)(m, d, (int)ncol, &s, shift));
  copyN(LANES(d->M), inertia, (int)m->nC);
  if (r->DfDq) addThrough(m, d, on, H, shift, LANES(r->DfDq));
  if (r->DfDv) addThrough(m, d, on, H, shift + nv * nv, LANES(r->DfDv));
}

void LANE(inverseDerivative)(const mjModel* m, mjData* d, mjiInverseDerivative* r) {
  mj_markStack(d);
  LANE(fwdPosition)(m, d, 0);
  LANE(fwdVelocity)(m, d, 0);
  LANE(fwdActuation)(m, d);
  size_t nv = (size_t)m->nv;
  M discrete = movesOtherwise(m, d);
  V *jar = stackV(d, (size_t)d->nefc), *given = stackV(d, nv), *H = m_any(discrete) ? stackV(d, nv * nv) : NULL;
  copyN(given, CLANES(d->qacc), (int)nv);
  LANE(invAcceleration)(m, d, 0);
  LANE(rowResiduals)(m, d, jar, CLANES(d->qacc));
  if (H) byAcceleration(m, d, jar, H);
  else if (r->DfDa) byAcceleration(m, d, jar, LANES(r->DfDa));
  memset(r->fallback, 0, sizeof r->fallback);
  if (r->DfDv) LANE(residualByVelocity)(m, d, r->actuation, jar, r->fallback, LANES(r->DfDv));
  if (r->DfDq) {
    const char* wanted = wantedDofs(m, d, r->column, r->ncol);
    LANE(residualByPosition)(m, d, r->actuation, jar, wanted, r->fallback, LANES(r->DfDq));
  }
  if (H) throughDiscrete(m, d, discrete, given, H, r);
  copyN(LANES(d->qacc), given, (int)nv);
  mj_freeStack(d);
}
