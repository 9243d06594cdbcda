// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Poses: alternative orientations become quaternions, segments (fromto) become poses, and frames
// disappear into what they hold, so that every pose is relative to the body that holds the element.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"

// quaternion from its alternative, normalized
static int resolveQuat(mjiCompile* c, const mjiElem* e, double quat[4], const mjsOrientation* alt) {
  const mjsCompiler* settings = mji_elem_compiler(e);
  const char* reason = mjs_resolveOrientation(quat, settings->degree, settings->eulerseq, alt);
  if (reason) return mji_compile_error(c, e, "%s", reason);
  mji_unit(quat, 4);
  return 0;
}

// pose of an element in the frame around it -> pose in the body
static void leaveFrame(const mjiElem* e, double pos[3], double quat[4]) {
  const double* frame = e->frame ? e->frame->settled : NULL;
  if (frame) mju_mulPose(pos, quat, frame, frame + 3, pos, quat);
}

// the same for a direction of the element
static void turnOut(const mjiElem* e, double dir[3]) {
  if (e->frame) mju_rotVecQuat(dir, dir, e->frame->settled + 3);
}

// segment -> pose and half length: z axis along the segment, toward its start
static int resolveSegment(mjiCompile* c, const mjiElem* e, mjtGeom type, const double fromto[6], double pos[3],
                          double quat[4], double size[3]) {
  if (type != mjGEOM_CAPSULE && type != mjGEOM_CYLINDER && type != mjGEOM_ELLIPSOID && type != mjGEOM_BOX) {
    return mji_compile_error(c, e, "fromto needs a capsule, cylinder, ellipsoid or box");
  }
  if (pos[0] || pos[1] || pos[2]) {
    return mji_compile_error(c, e, "pos and fromto cannot both be given");
  }
  double axis[3];
  mju_sub3(axis, fromto, fromto + 3);
  mju_add3(pos, fromto, fromto + 3);
  mju_scl3(pos, pos, 0.5);
  double half = mju_norm3(axis) / 2;
  if (!mji_unit(axis, 3)) return mji_compile_error(c, e, "fromto: the two points are too close");
  mju_quatZ2Vec(quat, axis);

  // a box or an ellipsoid has the same half width in both directions across the segment
  if (type == mjGEOM_BOX || type == mjGEOM_ELLIPSOID) {
    size[2] = half;
    size[1] = size[0];
  } else {
    size[1] = half;
  }
  return 0;
}

static int resolveFrame(mjiCompile* c, mjiElem* e) { return resolveQuat(c, e, e->as.frame.quat, &e->as.frame.alt); }

static int resolveBody(mjiCompile* c, mjiElem* e) {
  mjsBody* body = &e->as.body;
  if (resolveQuat(c, e, body->quat, &body->alt)) return -1;
  double pos[3], quat[4];
  mju_copy3(pos, body->pos);
  mju_copy4(quat, body->quat);
  leaveFrame(e, body->pos, body->quat);
  if (!isnan(body->fullinertia[0]) && body->ialt.type != mjORIENTATION_QUAT) {
    return mji_compile_error(c, e, "fullinertia and an inertial orientation cannot both be given");
  }
  const double* diag = body->inertia;
  if (!isnan(body->fullinertia[0]) && (diag[0] || diag[1] || diag[2])) {
    return mji_compile_error(c, e, "fullinertia and diaginertia cannot both be given");
  }
  if (resolveQuat(c, e, body->iquat, &body->ialt)) return -1;

  // the inertial frame of a body that neither has one nor geoms is at the pose that the body was given
  if (!isnan(body->ipos[0])) body->explicitinertial = 1;
  else {
    mju_copy3(body->ipos, pos);
    mju_copy4(body->iquat, quat);
  }
  return 0;
}

static int resolveGeom(mjiCompile* c, mjiElem* e) {
  mjsGeom* geom = &e->as.geom;
  if (resolveQuat(c, e, geom->quat, &geom->alt)) return -1;
  if (!isnan(geom->fromto[0])) {
    if (resolveSegment(c, e, geom->type, geom->fromto, geom->pos, geom->quat, geom->size)) return -1;
    if (*mjs_getString(geom->meshname)) {
      return mji_compile_error(c, e, "a geom that is fitted to a mesh cannot have fromto");
    }
  }
  leaveFrame(e, geom->pos, geom->quat);
  return 0;
}

static int resolveSite(mjiCompile* c, mjiElem* e) {
  mjsSite* site = &e->as.site;
  if (resolveQuat(c, e, site->quat, &site->alt)) return -1;
  if (!isnan(site->fromto[0]) && resolveSegment(c, e, site->type, site->fromto, site->pos, site->quat, site->size)) {
    return -1;
  }
  leaveFrame(e, site->pos, site->quat);
  return 0;
}

static int resolveCamera(mjiCompile* c, mjiElem* e) {
  mjsCamera* camera = &e->as.camera;
  if (resolveQuat(c, e, camera->quat, &camera->alt)) return -1;
  leaveFrame(e, camera->pos, camera->quat);
  return 0;
}

static int resolveLight(mjiCompile* c, mjiElem* e) {
  double quat[4] = {1, 0, 0, 0};
  leaveFrame(e, e->as.light.pos, quat);
  turnOut(e, e->as.light.dir);
  return 0;
}

static int resolveJoint(mjiCompile* c, mjiElem* e) {
  double quat[4] = {1, 0, 0, 0};
  if (e->as.joint.type == mjJNT_FREE) return 0;
  leaveFrame(e, e->as.joint.pos, quat);
  turnOut(e, e->as.joint.axis);
  return 0;
}

static int resolveList(mjiCompile* c, const mjiVec* list, int (*resolve)(mjiCompile*, mjiElem*)) {
  for (int i = 0; i < list->num; i++) {
    if (resolve(c, mji_elem_at(list, i))) return -1;
  }
  return 0;
}

// ---- frames stay where the first compilation found them, as in the reference

// give a frame the local pose with which it is where it was
static void putBack(mjiElem* e) {
  mjsFrame* frame = &e->as.frame;
  mju_copy3(frame->pos, e->settled);
  mju_copy4(frame->quat, e->settled + 3);
  if (!e->frame) return;
  double back[3], turn[4];
  mju_negPose(back, turn, e->frame->settled, e->frame->settled + 3);
  mju_mulPose(frame->pos, frame->quat, back, turn, e->settled, e->settled + 3);
}

// settle a frame whose outer frame is settled
static void settle(mjiElem* e) {
  double found[7];
  mju_copy3(found, e->as.frame.pos);
  mju_copy4(found + 3, e->as.frame.quat);
  leaveFrame(e, found, found + 3);
  if (e->settled) {
    if (memcmp(e->settled, found, sizeof found)) putBack(e);
    return;
  }
  mjiElem* both[2] = {e, e->source};
  for (int i = 0; i < 2; i++) {
    both[i]->settled = mji_vec_alloc(sizeof found);
    memcpy(both[i]->settled, found, sizeof found);
  }
}

// An inner frame may come before its outer one in the list, so settle each chain from outside. Settled ones are marked.
static void settleAll(const mjiVec* frames) {
  mjiElem** chain = mji_vec_alloc(((size_t)frames->num + 1) * sizeof *chain);
  for (int i = 0; i < frames->num; i++) {
    int n = 0;
    for (mjiElem* f = mji_elem_at(frames, i); f && !f->marked; f = f->frame) chain[n++] = f;
    while (n--) {
      settle(chain[n]);
      chain[n]->marked = 1;
    }
  }
  for (int i = 0; i < frames->num; i++) mji_elem_at(frames, i)->marked = 0;
  free(chain);
}

int mji_frame_resolve(mjiCompile* c) {
  const mjiVec* list = c->w->list;
  if (resolveList(c, &c->w->frames, resolveFrame)) return -1;
  settleAll(&c->w->frames);
  int bad = resolveList(c, list + mjOBJ_BODY, resolveBody) || resolveList(c, list + mjOBJ_GEOM, resolveGeom) ||
            resolveList(c, list + mjOBJ_SITE, resolveSite) || resolveList(c, list + mjOBJ_CAMERA, resolveCamera) ||
            resolveList(c, list + mjOBJ_LIGHT, resolveLight) || resolveList(c, list + mjOBJ_JOINT, resolveJoint);
  return bad ? -1 : 0;
}
