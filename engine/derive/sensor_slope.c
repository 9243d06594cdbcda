// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of sensors and of outputs without a formula: differences along directions in which the acceleration moves
// as its derivative says, so that nothing is solved. Constraint forces are those of inverse dynamics.

#include "lanes/lanes.h"

#include <sheaf/batch.h>

#include "base/checkpoint.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/work.h"
#include "sense/sense.h"
#include "solve/primal.h"

typedef enum { POSITIONS, VELOCITIES, REST } Kind;

// What is computed again in each direction.
typedef struct {
  int sensors, energy, momentum, bodies;  // bodies: their accelerations and forces
  int slips;                              // noslip follows the solver
  int sweeps[MJI_MAX_LANES], counted;     // its sweeps, once they are counted
  int npart, n;                           // outputs without formulas, numbers of all
  const mjiOutputPart** part;             // (npart)
  V** to;                                 // (npart) their first column, r->nout numbers before the next
} Sensed;

static int isOneOf(size_t offset, size_t a, size_t b, size_t c) { return offset == a || offset == b || offset == c; }

static Sensed chooseSensed(const mjModel* m, mjData* d, const mjiStepDerivative* r, const V* acc) {
  Sensed s = {.sensors = r->sensors, .slips = m->opt.noslip_iterations > 0};
  s.part = mj_stackAllocByte(d, (size_t)(r->npart + 1) * sizeof(void*), sizeof(void*));
  s.to = mj_stackAllocByte(d, (size_t)(r->npart + 1) * sizeof(void*), sizeof(void*));
  V* to = LANES(r->output);
  for (int i = 0; i < r->npart; to += r->part[i++].n) {
    const mjiOutputPart* part = r->part + i;
    size_t at = part->offset;
    if (LANE(outputFormula)(m, d, part, r, acc, to)) continue;
    s.to[s.npart] = to;
    s.part[s.npart++] = part;
    s.n += part->n;
    s.energy |= at == 0;
    s.sensors |= at == offsetof(mjData, sensordata);
    s.momentum |= at == offsetof(mjData, subtree_linvel) || at == offsetof(mjData, subtree_angmom);
    s.bodies |= isOneOf(at, offsetof(mjData, cacc), offsetof(mjData, cfrc_int), offsetof(mjData, cfrc_ext));
  }
  return s;
}

// all that the inputs of a kind may change
static void sense(const mjModel* m, mjData* d, Sensed* s, Kind kind) {
  if (kind <= POSITIONS) {
    (s->slips ? LANE(fwdPosition) : LANE(invPosition))(m, d, s->sensors ? MJI_WANT_SENSOR : 0);
    if (s->energy) LANE(makeM)(m, d);
    if (s->energy) LANE(energyPos)(m, d);
    if (s->sensors) LANE(sensorPos)(m, d);
  }
  if (kind <= VELOCITIES) {
    LANE(fwdVelocity)(m, d, s->sensors ? MJI_WANT_SENSOR : 0);
    if (s->energy) LANE(energyVel)(m, d);
    if (s->momentum) LANE(subtreeVel)(m, d);
    if (s->sensors) LANE(sensorVel)(m, d);
  }
  LANE(fwdActuation)(m, d);
  if (s->slips) {
    LANE(fwdAcceleration)(m, d);
    LANE(noslipFrom)(m, d, s->sweeps, s->counted);
    s->counted = 1;
  } else {
    LANE(invConstraint)(m, d, 0);
  }
  if (s->bodies) LANE(rnePostConstraint)(m, d);
  if (s->sensors) LANE(sensorAcc)(m, d);
}

// the numbers of sensors, if they are wanted, and of outputs
static void gather(const mjModel* m, mjData* d, const Sensed* s, int sensors, V* out) {
  int n = sensors ? (int)m->nsensordata : 0;
  copyN(out, CLANES(d->sensordata), n);
  for (int i = 0; i < s->npart; n += s->part[i++]->n) {
    const mjtNum* array = mji_energy(d);
    if (s->part[i]->offset) memcpy(&array, (const char*)d + s->part[i]->offset, sizeof array);
    copyN(out + n, CLANES(array) + s->part[i]->first, s->part[i]->n);
  }
}

// numbers of column c
static void scatter(const mjModel* m, const Sensed* s, const mjiStepDerivative* r, int c, const V* from) {
  int n = r->sensors ? (int)m->nsensordata : 0;
  copyN(LANES(r->sensor) + c * n, from, n);
  for (int i = 0; i < s->npart; n += s->part[i++]->n) {
    copyN(s->to[i] + (size_t)c * (size_t)r->nout, from + n, s->part[i]->n);
  }
}

static void byDifferences(const mjModel* m, mjData* d, mjiStepDerivative* r, Sensed* s, const V* acc) {
  int nv = (int)m->nv, n = s->n + (r->sensors ? (int)m->nsensordata : 0);
  LANE(Inputs) in = LANE(saveInputs)(m, d);
  V *nominal = LANES(mji_stackNum(d, (size_t)n)), *low = LANES(mji_stackNum(d, (size_t)n));
  V* high = LANES(mji_stackNum(d, (size_t)n));

  // the kinetic energy is a sensor of the position stage
  int energy = s->sensors && mji_sense_has(m, mjSENS_E_KINETIC), done = POSITIONS;
  sense(m, d, s, POSITIONS);
  gather(m, d, s, r->sensors, nominal);
  for (int c = 0; c < r->ncol; c++, acc += nv) {
    int k = mji_columnAt(r->column, c);
    Kind kind = k < nv ? POSITIONS : k < 2 * nv ? (energy ? POSITIONS : VELOCITIES) : REST;
    if ((int)kind != done) sense(m, d, s, (Kind)done);  // earlier stages as they were
    done = kind;
    mji_checkpoint();
    M up = LANE(mayNudge)(m, d, k, kNudge), down = LANE(mayNudge)(m, d, k, -kNudge);
    for (lane_t side = -1; side <= 1; side += 2) {
      LANE(nudgeInput)(m, d, k, side * kNudge);
      for (int i = 0; i < nv; i++) LANES(d->qacc)[i] = in.qacc[i] + (side * kNudge) * acc[i];
      sense(m, d, s, kind);
      gather(m, d, s, r->sensors, side < 0 ? low : high);
      LANE(restoreInputs)(m, d, &in);
    }
    V span = v_sel(up & down, v_set1(2 * kNudge), v_set1(kNudge));
    for (int i = 0; i < n; i++) {
      high[i] = (v_sel(up, high[i], nominal[i]) - v_sel(down, low[i], nominal[i])) / span;
    }
    scatter(m, s, r, c, high);
  }
  sense(m, d, s, REST);  // rates of activations
}

void LANE(sensorSlopes)(const mjModel* m, mjData* d, mjiStepDerivative* r, const LANE(Slopes)* of) {
  mj_markStack(d);
  const V* acc = LANES(r->qacc);

  // what depends on positions may be that of the last nudge of the integrator's matrix
  if (r->fallback[0] & SHEAF_FALLBACK_INTEGRATOR) {
    LANE(invPosition)(m, d, 0);
    LANE(fwdVelocity)(m, d, 0);
    LANE(fwdActuation)(m, d);
  }
  Sensed s = chooseSensed(m, d, r, acc);
  V* qacc = LANES(mji_stackNum(d, (size_t)m->nv));
  copyN(qacc, CLANES(d->qacc), (int)m->nv);
  if (of->main) copyN(LANES(d->qacc), of->mainacc, (int)m->nv);
  if (r->sensors || s.npart) byDifferences(m, d, r, &s, of->main ? of->main : acc);
  copyN(LANES(d->qacc), qacc, (int)m->nv);
  int bits = (r->sensors ? SHEAF_FALLBACK_SENSOR : 0) | (s.npart ? SHEAF_FALLBACK_OUTPUT : 0);
  tellFallback(r->fallback, m_full(), bits);
  mj_freeStack(d);
}
