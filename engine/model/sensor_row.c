// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/sensor_row.h"

#include "tables/sensor_table.h"

// ---- rows of types

enum { ONE = 0, LANES = 1 };

// objects of an attachment
#define A(ATTACHMENT, OBJECT, REFERENCE) \
  enum { ATTACHMENT##_OBJECT = mjiSENSE_##OBJECT, ATTACHMENT##_REFERENCE = mjiSENSE_##REFERENCE };
MJI_SENSOR_ATTACHMENTS(A)
#undef A

#define FLAG_0 0
#define FLAG_SUBTREE_VELOCITIES mjiSENSE_SUBTREE_VELOCITIES
#define FLAG_BODY_FORCES mjiSENSE_BODY_FORCES
#define FLAG_NEVER_SLEEPS mjiSENSE_NEVER_SLEEPS
#define FLAG_CUTOFF_IS_RANGE mjiSENSE_CUTOFF_IS_RANGE

const mjiSensorRow mji_sensorRows[MJI_NSENSORROW] = {
// clang-format off
#define S(TYPE, word, DIM, DATATYPE, STAGE, ATTACHMENT, FLAG, WHERE, evaluator)                             \
  [mjSENS_##TYPE] = {.dim = DIM, .datatype = mjDATATYPE_##DATATYPE, .stage = mjSTAGE_##STAGE,               \
                     .object = (mjiSensorObject)ATTACHMENT##_OBJECT,                                        \
                     .reference = (mjiSensorObject)ATTACHMENT##_REFERENCE, .flags = FLAG_##FLAG,            \
                     .lanes = WHERE, .given = 1},
    // clang-format on
    MJI_SENSORS(S)
#undef S
};

int mji_sensorAny(const mjModel* m, int flag) {
  for (int i = 0; i < m->nsensor; i++) {
    const mjiSensorRow* row = mji_sensorRow(m->sensor_type[i]);
    if (row && row->flags & flag) return 1;
  }
  return 0;
}

int mji_sensorUser(const mjModel* m, int stage) {
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] == mjSENS_USER && m->sensor_needstage[i] == stage) return 1;
  }
  return 0;
}

// ---- kinds of object

#define T(TYPE) (1u << mjOBJ_##TYPE)
#define PLACES (T(BODY) | T(XBODY) | T(GEOM) | T(SITE) | T(CAMERA))
#define BULKS (T(BODY) | T(XBODY) | T(GEOM))

static const struct {
  unsigned types;
  const char* need;
} objects[] = {
#define O(OBJECT, TYPES, need) {TYPES, need},
    MJI_SENSOR_OBJECTS(O)
#undef O
};

int mji_sensorObjectFits(mjiSensorObject object, int type) {
  return object == mjiSENSE_ANY || (type >= 0 && type < 32 && objects[object].types >> type & 1);
}

const char* mji_sensorObjectNeed(mjiSensorObject object) { return objects[object].need; }

// ---- contact sensors

// numbers per contact: the sum over the fields that are asked for, in order of mjtConDataField
int mji_sensorContactDim(const int* intprm) {
  static const int size[mjNCONDATA] = {1, 3, 3, 1, 3, 3, 3};
  int fields = intprm[0], reduce = intprm[1], num = intprm[2], dim = 0;
  if (fields < 1 || fields >= 1 << mjNCONDATA || reduce < 0 || reduce > 3 || num < 1) return -1;
  for (int k = 0; k < mjNCONDATA; k++) dim += fields >> k & 1 ? size[k] : 0;
  return num <= INT32_MAX / dim ? dim * num : -1;
}
