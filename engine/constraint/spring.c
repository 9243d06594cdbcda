// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "constraint/spring.h"

#include <math.h>

static mjtNum clip(mjtNum x, mjtNum lo, mjtNum hi) { return x < lo ? lo : x > hi ? hi : x; }

static mjtNum atLeast(mjtNum x, mjtNum lo) { return x < lo ? lo : x; }

int mji_spring_stiffness(const mjModel* m, const mjtNum solref[mjNREF], mjiSpring* s) {
  mjtNum first = solref[0], second = solref[1], dmax = s->dmax;

  // both positive: time constant and damping ratio; neither: stiffness and damping, negated
  int mixed = (first > 0) != (second > 0);
  if (mixed) {
    mjtNum solimp[mjNIMP], standard[mjNREF];
    mj_defaultSolRefImp(standard, solimp);
    first = standard[0];
    second = standard[1];
  }
  if (first > 0) {
    // the time step must be able to follow the time constant, so bound it
    if (!(m->opt.disableflags & mjDSBL_REFSAFE)) first = atLeast(first, 2 * m->opt.timestep);
    s->K = 1 / atLeast(dmax * dmax * first * first * second * second, mjMINVAL);
    s->B = 2 / atLeast(dmax * first, mjMINVAL);
  } else {
    s->K = -first / atLeast(dmax * dmax, mjMINVAL);
    s->B = -second / atLeast(dmax, mjMINVAL);
  }
  return mixed;
}

int mji_spring_init(const mjModel* m, const mjtNum solref[mjNREF], const mjtNum solimp[mjNIMP], mjiSpring* s) {
  s->dmin = clip(solimp[0], mjMINIMP, mjMAXIMP);
  s->dmax = clip(solimp[1], mjMINIMP, mjMAXIMP);
  int mixed = mji_spring_stiffness(m, solref, s);

  // no sigmoid: take the mean of both ends
  mjtNum width = atLeast(solimp[2], 0);
  if (s->dmin == s->dmax || width <= mjMINVAL) {
    s->invwidth = 0;
    s->dmin = 0.5 * (s->dmin + s->dmax);
    return mixed;
  }
  s->invwidth = 1 / width;
  s->midpoint = clip(solimp[3], mjMINIMP, mjMAXIMP);
  s->power = atLeast(solimp[4], 1);

  // both laws reach the midpoint with the same value and slope
  if (s->power == 2) {
    s->low = 1 / s->midpoint;
    s->high = 1 / (1 - s->midpoint);
  } else {
    s->low = 1 / pow(s->midpoint, s->power - 1);
    s->high = 1 / pow(1 - s->midpoint, s->power - 1);
  }
  return mixed;
}
