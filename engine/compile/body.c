// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Bodies: mass and inertia, given or collected from geoms; corrections; alignment of free bodies.

#include <math.h>
#include <string.h>

#include "base/eig3.h"
#include "compile/compile.h"

// ---- inertia matrices

// Sums and products are taken in the order of the reference: where the moments of a body are nearly equal, the axes
// that come out depend on the last bits.

// 3 x 3 matrix R * diag(inertia) * R', symmetric to the last bit
void mji_body_turnInertia(double mat[9], const double inertia[3], const double quat[4]) {
  double rot[9];
  mju_quat2Mat(rot, quat);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j <= i; j++) {
      mat[3 * i + j] = mat[3 * j + i] = rot[3 * i] * inertia[0] * rot[3 * j] +
                                        rot[3 * i + 1] * inertia[1] * rot[3 * j + 1] +
                                        rot[3 * i + 2] * inertia[2] * rot[3 * j + 2];
    }
  }
}

// parallel axes: inertia of a point mass at vec
void mji_body_addPointMass(double mat[9], double mass, const double vec[3]) {
  double x = vec[0], y = vec[1], z = vec[2];
  const double point[9] = {mass * (y * y + z * z), -mass * x * y,          -mass * x * z,
                           -mass * x * y,          mass * (x * x + z * z), -mass * y * z,
                           -mass * x * z,          -mass * y * z,          mass * (x * x + y * y)};
  mju_addTo(mat, point, 9);
}

// principal axes of a symmetric matrix; moments in decreasing order
int mji_body_principalAxes(mjiCompile* c, const mjiElem* e, const double mat[9], double inertia[3], double quat[4]) {
  double vectors[9];
  mji_eig3(inertia, vectors, quat, mat, MJI_EPS);
  if (inertia[2] < MJI_EPS) {
    return mji_compile_error(c, e, "the inertia matrix must have positive eigenvalues");
  }
  return 0;
}

// ---- given

// Use the inertia that was given. explicitinertial says whether the writer must write it.
static int useGiven(mjiCompile* c, mjiElem* e) {
  mjsBody* body = &e->as.body;
  int ignores = mji_elem_compiler(e)->inertiafromgeom == mjINERTIAFROMGEOM_FALSE;
  body->explicitinertial = body->explicitinertial || (ignores && e->kid[MJI_KID_GEOM].num);
  const double* full = body->fullinertia;  // xx yy zz xy xz yz
  if (isnan(full[0])) return 0;
  const double mat[9] = {full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]};
  double quat[4];
  if (mji_body_principalAxes(c, e, mat, body->inertia, quat)) return -1;
  // as in the reference, without ipos the inertial frame is the body frame, so iquat is dropped, too
  if (!e->source || !isnan(e->source->as.body.ipos[0])) mju_copy4(body->iquat, quat);
  return 0;
}

// ---- from geoms

// the settings of the body decide, also for geoms that were attached to it
static int isCounted(const mjiElem* body, const mjiElem* geom, const mjiGeomInfo* info) {
  const int* range = mji_elem_compiler(body)->inertiagrouprange;
  int group = geom->as.geom.group;
  return group >= range[0] && group <= range[1] && info->mass > MJI_EPS;
}

static int collectInertia(mjiCompile* c, mjiElem* e) {
  mjsBody* body = &e->as.body;
  const mjiVec* geoms = e->kid + MJI_KID_GEOM;
  const mjiElem* only = NULL;
  int n = 0;
  double com[3] = {0, 0, 0};
  double mass = 0;
  for (int i = 0; i < geoms->num; i++) {
    const mjiElem* g = mji_elem_at(geoms, i);
    const mjiGeomInfo* info = mji_geomInfo(g);
    if (!isCounted(e, g, info)) continue;
    n++;
    only = g;
    mass += info->mass;
    mju_addToScl3(com, g->as.geom.pos, info->mass);
  }
  if (!n) return 0;
  body->explicitinertial = 0;
  body->mass = mass;

  // one geom: its frame is the inertial frame
  if (n == 1) {
    mju_copy3(body->ipos, only->as.geom.pos);
    mju_copy4(body->iquat, only->as.geom.quat);
    mju_copy3(body->inertia, mji_geomInfo(only)->inertia);
    return 0;
  }

  for (int i = 0; i < 3; i++) body->ipos[i] = com[i] / body->mass;
  double total[9] = {0};
  for (int i = 0; i < geoms->num; i++) {
    const mjiElem* g = mji_elem_at(geoms, i);
    const mjiGeomInfo* info = mji_geomInfo(g);
    if (!isCounted(e, g, info)) continue;
    double mat[9], arm[3];
    mji_body_turnInertia(mat, info->inertia, g->as.geom.quat);
    mju_sub3(arm, g->as.geom.pos, body->ipos);
    mju_addTo(total, mat, 9);
    mji_body_addPointMass(total, info->mass, arm);
  }
  return mji_body_principalAxes(c, e, total, body->inertia, body->iquat);
}

// ---- corrections

static int correct(mjiCompile* c, mjiElem* e) {
  mjsBody* body = &e->as.body;
  const mjsCompiler* settings = mji_elem_compiler(e);
  body->mass = fmax(body->mass, settings->boundmass);
  for (int i = 0; i < 3; i++) body->inertia[i] = fmax(body->inertia[i], settings->boundinertia);

  // the moments of a real body satisfy the triangle inequality
  double* I = body->inertia;
  if (I[0] + I[1] >= I[2] && I[0] + I[2] >= I[1] && I[1] + I[2] >= I[0]) return 0;
  if (!settings->balanceinertia) {
    return mji_compile_error(c, e,
                             "each moment of inertia must be at most the sum of the other two; "
                             "balanceinertia would correct that");
  }
  I[0] = I[1] = I[2] = (I[0] + I[1] + I[2]) / 3;
  return 0;
}

// ---- free bodies

static int mayAlign(const mjiElem* e) {
  const mjiVec* joints = e->kid + MJI_KID_JOINT;
  if (joints->num != 1 || e->kid[MJI_KID_BODY].num) return 0;
  const mjiElem* joint = mji_elem_at(joints, 0);
  if (joint->as.joint.type != mjJNT_FREE) return 0;
  int align = joint->as.joint.align;
  return align == mjALIGNFREE_TRUE || (align == mjALIGNFREE_AUTO && mji_elem_compiler(e)->alignfree);
}

// move the body frame of a free body into its inertial frame: its inertia matrix becomes diagonal
static void alignBody(mjiElem* e) {
  mjsBody* body = &e->as.body;
  double ipos[3], iquat[4], pos[3], quat[4];
  mju_copy3(ipos, body->ipos);
  mju_copy4(iquat, body->iquat);
  mju_negPose(pos, quat, ipos, iquat);

  mju_mulPose(body->pos, body->quat, body->pos, body->quat, ipos, iquat);
  mju_zero3(body->ipos);
  mju_unit4(body->iquat);
  body->explicitinertial = 1;  // collected from the moved geoms, it would differ in the last digits

  for (int i = 0; i < e->kid[MJI_KID_GEOM].num; i++) {
    mjsGeom* geom = &mji_elem_at(e->kid + MJI_KID_GEOM, i)->as.geom;
    mju_mulPose(geom->pos, geom->quat, pos, quat, geom->pos, geom->quat);
  }
  for (int i = 0; i < e->kid[MJI_KID_SITE].num; i++) {
    mjsSite* site = &mji_elem_at(e->kid + MJI_KID_SITE, i)->as.site;
    mju_mulPose(site->pos, site->quat, pos, quat, site->pos, site->quat);
  }
  for (int i = 0; i < e->kid[MJI_KID_CAMERA].num; i++) {
    mjsCamera* camera = &mji_elem_at(e->kid + MJI_KID_CAMERA, i)->as.camera;
    mju_mulPose(camera->pos, camera->quat, pos, quat, camera->pos, camera->quat);
  }
  for (int i = 0; i < e->kid[MJI_KID_LIGHT].num; i++) {
    mjsLight* light = &mji_elem_at(e->kid + MJI_KID_LIGHT, i)->as.light;
    mju_trnVecPose(light->pos, pos, quat, light->pos);
    mju_rotVecQuat(light->dir, light->dir, quat);
  }
}

// ---- checks

static int hasInertia(const mjiElem* e) {
  const mjsBody* body = &e->as.body;
  return body->mass >= mjMINVAL && body->inertia[0] >= mjMINVAL && body->inertia[1] >= mjMINVAL &&
         body->inertia[2] >= mjMINVAL;
}

// a moving body may get its inertia from bodies that are fixed to it
static int carriesInertia(const mjiElem* e) {
  if (hasInertia(e)) return 1;
  const mjiVec* bodies = e->kid + MJI_KID_BODY;
  for (int i = 0; i < bodies->num; i++) {
    const mjiElem* below = mji_elem_at(bodies, i);
    if (!below->kid[MJI_KID_JOINT].num && carriesInertia(below)) return 1;
  }
  return 0;
}

static int checkMocap(mjiCompile* c, const mjiElem* e) {
  if (e->as.body.mocap && (e->kid[MJI_KID_JOINT].num || e->parent != c->w->world)) {
    return mji_compile_error(c, e, "a mocap body must be a child of the world and have no joints");
  }
  return 0;
}

static int compileBody(mjiCompile* c, mjiElem* e) {
  mjsBody* body = &e->as.body;
  int mode = mji_elem_compiler(e)->inertiafromgeom;
  int collect = mode == mjINERTIAFROMGEOM_TRUE || (mode == mjINERTIAFROMGEOM_AUTO && !body->explicitinertial);
  // useGiven also checks an inertia that geoms will replace
  if (useGiven(c, e) || (collect && collectInertia(c, e))) return -1;
  if (correct(c, e)) return -1;
  if (mayAlign(e)) alignBody(e);
  return 0;
}

// A body without mass has its inertial frame at the pose that its element was given (frame.c). Where frames and fused
// bodies have moved the body since, the writer must write that frame.
void mji_body_keepFrames(mjiCompile* c) {
  for (int i = 1; i < mji_count(c, mjOBJ_BODY); i++) {
    mjiElem* e = mji_get(c, mjOBJ_BODY, i);
    mjsBody* body = &e->as.body;
    int counted = 0;
    for (int k = 0; k < e->kid[MJI_KID_GEOM].num; k++) {
      const mjiElem* geom = mji_elem_at(e->kid + MJI_KID_GEOM, k);
      counted += isCounted(e, geom, mji_geomInfo(geom));
    }
    if (!counted &&
        (memcmp(body->ipos, body->pos, sizeof body->pos) || memcmp(body->iquat, body->quat, sizeof body->quat))) {
      body->explicitinertial = 1;
    }
  }
}

int mji_body_compile(mjiCompile* c) {
  // The world keeps the inertia that a program or a link "world" gave it. Geoms do not replace it, nothing corrects it.
  if (useGiven(c, c->w->world)) return -1;
  for (int i = 1; i < mji_count(c, mjOBJ_BODY); i++) {
    if (compileBody(c, mji_get(c, mjOBJ_BODY, i))) return -1;
  }
  for (int i = 1; i < mji_count(c, mjOBJ_BODY); i++) {
    if (checkMocap(c, mji_get(c, mjOBJ_BODY, i))) return -1;
  }
  return 0;
}

int mji_body_checkMoving(mjiCompile* c) {
  for (int i = 1; i < mji_count(c, mjOBJ_BODY); i++) {
    const mjiElem* e = mji_get(c, mjOBJ_BODY, i);
    if (e->kid[MJI_KID_JOINT].num && !carriesInertia(e))
      return mji_compile_error(c, e, "mass and inertia of a moving body must be at least %g", mjMINVAL);
  }
  return 0;
}
