// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors that depend on forces and accelerations. Rows: tables/sensor_table.h.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "model/work.h"
#include "tables/sensor_table.h"
#include "collide/slot.h"
#include "constraint/block.h"

#include "sense/frame.h"
#include "sense/sense.h"

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

// and the torque about the site
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
    if (m->actuator_trntype[a] == mjTRN_TENDON && m->actuator_trnid[2*a] == m->sensor_objid[i]) {
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

// what the touch sensor needs of a contact
typedef struct {
  const int* geom;
  const V* pos;
  const V* normal;     // first row of its frame
  int row, nrow;       // constraint rows of its normal force
} Touch;

// normal force of a contact: the sum over the edges of a pyramid, or the first row. Zero in states that do not have it
static V normalForce(const mjData* d, int row, int nedge) {
  V sum = CLANES(d->efc_force)[row];
  for (int k = 1; k < nedge; k++) sum = sum + CLANES(d->efc_force)[row + k];
  return sum;
}

// contact number c of touchCount, returns 0 if it has no constraint rows
#if SHEAF_LANES == 1
static int touchCount(const mjData* d) { return d->ncon; }

static int getTouch(const mjModel* m, const mjData* d, int c, Touch* touch) {
  const mjContact* con = d->contact + c;
  if (con->efc_address < 0 || con->geom[0] < 0 || con->geom[1] < 0) return 0;
  int pyramid = m->opt.cone == mjCONE_PYRAMIDAL && con->dim > 1;
  *touch = (Touch){con->geom, con->pos, con->frame, con->efc_address,
                   pyramid ? 2 * (con->dim - 1) : 1};
  return 1;
}
#else
static int touchCount(const mjData* d) { return mji_work(d)->nblock; }

static int getTouch(const mjModel* m, const mjData* d, int c, Touch* touch) {
  const mjiBlock* block = mji_work(d)->block + c;
  if (block->type < mjCNSTR_CONTACT_FRICTIONLESS) return 0;
  const LANE(Slot)* slot = (const LANE(Slot)*)mji_work(d)->slot + block->id;
  int pyramid = block->type == mjCNSTR_CONTACT_PYRAMIDAL;
  *touch = (Touch){slot->geom, slot->pos, slot->frame, block->efcadr, pyramid ? block->nrow : 1};
  return 1;
}
#endif

// states in which a force pushes and its ray meets the volume of the site (as it does from inside)
static M rayMeets(const mjModel* m, const Frame* f, int site, const Touch* touch, V force, double sign) {
  M meets = v_gt(force, v_zero());
  if (!m_any(meets)) return meets;
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    if (!m_get(meets, lane)) continue;
    mjtNum pos[3], mat[9], from[3], ray[3];
    for (int k = 0; k < 9; k++) mat[k] = v_get(f->mat[k], lane);
    for (int k = 0; k < 3; k++) {
      pos[k] = v_get(f->pos[k], lane);
      from[k] = v_get(touch->pos[k], lane);
      ray[k] = sign * v_get(touch->normal[k], lane);
    }
    m_put(&meets, lane,
          mju_rayGeom(pos, mat, m->site_size + 3 * site, from, ray, m->site_type[site]) >= 0);
  }
  return meets;
}

// sum of the normal forces on the site's body whose rays meet the volume of the site
static void evalTouch(const mjModel* m, mjData* d, int i, V* out) {
  Frame f = sensorFrame(m, d, i);
  V sum = v_zero();
  for (int c = 0, n = touchCount(d); c < n; c++) {
    Touch touch;
    if (!getTouch(m, d, c, &touch)) continue;
    int first = m->geom_bodyid[touch.geom[0]] == f.body;
    int second = m->geom_bodyid[touch.geom[1]] == f.body;
    if (!first && !second) continue;
    V force = normalForce(d, touch.row, touch.nrow);
    M meets = rayMeets(m, &f, m->sensor_objid[i], &touch, force, second ? -1 : 1);
    sum = sum + v_and(meets, force);
  }
  *out = sum;
}

static int needsBodyForces(int type) {
  return type == mjSENS_ACCELEROMETER || type == mjSENS_FORCE || type == mjSENS_TORQUE ||
         type == mjSENS_FRAMELINACC || type == mjSENS_FRAMEANGACC;
}

void LANE(sensorAcc)(const mjModel* m, mjData* d) {
  static const LANE(SensorEval) table[mjSENS_USER + 1] = {MJI_ACC_SENSORS(MJI_SENSE_ENTRY)};
  if (!m->nsensor || mjDISABLED(mjDSBL_SENSOR)) return;

  // accelerations and forces of bodies are computed for sensors only
  for (int i = 0; i < m->nsensor; i++) {
    if (needsBodyForces(m->sensor_type[i])) {
      LANE(rnePostConstraint)(m, d);
      break;
    }
  }
  LANE(senseStage)(m, d, mjSTAGE_ACC, table);
}
