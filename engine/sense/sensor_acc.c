// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors that depend on forces and accelerations. Rows: tables/sensor_table.h.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "collide/ray_shapes.h"
#include "model/contact_lanes.h"
#include "model/sensor_row.h"
#include "model/work.h"
#include "tables/sensor_table.h"

#include "sense/sense.h"
#include "sense/sensor_frame.h"

// acceleration of a site in its own frame, gravity included
static void evalAccelerometer(const mjModel* m, mjData* d, int i, V* out) {
  Frame f = sensorFrame(m, d, i);
  V acc[6];
  originAcceleration(m, d, acc, &f);
  mulMatT3(out, f.mat, acc + 3);
}

// force between the site's body and its parent, in the frame of the site
static void evalForce(const mjModel* m, mjData* d, int i, V* out) {
  Frame f = sensorFrame(m, d, i);
  mulMatT3(out, f.mat, CLANES(d->cfrc_int) + 6 * f.body + 3);
}

// torque between the site's body and its parent about the site, in the frame of the site
static void evalTorque(const mjModel* m, mjData* d, int i, V* out) {
  Frame f = sensorFrame(m, d, i);
  const V* frc = CLANES(d->cfrc_int) + 6 * f.body;
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[f.body];
  V offset[3], torque[3];
  for (int k = 0; k < 3; k++) offset[k] = f.pos[k] - com[k];
  cross3(torque, offset, frc + 3);
  for (int k = 0; k < 3; k++) torque[k] = frc[k] - torque[k];
  mulMatT3(out, f.mat, torque);
}

static void evalActuatorFrc(const mjModel* m, mjData* d, int i, V* out) {
  *out = CLANES(d->actuator_force)[m->sensor_objid[i]];
}

static void evalJointActFrc(const mjModel* m, mjData* d, int i, V* out) {
  *out = CLANES(d->qfrc_actuator)[m->jnt_dofadr[m->sensor_objid[i]]];
}

static void evalTendonActFrc(const mjModel* m, mjData* d, int i, V* out) {
  V sum = v_zero();
  for (int a = 0; a < m->nu; a++) {
    if (m->actuator_trntype[a] == mjTRN_TENDON && m->actuator_trnid[2 * a] == m->sensor_objid[i]) {
      sum = sum + CLANES(d->actuator_force)[a];
    }
  }
  *out = sum;
}

static void evalJointLimitFrc(const mjModel* m, mjData* d, int i, V* out) {
  *out = LANE(senseLimit)(m, d, mjCNSTR_LIMIT_JOINT, m->sensor_objid[i], d->efc_force, NULL);
}

static void evalTendonLimitFrc(const mjModel* m, mjData* d, int i, V* out) {
  *out = LANE(senseLimit)(m, d, mjCNSTR_LIMIT_TENDON, m->sensor_objid[i], d->efc_force, NULL);
}

static void evalFrameLinAcc(const mjModel* m, mjData* d, int i, V* out) {
  Frame f = sensorFrame(m, d, i);
  V acc[6];
  originAcceleration(m, d, acc, &f);
  copy3(out, acc + 3);
}

static void evalFrameAngAcc(const mjModel* m, mjData* d, int i, V* out) {
  copy3(out, CLANES(d->cacc) + 6 * sensorFrame(m, d, i).body);
}

// normal force of a contact: the sum over the edges of a pyramid, or the first row. Zero in states that do not have it
static V normalForce(const mjModel* m, const mjData* d, const LANE(Contact)* con) {
  const V* force = CLANES(d->efc_force) + con->efc_address;
  int nedge = con->dim > 1 && m->opt.cone == mjCONE_PYRAMIDAL ? 2 * (con->dim - 1) : 1;
  V sum = force[0];
  for (int k = 1; k < nedge; k++) sum = sum + force[k];
  return sum;
}

// states in which a force pushes and its ray meets the volume of the site (as it does from inside)
static M rayMeets(const mjModel* m, const Frame* f, int site, const LANE(Contact)* con, V force, lane_t sign) {
  M meets = v_gt(force, v_zero());
  if (!m_any(meets)) return meets;
  V size[3], ray[3];
  for (int k = 0; k < 3; k++) {
    size[k] = v_set1(m->site_size[3 * site + k]);
    ray[k] = sign * con->frame[k];
  }
  meets &= isHit(rayGeom(m->site_type[site], size, f->pos, f->mat, con->pos, ray));
  return meets;
}

// sum of the normal forces on the site's body whose rays meet the volume of the site
static void evalTouch(const mjModel* m, mjData* d, int i, V* out) {
  Frame f = sensorFrame(m, d, i);
  V sum = v_zero();
  for (const LANE(Contact)* con = laneContacts(d); con < laneContacts(d) + d->ncon; con++) {
    if (con->efc_address < 0 || (!m->nflex && !mji_contactHasSides(m, con->geom))) continue;
    int first = mji_sideHasBody(mji_contactSide(m, con->geom, 0), f.body);
    int second = mji_sideHasBody(mji_contactSide(m, con->geom, 1), f.body);
    if (!first && !second) continue;
    V force = normalForce(m, d, con);
    M meets = rayMeets(m, &f, m->sensor_objid[i], con, force, second ? -1 : 1);
    sum = sum + v_and(meets, force);
  }
  *out = sum;
}

// the rows of this stage
#define MJI_POS(...)
#define MJI_VEL(...)
#define MJI_ACC(...) __VA_ARGS__
static const LANE(SensorEval) evaluators[mjSENS_USER + 1] = {MJI_SENSORS(MJI_SENSE_ENTRY)};

void LANE(sensorAcc)(const mjModel* m, mjData* d) {
  if (!m->nsensor || mjDISABLED(mjDSBL_SENSOR)) return;

  // accelerations and forces of bodies are computed for sensors only; callbacks may read them, and see one state
  int user = ONE_STATE && mji_sensorUser(m, mjSTAGE_ACC);
  if (user || mji_sensorAny(m, mjiSENSE_BODY_FORCES)) LANE(rnePostConstraint)(m, d);
  LANE(senseStage)(m, d, mjSTAGE_ACC, evaluators);
}
