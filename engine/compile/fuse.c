// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// fusestatic: bodies that cannot move relative to their parent are merged into it.

#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"

// ---- one body

// Force and torque sensors measure between a body and its parent: that body must stay.
static void keepForceSensors(const mjiCompile* c, mjtByte* used) {
  for (int i = 0; i < mji_count(c, mjOBJ_SENSOR); i++) {
    const mjsSensor* sensor = &mji_get(c, mjOBJ_SENSOR, i)->as.sensor;
    if (sensor->type != mjSENS_FORCE && sensor->type != mjSENS_TORQUE) continue;
    const mjiElem* site = mji_names_get(c, mjOBJ_SITE, sensor->objname);
    if (site && *mji_elem_name(site->parent)) used[site->parent->id] = 1;
  }
}

// A point of the body, seen from the parent. It is rotated by a matrix, as in the reference: mju_trnVecPose has other
// last bits.
static void moveOut(double res[3], const double pos[3], const double quat[4], const double vec[3]) {
  double rot[9], turned[3];
  mju_quat2Mat(rot, quat);
  mju_mulMatVec3(turned, rot, vec);
  mju_add3(res, pos, turned);
}

static void addPoint(double mat[9], const double inertia[3], const double quat[4], double mass, const double arm[3]) {
  double turned[9];
  mji_body_turnInertia(turned, inertia, quat);
  mji_body_addPointMass(turned, mass, arm);
  mju_addTo(mat, turned, 9);
}

// Mass and inertia of a body, moved into its parent.
static int fuseInertia(mjiCompile* c, mjiElem* parent, const mjiElem* e) {
  mjsBody* to = &parent->as.body;
  const mjsBody* from = &e->as.body;
  if (from->mass < mjMINVAL) return 0;
  double pos[3], quat[4], com[3], mass = to->mass + from->mass;
  moveOut(pos, from->pos, from->quat, from->ipos);
  mju_mulQuat(quat, from->quat, from->iquat);
  for (int i = 0; i < 3; i++) com[i] = (to->mass * to->ipos[i] + from->mass * pos[i]) / mass;
  double mat[9] = {0}, arm[3];
  mju_sub3(arm, to->ipos, com);
  addPoint(mat, to->inertia, to->iquat, to->mass, arm);
  mju_sub3(arm, pos, com);
  addPoint(mat, from->inertia, quat, from->mass, arm);
  to->mass = mass;
  mju_copy3(to->ipos, com);
  return mji_body_principalAxes(c, parent, mat, to->inertia, to->iquat);
}

static void movePose(const mjsBody* from, double pos[3], double quat[4]) {
  double at[3];
  moveOut(at, from->pos, from->quat, pos);
  mju_mulPose(pos, quat, from->pos, from->quat, pos, quat);
  mju_copy3(pos, at);
}

// move an element of the body into the frame of the parent
static void moveElement(const mjsBody* from, mjiElem* e) {
  double quat[4] = {1, 0, 0, 0};
  switch (e->head.elemtype) {
    case mjOBJ_BODY: movePose(from, e->as.body.pos, e->as.body.quat); break;
    case mjOBJ_GEOM: movePose(from, e->as.geom.pos, e->as.geom.quat); break;
    case mjOBJ_SITE: movePose(from, e->as.site.pos, e->as.site.quat); break;
    case mjOBJ_CAMERA: movePose(from, e->as.camera.pos, e->as.camera.quat); break;
    case mjOBJ_LIGHT:
      movePose(from, e->as.light.pos, quat);
      mju_rotVecQuat(e->as.light.dir, e->as.light.dir, from->quat);
      break;
    default: break;
  }
}

// Child bodies take the place of the fused body among its siblings; other elements come after those of the parent.
static void moveKids(mjiElem* parent, mjiElem* e, int kid) {
  mjiVec* to = parent->kid + kid;
  mjiVec* from = e->kid + kid;
  int at = to->num;
  if (kid == MJI_KID_BODY) {
    for (at = 0; mji_elem_at(to, at) != e; at++) {
    }
    at++;
  }
  int tail = to->num - at;
  mji_vec_resize(to, to->num + from->num);
  void** slot = (void**)to->data + at;
  if (tail) memmove(slot + from->num, slot, (size_t)tail * sizeof(void*));
  for (int i = 0; i < from->num; i++) {
    mjiElem* child = mji_elem_at(from, i);
    moveElement(&e->as.body, child);
    child->parent = parent;
    child->frame = NULL;
    slot[i] = child;
  }
  from->num = 0;
}

static int fuse(mjiCompile* c, mjiElem* e) {
  mjiElem* parent = e->parent;
  if (parent != c->w->world && fuseInertia(c, parent, e)) return -1;
  parent->as.body.explicitinertial = parent != c->w->world;
  for (int kid = 0; kid < MJI_NKID; kid++) {
    if (kid != MJI_KID_FRAME) moveKids(parent, e, kid);
  }
  mji_spec_remove(e);
  return 0;
}

// ---- which bodies

// Bodies that another element names are not fused. Geoms and sites may be named: only their numbers change.
int mji_fuse_static(mjiCompile* c) {
  if (!c->w->pub.compiler.fusestatic) return 0;
  size_t n = (size_t)mji_count(c, mjOBJ_BODY);
  mjtByte* used = mji_reduce_findUsed(c, mjOBJ_BODY);
  keepForceSensors(c, used);
  mjiElem** bodies = mji_vec_alloc(n * sizeof(mjiElem*));
  for (size_t i = 0; i < n; i++) bodies[i] = mji_get(c, mjOBJ_BODY, (int)i);
  int bad = 0;
  for (size_t i = 1; i < n && !bad; i++) {
    mjiElem* e = bodies[i];
    if (!e->kid[MJI_KID_JOINT].num && !e->as.body.mocap && !used[i]) bad = fuse(c, e);
  }
  free(used);
  free(bodies);
  mji_spec_reorder(c->w);
  return bad ? -1 : mji_names_build(c);
}
