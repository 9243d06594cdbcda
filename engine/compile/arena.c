// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The least memory that a model may ask for with `size memory`. The reference keeps the scratch of its stages in the
// arena and refuses what cannot be stepped there once, without contacts; this engine keeps scratch elsewhere and
// would do with less, but a model that is refused there shall be refused here. The counts below are those
// of a model without constraints: rows of constraints only add to them.

#include "compile/compile.h"

#define FRAME 24    // bytes that each stage of the stack takes for itself

static mjtSize reals(mjtSize n) {
  return n * (mjtSize)sizeof(mjtNum);
}

// one transmission, in dense rows over the dofs
static mjtSize transmission(const mjModel* m, int i) {
  mjtSize nv = m->nv;
  switch (m->actuator_trntype[i]) {
    case mjTRN_SLIDERCRANK: return 2 * FRAME + reals(12 * nv);
    case mjTRN_BODY: return FRAME + reals(19 * nv);
    case mjTRN_SITE: return FRAME + reals((m->actuator_trnid[2 * i + 1] >= 0 ? 12 : 9) * nv);
    default: return FRAME + reals(9 * nv);
  }
}

// tendons and transmissions, which are computed in the step and for the constants at qpos0
static mjtSize pathStage(const mjModel* m) {
  mjtSize most = m->ntendon ? FRAME + reals(10 * (mjtSize)m->nv) : 0;
  for (int i = 0; i < m->nu; i++) most = mjMAX(most, transmission(m, i));
  return most;
}

static mjtSize integers(mjtSize n) {
  return (n * (mjtSize)sizeof(int) + 7) / 8 * 8;
}

// constants at qpos0, with the modes of cameras and lights put aside
static mjtSize constants(const mjModel* m) {
  return FRAME + reals(13 * (mjtSize)m->nv) + integers((mjtSize)m->ncam + m->nlight) + pathStage(m);
}

// the bias force of spatial tendons with armature
static mjtSize tendonBias(const mjModel* m) {
  for (int i = 0; i < m->ntendon; i++) {
    int spatial = m->wrap_type[m->tendon_adr[i]] != mjWRAP_JOINT;
    if (spatial && m->tendon_armature[i]) return 2 * FRAME + reals(11 * (mjtSize)m->nv);
  }
  return 0;
}

static mjtSize step(const mjModel* m) {
  // forces of bodies, accelerations of bodies
  mjtSize most = mjMAX(FRAME + reals(12 * (mjtSize)m->nbody), pathStage(m));
  most = mjMAX(most, tendonBias(m));

  // four states and derivatives around it, or the derivative of the bias forces after it
  if (m->opt.integrator == mjINT_RK4) {
    most += FRAME + reals(4 * (mjtSize)m->nq + 10 * (mjtSize)m->nv + 9 * (mjtSize)m->na);
  } else if (m->opt.integrator == mjINT_IMPLICIT) {
    mjtSize derivative = reals(18 * (mjtSize)m->nB + 6 * (mjtSize)m->nD + 3 * (mjtSize)m->nv);
    most = mjMAX(most, 2 * FRAME + derivative);
  }

  // a flag for each tendon stays while the step lasts
  return most + integers(m->ntendon);
}

int mji_arena_check(mjiCompile* c) {
  const mjModel* m = c->m;
  mjtSize least = mjMAX(constants(m), step(m));
  if (m->narena >= least) return 0;
  return mji_compile_error(c, NULL, "size: memory of %lld bytes is too little, the model needs %lld",
                           (long long)m->narena, (long long)least);
}
