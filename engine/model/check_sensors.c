// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors: what their rows say about their stages, sizes and objects.
#include "model/check.h"
#include "model/sensor_row.h"

// does the object exist? A sensor of limits may name any tendon or joint, because limits may be turned off later
static int objectOk(const mjModel* m, mjiSensorObject object, int type, int id) {
  if (object == mjiSENSE_ANY || (object == mjiSENSE_FRAME_OR_NONE && id == -1)) return 1;
  if (!mji_sensorObjectFits(object, type)) return 0;
  // a frame is looked up where there is an id
  if (object == mjiSENSE_FRAME_OR_NONE && type == mjOBJ_UNKNOWN) return 0;
  int optional = mji_sensorObjectFits(object, mjOBJ_UNKNOWN);
  if (optional && (type == mjOBJ_UNKNOWN || id == -1)) return 1;
  if (id < 0 || id >= mji_checkCount(m, type)) return 0;
  switch (object) {
    case mjiSENSE_SCALAR_JOINT: return m->jnt_type[id] == mjJNT_HINGE || m->jnt_type[id] == mjJNT_SLIDE;
    case mjiSENSE_BALL_JOINT: return m->jnt_type[id] == mjJNT_BALL;
    default: return 1;
  }
}

static const char* checkObjects(const mjModel* m, int i) {
  const mjiSensorRow* row = mji_sensorRow(m->sensor_type[i]);
  int objtype = m->sensor_objtype[i], reftype = m->sensor_reftype[i];
  int objid = m->sensor_objid[i], refid = m->sensor_refid[i];
  if (row && !objectOk(m, row->object, objtype, objid)) return "sensor_objid";
  if (row && !objectOk(m, row->reference, reftype, refid)) return "sensor_refid";

  // other sensors name nothing, or an object that exists
  if (objtype != mjOBJ_UNKNOWN && (objid < 0 || objid >= mji_checkCount(m, objtype))) return "sensor_objid";
  if (reftype != mjOBJ_UNKNOWN && (refid < -1 || refid >= mji_checkCount(m, reftype))) {
    return "sensor_refid";
  }
  return NULL;
}

// are stage and size of a sensor those that its row says?
static int computedOk(const mjModel* m, int i) {
  int type = m->sensor_type[i], stage = m->sensor_needstage[i], dim = m->sensor_dim[i];
  if (type == mjSENS_USER || type == mjSENS_PLUGIN) return stage >= mjSTAGE_NONE && stage <= mjSTAGE_ACC;
  const mjiSensorRow* row = mji_sensorRow(type);
  if (!row || stage != (int)row->stage) return 0;
  if (row->dim) return dim == row->dim;

  // its size depends on the sensor
  if (type == mjSENS_TACTILE) return 1;  // mji_checkSensors looks at it when the mesh is known to exist
  return type == mjSENS_CONTACT && dim == mji_sensorContactDim(m->sensor_intprm + mjNSENS * i);
}

const char* mji_checkSensors(const mjModel* m) {
  int next = 0;
  for (int i = 0; i < m->nsensor; i++) {
    if (!computedOk(m, i)) return "sensor_type";
    const char* wrong = checkObjects(m, i);
    if (wrong) return wrong;
    int tactile = m->sensor_type[i] == mjSENS_TACTILE;
    if (tactile && m->sensor_dim[i] != 3 * (int64_t)m->mesh_vertnum[m->sensor_objid[i]]) return "sensor_dim";

    // values lie in the order of sensors
    if (m->sensor_adr[i] != next || m->sensor_dim[i] > m->nsensordata - next) return "sensor_adr";
    next += m->sensor_dim[i];
  }
  return next == m->nsensordata ? NULL : "nsensordata";
}
