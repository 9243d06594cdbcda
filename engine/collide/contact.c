// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "collide/contact.h"

#include <string.h>

#include "lanes/kernels.h"
#include "model/work.h"

static mjtNum maxOf(mjtNum a, mjtNum b) { return a > b ? a : b; }
static mjtNum minOf(mjtNum a, mjtNum b) { return a < b ? a : b; }

// friction of a geom has sliding, torsional and rolling parts; a contact has two tangents and two
// rolls
static void spreadFriction(mjtNum friction[5], const mjtNum f[3]) {
  friction[0] = friction[1] = f[0];
  friction[2] = f[1];
  friction[3] = friction[4] = f[2];
}

// parameters given with a predefined pair
static void paramOfPair(const mjModel* m, int pair, mjiContactParam* param) {
  param->dim = m->pair_dim[pair];
  memcpy(param->friction, m->pair_friction + 5 * pair, sizeof param->friction);
  memcpy(param->solref, m->pair_solref + mjNREF * pair, sizeof param->solref);
  memcpy(param->solreffriction, m->pair_solreffriction + mjNREF * pair, sizeof param->solref);
  memcpy(param->solimp, m->pair_solimp + mjNIMP * pair, sizeof param->solimp);
}

// the geom of higher priority decides alone
static void paramOfGeom(const mjModel* m, int geom, mjiContactParam* param) {
  param->dim = m->geom_condim[geom];
  spreadFriction(param->friction, m->geom_friction + 3 * geom);
  memcpy(param->solref, m->geom_solref + mjNREF * geom, sizeof param->solref);
  memcpy(param->solimp, m->geom_solimp + mjNIMP * geom, sizeof param->solimp);
}

// weight of the first geom in the mix; if one weight is numerically zero, the other geom decides alone
static mjtNum mixWeight(mjtNum mix1, mjtNum mix2) {
  if (mix1 >= mjMINVAL && mix2 >= mjMINVAL) return mix1 / (mix1 + mix2);
  if (mix1 < mjMINVAL && mix2 < mjMINVAL) return 0.5;
  return mix1 < mjMINVAL ? 0 : 1;
}

// equal priority: largest dimension and friction, weighted solver parameters
static void paramOfBoth(const mjModel* m, int geom1, int geom2, mjiContactParam* param) {
  int dim1 = m->geom_condim[geom1], dim2 = m->geom_condim[geom2];
  param->dim = dim1 > dim2 ? dim1 : dim2;

  mjtNum f[3];
  for (int i = 0; i < 3; i++) {
    f[i] = maxOf(m->geom_friction[3 * geom1 + i], m->geom_friction[3 * geom2 + i]);
  }
  spreadFriction(param->friction, f);

  mjtNum w = mixWeight(m->geom_solmix[geom1], m->geom_solmix[geom2]);
  const mjtNum* ref1 = m->geom_solref + mjNREF * geom1;
  const mjtNum* ref2 = m->geom_solref + mjNREF * geom2;
  const mjtNum* imp1 = m->geom_solimp + mjNIMP * geom1;
  const mjtNum* imp2 = m->geom_solimp + mjNIMP * geom2;

  // time constants can be averaged, direct stiffness and damping (negative numbers) cannot
  int standard = ref1[0] > 0 && ref2[0] > 0;
  for (int i = 0; i < mjNREF; i++) {
    param->solref[i] = standard ? w * ref1[i] + (1 - w) * ref2[i] : minOf(ref1[i], ref2[i]);
  }
  for (int i = 0; i < mjNIMP; i++) param->solimp[i] = w * imp1[i] + (1 - w) * imp2[i];
}

// global override of margin, friction and solver parameters
static void override(const mjModel* m, mjiContactParam* param) {
  memcpy(param->solref, m->opt.o_solref, sizeof param->solref);
  memcpy(param->solreffriction, m->opt.o_solref, sizeof param->solreffriction);
  memcpy(param->solimp, m->opt.o_solimp, sizeof param->solimp);
  memcpy(param->friction, m->opt.o_friction, sizeof param->friction);
}

void mji_contact_param(const mjModel* m, int pair, int geom1, int geom2, mjiContactParam* param) {
  memset(param, 0, sizeof *param);
  mjtNum gap;
  if (pair >= 0) {
    paramOfPair(m, pair, param);
    gap = m->pair_gap[pair];
  } else {
    int first = m->geom_priority[geom1], second = m->geom_priority[geom2];
    if (first != second) {
      paramOfGeom(m, first > second ? geom1 : geom2, param);
    } else {
      paramOfBoth(m, geom1, geom2, param);
    }
    gap = maxOf(m->geom_gap[geom1], m->geom_gap[geom2]);
  }
  param->includemargin = mji_contact_margin(m, pair, geom1, geom2) - gap;
  if (m->opt.enableflags & mjENBL_OVERRIDE) override(m, param);
  for (int i = 0; i < 5; i++) param->friction[i] = maxOf(param->friction[i], mjMINMU);
}

mjContact* mji_contact_new(mjData* d) {
  mjContact* con = mji_arenaAlloc(d, sizeof(mjContact), _Alignof(mjContact));
  if (!con) {
    mji_warn(d, mjWARN_CONTACTFULL, d->ncon);
    return NULL;
  }
  memset(con, 0, sizeof *con);
  if (d->ncon == 0) d->contact = con;
  d->ncon++;
  return con;
}

int mj_addContact(const mjModel* m, mjData* d, const mjContact* con) {
  (void)m;
  mjContact* record = mji_contact_new(d);
  if (!record) return 1;
  *record = *con;
  return 0;
}

void mj_collision(const mjModel* m, mjData* d) { mji_kernels1()->collision(m, d); }
