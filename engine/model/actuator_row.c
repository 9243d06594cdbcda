// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/actuator_row.h"

#include "tables/actuator_table.h"

static const mjiTransmissionRow rows[] = {
#define T(TYPE, WORD, OBJECT, SECOND, evaluator) \
  [mjTRN_##TYPE] = {.word = WORD, .object = mjOBJ_##OBJECT, .second = mjiSECOND_##SECOND},
    MJI_TRANSMISSIONS(T)
#undef T
};

const mjiTransmissionRow* mji_transmissionRow(int type) {
  int n = (int)(sizeof rows / sizeof *rows);
  return type >= 0 && type < n ? rows + type : NULL;
}

static int bodyOf(const mjModel* m, mjtObj object, int id) {
  switch (object) {
    case mjOBJ_JOINT: return m->jnt_bodyid[id];
    case mjOBJ_SITE: return m->site_bodyid[id];
    case mjOBJ_BODY: return id;
    default: return -1;
  }
}

void mji_actuatorBodies(const mjModel* m, int i, int body[2]) {
  const mjiTransmissionRow* row = rows + m->actuator_trntype[i];
  body[0] = bodyOf(m, row->object, m->actuator_trnid[2 * i]);
  body[1] = row->second == mjiSECOND_REQUIRED ? bodyOf(m, mjOBJ_SITE, m->actuator_trnid[2 * i + 1]) : -1;
}

int mji_momentSize(int trntype, int jnttype, int nv) {
  if (rows[trntype].object != mjOBJ_JOINT) return nv;
  return jnttype == mjJNT_FREE ? 6 : jnttype == mjJNT_BALL ? 3 : 1;
}
