// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "collide/contact.h"

#include <string.h>

#include "lanes/kernels.h"
#include "model/work.h"

static mjtNum maxOf(mjtNum a, mjtNum b) { return a > b ? a : b; }
static mjtNum minOf(mjtNum a, mjtNum b) { return a < b ? a : b; }

// friction of a geom or flex has sliding, torsional and rolling parts; a contact has two tangents and two
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

mjiContactSource mji_contact_geom(const mjModel* m, int g) {
  return (mjiContactSource){
      m->geom_condim[g], m->geom_priority[g],      m->geom_solmix[g],           m->geom_margin[g],
      m->geom_gap[g],    m->geom_friction + 3 * g, m->geom_solref + mjNREF * g, m->geom_solimp + mjNIMP * g};
}

mjiContactSource mji_contact_flex(const mjModel* m, int f) {
  return (mjiContactSource){
      m->flex_condim[f], m->flex_priority[f],      m->flex_solmix[f],           m->flex_margin[f],
      m->flex_gap[f],    m->flex_friction + 3 * f, m->flex_solref + mjNREF * f, m->flex_solimp + mjNIMP * f};
}

// the side of higher priority decides alone
static void paramOfOne(const mjiContactSource* s, mjiContactParam* param) {
  param->dim = s->condim;
  spreadFriction(param->friction, s->friction);
  memcpy(param->solref, s->solref, sizeof param->solref);
  memcpy(param->solimp, s->solimp, sizeof param->solimp);
}

// weight of the first side in the mix; if one weight is numerically zero, the other side decides alone
static mjtNum mixWeight(mjtNum mix1, mjtNum mix2) {
  if (mix1 >= mjMINVAL && mix2 >= mjMINVAL) return mix1 / (mix1 + mix2);
  if (mix1 < mjMINVAL && mix2 < mjMINVAL) return 0.5;
  return mix1 < mjMINVAL ? 0 : 1;
}

// equal priority: largest dimension and friction, weighted solver parameters
static void paramOfBoth(const mjiContactSource s[2], mjiContactParam* param) {
  param->dim = s[0].condim > s[1].condim ? s[0].condim : s[1].condim;

  mjtNum f[3];
  for (int i = 0; i < 3; i++) f[i] = maxOf(s[0].friction[i], s[1].friction[i]);
  spreadFriction(param->friction, f);

  mjtNum w = mixWeight(s[0].solmix, s[1].solmix);
  const mjtNum *ref1 = s[0].solref, *ref2 = s[1].solref, *imp1 = s[0].solimp, *imp2 = s[1].solimp;

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

// what holds for all contacts, after the parameters of a pair were found
static void finish(const mjModel* m, mjtNum margin, mjtNum gap, mjiContactParam* param) {
  param->includemargin = margin - gap;
  if (m->opt.enableflags & mjENBL_OVERRIDE) override(m, param);
  for (int i = 0; i < 5; i++) param->friction[i] = maxOf(param->friction[i], mjMINMU);
}

void mji_contact_mix(const mjModel* m, const mjiContactSource s[2], mjiContactParam* param) {
  memset(param, 0, sizeof *param);
  if (s[0].priority == s[1].priority) paramOfBoth(s, param);
  else paramOfOne(s[0].priority > s[1].priority ? s : s + 1, param);
  mjtNum margin = m->opt.enableflags & mjENBL_OVERRIDE ? m->opt.o_margin : maxOf(s[0].margin, s[1].margin);
  finish(m, margin, maxOf(s[0].gap, s[1].gap), param);
}

void mji_contact_param(const mjModel* m, int pair, int geom1, int geom2, mjiContactParam* param) {
  if (pair < 0) {
    mji_contact_mix(m, (mjiContactSource[2]){mji_contact_geom(m, geom1), mji_contact_geom(m, geom2)}, param);
    return;
  }
  memset(param, 0, sizeof *param);
  paramOfPair(m, pair, param);
  finish(m, mji_contact_margin(m, pair, geom1, geom2), m->pair_gap[pair], param);
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

void mj_collision(const mjModel* m, mjData* d) { mji_kernels1()->collision(m, d); }
