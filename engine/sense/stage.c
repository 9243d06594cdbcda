// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the three stages of sensors have in common: the loop, user sensors, cutoffs.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/spatial.h"
#include "model/active.h"
#include "model/number.h"
#include "model/one_lane.h"
#include "model/plugin.h"
#include "model/sensor_row.h"
#include "sense/sense.h"

// user sensors of a stage: set to zero, then filled in by the user's callback
static void userSensors(const mjModel* m, mjData* d, int stage) {
  int n = 0;
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != mjSENS_USER || m->sensor_needstage[i] != stage) continue;
    zeroN(LANES(d->sensordata) + m->sensor_adr[i], m->sensor_dim[i]);
    n++;
  }
  if (ONE_STATE && n && mjcb_sensor) mjcb_sensor(m, d, stage);
}

// limit values to [-cutoff, cutoff]; values that are never negative only from above
static void applyCutoffs(const mjModel* m, mjData* d, int stage) {
  for (int i = 0; i < m->nsensor; i++) {
    mjtNum cutoff = m->sensor_cutoff[i];
    if (cutoff <= 0 || m->sensor_needstage[i] != stage) continue;
    const mjiSensorRow* row = mji_sensorRow(m->sensor_type[i]);
    if (row && row->flags & mjiSENSE_CUTOFF_IS_RANGE) continue;
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

// does the evaluator of a sensor take one state at a time?
static inline int isScalar(int type) {
  const mjiSensorRow* row = mji_sensorRow(type);
  return row && !row->lanes;
}

static void scalarSensors(const mjModel* m, mjData* d, int stage, mjiList sensors) {
  int what = stage == mjSTAGE_ACC ? MJI_ONE_POSITION | MJI_ONE_CONTACT : MJI_ONE_POSITION;
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    mjData* one = LANE(oneLane)(m, d, lane, what);
    for (int k = 0; k < sensors.n; k++) {
      int i = mji_listed(sensors, k);
      if (m->sensor_needstage[i] != stage || !isScalar(m->sensor_type[i])) continue;
      mjtNum* out = one->sensordata + m->sensor_adr[i];
      mji_sense_one(LANE_MODEL(lane), one, i, out);
      for (int c = 0; c < m->sensor_dim[i]; c++) v_put(LANES(d->sensordata) + m->sensor_adr[i] + c, lane, out[c]);
    }
  }
}

void LANE(senseStage)(const mjModel* m, mjData* d, int stage, const LANE(SensorEval)* table) {
  int user = 0, scalar = 0, plugin = 0;
  mjiList sensors = mji_listOf(m, d, MJI_SENSORS);
  for (int k = 0; k < sensors.n; k++) {
    int i = mji_listed(sensors, k), type = m->sensor_type[i];
    if (m->sensor_needstage[i] != stage) continue;
    LANE(SensorEval) eval = mji_sensorRow(type) ? table[type] : NULL;
    if (eval) eval(m, d, i, LANES(d->sensordata) + m->sensor_adr[i]);
    else if (type == mjSENS_USER) user = 1;
    else if (type == mjSENS_PLUGIN) plugin = 1;
    else if (isScalar(type)) scalar = 1;
    else mju_error("sensor %d of type %d cannot be evaluated in stage %d", i, type, stage);
  }
  if (scalar) scalarSensors(m, d, stage, sensors);
  if (user) userSensors(m, d, stage);
  if (ONE_STATE && plugin) mji_plugin_compute(m, d, mjPLUGIN_SENSOR, stage);
  applyCutoffs(m, d, stage);
}

V LANE(senseLimit)(const mjModel* m, const mjData* d, int type, int id, const mjtNum* efc_x, const mjtNum* efc_minus) {
  V value = v_zero();
  M found = m_none();
  int first = d->ne + d->nf;
  for (int row = first; row < first + d->nl; row++) {
    if (d->efc_type[row] != type || d->efc_id[row] != id) continue;
    V x = CLANES(efc_x)[row];
    if (efc_minus) x = x - CLANES(efc_minus)[row];

    // zero where a state does not have the row
    M on = ONE_STATE ? m_full() : v_gt(CLANES(d->efc_D)[row], v_zero());
    value = v_sel(on & ~found, x, value);
    found |= on;
  }
  return value;
}
