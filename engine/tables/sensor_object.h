// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What each type of sensor is attached to. Types without a row may be attached to anything or nothing.
//   S(TYPE, OBJECT, REFERENCE)
//     OBJECT      SITE, BODY, TENDON, ACTUATOR; JOINT: with one dof; BALL: a ball joint; LIMITED_JOINT and
//                 LIMITED_TENDON; FRAME: what has one; SURFACE: a body or geom; NOTHING
//     REFERENCE   NONE, FRAME_OR_NONE, or one of the above
#ifndef SHEAF_TABLES_SENSOR_OBJECT_H_
#define SHEAF_TABLES_SENSOR_OBJECT_H_

#define MJI_SENSOR_OBJECTS(S)               \
  S(TOUCH,          SITE,           NONE)   \
  S(ACCELEROMETER,  SITE,           NONE)   \
  S(VELOCIMETER,    SITE,           NONE)   \
  S(GYRO,           SITE,           NONE)   \
  S(FORCE,          SITE,           NONE)   \
  S(TORQUE,         SITE,           NONE)   \
  S(MAGNETOMETER,   SITE,           NONE)   \
  S(RANGEFINDER,    SITE,           NONE)   \
  S(CAMPROJECTION,  SITE,           CAMERA) \
  S(JOINTPOS,       JOINT,          NONE)   \
  S(JOINTVEL,       JOINT,          NONE)   \
  S(JOINTACTFRC,    JOINT,          NONE)   \
  S(JOINTLIMITPOS,  LIMITED_JOINT,  NONE)   \
  S(JOINTLIMITVEL,  LIMITED_JOINT,  NONE)   \
  S(JOINTLIMITFRC,  LIMITED_JOINT,  NONE)   \
  S(BALLQUAT,       BALL,           NONE)   \
  S(BALLANGVEL,     BALL,           NONE)   \
  S(TENDONPOS,      TENDON,         NONE)   \
  S(TENDONVEL,      TENDON,         NONE)   \
  S(TENDONACTFRC,   TENDON,         NONE)   \
  S(TENDONLIMITPOS, LIMITED_TENDON, NONE)   \
  S(TENDONLIMITVEL, LIMITED_TENDON, NONE)   \
  S(TENDONLIMITFRC, LIMITED_TENDON, NONE)   \
  S(ACTUATORPOS,    ACTUATOR,       NONE)   \
  S(ACTUATORVEL,    ACTUATOR,       NONE)   \
  S(ACTUATORFRC,    ACTUATOR,       NONE)   \
  S(FRAMEPOS,       FRAME,          FRAME_OR_NONE) \
  S(FRAMEQUAT,      FRAME,          FRAME_OR_NONE) \
  S(FRAMEXAXIS,     FRAME,          FRAME_OR_NONE) \
  S(FRAMEYAXIS,     FRAME,          FRAME_OR_NONE) \
  S(FRAMEZAXIS,     FRAME,          FRAME_OR_NONE) \
  S(FRAMELINVEL,    FRAME,          FRAME_OR_NONE) \
  S(FRAMEANGVEL,    FRAME,          FRAME_OR_NONE) \
  S(FRAMELINACC,    FRAME,          FRAME_OR_NONE) \
  S(FRAMEANGACC,    FRAME,          FRAME_OR_NONE) \
  S(SUBTREECOM,     BODY,           NONE)   \
  S(SUBTREELINVEL,  BODY,           NONE)   \
  S(SUBTREEANGMOM,  BODY,           NONE)   \
  S(INSIDESITE,     FRAME,          SITE)   \
  S(GEOMDIST,       SURFACE,        SURFACE) \
  S(GEOMNORMAL,     SURFACE,        SURFACE) \
  S(GEOMFROMTO,     SURFACE,        SURFACE)

#endif  // SHEAF_TABLES_SENSOR_OBJECT_H_
