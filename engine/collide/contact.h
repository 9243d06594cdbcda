// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What a contact inherits from its geoms: margin, dimension, friction and solver parameters, either
// mixed from the two geoms or taken from a predefined pair.
#ifndef SHEAF_COLLIDE_CONTACT_H_
#define SHEAF_COLLIDE_CONTACT_H_

#include <mujoco/mujoco.h>

#include "model/contact_numbers.h"

typedef struct mjiContactParam_ {
  MJI_CONTACT_NUMBERS(mjtNum)
  int dim;
} mjiContactParam;

// What a geom or a flex gives to its contacts.
typedef struct mjiContactSource_ {
  int condim, priority;
  mjtNum solmix, margin, gap;
  const mjtNum *friction, *solref, *solimp;
} mjiContactSource;

mjiContactSource mji_contact_geom(const mjModel* m, int g);
mjiContactSource mji_contact_flex(const mjModel* m, int f);

// Parameters of the contacts of two sides.
void mji_contact_mix(const mjModel* m, const mjiContactSource s[2], mjiContactParam* param);

// Distance below which a pair makes a contact. pair is an index of m->pair_*, or -1.
static inline mjtNum mji_contact_margin(const mjModel* m, int pair, int geom1, int geom2) {
  if (m->opt.enableflags & mjENBL_OVERRIDE) return m->opt.o_margin;
  if (pair >= 0) return m->pair_margin[pair];
  mjtNum margin1 = m->geom_margin[geom1], margin2 = m->geom_margin[geom2];
  return margin1 > margin2 ? margin1 : margin2;
}

// Parameters of the contacts of a pair.
void mji_contact_param(const mjModel* m, int pair, int geom1, int geom2, mjiContactParam* param);

// Room for one more contact, zeroed; NULL and a warning if the arena is full.
mjContact* mji_contact_new(mjData* d);

#endif  // SHEAF_COLLIDE_CONTACT_H_
