// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the three stages of sensors have in common: the loop, user sensors, cutoffs.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/spatial.h"
#include "model/sleep.h"

#include "sense/sense.h"

// sensors of a stage that a user's callback fills in: zero before it is called
static void userSensors(const mjModel* m, mjData* d, int stage) {
  int n = 0;
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != mjSENS_USER || m->sensor_needstage[i] != stage) continue;
    zeroN(LANES(d->sensordata) + m->sensor_adr[i], m->sensor_dim[i]);
    n++;
  }
#if SHEAF_LANES == 1
  if (n && mjcb_sensor) mjcb_sensor(m, d, stage);
#endif
}

// limit values to [-cutoff, cutoff], or from above if they are never negative
static void applyCutoffs(const mjModel* m, mjData* d, int stage) {
  for (int i = 0; i < m->nsensor; i++) {
    mjtNum cutoff = m->sensor_cutoff[i];
    if (cutoff <= 0 || m->sensor_needstage[i] != stage) continue;
    if (m->sensor_type[i] == mjSENS_GEOMFROMTO) continue;    // there it is the largest distance
    int real = m->sensor_datatype[i] == mjDATATYPE_REAL;
    if (!real && m->sensor_datatype[i] != mjDATATYPE_POSITIVE) continue;
    V* value = LANES(d->sensordata) + m->sensor_adr[i];
    V high = v_set1(cutoff), low = v_set1(-cutoff);
    for (int k = 0; k < m->sensor_dim[i]; k++) {
      value[k] = v_sel(v_lt(high, value[k]), high, value[k]);
      if (real) value[k] = v_sel(v_lt(value[k], low), low, value[k]);
    }
  }
}

void LANE(senseStage)(const mjModel* m, mjData* d, int stage, const LANE(SensorEval)* table) {
  int user = 0;
  int sleeping = SHEAF_LANES == 1 && mji_sleep_any(m, d);
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_needstage[i] != stage) continue;
    if (sleeping && mji_sleep_ofSensor(m, d, i)) continue;
    int type = m->sensor_type[i];
    if (type == mjSENS_USER) {
      user = 1;
      continue;
    }
    if (type < 0 || type > mjSENS_USER || !table[type]) {
      mju_error("sensor %d of type %d cannot be evaluated in stage %d", i, type, stage);
      continue;
    }
    table[type](m, d, i, LANES(d->sensordata) + m->sensor_adr[i]);
  }
  if (user) userSensors(m, d, stage);
  applyCutoffs(m, d, stage);
}

V LANE(senseLimit)(const mjModel* m, const mjData* d, int type, int id, const mjtNum* efc_x,
                   const mjtNum* efc_minus) {
  V value = v_zero();
  M found = m_none();
  int first = d->ne + d->nf;
  for (int row = first; row < first + d->nl; row++) {
    if (d->efc_type[row] != type || d->efc_id[row] != id) continue;
    V x = CLANES(efc_x)[row];
    if (efc_minus) x = x - CLANES(efc_minus)[row];
#if SHEAF_LANES == 1
    M on = m_full();
#else
    M on = v_gt(CLANES(d->efc_D)[row], v_zero());    // zero where a state does not have the row
#endif
    value = v_sel(on & ~found, x, value);
    found |= on;
  }
  return value;
}
