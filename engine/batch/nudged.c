// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/nudged.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "load/lane_const.h"
#include "load/setconst.h"
#include "model/number.h"

// Relative to the number, or to kLeast where numbers of any size make sense. Forces of contacts are stiff, so their
// nudges are small. Where only inverse weights are taken from the models, which are smooth but may hardly follow the
// number, a wider nudge keeps more digits.
static const mjtNum kNudge = 1e-6, kWide = 3e-4, kLeast = 0.1, kLeastWide = 0.01;

static int isDerived(const mjiColumn* c, int keep_constants) {
  mjiFollows follows = mji_numberFollows(c->number);
  return !keep_constants && (follows == mjiFOLLOWS_CONSTANTS || follows == mjiFOLLOWS_BOUNDS);
}

// does the model of a column have values of its own for a number?
static int isOwn(const mjiColumn* c, mjiNumber number, int derived) {
  if (number == c->number) return 1;
  if (number == mjiNUM_geom_rbound) return mji_numberFollows(c->number) == mjiFOLLOWS_BOUNDS;
  return derived && mji_constWrites(number);
}

static size_t numberBytes(const mjModel* m, mjiNumber number) {
  size_t n;
  mji_baseNumber(m, number, &n);
  return mji_alignUp(n * sizeof(mjtNum), MJI_ALIGN);
}

static size_t frameBytes(const mjModel* m) { return mji_alignUp((size_t)(m->nbody + m->ngeom + m->nsite), MJI_ALIGN); }

static size_t sideBytes(const mjModel* m, const mjiColumn* c, int derived) {
  size_t total = mji_alignUp(sizeof(mjModel), MJI_ALIGN) + frameBytes(m);
  for (int i = 0; i < mjiNNUM; i++) total += isOwn(c, (mjiNumber)i, derived) ? numberBytes(m, (mjiNumber)i) : 0;
  return total;
}

static size_t countWeights(const mjModel* m) { return 2 * (size_t)m->nbody + (size_t)m->nv + (size_t)m->ntendon; }

size_t mji_nudgedBytes(const mjModel* m, const mjiColumn* column, int keep_constants) {
  int derived = isDerived(column, keep_constants);
  return 2 * sideBytes(m, column, derived) + mji_alignUp(countWeights(m) * sizeof(mjtNum), MJI_ALIGN);
}

static void nudge(const mjiColumn* c, mjtNum x, mjtNum out[2]) {
  mjiRange range = mji_numberRange(c->number);
  int anySize = range == mjiRANGE_FINITE || range == mjiRANGE_ASCENDING;
  int wide = c->formula && !mji_formulaReadsSides(c->number);
  mjtNum least = wide ? kLeastWide : kLeast, size = anySize ? fmax(fabs(x), least) : x ? fabs(x) : kLeast;
  mjtNum h = (wide && (x || anySize) ? kWide : kNudge) * size;

  // inverse weights are as smooth below zero, but forces are not
  out[0] = !wide && range == mjiRANGE_NOT_NEGATIVE && x < h ? x : x - h;
  out[1] = x + h;
}

// that frames of the model coincide need not be so with other numbers
static void setFrames(mjModel* side, mjtByte* frames) {
  memset(frames, mjSAMEFRAME_NONE, frameBytes(side));
  side->body_sameframe = frames;
  side->geom_sameframe = frames + side->nbody;
  side->site_sameframe = frames + side->nbody + side->ngeom;
}

static mjModel* makeSide(const mjModel* m, const mjiColumn* c, int derived, mjtNum value, char* memory,
                         mjData* scratch) {
  mjModel* side = (mjModel*)(void*)memory;
  *side = *m;
  memory += mji_alignUp(sizeof(mjModel), MJI_ALIGN);
  setFrames(side, (mjtByte*)memory);
  memory += frameBytes(m);
  for (int i = 0; i < mjiNNUM; i++) {
    if (!isOwn(c, (mjiNumber)i, derived)) continue;
    mjtNum* values = mji_moveNumber(side, (mjiNumber)i, (mjtNum*)(void*)memory);
    if ((mjiNumber)i == c->number) values[c->index] = value;
    memory += numberBytes(m, (mjiNumber)i);
  }
  if (mji_numberFollows(c->number) == mjiFOLLOWS_BOUNDS) mji_setBounds(side);
  if (derived) mji_const_set(side, scratch);
  return side;
}

// numbers that mj_setConst writes and that no force of inverse dynamics follows, or that have formulas of their own
static int isHarmless(const mjModel* m, mjiNumber number) {
  switch (number) {
    case mjiNUM_body_invweight0:
    case mjiNUM_dof_invweight0:
    case mjiNUM_tendon_invweight0:
    case mjiNUM_body_subtreemass:
    case mjiNUM_dof_M0:
    case mjiNUM_dof_length:
    case mjiNUM_stat_meaninertia:
    case mjiNUM_actuator_length0:
    case mjiNUM_cam_pos0:
    case mjiNUM_cam_poscom0:
    case mjiNUM_cam_mat0:
    case mjiNUM_light_pos0:
    case mjiNUM_light_poscom0:
    case mjiNUM_light_dir0: return 1;
    case mjiNUM_actuator_acc0:  // from which muscles take their strength
      for (int i = 0; i < m->nu; i++) {
        if (m->actuator_gaintype[i] == mjGAIN_MUSCLE || m->actuator_biastype[i] == mjBIAS_MUSCLE) return 0;
      }
      return 1;
    default: return 0;
  }
}

static int movesOthers(const mjModel* m, const mjiColumn* c) {
  for (int i = 0; i < mjiNNUM; i++) {
    size_t n;
    if ((mjiNumber)i == c->number || !mji_constWrites((mjiNumber)i) || isHarmless(m, (mjiNumber)i)) continue;
    const mjtNum* low = mji_baseNumber(c->side[0], (mjiNumber)i, &n);
    const mjtNum* high = mji_baseNumber(c->side[1], (mjiNumber)i, &n);
    if (n && memcmp(low, high, n * sizeof(mjtNum)) != 0) return 1;
  }
  return 0;
}

static void slopes(const mjtNum* low, const mjtNum* high, size_t n, mjtNum span, mjtNum** to) {
  for (size_t i = 0; i < n; i++) *(*to)++ = (high[i] - low[i]) / span;
}

static const mjtNum* makeWeights(const mjModel* m, const mjiColumn* c, mjtNum* weights) {
  const mjModel *low = c->side[0], *high = c->side[1];
  mjtNum* next = weights;
  slopes(low->body_invweight0, high->body_invweight0, 2 * (size_t)m->nbody, c->span, &next);
  slopes(low->dof_invweight0, high->dof_invweight0, (size_t)m->nv, c->span, &next);
  slopes(low->tendon_invweight0, high->tendon_invweight0, (size_t)m->ntendon, c->span, &next);
  for (const mjtNum* x = weights; x < next; x++) {
    if (*x) return weights;
  }
  return NULL;
}

void mji_makeNudged(const mjModel* m, mjiColumn* c, int keep_constants, char* memory, mjData* scratch) {
  int derived = isDerived(c, keep_constants);
  size_t n, bytes = sideBytes(m, c, derived);
  mjtNum value[2];
  nudge(c, mji_baseNumber(m, c->number, &n)[c->index], value);
  for (int side = 0; side < 2; side++) {
    c->side[side] = makeSide(m, c, derived, value[side], memory + (size_t)side * bytes, scratch);
  }
  c->span = value[1] - value[0];
  c->weights = makeWeights(m, c, (mjtNum*)(void*)(memory + 2 * bytes));
  if (derived && movesOthers(m, c)) c->formula = 0;
}
