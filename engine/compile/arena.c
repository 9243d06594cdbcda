// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The least memory that a model may ask for with `size memory`. The reference keeps the scratch of its stages in the
// arena and refuses what cannot be stepped there once, without contacts; this engine keeps scratch elsewhere and
// would do with less, but a model that is refused there shall be refused here. The counts below are those
// of a model without constraints; arena_rows.c adds what rows of constraints take.

#include "compile/arena.h"

#include "compile/compile.h"

static mjtSize reals(mjtSize n) {
  return n * (mjtSize)sizeof(mjtNum);
}

// one transmission, in dense rows over the dofs
static mjtSize transmission(const mjModel* m, int i) {
  mjtSize nv = m->nv;
  switch (m->actuator_trntype[i]) {
    case mjTRN_SLIDERCRANK: return 2 * MJI_ARENA_FRAME + reals(12 * nv);
    case mjTRN_BODY: return MJI_ARENA_FRAME + reals(19 * nv);
    case mjTRN_SITE: return MJI_ARENA_FRAME + reals((m->actuator_trnid[2 * i + 1] >= 0 ? 12 : 9) * nv);
    default: return MJI_ARENA_FRAME + reals(9 * nv);
  }
}

// tendons and transmissions, which are computed in the step and for the constants at qpos0
static mjtSize pathStage(const mjModel* m) {
  mjtSize most = m->ntendon ? MJI_ARENA_FRAME + reals(10 * (mjtSize)m->nv) : 0;
  for (int i = 0; i < m->nu; i++) most = mjMAX(most, transmission(m, i));
  return most;
}

static mjtSize integers(mjtSize n) {
  return (n * (mjtSize)sizeof(int) + 7) / 8 * 8;
}

// constants at qpos0, with the modes of cameras and lights put aside
static mjtSize constants(const mjModel* m) {
  return MJI_ARENA_FRAME + reals(13 * (mjtSize)m->nv) + integers((mjtSize)m->ncam + m->nlight) + pathStage(m);
}

// the bias force of spatial tendons with armature
static mjtSize tendonBias(const mjModel* m) {
  for (int i = 0; i < m->ntendon; i++) {
    int spatial = m->wrap_type[m->tendon_adr[i]] != mjWRAP_JOINT;
    if (spatial && m->tendon_armature[i]) return 2 * MJI_ARENA_FRAME + reals(11 * (mjtSize)m->nv);
  }
  return 0;
}

mjtSize mji_arena_late(const mjModel* m) {
  // forces of bodies, accelerations of bodies
  mjtSize most = mjMAX(MJI_ARENA_FRAME + reals(12 * (mjtSize)m->nbody), tendonBias(m));
  if (m->opt.integrator == mjINT_IMPLICIT) {
    mjtSize derivative = reals(18 * (mjtSize)m->nB + 6 * (mjtSize)m->nD + 3 * (mjtSize)m->nv);
    most = mjMAX(most, 2 * MJI_ARENA_FRAME + derivative);
  }
  return most;
}

mjtSize mji_arena_rungeKutta(const mjModel* m) {
  if (m->opt.integrator != mjINT_RK4) return 0;
  return MJI_ARENA_FRAME + reals(4 * (mjtSize)m->nq + 10 * (mjtSize)m->nv + 9 * (mjtSize)m->na);
}

// may there be rows of constraints without contacts?
static int hasRows(const mjModel* m) {
  int n = m->neq;
  for (int i = 0; i < m->njnt; i++) n += m->jnt_limited[i];
  for (int i = 0; i < m->nv; i++) n += m->dof_frictionloss[i] > 0;
  for (int i = 0; i < m->ntendon; i++) n += m->tendon_limited[i] || m->tendon_frictionloss[i] > 0;
  return n > 0;
}

static mjtSize step(const mjModel* m) {
  mjtSize most = mjMAX(mji_arena_late(m), pathStage(m)) + mji_arena_rungeKutta(m);

  // the row of each tendon is kept, but where rows do not fit
  return most + (hasRows(m) ? 0 : integers(m->ntendon));
}

int mji_arena_check(mjiCompile* c) {
  const mjModel* m = c->m;
  mjtSize least = mjMAX(constants(m), step(m));
  if (m->narena >= least) return 0;
  return mji_compile_error(c, NULL, "size: memory of %lld bytes is too little, the model needs %lld",
                           (long long)m->narena, (long long)least);
}
