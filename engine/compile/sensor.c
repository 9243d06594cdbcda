// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors: size, stage and data type from the table of sensors; what each type can be attached to.

#include "compile/compile.h"
#include "tables/sensor_table.h"

// what the table says
static int fromTable(mjsSensor* sensor) {
  switch (sensor->type) {
#define ROW(TYPE, DATATYPE, stage)               \
  case mjSENS_##TYPE:                            \
    sensor->datatype = mjDATATYPE_##DATATYPE;    \
    sensor->needstage = stage;                   \
    return 1;
#define S(TYPE, word, dim, DATATYPE, WHERE, evaluator) ROW(TYPE, DATATYPE, mjSTAGE_POS)
    MJI_POS_SENSORS(S)
#undef S
#define S(TYPE, word, dim, DATATYPE, WHERE, evaluator) ROW(TYPE, DATATYPE, mjSTAGE_VEL)
    MJI_VEL_SENSORS(S)
#undef S
#define S(TYPE, word, dim, DATATYPE, WHERE, evaluator) ROW(TYPE, DATATYPE, mjSTAGE_ACC)
    MJI_ACC_SENSORS(S)
#undef S
    default: return 0;
  }
}

static int isObject(mjtObj type, mjtObj a, mjtObj b) {
  return type == a || type == b;
}

static int isPlace(mjtObj type) {
  return type == mjOBJ_BODY || type == mjOBJ_XBODY || type == mjOBJ_GEOM || type == mjOBJ_SITE ||
         type == mjOBJ_CAMERA;
}

// what contacts can be chosen by: a body, a subtree, a geom, or nothing
static int isBulk(mjtObj type) {
  return type == mjOBJ_UNKNOWN || type == mjOBJ_BODY || type == mjOBJ_XBODY || type == mjOBJ_GEOM;
}

static const mjsJoint* jointOf(const mjiCompile* c, const mjsSensor* sensor) {
  int id = mji_names_find(c, mjOBJ_JOINT, mjs_getString(sensor->objname));
  return &mji_get(c, mjOBJ_JOINT, id)->as.joint;
}

static int isScalarJoint(const mjsJoint* joint) {
  return joint->type == mjJNT_HINGE || joint->type == mjJNT_SLIDE;
}

// the object fits the type; NULL, or what is needed
static const char* checkObject(const mjiCompile* c, const mjsSensor* sensor) {
  mjtObj obj = sensor->objtype;
  switch (sensor->type) {
    case mjSENS_TOUCH:
    case mjSENS_ACCELEROMETER:
    case mjSENS_VELOCIMETER:
    case mjSENS_GYRO:
    case mjSENS_FORCE:
    case mjSENS_TORQUE:
    case mjSENS_MAGNETOMETER:
    case mjSENS_RANGEFINDER:
    case mjSENS_CAMPROJECTION: return obj == mjOBJ_SITE ? NULL : "needs a site";
    case mjSENS_JOINTPOS:
    case mjSENS_JOINTVEL:
    case mjSENS_JOINTACTFRC:
      return obj == mjOBJ_JOINT && isScalarJoint(jointOf(c, sensor)) ? NULL
                                                                      : "needs a hinge or slide joint";
    case mjSENS_JOINTLIMITPOS:
    case mjSENS_JOINTLIMITVEL:
    case mjSENS_JOINTLIMITFRC:
      return obj == mjOBJ_JOINT && jointOf(c, sensor)->limited ? NULL : "needs a joint with limits";
    case mjSENS_BALLQUAT:
    case mjSENS_BALLANGVEL:
      return obj == mjOBJ_JOINT && jointOf(c, sensor)->type == mjJNT_BALL ? NULL
                                                                         : "needs a ball joint";
    case mjSENS_TENDONPOS:
    case mjSENS_TENDONVEL:
    case mjSENS_TENDONACTFRC: return obj == mjOBJ_TENDON ? NULL : "needs a tendon";
    case mjSENS_TENDONLIMITPOS:
    case mjSENS_TENDONLIMITVEL:
    case mjSENS_TENDONLIMITFRC: {
      if (obj != mjOBJ_TENDON) return "needs a tendon";
      int id = mji_names_find(c, mjOBJ_TENDON, mjs_getString(sensor->objname));
      return mji_get(c, mjOBJ_TENDON, id)->as.tendon.limited ? NULL : "needs a tendon with limits";
    }
    case mjSENS_ACTUATORPOS:
    case mjSENS_ACTUATORVEL:
    case mjSENS_ACTUATORFRC: return obj == mjOBJ_ACTUATOR ? NULL : "needs an actuator";
    case mjSENS_FRAMEPOS:
    case mjSENS_FRAMEQUAT:
    case mjSENS_FRAMEXAXIS:
    case mjSENS_FRAMEYAXIS:
    case mjSENS_FRAMEZAXIS:
    case mjSENS_FRAMELINVEL:
    case mjSENS_FRAMEANGVEL:
    case mjSENS_FRAMELINACC:
    case mjSENS_FRAMEANGACC:
      return isPlace(obj) ? NULL : "needs a body, xbody, geom, site or camera";
    case mjSENS_SUBTREECOM:
    case mjSENS_SUBTREELINVEL:
    case mjSENS_SUBTREEANGMOM: return obj == mjOBJ_BODY ? NULL : "needs a body";
    case mjSENS_INSIDESITE:
      if (!isPlace(obj)) return "needs a body, xbody, geom, site or camera";
      return sensor->reftype == mjOBJ_SITE ? NULL : "needs a site to be inside of";
    case mjSENS_CONTACT:
      if (!isBulk(obj) && obj != mjOBJ_SITE) return "needs a site, body, xbody or geom, or nothing";
      return isBulk(sensor->reftype) ? NULL : "needs a body, xbody or geom to refer to, or nothing";
    case mjSENS_GEOMDIST:
    case mjSENS_GEOMNORMAL:
    case mjSENS_GEOMFROMTO:
      return isObject(obj, mjOBJ_BODY, mjOBJ_GEOM) &&
                     isObject(sensor->reftype, mjOBJ_BODY, mjOBJ_GEOM)
                 ? NULL
                 : "needs two bodies or geoms";
    default: return NULL;
  }
}

static int isHField(const mjiCompile* c, mjtObj type, int id) {
  return type == mjOBJ_GEOM && mji_get(c, mjOBJ_GEOM, id)->as.geom.type == mjGEOM_HFIELD;
}

static int checkPair(mjiCompile* c, mjiElem* e) {
  const mjsSensor* sensor = &e->as.sensor;
  if (sensor->type == mjSENS_CAMPROJECTION && sensor->reftype != mjOBJ_CAMERA) {
    return mji_compile_error(c, e, "needs a camera to project into");
  }
  if (sensor->type != mjSENS_GEOMDIST && sensor->type != mjSENS_GEOMNORMAL &&
      sensor->type != mjSENS_GEOMFROMTO) {
    return 0;
  }
  int id = mji_names_find(c, sensor->objtype, mjs_getString(sensor->objname));
  int ref = mji_names_find(c, sensor->reftype, mjs_getString(sensor->refname));
  if (isHField(c, sensor->objtype, id) || isHField(c, sensor->reftype, ref)) {
    return mji_compile_error(c, e, "distances from height fields cannot be measured");
  }
  if (sensor->objtype == sensor->reftype && id == ref) {
    return mji_compile_error(c, e, "the two objects must differ");
  }
  return 0;
}

static int checkContact(mjiCompile* c, mjiElem* e) {
  if (e->as.sensor.type != mjSENS_CONTACT) return 0;
  const int* prm = e->as.sensor.intprm;
  if (prm[0] <= 0 || prm[0] >= 1 << mjNCONDATA) {
    return mji_compile_error(c, e, "intprm[0] is %d, which chooses no fields of contacts", prm[0]);
  }
  if (prm[1] < 0 || prm[1] > 3) {
    return mji_compile_error(c, e, "intprm[1], the way to choose among contacts, must be 0 to 3");
  }
  if (prm[2] <= 0) return mji_compile_error(c, e, "intprm[2], the number of contacts, must be above zero");
  return 0;
}

static int checkData(mjiCompile* c, mjiElem* e) {
  const mjsSensor* sensor = &e->as.sensor;
  if (sensor->dim < 0) return mji_compile_error(c, e, "dim cannot be negative");
  if (sensor->cutoff < 0) return mji_compile_error(c, e, "cutoff cannot be negative");
  if (sensor->noise < 0) return mji_compile_error(c, e, "noise cannot be negative");
  int real = sensor->datatype == mjDATATYPE_REAL || sensor->datatype == mjDATATYPE_POSITIVE;
  // for distances, the cutoff is the largest distance that is looked for
  int distance = sensor->type == mjSENS_GEOMNORMAL;
  if (sensor->cutoff > 0 && !real && !distance) {
    return mji_compile_error(c, e, "an axis or quaternion cannot have a cutoff");
  }
  if (sensor->datatype == mjDATATYPE_AXIS && sensor->dim != 3) {
    return mji_compile_error(c, e, "an axis has dim 3");
  }
  if (sensor->datatype == mjDATATYPE_QUATERNION && sensor->dim != 4) {
    return mji_compile_error(c, e, "a quaternion has dim 4");
  }
  return 0;
}

static int compileSensor(mjiCompile* c, mjiElem* e) {
  mjsSensor* sensor = &e->as.sensor;
  if (sensor->type == mjSENS_PLUGIN || sensor->plugin.active) {
    return mji_compile_error(c, e, "plugins are not supported");
  }
  if (sensor->type == mjSENS_TACTILE) {
    return mji_compile_error(c, e, "tactile sensors are not supported");
  }
  // names count if there is a type
  if (sensor->objtype != mjOBJ_UNKNOWN) {
    if (!*mjs_getString(sensor->objname)) {
      return mji_compile_error(c, e, "there is no object to attach to");
    }
    if (mji_names_resolve(c, e, sensor->objtype, sensor->objname) < 0) return -1;
  }
  if (sensor->reftype != mjOBJ_UNKNOWN) {
    if (!*mjs_getString(sensor->refname)) {
      return mji_compile_error(c, e, "there is no object to refer to");
    }
    if (mji_names_resolve(c, e, sensor->reftype, sensor->refname) < 0) return -1;
    if (!isPlace(sensor->reftype)) {
      return mji_compile_error(c, e, "needs a body, xbody, geom, site or camera to refer to");
    }
  }
  if (fromTable(sensor)) {
    int wants = sensor->type != mjSENS_CLOCK && sensor->type != mjSENS_E_POTENTIAL &&
                sensor->type != mjSENS_E_KINETIC && sensor->type != mjSENS_CONTACT;
    if (wants && sensor->objtype == mjOBJ_UNKNOWN) {
      return mji_compile_error(c, e, "there is no object to attach to");
    }
    const char* need = checkObject(c, sensor);
    if (need) return mji_compile_error(c, e, "%s", need);
    if (checkPair(c, e) || checkContact(c, e)) return -1;
    sensor->dim = mjs_sensorDim(sensor);
  }
  return checkData(c, e);
}

int mji_sensor_compile(mjiCompile* c) {
  for (int i = 0; i < mji_count(c, mjOBJ_SENSOR); i++) {
    if (compileSensor(c, mji_get(c, mjOBJ_SENSOR, i))) return -1;
  }
  return 0;
}
