// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors of one state: the public functions, and the evaluators without a lane path, except that of contacts
// (sensor_contact.c).

#include "sense/sense.h"

#include "lanes/kernels.h"
#include "tables/sensor_table.h"

void mj_sensorPos(const mjModel* m, mjData* d) { LANE1(sensorPos)(m, d); }

void mj_sensorVel(const mjModel* m, mjData* d) { LANE1(sensorVel)(m, d); }

void mj_sensorAcc(const mjModel* m, mjData* d) { LANE1(sensorAcc)(m, d); }

int mji_sense_has(const mjModel* m, int type) {
  if (m->opt.disableflags & mjDSBL_SENSOR) return 0;
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] == type) return 1;
  }
  return 0;
}

// geoms of a geom or a body
static int geomRange(const mjModel* m, int type, int id, int* first) {
  *first = type == mjOBJ_BODY ? m->body_geomadr[id] : id;
  return type == mjOBJ_BODY ? m->body_geomnum[id] : 1;
}

// smallest signed distance up to the cutoff, the segment that has this length, or its direction
void mji_sense_geomDistance(const mjModel* m, mjData* d, int i, mjtNum* out) {
  int first1, first2;
  int n1 = geomRange(m, m->sensor_objtype[i], m->sensor_objid[i], &first1);
  int n2 = geomRange(m, m->sensor_reftype[i], m->sensor_refid[i], &first2);
  mjtNum distance = m->sensor_cutoff[i], fromto[6] = {0};
  for (int g1 = first1; g1 < first1 + n1; g1++) {
    for (int g2 = first2; g2 < first2 + n2; g2++) {
      mjtNum segment[6];
      mjtNum dist = mj_geomDistance(m, d, g1, g2, m->sensor_cutoff[i], segment);
      if (dist >= distance) continue;
      distance = dist;
      mju_copy(fromto, segment, 6);
    }
  }

  switch (m->sensor_type[i]) {
    case mjSENS_GEOMDIST: *out = distance; break;
    case mjSENS_GEOMNORMAL:
      mju_sub3(out, fromto + 3, fromto);
      if (out[0] || out[1] || out[2]) mju_normalize3(out);
      break;
    default: mju_copy(out, fromto, 6);
  }
}

// evaluators of one state at a time, by type
static void (*const evaluators[])(const mjModel* m, mjData* d, int i, mjtNum* out) = {
#define EVAL_LANES(f) NULL
#define EVAL_ONE(f) f
#define S(TYPE, word, dim, DATATYPE, STAGE, ATTACHMENT, FLAGS, WHERE, evaluator) \
  [mjSENS_##TYPE] = EVAL_##WHERE(evaluator),
    MJI_SENSORS(S)
#undef S
};

void mji_sense_one(const mjModel* m, mjData* d, int i, mjtNum* out) { evaluators[m->sensor_type[i]](m, d, i, out); }
