// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Facts about a model that follow from its options, and its mass.
#include <mujoco/mujoco.h>

int mj_isPyramidal(const mjModel* m) { return m->opt.cone == mjCONE_PYRAMIDAL; }

int mj_isSparse(const mjModel* m) {
  enum { DENSE_NV = 60 };  // with the automatic choice, smaller models are dense
  return m->opt.jacobian == mjJAC_SPARSE || (m->opt.jacobian == mjJAC_AUTO && m->nv >= DENSE_NV);
}

int mj_isDual(const mjModel* m) { return m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0; }

mjtNum mj_getTotalmass(const mjModel* m) {
  // the world may have a mass, which does not count
  mjtNum sum = 0;
  for (int b = 1; b < m->nbody; b++) sum += m->body_mass[b];
  return sum;
}

void mj_setTotalmass(mjModel* m, mjtNum newmass) {
  mjtNum scale = mju_max(mjMINVAL, newmass / mju_max(mjMINVAL, mj_getTotalmass(m)));
  mju_scl(m->body_mass + 1, m->body_mass + 1, scale, m->nbody - 1);
  mju_scl(m->body_inertia + 3, m->body_inertia + 3, scale, 3 * (m->nbody - 1));
}
