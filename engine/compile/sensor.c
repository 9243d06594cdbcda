// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors: size, stage and data type from the row of their type; what each type can be attached to.

#include "compile/compile.h"
#include "model/sensor_row.h"

static const mjsJoint* jointOf(const mjiCompile* c, const mjsSensor* sensor) {
  int id = mji_names_find(c, mjOBJ_JOINT, mjs_getString(sensor->objname));
  return &mji_get(c, mjOBJ_JOINT, id)->as.joint;
}

static int isScalarJoint(const mjsJoint* joint) { return joint->type == mjJNT_HINGE || joint->type == mjJNT_SLIDE; }

static int isLimited(const mjiCompile* c, const mjsSensor* sensor) {
  int id = mji_names_find(c, mjOBJ_TENDON, mjs_getString(sensor->objname));
  return mji_get(c, mjOBJ_TENDON, id)->as.tendon.limited != 0;
}

// Beside its type, does the object have what the attachment asks for?
static int objectOk(const mjiCompile* c, const mjsSensor* sensor, mjiSensorObject object) {
  switch (object) {
    case mjiSENSE_SCALAR_JOINT: return isScalarJoint(jointOf(c, sensor));
    case mjiSENSE_LIMITED_JOINT: return jointOf(c, sensor)->limited != 0;
    case mjiSENSE_BALL_JOINT: return jointOf(c, sensor)->type == mjJNT_BALL;
    case mjiSENSE_LIMITED_TENDON: return isLimited(c, sensor);
    default: return 1;
  }
}

static int checkObjects(mjiCompile* c, mjiElem* e, const mjiSensorRow* row) {
  const mjsSensor* sensor = &e->as.sensor;
  if (!mji_sensorObjectFits(row->object, sensor->objtype) || !objectOk(c, sensor, row->object)) {
    return sensor->objtype == mjOBJ_UNKNOWN ? mji_compile_error(c, e, "there is no object to attach to")
                                            : mji_compile_error(c, e, "needs %s", mji_sensorObjectNeed(row->object));
  }
  if (!mji_sensorObjectFits(row->reference, sensor->reftype)) {
    return mji_compile_error(c, e, "needs %s", mji_sensorObjectNeed(row->reference));
  }
  return 0;
}

static int isHField(const mjiCompile* c, mjtObj type, int id) {
  return type == mjOBJ_GEOM && mji_get(c, mjOBJ_GEOM, id)->as.geom.type == mjGEOM_HFIELD;
}

static const mjiMesh* meshOf(const mjiCompile* c, const mjsSensor* tactile) {
  return mji_get(c, mjOBJ_MESH, mji_names_find(c, mjOBJ_MESH, mjs_getString(tactile->objname)))->info;
}

// two bodies or geoms
static int checkSurfaces(mjiCompile* c, mjiElem* e) {
  const mjsSensor* sensor = &e->as.sensor;
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

static int checkData(mjiCompile* c, mjiElem* e, const mjiSensorRow* row) {
  const mjsSensor* sensor = &e->as.sensor;
  if (sensor->dim < 0) return mji_compile_error(c, e, "dim cannot be negative");
  if (sensor->cutoff < 0) return mji_compile_error(c, e, "cutoff cannot be negative");
  if (sensor->noise < 0) return mji_compile_error(c, e, "noise cannot be negative");
  int real = sensor->datatype == mjDATATYPE_REAL || sensor->datatype == mjDATATYPE_POSITIVE;
  int range = row && row->flags & mjiSENSE_CUTOFF_IS_RANGE;
  if (sensor->cutoff > 0 && !real && !range) {
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
  if ((sensor->type == mjSENS_PLUGIN) != sensor->plugin.active) {
    return mji_compile_error(c, e, "a sensor of a plugin is of type plugin, and no other is");
  }
  // without a type the name is ignored
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
    if (!mji_sensorObjectFits(mjiSENSE_FRAME, sensor->reftype)) {
      return mji_compile_error(c, e, "needs %s", mji_sensorObjectNeed(mjiSENSE_FRAME_OR_NONE));
    }
  }
  const mjiSensorRow* row = mji_sensorRow(sensor->type);
  if (row) {
    sensor->datatype = row->datatype;
    sensor->needstage = row->stage;
    if (checkObjects(c, e, row)) return -1;
    if (row->object == mjiSENSE_SURFACE && checkSurfaces(c, e)) return -1;
    if (row->object == mjiSENSE_CONTACT_SIDE && checkContact(c, e)) return -1;
    if (sensor->type == mjSENS_TACTILE) sensor->dim = 3 * meshOf(c, sensor)->nvert;
    sensor->dim = mjs_sensorDim(sensor);
  }
  if (sensor->type == mjSENS_PLUGIN) {
    const mjpPlugin* plugin = mji_plugin_used(&sensor->plugin);
    sensor->needstage = plugin->needstage ? (mjtStage)plugin->needstage : mjSTAGE_ACC;
    sensor->datatype = mjDATATYPE_REAL;
    sensor->dim = 0;  // the plugin is asked for it when the model is there
  }
  return checkData(c, e, row);
}

int mji_sensor_compile(mjiCompile* c) {
  for (int i = 0; i < mji_count(c, mjOBJ_SENSOR); i++) {
    if (compileSensor(c, mji_get(c, mjOBJ_SENSOR, i))) return -1;
  }
  return 0;
}
