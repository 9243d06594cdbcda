// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors: what the tables say about their stages, sizes and objects.
#include "model/check.h"
#include "tables/sensor_object.h"
#include "tables/sensor_table.h"

typedef enum {
  NONE, FRAME_OR_NONE, SITE, BODY, CAMERA, TENDON, LIMITED_TENDON, ACTUATOR, JOINT, LIMITED_JOINT, BALL,
  FRAME, SURFACE,
} Object;

// is there such an object? Limits may be turned off later, so any tendon or joint will do for them
static int objectOk(const mjModel* m, Object kind, int type, int id) {
  if (kind == NONE) return 1;
  if (kind == FRAME_OR_NONE && id == -1) return 1;
  if (id < 0 || id >= mji_checkCount(m, type)) return 0;
  int frame = type == mjOBJ_BODY || type == mjOBJ_XBODY || type == mjOBJ_GEOM || type == mjOBJ_SITE ||
              type == mjOBJ_CAMERA;
  int jnttype = type == mjOBJ_JOINT ? m->jnt_type[id] : -1;
  switch (kind) {
    case SITE:           return type == mjOBJ_SITE;
    case BODY:           return type == mjOBJ_BODY;
    case CAMERA:         return type == mjOBJ_CAMERA;
    case TENDON:
    case LIMITED_TENDON: return type == mjOBJ_TENDON;
    case ACTUATOR:       return type == mjOBJ_ACTUATOR;
    case JOINT:          return jnttype == mjJNT_HINGE || jnttype == mjJNT_SLIDE;
    case LIMITED_JOINT:  return jnttype != -1;
    case BALL:           return jnttype == mjJNT_BALL;
    case SURFACE:        return type == mjOBJ_BODY || type == mjOBJ_GEOM;
    default:             return frame;
  }
}

static const char* checkObjects(const mjModel* m, int i) {
  static const struct {
    Object object, reference;
  } needs[mjSENS_USER + 1] = {
#define S(TYPE, OBJECT, REFERENCE) [mjSENS_##TYPE] = {OBJECT, REFERENCE},
      MJI_SENSOR_OBJECTS(S)
#undef S
  };
  int type = m->sensor_type[i], objtype = m->sensor_objtype[i], reftype = m->sensor_reftype[i];
  int objid = m->sensor_objid[i], refid = m->sensor_refid[i];
  if (!objectOk(m, needs[type].object, objtype, objid)) return "sensor_objid";
  if (!objectOk(m, needs[type].reference, reftype, refid)) return "sensor_refid";

  // others name nothing, or something that exists
  if (objtype != mjOBJ_UNKNOWN && (objid < 0 || objid >= mji_checkCount(m, objtype))) return "sensor_objid";
  if (reftype != mjOBJ_UNKNOWN && (refid < -1 || refid >= mji_checkCount(m, reftype))) {
    return "sensor_refid";
  }
  return NULL;
}

// places for contacts: fields, how they are chosen, how many
static int contactDim(const int* prm) {
  static const int size[mjNCONDATA] = {1, 3, 3, 1, 3, 3, 3};
  if (prm[0] < 1 || prm[0] >= 1 << mjNCONDATA || prm[1] < 0 || prm[1] > 3 || prm[2] < 1) return -1;
  int dim = 0;
  for (int k = 0; k < mjNCONDATA; k++) dim += prm[0] >> k & 1 ? size[k] : 0;
  return prm[2] <= INT32_MAX / dim ? dim * prm[2] : -1;
}

// of one sensor: stage and size
static int computedOk(const mjModel* m, int i) {
  int stage = m->sensor_needstage[i], dim = m->sensor_dim[i];
  switch (m->sensor_type[i]) {
#define ROW(TYPE, n, needed) case mjSENS_##TYPE: if (n) return stage == needed && dim == n; break;
#define S(TYPE, word, n, DATATYPE, WHERE, evaluator) ROW(TYPE, n, mjSTAGE_POS)
    MJI_POS_SENSORS(S)
#undef S
#define S(TYPE, word, n, DATATYPE, WHERE, evaluator) ROW(TYPE, n, mjSTAGE_VEL)
    MJI_VEL_SENSORS(S)
#undef S
#define S(TYPE, word, n, DATATYPE, WHERE, evaluator) ROW(TYPE, n, mjSTAGE_ACC)
    MJI_ACC_SENSORS(S)
#undef S
#undef ROW
    case mjSENS_USER: return stage >= mjSTAGE_NONE && stage <= mjSTAGE_ACC;
    default: return 0;
  }

  // its size depends on the sensor
  return m->sensor_type[i] == mjSENS_CONTACT && stage == mjSTAGE_ACC &&
         dim == contactDim(m->sensor_intprm + mjNSENS * i);
}

static int contactObjectOk(int type, int site) {
  return type == mjOBJ_UNKNOWN || type == mjOBJ_BODY || type == mjOBJ_XBODY || type == mjOBJ_GEOM ||
         (site && type == mjOBJ_SITE);
}

const char* mji_checkSensors(const mjModel* m) {
  int next = 0;
  for (int i = 0; i < m->nsensor; i++) {
    if (!computedOk(m, i)) return "sensor_type";
    if (m->sensor_type[i] == mjSENS_CONTACT && (!contactObjectOk(m->sensor_objtype[i], 1) ||
                                                !contactObjectOk(m->sensor_reftype[i], 0))) {
      return "sensor_objtype";
    }
    const char* wrong = checkObjects(m, i);
    if (wrong) return wrong;

    // values lie in the order of sensors
    if (m->sensor_adr[i] != next || m->sensor_dim[i] > m->nsensordata - next) return "sensor_adr";
    next += m->sensor_dim[i];
  }
  return next == m->nsensordata ? NULL : "nsensordata";
}
