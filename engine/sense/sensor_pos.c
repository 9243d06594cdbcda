// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors that depend on positions only. Rows: tables/sensor_table.h.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "collide/ray_lanes.h"
#include "model/number.h"
#include "model/work.h"
#include "tables/sensor_table.h"

#include "sense/inside.h"
#include "sense/sense.h"
#include "sense/sensor_frame.h"

// the world's magnetic field in the frame of the site
static void evalMagnetometer(const mjModel* m, mjData* d, int i, V* out) {
  V field[3];
  for (int k = 0; k < 3; k++) field[k] = v_num(OPT(magnetic)[k]);
  mulMatT3(out, sensorFrame(m, d, i).mat, field);
}

// focal lengths of a camera in pixels; intrinsics are single precision
static void focalLengths(const mjModel* m, int cam, mjtNum focal[2]) {
  const int* resolution = m->cam_resolution + 2 * cam;
  const float* size = m->cam_sensorsize + 2 * cam;
  const float* intrinsic = m->cam_intrinsic + 4 * cam;
  if (size[0] && size[1]) {
    for (int k = 0; k < 2; k++) focal[k] = intrinsic[k] / size[k] * (float)resolution[k];
  } else {
    focal[0] = focal[1] = 0.5 / tan(m->cam_fovy[cam] * mjPI / 360) * resolution[1];
  }
}

// pixel of a camera on which the site falls; cameras look along their negative z-axis
static void evalCamProjection(const mjModel* m, mjData* d, int i, V* out) {
  Frame site = sensorFrame(m, d, i), cam = referenceFrame(m, d, i);
  const int* resolution = m->cam_resolution + 2 * m->sensor_refid[i];
  mjtNum focal[2];
  V offset[3], p[3];
  focalLengths(m, m->sensor_refid[i], focal);
  for (int k = 0; k < 3; k++) offset[k] = site.pos[k] - cam.pos[k];
  mulMatT3(p, cam.mat, offset);

  // keep away from the plane of the camera
  V tiny = v_sel(v_lt(p[2], v_zero()), v_set1(-mjMINVAL), v_set1(mjMINVAL));
  V depth = v_sel(v_lt(v_abs(p[2]), v_set1(mjMINVAL)), tiny, p[2]);
  out[0] = 0.5 * resolution[0] - focal[0] * p[0] / depth;
  out[1] = 0.5 * resolution[1] + focal[1] * p[1] / depth;
}

// Distances along the z-axes of sites to the nearest geom of another body, or -1. The first range finder computes those
// of all, because many rays share what is known of a geom.
static void evalRangefinder(const mjModel* m, mjData* d, int i, V* out) {
  for (int k = 0; k < i; k++) {
    if (m->sensor_type[k] == mjSENS_RANGEFINDER) return;
  }
  LANE(SiteRay) ray[MJI_BUNDLE];
  int n = 0;
  for (int k = i; k < m->nsensor; k++) {
    if (m->sensor_type[k] != mjSENS_RANGEFINDER) continue;
    ray[n++] = (LANE(SiteRay)){m->sensor_objid[k], LANES(d->sensordata) + m->sensor_adr[k]};
    if (n < MJI_BUNDLE) continue;
    LANE(siteRays)(m, d, ray, n);
    n = 0;
  }
  LANE(siteRays)(m, d, ray, n);
}

static void evalJointPos(const mjModel* m, mjData* d, int i, V* out) {
  *out = CLANES(d->qpos)[m->jnt_qposadr[m->sensor_objid[i]]];
}

static void evalTendonPos(const mjModel* m, mjData* d, int i, V* out) {
  *out = CLANES(d->ten_length)[m->sensor_objid[i]];
}

static void evalActuatorPos(const mjModel* m, mjData* d, int i, V* out) {
  *out = CLANES(d->actuator_length)[m->sensor_objid[i]];
}

static void evalBallQuat(const mjModel* m, mjData* d, int i, V* out) {
  copyN(out, CLANES(d->qpos) + m->jnt_qposadr[m->sensor_objid[i]], 4);
  unitQuat(out);
}

// distance to the limit beyond its margin, where the limit is a constraint now
static void evalJointLimitPos(const mjModel* m, mjData* d, int i, V* out) {
  *out = LANE(senseLimit)(m, d, mjCNSTR_LIMIT_JOINT, m->sensor_objid[i], d->efc_pos, d->efc_margin);
}

static void evalTendonLimitPos(const mjModel* m, mjData* d, int i, V* out) {
  *out = LANE(senseLimit)(m, d, mjCNSTR_LIMIT_TENDON, m->sensor_objid[i], d->efc_pos, d->efc_margin);
}

// position in the world or in the reference frame
static void evalFramePos(const mjModel* m, mjData* d, int i, V* out) {
  Frame f = sensorFrame(m, d, i);
  if (m->sensor_refid[i] < 0) {
    copy3(out, f.pos);
    return;
  }
  Frame ref = referenceFrame(m, d, i);
  V offset[3];
  for (int k = 0; k < 3; k++) offset[k] = f.pos[k] - ref.pos[k];
  mulMatT3(out, ref.mat, offset);
}

static void evalFrameQuat(const mjModel* m, mjData* d, int i, V* out) {
  Frame f = sensorFrame(m, d, i);
  frameQuat(d, out, &f);
  if (m->sensor_refid[i] < 0) return;
  Frame ref = referenceFrame(m, d, i);
  V neg[4];
  frameQuat(d, neg, &ref);
  for (int k = 1; k < 4; k++) neg[k] = -neg[k];
  mulQuatV(out, neg, out);
}

static void evalFrameAxis(const mjModel* m, mjData* d, int i, V* out) {
  Frame f = sensorFrame(m, d, i);
  int column = m->sensor_type[i] - mjSENS_FRAMEXAXIS;
  V axis[3] = {f.mat[column], f.mat[3 + column], f.mat[6 + column]};
  if (m->sensor_refid[i] < 0) copy3(out, axis);
  else mulMatT3(out, referenceFrame(m, d, i).mat, axis);
}

static void evalSubtreeCom(const mjModel* m, mjData* d, int i, V* out) {
  copy3(out, CLANES(d->subtree_com) + 3 * m->sensor_objid[i]);
}

// 1 if the object's origin is inside the volume of a site
static void evalInsideSite(const mjModel* m, mjData* d, int i, V* out) {
  Frame f = sensorFrame(m, d, i);
  *out = v_and(insideSite(m, d, m->sensor_refid[i], f.pos), v_set1(1));
}

static void evalPotential(const mjModel* m, mjData* d, int i, V* out) {
  LANE(energyPos)(m, d);
  *out = CLANES(mji_energy((mjData*)d))[0];
}

static void evalKinetic(const mjModel* m, mjData* d, int i, V* out) {
  LANE(energyVel)(m, d);
  *out = CLANES(mji_energy((mjData*)d))[1];
}

static void evalClock(const mjModel* m, mjData* d, int i, V* out) { *out = *CLANES(mji_time((mjData*)d)); }

// the rows of this stage
#define MJI_POS(...) __VA_ARGS__
#define MJI_VEL(...)
#define MJI_ACC(...)
static const LANE(SensorEval) evaluators[mjSENS_USER + 1] = {MJI_SENSORS(MJI_SENSE_ENTRY)};

void LANE(sensorPos)(const mjModel* m, mjData* d) {
  if (m->nsensor && !mjDISABLED(mjDSBL_SENSOR)) LANE(senseStage)(m, d, mjSTAGE_POS, evaluators);
}
