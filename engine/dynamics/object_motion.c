// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forces at points, velocities and accelerations of objects, local to global frames; for one state.

#include <mujoco/mujoco.h>

#include "model/work.h"

void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3], const mjtNum point[3],
                int body, mjtNum* qfrc_target) {
  if (body < 0 || body >= m->nbody) mju_error("mj_applyFT: there is no body %d", body);
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

// Body, position and orientation of an object that has a frame; -1 if there is no such object.
static int objectFrame(const mjModel* m, const mjData* d, int objtype, int objid, const mjtNum** pos,
                       const mjtNum** mat) {
  const struct {
    mjtObj type;
    mjtSize n;
    const int* body;  // NULL: the object is the body
    const mjtNum *pos, *mat;
  } kind[] = {
      {mjOBJ_BODY, m->nbody, NULL, d->xipos, d->ximat},
      {mjOBJ_XBODY, m->nbody, NULL, d->xpos, d->xmat},
      {mjOBJ_GEOM, m->ngeom, m->geom_bodyid, d->geom_xpos, d->geom_xmat},
      {mjOBJ_SITE, m->nsite, m->site_bodyid, d->site_xpos, d->site_xmat},
      {mjOBJ_CAMERA, m->ncam, m->cam_bodyid, d->cam_xpos, d->cam_xmat},
  };
  for (size_t k = 0; k < sizeof kind / sizeof *kind; k++) {
    if ((int)kind[k].type != objtype) continue;
    if (objid < 0 || objid >= kind[k].n) return -1;
    *pos = kind[k].pos + 3 * objid;
    *mat = kind[k].mat + 9 * objid;
    return kind[k].body ? kind[k].body[objid] : objid;
  }
  mju_error("object of type %d has no frame", objtype);
  return -1;
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

// An object that does not exist (mj_name2id said -1) is at rest, as in the reference.
void mj_objectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], int flg_local) {
  const mjtNum *pos = NULL, *mat = NULL;
  int body = objectFrame(m, d, objtype, objid, &pos, &mat);
  mju_zero(res, 6);
  if (body < 0) return;
  motionAt(m, d, body, d->cvel + 6 * body, pos, res);
  if (flg_local) toLocal(res, mat);
}

void mj_objectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], int flg_local) {
  const mjtNum *pos = NULL, *mat = NULL;
  int body = objectFrame(m, d, objtype, objid, &pos, &mat);
  mjtNum vel[6], turn[3];
  mju_zero(res, 6);
  if (body < 0) return;

  motionAt(m, d, body, d->cacc + 6 * body, pos, res);
  motionAt(m, d, body, d->cvel + 6 * body, pos, vel);

  // a point's acceleration is the spatial one plus omega x v
  mju_cross(turn, vel, vel + 3);
  mju_addTo3(res + 3, turn);
  if (flg_local) toLocal(res, mat);
}

// without pos or quat, xpos or xmat stays as it is, wherever the frame is
void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3], const mjtNum quat[4], int body,
                     mjtByte sameframe) {
  const mjtNum* bodypos = d->xpos + 3 * body;
  int inertial = sameframe == mjSAMEFRAME_INERTIA || sameframe == mjSAMEFRAME_INERTIAROT;
  int samepos = sameframe == mjSAMEFRAME_BODY || sameframe == mjSAMEFRAME_INERTIA;

  if (xpos && pos && samepos) {
    mju_copy3(xpos, inertial ? d->xipos + 3 * body : bodypos);
  } else if (xpos && pos) {
    mju_mulMatVec3(xpos, d->xmat + 9 * body, pos);
    mju_addTo3(xpos, bodypos);
  }
  if (xmat && quat && sameframe != mjSAMEFRAME_NONE) {
    mju_copy(xmat, (inertial ? d->ximat : d->xmat) + 9 * body, 9);
  } else if (xmat && quat) {
    mjtNum xquat[4];
    mju_mulQuat(xquat, d->xquat + 4 * body, quat);
    mju_quat2Mat(xmat, xquat);
  }
}
