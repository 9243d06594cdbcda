// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors that depend on positions and velocities. Rows: tables/sensor_table.h.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "model/sensor_row.h"
#include "tables/sensor_table.h"

#include "sense/sense.h"
#include "sense/sensor_frame.h"

// velocity of a site in its own frame
static void evalVelocimeter(const mjModel* m, mjData* d, int i, V* out) {
  Frame f = sensorFrame(m, d, i);
  V vel[6];
  originMotion(m, d, vel, d->cvel, &f);
  mulMatT3(out, f.mat, vel + 3);
}

static void evalGyro(const mjModel* m, mjData* d, int i, V* out) {
  Frame f = sensorFrame(m, d, i);
  mulMatT3(out, f.mat, CLANES(d->cvel) + 6 * f.body);
}

static void evalJointVel(const mjModel* m, mjData* d, int i, V* out) {
  *out = CLANES(d->qvel)[m->jnt_dofadr[m->sensor_objid[i]]];
}

static void evalTendonVel(const mjModel* m, mjData* d, int i, V* out) {
  *out = CLANES(d->ten_velocity)[m->sensor_objid[i]];
}

static void evalActuatorVel(const mjModel* m, mjData* d, int i, V* out) {
  *out = CLANES(d->actuator_velocity)[m->sensor_objid[i]];
}

static void evalBallAngVel(const mjModel* m, mjData* d, int i, V* out) {
  copy3(out, CLANES(d->qvel) + m->jnt_dofadr[m->sensor_objid[i]]);
}

static void evalJointLimitVel(const mjModel* m, mjData* d, int i, V* out) {
  *out = LANE(senseLimit)(m, d, mjCNSTR_LIMIT_JOINT, m->sensor_objid[i], d->efc_vel, NULL);
}

static void evalTendonLimitVel(const mjModel* m, mjData* d, int i, V* out) {
  *out = LANE(senseLimit)(m, d, mjCNSTR_LIMIT_TENDON, m->sensor_objid[i], d->efc_vel, NULL);
}

// linear or angular velocity of a frame in the world, or as seen from a reference frame that moves
static void evalFrameVel(const mjModel* m, mjData* d, int i, V* out) {
  Frame f = sensorFrame(m, d, i);
  int linear = m->sensor_type[i] == mjSENS_FRAMELINVEL ? 3 : 0;
  V vel[6];
  originMotion(m, d, vel, d->cvel, &f);
  if (m->sensor_refid[i] < 0) {
    copy3(out, vel + linear);
    return;
  }

  // relative velocity; a point that moves with the rotating reference frame has the velocity omega x offset
  Frame ref = referenceFrame(m, d, i);
  V refvel[6], offset[3], turn[3];
  originMotion(m, d, refvel, d->cvel, &ref);
  for (int k = 0; k < 6; k++) vel[k] = vel[k] - refvel[k];
  for (int k = 0; k < 3; k++) offset[k] = f.pos[k] - ref.pos[k];
  cross3(turn, offset, refvel);
  for (int k = 0; k < 3; k++) vel[3 + k] = vel[3 + k] + turn[k];
  mulMatT3(out, ref.mat, vel + linear);
}

static void evalSubtreeLinVel(const mjModel* m, mjData* d, int i, V* out) {
  copy3(out, CLANES(d->subtree_linvel) + 3 * m->sensor_objid[i]);
}

static void evalSubtreeAngMom(const mjModel* m, mjData* d, int i, V* out) {
  copy3(out, CLANES(d->subtree_angmom) + 3 * m->sensor_objid[i]);
}

// the rows of this stage
#define MJI_POS(...)
#define MJI_VEL(...) __VA_ARGS__
#define MJI_ACC(...)
static const LANE(SensorEval) evaluators[mjSENS_USER + 1] = {MJI_SENSORS(MJI_SENSE_ENTRY)};

void LANE(sensorVel)(const mjModel* m, mjData* d) {
  if (!m->nsensor || mjDISABLED(mjDSBL_SENSOR)) return;

  // momenta of subtrees are computed for sensors only; callbacks may read them, and see one state
  int user = ONE_STATE && mji_sensorUser(m, mjSTAGE_VEL);
  if (user || mji_sensorAny(m, mjiSENSE_SUBTREE_VELOCITIES)) LANE(subtreeVel)(m, d);
  LANE(senseStage)(m, d, mjSTAGE_VEL, evaluators);
}
