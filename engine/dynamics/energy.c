// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Potential and kinetic energy.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/flex.h"
#include "dynamics/passive.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_length.h"
#include "model/each_span.h"
#include "model/number.h"
#include "model/work.h"

static V gravityEnergy(const mjModel* m, const mjData* d) {
  V sum = v_zero();
  for (int b = 1; b < m->nbody; b++) {
    const V* x = CLANES(d->xipos) + 3 * b;
    const N* g = OPT(gravity);
    sum = sum - NUM(body_mass)[b] * (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]);
  }
  return sum;
}

static inline void addSprings(const mjModel* m, mjData* d, mjiSpan s, V* sum) {
  static const int ndof[4] = {6, 3, 1, 1};  // by mjtJoint
  for (int j = s.joint; j < s.joint_end; j++) {
    if (m->jnt_stiffness[j] == 0) continue;
    V dif[6];
    LANE(springDeflection)(m, d, j, dif);
    for (int k = 0; k < ndof[m->jnt_type[j]]; k++) {
      *sum = *sum + 0.5 * NUM(jnt_stiffness)[j] * dif[k] * dif[k];
    }
  }
}

void LANE(energyPos)(const mjModel* m, mjData* d) {
  V energy = v_zero();
  if (!(m->opt.disableflags & mjDSBL_GRAVITY)) energy = energy + gravityEnergy(m, d);
  if (!(m->opt.disableflags & mjDSBL_SPRING)) {
    V spring = v_zero();
    mji_eachSpan(m, d, addSprings, &spring);
    energy = energy + spring;
    if (m->ntendon) energy = energy + LANE(tendonEnergy)(m, d);
    if (m->nflex) energy = energy + LANE(flexEnergy)(m, d);
  }
  LANES(mji_energy(d))[0] = energy;
}

// 0.5 * qvel' * M * qvel
void LANE(energyVel)(const mjModel* m, mjData* d) {
  const V* qvel = CLANES(d->qvel);
  mj_markStack(d);
  mjtNum* momentum = mji_stackNum(d, m->nv);
  LANE(mulM)(m, d, momentum, d->qvel);
  V sum = v_zero();
  for (int i = 0; i < m->nv; i++) sum = sum + qvel[i] * CLANES(momentum)[i];
  LANES(mji_energy(d))[1] = 0.5 * sum;
  mj_freeStack(d);
}
