// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors, one row each, grouped by the stage that computes them.
//
//   S(TYPE, word, dim, DATATYPE, WHERE, evaluator)
//     TYPE        mjSENS_TYPE
//     word        element name in MJCF
//     dim         numbers in sensordata, 0 if it depends on the sensor
//     DATATYPE    mjDATATYPE_DATATYPE: what a cutoff does to it
//     WHERE       LANES if the evaluator is written over lanes, ONE if it takes one state at a time
//     evaluator   function in sense/: static in sensor_{pos,vel,acc}.c if LANES, public
//                 to the folder (sense/sense.h) if ONE
//
// Plugin and user sensors have no row: callbacks evaluate them.

#define MJI_POS_SENSORS(S)                                                     \
  S(MAGNETOMETER,   "magnetometer",      3, REAL,       LANES, evalMagnetometer)      \
  S(RANGEFINDER,    "rangefinder",       1, POSITIVE,   ONE,   mji_sense_rangefinder) \
  S(CAMPROJECTION,  "camprojection",     2, REAL,       LANES, evalCamProjection)     \
  S(JOINTPOS,       "jointpos",          1, REAL,       LANES, evalJointPos)          \
  S(TENDONPOS,      "tendonpos",         1, REAL,       LANES, evalTendonPos)         \
  S(ACTUATORPOS,    "actuatorpos",       1, REAL,       LANES, evalActuatorPos)       \
  S(BALLQUAT,       "ballquat",          4, QUATERNION, LANES, evalBallQuat)          \
  S(JOINTLIMITPOS,  "jointlimitpos",     1, REAL,       LANES, evalJointLimitPos)     \
  S(TENDONLIMITPOS, "tendonlimitpos",    1, REAL,       LANES, evalTendonLimitPos)    \
  S(FRAMEPOS,       "framepos",          3, REAL,       LANES, evalFramePos)          \
  S(FRAMEQUAT,      "framequat",         4, QUATERNION, LANES, evalFrameQuat)         \
  S(FRAMEXAXIS,     "framexaxis",        3, AXIS,       LANES, evalFrameAxis)         \
  S(FRAMEYAXIS,     "frameyaxis",        3, AXIS,       LANES, evalFrameAxis)         \
  S(FRAMEZAXIS,     "framezaxis",        3, AXIS,       LANES, evalFrameAxis)         \
  S(SUBTREECOM,     "subtreecom",        3, REAL,       LANES, evalSubtreeCom)        \
  S(INSIDESITE,     "insidesite",        1, POSITIVE,   LANES, evalInsideSite)        \
  S(GEOMDIST,       "distance",          1, REAL,       ONE,   mji_sense_geomDistance) \
  S(GEOMNORMAL,     "normal",            3, AXIS,       ONE,   mji_sense_geomDistance) \
  S(GEOMFROMTO,     "fromto",            6, REAL,       ONE,   mji_sense_geomDistance) \
  S(E_POTENTIAL,    "e_potential",       1, REAL,       LANES, evalPotential)         \
  S(E_KINETIC,      "e_kinetic",         1, REAL,       LANES, evalKinetic)           \
  S(CLOCK,          "clock",             1, REAL,       LANES, evalClock)

#define MJI_VEL_SENSORS(S)                                                     \
  S(VELOCIMETER,    "velocimeter",       3, REAL,       LANES, evalVelocimeter)       \
  S(GYRO,           "gyro",              3, REAL,       LANES, evalGyro)              \
  S(JOINTVEL,       "jointvel",          1, REAL,       LANES, evalJointVel)          \
  S(TENDONVEL,      "tendonvel",         1, REAL,       LANES, evalTendonVel)         \
  S(ACTUATORVEL,    "actuatorvel",       1, REAL,       LANES, evalActuatorVel)       \
  S(BALLANGVEL,     "ballangvel",        3, REAL,       LANES, evalBallAngVel)        \
  S(JOINTLIMITVEL,  "jointlimitvel",     1, REAL,       LANES, evalJointLimitVel)     \
  S(TENDONLIMITVEL, "tendonlimitvel",    1, REAL,       LANES, evalTendonLimitVel)    \
  S(FRAMELINVEL,    "framelinvel",       3, REAL,       LANES, evalFrameVel)          \
  S(FRAMEANGVEL,    "frameangvel",       3, REAL,       LANES, evalFrameVel)          \
  S(SUBTREELINVEL,  "subtreelinvel",     3, REAL,       LANES, evalSubtreeLinVel)     \
  S(SUBTREEANGMOM,  "subtreeangmom",     3, REAL,       LANES, evalSubtreeAngMom)

#define MJI_ACC_SENSORS(S)                                                     \
  S(TOUCH,          "touch",             1, POSITIVE,   LANES, evalTouch)             \
  S(ACCELEROMETER,  "accelerometer",     3, REAL,       LANES, evalAccelerometer)     \
  S(FORCE,          "force",             3, REAL,       LANES, evalForce)             \
  S(TORQUE,         "torque",            3, REAL,       LANES, evalTorque)            \
  S(ACTUATORFRC,    "actuatorfrc",       1, REAL,       LANES, evalActuatorFrc)       \
  S(JOINTACTFRC,    "jointactuatorfrc",  1, REAL,       LANES, evalJointActFrc)       \
  S(TENDONACTFRC,   "tendonactuatorfrc", 1, REAL,       LANES, evalTendonActFrc)      \
  S(JOINTLIMITFRC,  "jointlimitfrc",     1, REAL,       LANES, evalJointLimitFrc)     \
  S(TENDONLIMITFRC, "tendonlimitfrc",    1, REAL,       LANES, evalTendonLimitFrc)    \
  S(FRAMELINACC,    "framelinacc",       3, REAL,       LANES, evalFrameLinAcc)       \
  S(FRAMEANGACC,    "frameangacc",       3, REAL,       LANES, evalFrameAngAcc)       \
  S(CONTACT,        "contact",           0, REAL,       ONE,   mji_sense_contact)     \
  S(TACTILE,        "tactile",           0, REAL,       ONE,   mji_sense_tactile)
