// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Transmissions: the length of each actuator, and its moment arms, which are the derivative of the length by the
// positions of the dofs.
//
// Moment arms are compressed rows, with the dofs of a row in ascending order. If a transmission acts on bodies, its row
// follows from one or two wrenches on these bodies: for each dof that moves a body, arm = cdof * wrench, with the
// wrench in the com frame of the tree.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include <limits.h>

#include "dynamics/spatial.h"
#include "dynamics/tendon_row.h"
#include "model/active.h"
#include "model/number.h"
#include "model/work.h"

#include "actuate/actuate.h"
#include "tables/actuator_table.h"

static int isZero3(const N* v) { return n_is(v[0], 0) && n_is(v[1], 0) && n_is(v[2], 0); }

// gear on the axes of a ball, in the frame of the child or of the parent (the world, for a free
// joint)
static void gearAxis(V* axis, const N* gear, const V* quat, int inparent) {
  for (int k = 0; k < 3; k++) axis[k] = v_num(gear[k]);
  if (!inparent) return;
  V mat[9], parent[3];
  copy3(parent, axis);
  quatToMat(mat, quat);
  mulMatT3(axis, mat, parent);
}

// moment arms of a ball or a free joint
static int turnMoment(const mjModel* m, mjData* d, int i, int joint, V* moment) {
  int inparent = m->actuator_trntype[i] == mjTRN_JOINTINPARENT;
  const N* gear = NUM(actuator_gear) + 6 * i;
  const V* qpos = CLANES(d->qpos) + m->jnt_qposadr[joint];
  V* length = LANES(d->actuator_length) + i;
  V quat[4], axis[3];
  if (m->jnt_type[joint] == mjJNT_BALL) {
    copyN(quat, qpos, 4);
    unitQuat(quat);
    gearAxis(moment, gear, quat, inparent);
    quatToVel(axis, quat);
    *length = dot3(axis, moment);
    return 3;
  }
  copyN(quat, qpos + 3, 4);
  unitQuat(quat);
  for (int k = 0; k < 3; k++) moment[k] = v_num(gear[k]);
  gearAxis(moment + 3, gear + 3, quat, inparent);
  *length = v_zero();
  return 6;
}

static inline int jointMoment(const mjModel* m, mjData* d, int i, int* colind, V* moment) {
  int joint = m->actuator_trnid[2 * i], type = m->jnt_type[joint], dof = m->jnt_dofadr[joint];
  if (type == mjJNT_HINGE || type == mjJNT_SLIDE) {
    N gear = NUM(actuator_gear)[6 * i];
    LANES(d->actuator_length)[i] = CLANES(d->qpos)[m->jnt_qposadr[joint]] * gear;
    moment[0] = v_num(gear);
    colind[0] = dof;
    return 1;
  }
  int n = turnMoment(m, d, i, joint, moment);
  for (int k = 0; k < n; k++) colind[k] = dof + k;
  return n;
}

static int tendonMoment(const mjModel* m, mjData* d, int i, int* colind, V* moment) {
  int tendon = m->actuator_trnid[2 * i];
  N gear = NUM(actuator_gear)[6 * i];
  LANES(d->actuator_length)[i] = CLANES(d->ten_length)[tendon] * gear;
  TendonRow row = tendonRow(m, d, tendon);
  int n = tendonArms(m, &row, colind, moment);
  for (int k = 0; k < n; k++) moment[k] = moment[k] * gear;
  return n;
}

// a force and a torque at a point of a body
typedef struct {
  int body;
  V force[3];
  V torque[3];
  V point[3];
} Wrench;

// the wrench in the com frame
static void toComFrame(const mjModel* m, const mjData* d, V* res, const Wrench* w) {
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[w->body];
  V offset[3];
  for (int k = 0; k < 3; k++) offset[k] = w->point[k] - com[k];
  cross3(res, offset, w->force);
  for (int k = 0; k < 3; k++) res[k] = res[k] + w->torque[k];
  copy3(res + 3, w->force);
}

// Row of two wrenches over the dofs that move either of their bodies. `internal` says that the wrenches are equal and
// opposite, so that dofs that move both bodies get no entry.
static int wrenchMoment(const mjModel* m, const mjData* d, const Wrench* a, const Wrench* b, int internal, int* colind,
                        V* moment) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain0 = plan->chain_ind + plan->chain_adr[a->body];
  const int* chain1 = plan->chain_ind + plan->chain_adr[b->body];
  int n0 = plan->chain_num[a->body], n1 = plan->chain_num[b->body], n = 0;
  V wrench0[6], wrench1[6];
  toComFrame(m, d, wrench0, a);
  toComFrame(m, d, wrench1, b);

  for (int i0 = 0, i1 = 0; i0 < n0 || i1 < n1;) {
    int dof0 = i0 < n0 ? chain0[i0] : INT_MAX, dof1 = i1 < n1 ? chain1[i1] : INT_MAX;
    int dof = mjMIN(dof0, dof1);
    const V* cdof = CLANES(d->cdof) + 6 * dof;
    V arm = v_zero();
    if (dof == dof0) arm = arm + dot6(cdof, wrench0);
    if (dof == dof1) arm = arm + dot6(cdof, wrench1);
    i0 += dof == dof0;
    i1 += dof == dof1;
    if (internal && dof0 == dof1) continue;
    colind[n] = dof;
    moment[n++] = arm;
  }

  // rows that users see have no zeros
  int nonzero = 0;
  for (int k = 0; k < n; k++) {
    if (!m_any(~v_eq(moment[k], v_zero()))) continue;
    colind[nonzero] = colind[k];
    moment[nonzero++] = moment[k];
  }
  return nonzero;
}

// wrench of unit actuator force at a site: gear in the axes of `frame`
static void siteWrench(const mjModel* m, const mjData* d, Wrench* w, int site, const N* gear, const V* frame,
                       lane_t sign) {
  w->body = m->site_bodyid[site];
  copy3(w->point, CLANES(d->site_xpos) + 3 * site);
  mulMat3S(w->force, frame, gear);
  mulMat3S(w->torque, frame, gear + 3);
  for (int k = 0; k < 3; k++) {
    w->force[k] = sign * w->force[k];
    w->torque[k] = sign * w->torque[k];
  }
}

// orientation of a site: that of its body, turned by the site's own
static void siteQuat(const mjModel* m, const mjData* d, V* quat, int site) {
  V local[4];
  for (int k = 0; k < 4; k++) local[k] = v_num(NUM(site_quat)[4 * site + k]);
  mulQuatV(quat, CLANES(d->xquat) + 4 * m->site_bodyid[site], local);
}

static void siteOffset(const mjData* d, V offset[3], int from, int to) {
  const V* xpos = CLANES(d->site_xpos);
  for (int k = 0; k < 3; k++) offset[k] = xpos[3 * to + k] - xpos[3 * from + k];
}

// length: position and rotation of a site in the frame of the reference site, times gear
static V siteLength(const mjModel* m, const mjData* d, int site, int refsite, const N* gear) {
  V length = v_zero();
  if (!isZero3(gear)) {
    V offset[3], local[3];
    siteOffset(d, offset, refsite, site);
    mulMatT3(local, CLANES(d->site_xmat) + 9 * refsite, offset);
    length = length + (local[0] * gear[0] + local[1] * gear[1] + local[2] * gear[2]);
  }
  if (!isZero3(gear + 3)) {
    V quat[4], ref[4], dif[4], rotation[3];
    siteQuat(m, d, quat, site);
    siteQuat(m, d, ref, refsite);
    for (int k = 1; k < 4; k++) ref[k] = -ref[k];
    mulQuatV(dif, ref, quat);
    quatToVel(rotation, dif);
    length = length + (rotation[0] * gear[3] + rotation[1] * gear[4] + rotation[2] * gear[5]);
  }
  return length;
}

static int siteMoment(const mjModel* m, mjData* d, int i, int* colind, V* moment) {
  int site = m->actuator_trnid[2 * i], refsite = m->actuator_trnid[2 * i + 1];
  const N* gear = NUM(actuator_gear) + 6 * i;
  const V* frame = CLANES(d->site_xmat) + 9 * (refsite >= 0 ? refsite : site);
  Wrench wrench, reaction = {0};
  siteWrench(m, d, &wrench, site, gear, frame, 1);
  if (refsite < 0) {
    LANES(d->actuator_length)[i] = v_zero();
    return wrenchMoment(m, d, &wrench, &reaction, 0, colind, moment);
  }
  LANES(d->actuator_length)[i] = siteLength(m, d, site, refsite, gear);
  siteWrench(m, d, &reaction, refsite, gear, frame, -1);
  return wrenchMoment(m, d, &wrench, &reaction, 1, colind, moment);
}

// A crank pin at one end of a rod; the other end slides along an axis. The length is the slider's position,
//   length = a'v - sqrt(det),  det = (a'v)^2 + rod^2 - v'v,  a: axis, v: from slider to pin
static int sliderCrankMoment(const mjModel* m, mjData* d, int i, int* colind, V* moment) {
  int pin = m->actuator_trnid[2 * i], slider = m->actuator_trnid[2 * i + 1];
  N gear = NUM(actuator_gear)[6 * i], rod = NUM(actuator_cranklength)[i];
  const V* xmat = CLANES(d->site_xmat) + 9 * slider;
  V axis[3] = {xmat[2], xmat[5], xmat[8]}, vec[3];
  siteOffset(d, vec, slider, pin);

  // where the rod does not reach, the slider follows the projection of the pin
  V av = dot3(vec, axis);
  V det = av * av + rod * rod - dot3(vec, vec);
  M reach = v_gt(det, v_zero());
  V root = v_sqrt(v_sel(reach, det, v_set1(1)));
  LANES(d->actuator_length)[i] = (av - v_and(reach, root)) * gear;

  // derivatives of length by vec and axis
  V bend = v_sel(reach, 1.0 - av / root, v_set1(1)), pull = v_and(reach, 1.0 / root);
  Wrench onpin = {.body = m->site_bodyid[pin]}, onslider = {.body = m->site_bodyid[slider]};
  V byaxis[3];
  for (int k = 0; k < 3; k++) {
    onpin.force[k] = gear * (axis[k] * bend + vec[k] * pull);
    onslider.force[k] = -onpin.force[k];
    byaxis[k] = gear * (vec[k] * bend);
  }
  cross3(onslider.torque, axis, byaxis);
  copy3(onpin.point, CLANES(d->site_xpos) + 3 * pin);
  copy3(onslider.point, CLANES(d->site_xpos) + 3 * slider);
  return wrenchMoment(m, d, &onpin, &onslider, 0, colind, moment);
}

void LANE(transmission)(const mjModel* m, mjData* d) {
  int adr = 0, met = 0;
  mjiList actuators = mji_listOf(m, d, MJI_ACTUATORS);
  for (int i = 0; i < m->nu; i++) {
    // an actuator that takes no part keeps its length and has no moment arms
    d->moment_rowadr[i] = adr;
    d->moment_rownnz[i] = 0;
    if (!mji_isListed(actuators, &met, i)) continue;
    int* colind = d->moment_colind + adr;
    V* moment = LANES(d->actuator_moment) + adr;
    int n = 0;
    switch (m->actuator_trntype[i]) {
#define T(TYPE, word, OBJECT, SECOND, evaluator) \
  case mjTRN_##TYPE: n = evaluator(m, d, i, colind, moment); break;
      MJI_TRANSMISSIONS(T)
#undef T
      default: mju_error("actuator %d has no transmission", i);
    }
    d->moment_rownnz[i] = n;
    adr += n;
  }
}

void LANE(actuatorVelocity)(const mjModel* m, mjData* d) {
  if (mjDISABLED(mjDSBL_ACTUATION)) {
    zeroN(LANES(d->actuator_velocity), m->nu);
    return;
  }
  for (int i = 0; i < m->nu; i++) {
    int adr = d->moment_rowadr[i];
    V sum = v_zero();
    for (int k = adr; k < adr + d->moment_rownnz[i]; k++) {
      sum = sum + CLANES(d->actuator_moment)[k] * CLANES(d->qvel)[d->moment_colind[k]];
    }
    LANES(d->actuator_velocity)[i] = sum;
  }
}
