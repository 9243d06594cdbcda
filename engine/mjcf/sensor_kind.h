// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How each kind of sensor says what it is attached to; reader and writer use the same rows.
#ifndef SHEAF_MJCF_SENSOR_KIND_H_
#define SHEAF_MJCF_SENSOR_KIND_H_

#include <mujoco/mujoco.h>

typedef enum {
  mjiON_NOTHING,
  mjiON_ONE,          // attribute obj holds a name of objtype, attribute ref one of reftype
  mjiON_OBJECT,       // objtype and objname, reftype and refname
  mjiON_OBJECT_SITE,  // objtype and objname, attribute ref holds the reference
  mjiON_TWO_GEOMS,    // geoms or bodies, two of them
  mjiON_CONTACT,      // site, body, subtree or geom, one or two of them
  mjiON_PLUGIN,
} mjiAttachment;

typedef struct mjiSensorKind_ {
  const char* name;  // of the element
  mjtSensor type;
  mjiAttachment on;
  const char* obj;  // names of attributes, and types of what they name
  mjtObj objtype;
  const char* ref;
  mjtObj reftype;
} mjiSensorKind;

// Ended by a row without name.
extern const mjiSensorKind mji_sensorKinds[];

#endif  // SHEAF_MJCF_SENSOR_KIND_H_
