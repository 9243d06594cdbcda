// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which numbers of the model have formulas for the derivative of inverse dynamics.

#include "derive/regressor.h"

int mji_isInertial(mjiNumber number) {
  return number == mjiNUM_body_mass || number == mjiNUM_body_ipos || number == mjiNUM_body_inertia;
}

// forces of a medium follow the inertia, and actuators may deliver gravity compensation
static int inertiaHasFormula(const mjModel* m) {
  if (m->opt.density > 0 || m->opt.viscosity > 0) return 0;
  for (int j = 0; j < m->njnt && m->ngravcomp; j++) {
    if (m->jnt_actgravcomp[j]) return 0;
  }
  return 1;
}

// resting angles of balls are quaternions
static int restHasFormula(const mjModel* m, int index) {
  for (int j = 0; j < m->njnt; j++) {
    int adr = m->jnt_qposadr[j];
    if (m->jnt_type[j] == mjJNT_FREE && index >= adr && index < adr + 3) return 1;
    if (index == adr) return m->jnt_type[j] == mjJNT_SLIDE || m->jnt_type[j] == mjJNT_HINGE;
  }
  return 0;
}

static int isAffineGain(int type) { return type == mjGAIN_FIXED || type == mjGAIN_AFFINE; }

static int isAffineBias(int type) { return type == mjBIAS_NONE || type == mjBIAS_AFFINE; }

int mji_formulaReadsSides(mjiNumber number) {
  switch (number) {
    case mjiNUM_geom_friction:
    case mjiNUM_geom_solmix:
    case mjiNUM_geom_solref:
    case mjiNUM_geom_solimp:
    case mjiNUM_geom_margin:
    case mjiNUM_geom_gap:
    case mjiNUM_pair_friction:
    case mjiNUM_pair_solref:
    case mjiNUM_pair_solreffriction:
    case mjiNUM_pair_solimp:
    case mjiNUM_pair_margin:
    case mjiNUM_pair_gap:
    case mjiNUM_jnt_range:
    case mjiNUM_jnt_margin:
    case mjiNUM_jnt_solref:
    case mjiNUM_jnt_solimp:
    case mjiNUM_dof_solref:
    case mjiNUM_dof_solimp:
    case mjiNUM_eq_solref:
    case mjiNUM_eq_solimp:
    case mjiNUM_tendon_range:
    case mjiNUM_tendon_margin:
    case mjiNUM_tendon_solref_lim:
    case mjiNUM_tendon_solimp_lim:
    case mjiNUM_tendon_solref_fri:
    case mjiNUM_tendon_solimp_fri: return 1;
    default: return 0;
  }
}

// Rows of flexes, and plugins, may follow any number.
int mji_hasParameterFormula(const mjModel* m, mjiNumber number, int index, int actuation) {
  if (m->nflex || m->nplugin) return 0;
  switch (number) {
    case mjiNUM_body_mass:
    case mjiNUM_body_ipos:
    case mjiNUM_body_inertia:
    case mjiNUM_body_gravcomp:
    case mjiNUM_opt_gravity: return inertiaHasFormula(m);
    case mjiNUM_qpos_spring: return restHasFormula(m, index);
    case mjiNUM_dof_armature:
    case mjiNUM_dof_damping:
    case mjiNUM_dof_frictionloss:
    case mjiNUM_jnt_stiffness:
    case mjiNUM_tendon_damping:
    case mjiNUM_tendon_stiffness:
    case mjiNUM_tendon_frictionloss:
    case mjiNUM_body_invweight0:
    case mjiNUM_dof_invweight0:
    case mjiNUM_tendon_invweight0: return 1;
    case mjiNUM_actuator_gainprm: return !actuation || isAffineGain(m->actuator_gaintype[index / mjNGAIN]);
    case mjiNUM_actuator_biasprm: return !actuation || isAffineBias(m->actuator_biastype[index / mjNBIAS]);
    default: return mji_formulaReadsSides(number);
  }
}

size_t mji_regressorWork(const mjModel* m, int ncol) {
  size_t nv = (size_t)m->nv, ndx = 2 * nv + (size_t)m->na, n = (size_t)ncol;
  if (m->opt.integrator != mjINT_RK4) return n * nv;

  // state and acceleration of an evaluation by the numbers, and the derivatives by its own state
  return n * (ndx + nv) + ndx * nv;
}
