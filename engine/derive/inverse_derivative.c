// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of inverse dynamics at given positions, velocities and accelerations.

#include "lanes/lanes.h"

#include <string.h>

#include <sheaf/batch.h>

#include "derive/derive.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "lanes/kernels.h"
#include "model/work.h"
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

void LANE(inverseDerivative)(const mjModel* m, mjData* d, mjiInverseDerivative* r) {
  mj_markStack(d);
  LANE(fwdPosition)(m, d, 0);
  LANE(fwdVelocity)(m, d, 0);
  LANE(fwdActuation)(m, d);
  V* jar = stackV(d, (size_t)d->nefc);
  LANE(rowResiduals)(m, d, jar, CLANES(d->qacc));
  if (r->DfDa) byAcceleration(m, d, jar, LANES(r->DfDa));
  memset(r->fallback, 0, sizeof r->fallback);
  if (r->DfDv) LANE(residualByVelocity)(m, d, r->actuation, jar, r->fallback, LANES(r->DfDv));
  if (r->DfDq) {
    const char* wanted = wantedDofs(m, d, r->column, r->ncol);
    LANE(residualByPosition)(m, d, r->actuation, jar, wanted, r->fallback, LANES(r->DfDq));
  }
  mj_freeStack(d);
}
