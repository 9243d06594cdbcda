// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors, one row each, in the order of the MJCF schema. The reader, the writer, the compiler, the check of binary
// files and the evaluation take what they know of a type from its row; sense/README.md says how to add one.
//
//   S(TYPE, word, dim, DATATYPE, STAGE, ATTACHMENT, FLAGS, WHERE, evaluator)
//     TYPE        mjSENS_TYPE
//     word        element name in MJCF
//     dim         numbers in sensordata, 0 if it depends on the sensor
//     DATATYPE    mjDATATYPE_DATATYPE: says what a cutoff does to the value
//     STAGE       mjSTAGE_STAGE: POS, VEL or ACC, when it is evaluated
//     ATTACHMENT  what it is attached to: a row of tables/sensor_attachment.h
//     FLAGS       0, or mjiSENSE_FLAGS of model/sensor_row.h: what must be computed before it, and special cases
//     WHERE       LANES if the evaluator is written over lanes, ONE if it takes one state at a time
//     evaluator   function in sense/: static in sensor_{pos,vel,acc}.c if LANES, public
//                 to the folder (sense/sense.h) if ONE
//
// Plugin and user sensors have no row: callbacks evaluate them.
#ifndef SHEAF_TABLES_SENSOR_TABLE_H_
#define SHEAF_TABLES_SENSOR_TABLE_H_

#define MJI_SENSORS(S)                                                                                \
  S(TOUCH, "touch", 1, POSITIVE, ACC, SITE, 0, LANES, evalTouch)                                      \
  S(ACCELEROMETER, "accelerometer", 3, REAL, ACC, SITE, BODY_FORCES, LANES, evalAccelerometer)        \
  S(VELOCIMETER, "velocimeter", 3, REAL, VEL, SITE, 0, LANES, evalVelocimeter)                        \
  S(GYRO, "gyro", 3, REAL, VEL, SITE, 0, LANES, evalGyro)                                             \
  S(FORCE, "force", 3, REAL, ACC, SITE, BODY_FORCES, LANES, evalForce)                                \
  S(TORQUE, "torque", 3, REAL, ACC, SITE, BODY_FORCES, LANES, evalTorque)                             \
  S(MAGNETOMETER, "magnetometer", 3, REAL, POS, SITE, 0, LANES, evalMagnetometer)                     \
  S(CAMPROJECTION, "camprojection", 2, REAL, POS, SITE_IN_CAMERA, 0, LANES, evalCamProjection)        \
  S(RANGEFINDER, "rangefinder", 1, POSITIVE, POS, SITE, NEVER_SLEEPS, LANES, evalRangefinder)         \
  S(JOINTPOS, "jointpos", 1, REAL, POS, JOINT, 0, LANES, evalJointPos)                                \
  S(JOINTVEL, "jointvel", 1, REAL, VEL, JOINT, 0, LANES, evalJointVel)                                \
  S(TENDONPOS, "tendonpos", 1, REAL, POS, TENDON, 0, LANES, evalTendonPos)                            \
  S(TENDONVEL, "tendonvel", 1, REAL, VEL, TENDON, 0, LANES, evalTendonVel)                            \
  S(ACTUATORPOS, "actuatorpos", 1, REAL, POS, ACTUATOR, 0, LANES, evalActuatorPos)                    \
  S(ACTUATORVEL, "actuatorvel", 1, REAL, VEL, ACTUATOR, 0, LANES, evalActuatorVel)                    \
  S(ACTUATORFRC, "actuatorfrc", 1, REAL, ACC, ACTUATOR, 0, LANES, evalActuatorFrc)                    \
  S(JOINTACTFRC, "jointactuatorfrc", 1, REAL, ACC, JOINT, 0, LANES, evalJointActFrc)                  \
  S(TENDONACTFRC, "tendonactuatorfrc", 1, REAL, ACC, TENDON, 0, LANES, evalTendonActFrc)              \
  S(BALLQUAT, "ballquat", 4, QUATERNION, POS, BALL, 0, LANES, evalBallQuat)                           \
  S(BALLANGVEL, "ballangvel", 3, REAL, VEL, BALL, 0, LANES, evalBallAngVel)                           \
  S(JOINTLIMITPOS, "jointlimitpos", 1, REAL, POS, LIMITED_JOINT, 0, LANES, evalJointLimitPos)         \
  S(JOINTLIMITVEL, "jointlimitvel", 1, REAL, VEL, LIMITED_JOINT, 0, LANES, evalJointLimitVel)         \
  S(JOINTLIMITFRC, "jointlimitfrc", 1, REAL, ACC, LIMITED_JOINT, 0, LANES, evalJointLimitFrc)         \
  S(TENDONLIMITPOS, "tendonlimitpos", 1, REAL, POS, LIMITED_TENDON, 0, LANES, evalTendonLimitPos)     \
  S(TENDONLIMITVEL, "tendonlimitvel", 1, REAL, VEL, LIMITED_TENDON, 0, LANES, evalTendonLimitVel)     \
  S(TENDONLIMITFRC, "tendonlimitfrc", 1, REAL, ACC, LIMITED_TENDON, 0, LANES, evalTendonLimitFrc)     \
  S(FRAMEPOS, "framepos", 3, REAL, POS, FRAME_IN_FRAME, 0, LANES, evalFramePos)                       \
  S(FRAMEQUAT, "framequat", 4, QUATERNION, POS, FRAME_IN_FRAME, 0, LANES, evalFrameQuat)              \
  S(FRAMEXAXIS, "framexaxis", 3, AXIS, POS, FRAME_IN_FRAME, 0, LANES, evalFrameAxis)                  \
  S(FRAMEYAXIS, "frameyaxis", 3, AXIS, POS, FRAME_IN_FRAME, 0, LANES, evalFrameAxis)                  \
  S(FRAMEZAXIS, "framezaxis", 3, AXIS, POS, FRAME_IN_FRAME, 0, LANES, evalFrameAxis)                  \
  S(FRAMELINVEL, "framelinvel", 3, REAL, VEL, FRAME_IN_FRAME, 0, LANES, evalFrameVel)                 \
  S(FRAMEANGVEL, "frameangvel", 3, REAL, VEL, FRAME_IN_FRAME, 0, LANES, evalFrameVel)                 \
  S(FRAMELINACC, "framelinacc", 3, REAL, ACC, FRAME, BODY_FORCES, LANES, evalFrameLinAcc)             \
  S(FRAMEANGACC, "frameangacc", 3, REAL, ACC, FRAME, BODY_FORCES, LANES, evalFrameAngAcc)             \
  S(SUBTREECOM, "subtreecom", 3, REAL, POS, BODY, 0, LANES, evalSubtreeCom)                           \
  S(SUBTREELINVEL, "subtreelinvel", 3, REAL, VEL, BODY, SUBTREE_VELOCITIES, LANES, evalSubtreeLinVel) \
  S(SUBTREEANGMOM, "subtreeangmom", 3, REAL, VEL, BODY, SUBTREE_VELOCITIES, LANES, evalSubtreeAngMom) \
  S(INSIDESITE, "insidesite", 1, POSITIVE, POS, FRAME_IN_SITE, 0, LANES, evalInsideSite)              \
  S(GEOMDIST, "distance", 1, REAL, POS, TWO_SURFACES, 0, ONE, mji_sense_geomDistance)                 \
  S(GEOMNORMAL, "normal", 3, AXIS, POS, TWO_SURFACES, CUTOFF_IS_RANGE, ONE, mji_sense_geomDistance)   \
  S(GEOMFROMTO, "fromto", 6, REAL, POS, TWO_SURFACES, CUTOFF_IS_RANGE, ONE, mji_sense_geomDistance)   \
  S(CONTACT, "contact", 0, REAL, ACC, CONTACT, 0, ONE, mji_sense_contact)                             \
  S(E_POTENTIAL, "e_potential", 1, REAL, POS, NOTHING, 0, LANES, evalPotential)                       \
  S(E_KINETIC, "e_kinetic", 1, REAL, POS, NOTHING, 0, LANES, evalKinetic)                             \
  S(CLOCK, "clock", 1, REAL, POS, NOTHING, 0, LANES, evalClock)                                       \
  S(TACTILE, "tactile", 0, REAL, ACC, MESH_ON_GEOM, 0, ONE, mji_sense_tactile)

#endif  // SHEAF_TABLES_SENSOR_TABLE_H_
