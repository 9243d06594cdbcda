// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forward kinematics: from qpos to the frames of bodies, inertias, joints, geoms and sites.
//
// Parents come before their children, so one pass over the bodies is enough. A body starts in its parent's frame at
// body_pos, body_quat; then its joints move it, one after the other.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/spatial.h"
#include "model/each_span.h"
#include "model/number.h"
#include "model/sleep.h"
#include "model/work.h"

// frame of a body while its joints are applied one after the other
typedef struct {
  V pos[3];
  V quat[4];
} Frame;

static inline int isZero3(const N* v) { return n_is(v[0], 0) && n_is(v[1], 0) && n_is(v[2], 0); }
static inline int isUnit4(const N* q) { return n_is(q[0], 1) && isZero3(q + 1); }

static void setWorld(mjData* d) {
  V* frame[2] = {LANES(d->xmat), LANES(d->ximat)};
  for (int k = 0; k < 3; k++) LANES(d->xpos)[k] = LANES(d->xipos)[k] = v_zero();
  for (int k = 0; k < 4; k++) LANES(d->xquat)[k] = v_set1(k == 0);
  for (int k = 0; k < 9; k++) frame[0][k] = frame[1][k] = v_set1(k % 4 == 0);
}

// a body with one free joint: qpos is its frame
static inline void freeFrame(const mjData* d, int qadr, Frame* f) {
  const V* qpos = CLANES(d->qpos) + qadr;
  copy3(f->pos, qpos);
  copyN(f->quat, qpos + 3, 4);
}

// a motion capture body: its frame is an input
static inline void mocapFrame(const mjData* d, int mocap, Frame* f) {
  copy3(f->pos, CLANES(d->mocap_pos) + 3 * mocap);
  copyN(f->quat, CLANES(d->mocap_quat) + 4 * mocap, 4);
}

// any other body before its joints: fixed in the parent
static inline void fixedFrame(const mjModel* m, const mjData* d, int b, Frame* f) {
  int parent = m->body_parentid[b];
  const V* xpos = CLANES(d->xpos) + 3 * parent;
  const V* xquat = CLANES(d->xquat) + 4 * parent;
  mulMat3S(f->pos, CLANES(d->xmat) + 9 * parent, NUM(body_pos) + 3 * b);
  for (int k = 0; k < 3; k++) f->pos[k] = f->pos[k] + xpos[k];
  if (isUnit4(NUM(body_quat) + 4 * b)) copyN(f->quat, xquat, 4);
  else mulQuatS(f->quat, xquat, NUM(body_quat) + 4 * b);
}

// keep the anchor, which is at `point` in the axes of the frame, in its place after a rotation
static inline void keepAnchor(Frame* f, const V* anchor, const N* point) {
  if (isZero3(point)) return;
  V offset[3];
  rotVecQuatS(offset, point, f->quat);
  for (int k = 0; k < 3; k++) f->pos[k] = anchor[k] - offset[k];
}

// coordinate axis that a vector is, 3 if none
static inline int coordinateAxis(const N* v) {
  for (int k = 0; k < 3; k++) {
    if (n_is(v[k], 1) && n_is(v[(k + 1) % 3], 0) && n_is(v[(k + 2) % 3], 0)) return k;
  }
  return 3;
}

// the general formulas (rotVecQuatS, mulQuatV) for axis k of the frame and a turn about it, without the terms that are
// zero
static inline void turnedAxis(V* axis, const V* q, int k) {
  int i = (k + 1) % 3, j = (k + 2) % 3;
  V qi = q[1 + i], qj = q[1 + j], qk = q[1 + k];
  axis[k] = 1.0 - 2.0 * (qj * qj + qi * qi);
  axis[i] = 2.0 * (qk * qi + qj * q[0]);
  axis[j] = 2.0 * (qk * qj - qi * q[0]);
}
static inline void turnAbout(V* q, V cosine, V sine, int k) {
  int i = (k + 1) % 3, j = (k + 2) % 3;
  V w = q[0], qi = q[1 + i], qj = q[1 + j], qk = q[1 + k];
  q[0] = w * cosine - qk * sine;
  q[1 + k] = w * sine + qk * cosine;
  q[1 + i] = qi * cosine + qj * sine;
  q[1 + j] = qj * cosine - qi * sine;
}

// turn: cosine and sine of half the angle of a hinge
static inline void applyJoint(const mjModel* m, mjData* d, int j, const V* turn, Frame* f) {
  const V* qpos = CLANES(d->qpos) + m->jnt_qposadr[j];
  const N* point = NUM(jnt_pos) + 3 * j;
  const N* local = NUM(jnt_axis) + 3 * j;
  int k = coordinateAxis(local);

  // anchor and axis in the world, before the joint moves
  V anchor[3], axis[3], quat[4];
  copy3(anchor, f->pos);
  if (!isZero3(point)) {
    V offset[3];
    rotVecQuatS(offset, point, f->quat);
    for (int c = 0; c < 3; c++) anchor[c] = offset[c] + anchor[c];
  }
  switch (k) {  // constant arguments, so that everything stays in registers
    case 0: turnedAxis(axis, f->quat, 0); break;
    case 1: turnedAxis(axis, f->quat, 1); break;
    case 2: turnedAxis(axis, f->quat, 2); break;
    default: rotVecQuatS(axis, local, f->quat);
  }
  copy3(LANES(d->xanchor) + 3 * j, anchor);
  copy3(LANES(d->xaxis) + 3 * j, axis);

  switch ((mjtJoint)m->jnt_type[j]) {
    case mjJNT_SLIDE: {
      V move = qpos[0] - NUM(qpos0)[m->jnt_qposadr[j]];
      for (int c = 0; c < 3; c++) f->pos[c] = f->pos[c] + axis[c] * move;
      break;
    }
    case mjJNT_HINGE: {
      switch (k) {
        case 0: turnAbout(f->quat, turn[0], turn[1], 0); break;
        case 1: turnAbout(f->quat, turn[0], turn[1], 1); break;
        case 2: turnAbout(f->quat, turn[0], turn[1], 2); break;
        default:
          quat[0] = turn[0];
          for (int c = 0; c < 3; c++) quat[1 + c] = local[c] * turn[1];
          mulQuatV(f->quat, f->quat, quat);
      }
      keepAnchor(f, anchor, point);
      break;
    }
    case mjJNT_BALL:
      copyN(quat, qpos, 4);
      unitQuat(quat);
      mulQuatV(f->quat, f->quat, quat);
      keepAnchor(f, anchor, point);
      break;
    case mjJNT_FREE: break;  // alone in its body, see freeFrame
  }
}

// world frame of something fixed in body b
static inline void globalFrame(const mjData* d, V* pos, V* mat, const N* lpos, const N* lquat, int b, int sameframe) {
  const V* xpos = CLANES(d->xpos) + 3 * b;
  const V* xmat = CLANES(d->xmat) + 9 * b;
  V offset[3], quat[4];

  // position
  if (sameframe == mjSAMEFRAME_BODY) {
    copy3(pos, xpos);
  } else if (sameframe == mjSAMEFRAME_INERTIA) {
    copy3(pos, CLANES(d->xipos) + 3 * b);
  } else if (b) {
    mulMat3S(offset, xmat, lpos);
    for (int k = 0; k < 3; k++) pos[k] = offset[k] + xpos[k];
  } else {
    for (int k = 0; k < 3; k++) pos[k] = v_num(lpos[k]);
  }

  // orientation
  if (sameframe == mjSAMEFRAME_NONE) {
    if (b) {
      mulQuatS(quat, CLANES(d->xquat) + 4 * b, lquat);
    } else {
      for (int k = 0; k < 4; k++) quat[k] = v_num(lquat[k]);
    }
    quatToMat(mat, quat);
  } else if (sameframe == mjSAMEFRAME_BODY || sameframe == mjSAMEFRAME_BODYROT) {
    copyN(mat, xmat, 9);
  } else {
    copyN(mat, CLANES(d->ximat) + 9 * b, 9);
  }
}

static inline void placeBody(const mjModel* m, mjData* d, int b, const V* turn) {
  Frame f;
  int jadr = m->body_jntadr[b], jnum = m->body_jntnum[b];

  if (jnum == 1 && m->jnt_type[jadr] == mjJNT_FREE) {
    freeFrame(d, m->jnt_qposadr[jadr], &f);
    copy3(LANES(d->xanchor) + 3 * jadr, f.pos);
    for (int k = 0; k < 3; k++) LANES(d->xaxis)[3 * jadr + k] = v_num(NUM(jnt_axis)[3 * jadr + k]);
  } else {
    int mocap = m->body_mocapid[b];
    if (mocap >= 0) mocapFrame(d, mocap, &f);
    else fixedFrame(m, d, b, &f);
    for (int j = jadr; j < jadr + jnum; j++) applyJoint(m, d, j, turn + 2 * j, &f);
  }

  unitQuat(f.quat);
  copy3(LANES(d->xpos) + 3 * b, f.pos);
  copyN(LANES(d->xquat) + 4 * b, f.quat, 4);
  quatToMat(LANES(d->xmat) + 9 * b, f.quat);
  globalFrame(d, LANES(d->xipos) + 3 * b, LANES(d->ximat) + 9 * b, NUM(body_ipos) + 3 * b, NUM(body_iquat) + 4 * b, b,
              m->body_sameframe[b]);
}

// what is fixed in bodies
static inline __attribute__((always_inline)) void placeElements(const mjModel* m, mjData* d, mjiSpan s, V* x) {
  for (int g = s.geom; g < s.geom_end; g++) {
    globalFrame(d, LANES(d->geom_xpos) + 3 * g, LANES(d->geom_xmat) + 9 * g, NUM(geom_pos) + 3 * g,
                NUM(geom_quat) + 4 * g, m->geom_bodyid[g], m->geom_sameframe[g]);
  }
  for (int i = s.site; i < s.site_end; i++) {
    globalFrame(d, LANES(d->site_xpos) + 3 * i, LANES(d->site_xmat) + 9 * i, NUM(site_pos) + 3 * i,
                NUM(site_quat) + 4 * i, m->site_bodyid[i], m->site_sameframe[i]);
  }
}

// Cosine and sine of half the angle of each hinge. Each is a long chain of operations, so all of them come first: the
// processor overlaps those of several joints, which the products of quaternions from body to body would keep apart.
static void findTurns(const mjModel* m, const mjData* d, V* turn) {
  const V* qpos = CLANES(d->qpos);
  for (int j = 0; j < m->njnt; j++) {
    int adr = m->jnt_qposadr[j];
    if (m->jnt_type[j] == mjJNT_HINGE) v_sincos(0.5 * (qpos[adr] - NUM(qpos0)[adr]), turn + 2 * j + 1, turn + 2 * j);
  }
}

static void placeAll(const mjModel* m, mjData* d) {
  size_t top = mji_stackTop(d);
  V* turn = LANES(mji_stackNum(d, 2 * (size_t)m->njnt));
  setWorld(d);
  findTurns(m, d, turn);
  for (int b = 1; b < m->nbody; b++) placeBody(m, d, b, turn);
  mji_stackBack(d, top);
  mji_eachSpan(m, d, placeElements, NULL);
}

void LANE(kinematics)(const mjModel* m, mjData* d) { mji_sleep_place(m, d, placeAll); }
