// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The rows of tables/sensor_table.h and tables/sensor_attachment.h, to be asked by type.
#ifndef SHEAF_MODEL_SENSOR_ROW_H_
#define SHEAF_MODEL_SENSOR_ROW_H_

#include <mujoco/mujoco.h>

#include "tables/sensor_attachment.h"

// kinds of object: mjiSENSE_SITE, ...
typedef enum {
#define O(OBJECT, TYPES, need) mjiSENSE_##OBJECT,
  MJI_SENSOR_OBJECTS(O)
#undef O
} mjiSensorObject;

// what is special about a type: columns FLAGS of the table
typedef enum {
  mjiSENSE_SUBTREE_VELOCITIES = 1,  // it needs momenta of subtrees
  mjiSENSE_BODY_FORCES = 2,         // it needs accelerations and forces of bodies
  mjiSENSE_NEVER_SLEEPS = 4,        // its value can change while its objects sleep
  mjiSENSE_CUTOFF_IS_RANGE = 8,     // the cutoff is how far it looks, and clamps nothing
} mjiSensorFlag;

typedef struct mjiSensorRow_ {
  int dim;  // 0 if it depends on the sensor
  mjtDataType datatype;
  mjtStage stage;
  mjiSensorObject object, reference;
  int flags;  // mjiSensorFlag
  int lanes;  // its evaluator runs over lanes
  int given;  // zero: no row
} mjiSensorRow;

// Rows by type.
enum { MJI_NSENSORROW = mjSENS_USER + 1 };
extern const mjiSensorRow mji_sensorRows[MJI_NSENSORROW];

// Row of a type of sensor; NULL for user and plugin sensors and for what is no type.
static inline const mjiSensorRow* mji_sensorRow(int type) {
  if (type < 0 || type >= MJI_NSENSORROW || !mji_sensorRows[type].given) return NULL;
  return mji_sensorRows + type;
}

// Nonzero if one of the model's sensors has a flag.
int mji_sensorAny(const mjModel* m, int flag);

// Nonzero if the user's callback evaluates sensors of a stage (mjtStage).
int mji_sensorUser(const mjModel* m, int stage);

// May an object of this kind have the given type (mjtObj, which may come from a file)?
int mji_sensorObjectFits(mjiSensorObject object, int type);

// What the compiler says that a sensor needs: "a site".
const char* mji_sensorObjectNeed(mjiSensorObject object);

// Numbers of a contact sensor, from its parameters; -1 if they are not valid.
int mji_sensorContactDim(const int* intprm);

#endif  // SHEAF_MODEL_SENSOR_ROW_H_
