// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How lengths and moment arms of actuators change with positions, transmission by transmission.
//
// The length of a transmission to a ball or to a site with a reference is not what its moment arms are the derivative
// of, so its change is found by itself.

#include "lanes/lanes.h"

#include "derive/bend.h"
#include "derive/contact_slope.h"
#include "derive/dof_motion.h"
#include "derive/slopes.h"
#include "derive/turn_map.h"
#include "dynamics/spatial.h"
#include "lanes/kernels.h"
#include "model/contact_lanes.h"
#include "model/number.h"
#include "model/work.h"

// ---- joints

// Axes of a free joint or a ball that stay with the parent turn in the frame of the child: d arm = arm x w.
static void turningArm(const V arm[3], LANE(Bend)* b) {
  for (int k = 0; k < 3; k++) {
    int next = (k + 1) % 3, last = (k + 2) % 3;
    V* row = b->slope + 3 * k;
    row[next] = arm[last];
    row[last] = -arm[next];
  }
}

static void jointBend(const mjModel* m, mjData* d, int i, LANE(Bend)* b, V** by) {
  int joint = m->actuator_trnid[2 * i], type = m->jnt_type[joint], first = type == mjJNT_FREE ? 3 : 0;
  int inparent = m->actuator_trntype[i] == mjTRN_JOINTINPARENT, stretches = type == mjJNT_BALL;
  if (type == mjJNT_SLIDE || type == mjJNT_HINGE || (!inparent && !stretches)) return;
  const N* gear = NUM(actuator_gear) + 6 * i + first;
  V quat[4], mat[9], arm[3], turn[3], slope[9];
  LANE(startBendOfDofs)(m, d, m->jnt_dofadr[joint] + first, 3, b);
  *by = LANES(mji_stackNum(d, 3));
  zeroN(*by, 3);
  copyN(quat, CLANES(d->qpos) + m->jnt_qposadr[joint] + first, 4);
  unitQuat(quat);
  if (inparent) {
    V parent[3] = {v_num(gear[0]), v_num(gear[1]), v_num(gear[2])};
    quatToMat(mat, quat);
    mulMatT3(arm, mat, parent);
    turningArm(arm, b);
  }
  if (!stretches) return;

  // the length is gear times the rotation vector, which has the same numbers in both frames
  quatToVel(turn, quat);
  logSlope(turn, slope);
  for (int k = 0; k < 3; k++) (*by)[k] = gear[0] * slope[k] + gear[1] * slope[3 + k] + gear[2] * slope[6 + k];
}

// ---- sites

// a wrench of unit force at a site, in the axes of a frame that is carried by a body
static void sitePush(const mjModel* m, const mjData* d, int site, int frame, const N* gear, lane_t sign,
                     LANE(Push)* push) {
  const V* mat = CLANES(d->site_xmat) + 9 * frame;
  copyN(push->point, CLANES(d->site_xpos) + 3 * site, 3);
  mulMat3S(push->force, mat, gear);
  mulMat3S(push->torque, mat, gear + 3);
  for (int r = 0; r < 3; r++) push->force[r] = sign * push->force[r], push->torque[r] = sign * push->torque[r];
}

static void siteArms(const mjModel* m, const mjData* d, int site, int frame, const N* gear, lane_t sign,
                     LANE(Bend)* b) {
  LANE(Push) push, change;
  int body = m->site_bodyid[site];
  sitePush(m, d, site, frame, gear, sign, &push);
  for (int c = 0; c < b->n; c++) {
    V turn[3];
    turnMotion(m, d, m->site_bodyid[frame], b->col[c], turn);
    pointMotion(m, d, body, b->col[c], push.point, change.point);
    cross3(change.force, turn, push.force);
    cross3(change.torque, turn, push.torque);
    LANE(bendPush)(m, d, b, b->col[c], body, &push, &change);
  }
}

// rotation vector from the reference site to the site, in the frame of the reference
static void siteTurn(const mjModel* m, const mjData* d, int site, int ref, V turn[3]) {
  V from[4], to[4], dif[4];
  mulQuatS(to, CLANES(d->xquat) + 4 * m->site_bodyid[site], NUM(site_quat) + 4 * site);
  mulQuatS(from, CLANES(d->xquat) + 4 * m->site_bodyid[ref], NUM(site_quat) + 4 * ref);
  for (int k = 1; k < 4; k++) from[k] = -from[k];
  mulQuatV(dif, from, to);
  quatToVel(turn, dif);
}

// length = gear . R' (p - p_ref) + gear . u, with u the rotation vector: d u / d turn is a transpose of logSlope,
// because the site turns in front of its orientation
static void siteLength(const mjModel* m, const mjData* d, int site, int ref, const N* gear, const LANE(Bend)* b,
                       V* by) {
  const V *pos = CLANES(d->site_xpos), *mat = CLANES(d->site_xmat) + 9 * ref;
  V turn[3], slope[9], force[3], arm[3], local[3], torque[3];
  siteTurn(m, d, site, ref, turn);
  logSlope(turn, slope);
  mulMat3S(force, mat, gear);
  for (int r = 0; r < 3; r++) {
    arm[r] = pos[3 * site + r] - pos[3 * ref + r];
    local[r] = slope[3 * r] * gear[3] + slope[3 * r + 1] * gear[4] + slope[3 * r + 2] * gear[5];
  }
  mulMat3(torque, mat, local);
  for (int c = 0; c < b->n; c++) {
    V to[3], from[3], w[3], wref[3], carried[3], sum = v_zero();
    pointMotion(m, d, m->site_bodyid[site], b->col[c], pos + 3 * site, to);
    pointMotion(m, d, m->site_bodyid[ref], b->col[c], pos + 3 * ref, from);
    turnMotion(m, d, m->site_bodyid[site], b->col[c], w);
    turnMotion(m, d, m->site_bodyid[ref], b->col[c], wref);
    cross3(carried, wref, arm);
    for (int r = 0; r < 3; r++) {
      sum = sum + force[r] * (to[r] - from[r] - carried[r]) + torque[r] * (w[r] - wref[r]);
    }
    by[c] = sum;
  }
}

static void siteBend(const mjModel* m, mjData* d, int i, LANE(Bend)* b, V** by) {
  int site = m->actuator_trnid[2 * i], ref = m->actuator_trnid[2 * i + 1];
  int body[2] = {m->site_bodyid[site], ref < 0 ? 0 : m->site_bodyid[ref]};
  const N* gear = NUM(actuator_gear) + 6 * i;
  LANE(startBend)(m, d, body, ref < 0 ? 1 : 2, ref >= 0, b);
  *by = LANES(mji_stackNum(d, (size_t)b->n));
  zeroN(*by, b->n);
  siteArms(m, d, site, ref < 0 ? site : ref, gear, 1, b);
  if (ref < 0) return;
  siteArms(m, d, ref, ref, gear, -1, b);
  siteLength(m, d, site, ref, gear, b, *by);
}

// ---- slider and crank: length = a'v - sqrt(det), det = (a'v)^2 + rod^2 - v'v

typedef struct {
  V axis[3], vec[3], av, root, bend, pull;
  M reach;
  N gear;
} Crank;

static void crankAt(const mjModel* m, const mjData* d, int i, int pin, int slider, Crank* c) {
  const V *mat = CLANES(d->site_xmat) + 9 * slider, *pos = CLANES(d->site_xpos);
  N rod = NUM(actuator_cranklength)[i];
  for (int r = 0; r < 3; r++) c->axis[r] = mat[3 * r + 2], c->vec[r] = pos[3 * pin + r] - pos[3 * slider + r];
  c->av = dot3(c->vec, c->axis);
  V det = c->av * c->av + rod * rod - dot3(c->vec, c->vec);
  c->reach = v_gt(det, v_zero());
  c->root = v_sqrt(v_sel(c->reach, det, v_set1(1)));
  c->bend = v_sel(c->reach, 1.0 - c->av / c->root, v_set1(1));
  c->pull = v_and(c->reach, 1.0 / c->root);
  c->gear = NUM(actuator_gear)[6 * i];
}

// Force on the pin, and torque on the slider, which feels the opposite force. Derivatives of the length by v and a are
// F = bend a + pull v and G = bend v.
static void crankForces(const Crank* c, V force[3], V torque[3]) {
  for (int r = 0; r < 3; r++) force[r] = c->gear * (c->axis[r] * c->bend + c->vec[r] * c->pull);
  cross3(torque, c->axis, c->vec);
  for (int r = 0; r < 3; r++) torque[r] = c->gear * (torque[r] * c->bend);
}

static void crankChange(const Crank* c, const V daxis[3], const V dvec[3], V force[3], V torque[3]) {
  V dav = dot3(daxis, c->vec) + dot3(c->axis, dvec), one[3], two[3], cross[3];
  V droot = v_and(c->reach, (c->av * dav - dot3(c->vec, dvec)) / c->root);
  V dbend = v_and(c->reach, (c->av * droot / c->root - dav) / c->root);
  V dpull = v_and(c->reach, -droot / (c->root * c->root));
  cross3(one, daxis, c->vec);
  cross3(two, c->axis, dvec);
  cross3(cross, c->axis, c->vec);
  for (int r = 0; r < 3; r++) {
    force[r] = c->gear * (daxis[r] * c->bend + c->axis[r] * dbend + dvec[r] * c->pull + c->vec[r] * dpull);
    torque[r] = c->gear * ((one[r] + two[r]) * c->bend + cross[r] * dbend);
  }
}

static void crankBend(const mjModel* m, mjData* d, int i, LANE(Bend)* b, V** by) {
  int pin = m->actuator_trnid[2 * i], slider = m->actuator_trnid[2 * i + 1];
  int body[2] = {m->site_bodyid[pin], m->site_bodyid[slider]};
  const V* pos = CLANES(d->site_xpos);
  Crank crank;
  LANE(Push) onpin, onslider, dpin, dslider;
  LANE(startBend)(m, d, body, 2, 0, b);
  *by = LANES(mji_stackNum(d, (size_t)b->n));
  crankAt(m, d, i, pin, slider, &crank);
  crankForces(&crank, onpin.force, onslider.torque);
  zeroN(onpin.torque, 3);
  zeroN(dpin.torque, 3);
  copyN(onpin.point, pos + 3 * pin, 3);
  copyN(onslider.point, pos + 3 * slider, 3);
  for (int r = 0; r < 3; r++) onslider.force[r] = -onpin.force[r];
  for (int c = 0; c < b->n; c++) {
    V turn[3], daxis[3], dvec[3], axial[3];
    int k = b->col[c];
    pointMotion(m, d, body[0], k, onpin.point, dpin.point);
    pointMotion(m, d, body[1], k, onslider.point, dslider.point);
    turnMotion(m, d, body[1], k, turn);
    cross3(daxis, turn, crank.axis);
    for (int r = 0; r < 3; r++) dvec[r] = dpin.point[r] - dslider.point[r];
    crankChange(&crank, daxis, dvec, dpin.force, dslider.torque);
    for (int r = 0; r < 3; r++) {
      dslider.force[r] = -dpin.force[r];
      axial[r] = crank.gear * (crank.vec[r] * crank.bend);
    }
    (*by)[c] = dot3(onpin.force, dvec) + dot3(axial, daxis);
    LANE(bendPush)(m, d, b, k, body[0], &onpin, &dpin);
    LANE(bendPush)(m, d, b, k, body[1], &onslider, &dslider);
  }
}

// ---- adhesion: the mean of the contact normals' rows

static int touchesBody(const mjModel* m, const LANE(Contact)* con, int body) {
  if (con->exclude > 1 || con->geom[0] < 0 || con->geom[1] < 0) return 0;
  return m->geom_bodyid[con->geom[0]] == body || m->geom_bodyid[con->geom[1]] == body;
}

static void normalArms(const mjModel* m, const mjData* d, const LANE(Contact)* con, const LANE(Geometry)* g, V scale,
                       LANE(Bend)* b) {
  for (int c = 0; c < b->n; c++) {
    LANE(Change) change;
    V turned[3];
    LANE(contactChange)(m, d, con, g, b->col[c], &change);
    cross3(turned, change.turn, (const V*)con->frame);
    for (int s = 0; s < 2; s++) {
      V share = v_and(laneContactOn(con), s ? scale : -scale);
      LANE(Push) push, bent;
      zeroN(push.torque, 3);
      zeroN(bent.torque, 3);
      for (int r = 0; r < 3; r++) {
        push.point[r] = ((const V*)con->pos)[r];
        push.force[r] = share * ((const V*)con->frame)[r];
        bent.point[r] = change.pos[r];
        bent.force[r] = share * turned[r];
      }
      LANE(bendPush)(m, d, b, b->col[c], m->geom_bodyid[con->geom[s]], &push, &bent);
    }
  }
}

static M bodyBend(const mjModel* m, mjData* d, int i, LANE(Bend)* b, V** by) {
  int target = m->actuator_trnid[2 * i], n = 0;
  const LANE(Contact)* con = laneContacts(d);
  M differed = m_none();
  if (!d->ncon) return differed;
  int* body = mj_stackAllocInt(d, 2 * (size_t)d->ncon);
  V count = v_zero();
  for (int c = 0; c < d->ncon; c++) {
    if (!touchesBody(m, con + c, target)) continue;
    count = count + v_and(laneContactOn(con + c), v_set1(1));
    for (int s = 0; s < 2; s++) body[n++] = m->geom_bodyid[con[c].geom[s]];
  }
  if (!n) return differed;
  V scale = v_and(v_gt(count, v_zero()), -1.0 / v_max(count, v_set1(1)));
  LANE(startBend)(m, d, body, n, 0, b);
  *by = LANES(mji_stackNum(d, (size_t)b->n));
  zeroN(*by, b->n);
  LANE(Geometry)* g = mj_stackAllocByte(d, (size_t)d->ncon * sizeof *g, 64);
  for (int c = 0, known = 0; c < d->ncon; c++) {
    if (!touchesBody(m, con + c, target)) continue;
    if (c >= known) {
      int pair = LANE(countPair)(d, c);
      LANE(contactGeometry)(m, d, con + c, pair, NULL, g + c);
      known = c + pair;
    }
    differed |= g[c].differed;
    normalArms(m, d, con + c, g + c, scale, b);
  }
  return differed;
}

M LANE(transmissionBend)(const mjModel* m, mjData* d, int i, LANE(Bend)* b, V** by) {
  *b = (LANE(Bend)){0};
  *by = NULL;
  switch ((mjtTrn)m->actuator_trntype[i]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT: jointBend(m, d, i, b, by); break;
    case mjTRN_SITE: siteBend(m, d, i, b, by); break;
    case mjTRN_SLIDERCRANK: crankBend(m, d, i, b, by); break;
    case mjTRN_BODY: return bodyBend(m, d, i, b, by);
    default: break;
  }
  return m_none();
}
