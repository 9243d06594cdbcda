// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forces at points, velocities and accelerations of objects, local to global frames; for one state.

#include <mujoco/mujoco.h>

#include "model/work.h"

void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3], const mjtNum point[3],
                int body, mjtNum* qfrc_target) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[body];
  mjtNum moment[3] = {0}, offset[3];
  if (force) {
    mju_sub3(offset, point, d->subtree_com + 3 * m->body_rootid[body]);
    mju_cross(moment, offset, force);
  }
  if (torque) mju_addTo3(moment, torque);

  // J' * force: the power of the wrench along each dof's motion
  for (int c = 0; c < plan->chain_num[body]; c++) {
    const mjtNum* cdof = d->cdof + 6 * chain[c];
    qfrc_target[chain[c]] += mju_dot3(cdof, moment) + (force ? mju_dot3(cdof + 3, force) : 0);
  }
}

// body, position and orientation of an object that has a frame
static int objectFrame(const mjModel* m, const mjData* d, int objtype, int objid, const mjtNum** pos,
                       const mjtNum** mat) {
  switch (objtype) {
    case mjOBJ_BODY:
      *pos = d->xipos + 3 * objid;
      *mat = d->ximat + 9 * objid;
      return objid;
    case mjOBJ_XBODY:
      *pos = d->xpos + 3 * objid;
      *mat = d->xmat + 9 * objid;
      return objid;
    case mjOBJ_GEOM:
      *pos = d->geom_xpos + 3 * objid;
      *mat = d->geom_xmat + 9 * objid;
      return m->geom_bodyid[objid];
    case mjOBJ_SITE:
      *pos = d->site_xpos + 3 * objid;
      *mat = d->site_xmat + 9 * objid;
      return m->site_bodyid[objid];
    case mjOBJ_CAMERA:
      *pos = d->cam_xpos + 3 * objid;
      *mat = d->cam_xmat + 9 * objid;
      return m->cam_bodyid[objid];
    default: mju_error("object of type %d has no frame", objtype); return 0;
  }
}

// take a motion in the com frame of a body to a point; the result has the axes of the world
static void motionAt(const mjModel* m, const mjData* d, int body, const mjtNum motion[6], const mjtNum pos[3],
                     mjtNum res[6]) {
  mjtNum offset[3];
  mju_sub3(offset, pos, d->subtree_com + 3 * m->body_rootid[body]);
  mju_copy3(res, motion);
  mju_cross(res + 3, motion, offset);
  mju_addTo3(res + 3, motion + 3);
}

// turn both halves into the axes of mat
static void toLocal(mjtNum res[6], const mjtNum mat[9]) {
  mjtNum world[6];
  mju_copy(world, res, 6);
  mju_mulMatTVec3(res, mat, world);
  mju_mulMatTVec3(res + 3, mat, world + 3);
}

void mj_objectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], int flg_local) {
  const mjtNum *pos = NULL, *mat = NULL;
  int body = objectFrame(m, d, objtype, objid, &pos, &mat);
  motionAt(m, d, body, d->cvel + 6 * body, pos, res);
  if (flg_local) toLocal(res, mat);
}

void mj_objectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], int flg_local) {
  const mjtNum *pos = NULL, *mat = NULL;
  int body = objectFrame(m, d, objtype, objid, &pos, &mat);
  mjtNum vel[6], turn[3];

  motionAt(m, d, body, d->cacc + 6 * body, pos, res);
  motionAt(m, d, body, d->cvel + 6 * body, pos, vel);

  // a point's acceleration is the spatial one plus omega x v
  mju_cross(turn, vel, vel + 3);
  mju_addTo3(res + 3, turn);
  if (flg_local) toLocal(res, mat);
}

void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3], const mjtNum quat[4], int body,
                     mjtByte sameframe) {
  const mjtNum* bodypos = d->xpos + 3 * body;
  int inertial = sameframe == mjSAMEFRAME_INERTIA || sameframe == mjSAMEFRAME_INERTIAROT;
  int samepos = sameframe == mjSAMEFRAME_BODY || sameframe == mjSAMEFRAME_INERTIA;

  if (xpos && samepos) {
    mju_copy3(xpos, inertial ? d->xipos + 3 * body : bodypos);
  } else if (xpos && pos) {
    mju_mulMatVec3(xpos, d->xmat + 9 * body, pos);
    mju_addTo3(xpos, bodypos);
  }
  if (xmat && sameframe != mjSAMEFRAME_NONE) {
    mju_copy(xmat, (inertial ? d->ximat : d->xmat) + 9 * body, 9);
  } else if (xmat && quat) {
    mjtNum xquat[4];
    mju_mulQuat(xquat, d->xquat + 4 * body, quat);
    mju_quat2Mat(xmat, xquat);
  }
}
