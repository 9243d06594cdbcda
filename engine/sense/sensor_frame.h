// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Frames of objects that sensors refer to, and their motion.
#ifndef SHEAF_SENSE_SENSOR_FRAME_H_
#define SHEAF_SENSE_SENSOR_FRAME_H_

#include <mujoco/mujoco.h>

#include "lanes/lanes.h"

#include "dynamics/spatial.h"
#include "model/number.h"

typedef struct {
  int body;  // to which the object is attached
  const V* pos;
  const V* mat;
  const N* quat;  // orientation in the body, NULL: that of the body
} Frame;

static inline Frame makeFrame(int body, const mjtNum* xpos, const mjtNum* xmat, const N* quat, int id) {
  return (Frame){body, CLANES(xpos) + 3 * id, CLANES(xmat) + 9 * id, quat ? quat + 4 * id : NULL};
}

static inline Frame objectFrame(const mjModel* m, const mjData* d, int type, int id) {
  switch (type) {
    case mjOBJ_BODY: return makeFrame(id, d->xipos, d->ximat, NUM(body_iquat), id);
    case mjOBJ_XBODY: return makeFrame(id, d->xpos, d->xmat, NULL, id);
    case mjOBJ_GEOM: return makeFrame(m->geom_bodyid[id], d->geom_xpos, d->geom_xmat, NUM(geom_quat), id);
    case mjOBJ_SITE: return makeFrame(m->site_bodyid[id], d->site_xpos, d->site_xmat, NUM(site_quat), id);
    case mjOBJ_CAMERA: return makeFrame(m->cam_bodyid[id], d->cam_xpos, d->cam_xmat, NUM(cam_quat), id);
    default: mju_error("sensor: object type %d has no frame", type); return (Frame){0};
  }
}

// frame of the object that a sensor measures, and of the one it refers to
static inline Frame sensorFrame(const mjModel* m, const mjData* d, int i) {
  return objectFrame(m, d, m->sensor_objtype[i], m->sensor_objid[i]);
}
static inline Frame referenceFrame(const mjModel* m, const mjData* d, int i) {
  return objectFrame(m, d, m->sensor_reftype[i], m->sensor_refid[i]);
}

static inline void frameQuat(const mjData* d, V* quat, const Frame* f) {
  const V* xquat = CLANES(d->xquat) + 4 * f->body;
  if (f->quat) mulQuatS(quat, xquat, f->quat);
  else copyN(quat, xquat, 4);
}

// motion of the frame's origin, from the motion of its body in the com frame: `motion` is d->cvel or d->cacc
static inline void originMotion(const mjModel* m, const mjData* d, V* res, const mjtNum* motion, const Frame* f) {
  const V* c = CLANES(motion) + 6 * f->body;
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[f->body];
  V offset[3], turn[3];
  for (int k = 0; k < 3; k++) offset[k] = f->pos[k] - com[k];
  cross3(turn, offset, c);
  copy3(res, c);
  for (int k = 0; k < 3; k++) res[3 + k] = c[3 + k] - turn[k];
}

// Acceleration of the frame's origin, as an accelerometer measures it, so gravity is included. The spatial acceleration
// d->cacc lacks omega x v, which is added.
static inline void originAcceleration(const mjModel* m, const mjData* d, V* res, const Frame* f) {
  V vel[6], turn[3];
  originMotion(m, d, res, d->cacc, f);
  originMotion(m, d, vel, d->cvel, f);
  cross3(turn, vel, vel + 3);
  for (int k = 0; k < 3; k++) res[3 + k] = res[3 + k] + turn[k];
}

#endif  // SHEAF_SENSE_SENSOR_FRAME_H_
