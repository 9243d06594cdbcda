// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The kinematic tree. The compiler has moved the pose of every frame into what it holds; a frame is
// written where it has a name or a class to hand down. What a body holds keeps its order, so a
// frame may be opened more than once; its name is written the first time.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/write.h"

// where the writer is inside a body
typedef struct {
  mjiWriter* w;
  const mjiElem* body;
  const mjiElem* dclass;  // that the body hands down
  const mjiElem* frame;   // innermost open one, NULL: none
  mjtByte* seen;          // frames that were opened, by their place in the body
} Place;

// ---- frames

static int isKept(const mjiElem* frame) { return *mji_elem_name(frame) || *mjs_getString(frame->as.frame.childclass); }

static const mjiElem* keptFrame(const mjiElem* frame) {
  while (frame && !isKept(frame)) frame = frame->frame;
  return frame;
}

static int isInside(const mjiElem* frame, const mjiElem* outer) {
  while (frame && frame != outer) frame = frame->frame;
  return frame == outer;
}

// default class that a frame hands down
static const mjiElem* classIn(const Place* at, const mjiElem* frame) {
  for (const mjiElem* f = frame; f; f = f->frame) {
    const char* name = mjs_getString(f->as.frame.childclass);
    const mjiElem* found = *name ? mji_class_find(f->spec, name) : NULL;
    if (found) return found;
  }
  return at->dclass;
}

static void openFrame(Place* at, const mjiElem* frame) {
  if (frame == at->frame) return;
  openFrame(at, keptFrame(frame->frame));
  mji_writeOpen(at->w, "frame");
  at->w->elem = frame;
  const char* name = at->seen[frame->id] ? "" : mji_elem_name(frame);
  if (*name) mji_writeText(at->w, "name", name);
  const char* childclass = mjs_getString(frame->as.frame.childclass);
  if (*childclass) mji_writeText(at->w, "childclass", childclass);
  at->seen[frame->id] = 1;
  at->frame = frame;
}

// close and open frames until this one is the innermost
static void goTo(Place* at, const mjiElem* frame) {
  frame = keptFrame(frame);
  while (at->frame && !isInside(frame, at->frame)) {
    mji_writeClose(at->w, "frame");
    at->frame = keptFrame(at->frame->frame);
  }
  openFrame(at, frame);
}

// ---- what a body carries

static void writeInertial(mjiWriter* w, const mjiElem* e) {
  const mjsBody* body = &e->as.body;
  int has = body->mass > 0 || e->kid[MJI_KID_GEOM].num;
  if (!body->explicitinertial && !w->spec->pub.compiler.saveinertial && !w->mixed) return;
  if (!body->explicitinertial && !has) return;
  mji_writeOpen(w, "inertial");
  mji_writeRows(w, mji_rowsInertial, body, mji_writeInitial(w, mjOBJ_BODY));
  mji_writeClose(w, "inertial");
}

static void writeJoint(mjiWriter* w, const mjiElem* e, const mjiElem* inherited) {
  const mjsJoint* joint = &e->as.joint;
  mjiBase initial = mji_writeInitial(w, mjOBJ_JOINT);

  // <freejoint> takes no attributes from classes: use it if the joint has initial values only
  mjsJoint plain = *joint;
  plain.type = mjJNT_HINGE;
  plain.group = 0;
  plain.limited = mjLIMITED_FALSE;
  if (joint->type == mjJNT_FREE && !mji_writeDiffers(w, mji_rowsJoint, &plain, initial)) {
    mji_writeOpen(w, "freejoint");
    w->elem = e;
    if (*mji_elem_name(e)) mji_writeText(w, "name", mji_elem_name(e));
    if (joint->group) mji_writeInts(w, "group", &joint->group, 1);
    mji_writeClose(w, "freejoint");
    return;
  }
  mji_writeBegin(w, "joint", e, inherited);
  mji_writeRows(w, mji_rowsJoint, joint, mji_writeBase(w, e));
  mji_writeClose(w, "joint");
}

// A primitive that was fitted to a mesh is written as such, to be fitted again, unless it was changed since.
static void unfit(const mjiElem* e, mjsGeom* geom) {
  const mjiFit* fit = e->info;
  int same = fit && !memcmp(fit->size, geom->size, sizeof fit->size);
  if (same) mji_elem_unfit(fit, geom->pos, geom->quat);
  else geom->meshname = NULL;
}

static void writeGeom(mjiWriter* w, const mjiElem* e, const mjiElem* inherited) {
  mjsGeom geom = e->as.geom;
  mjiBase base = mji_writeBase(w, e);
  if (*mjs_getString(geom.meshname) && geom.type != mjGEOM_MESH && geom.type != mjGEOM_SDF) unfit(e, &geom);

  // the sizes of meshes and height fields follow from the asset
  const mjsGeom* given = base.given;
  if (geom.meshname && (*mjs_getString(geom.meshname) || geom.type == mjGEOM_HFIELD))
    memcpy(geom.size, given->size, sizeof geom.size);
  mji_writeBegin(w, "geom", e, inherited);
  mji_writeRows(w, mji_rowsGeom, &geom, base);
  mji_writePlugin(w, &geom.plugin);
  mji_writeClose(w, "geom");
}

static void writeSite(mjiWriter* w, const mjiElem* e, const mjiElem* inherited) {
  mji_writeBegin(w, "site", e, inherited);
  mji_writeRows(w, mji_rowsSite, &e->as.site, mji_writeBase(w, e));
  mji_writeClose(w, "site");
}

void mji_writeCamera(mjiWriter* w, const mjsCamera* camera, mjiBase base) {
  mjsCamera copy = *camera, given = *(const mjsCamera*)base.given;
  const size_t two = sizeof given.sensor_size;
  int lens = memcmp(camera->sensor_size, given.sensor_size, two) ||
             memcmp(camera->focal_length, given.focal_length, two) ||
             memcmp(camera->focal_pixel, given.focal_pixel, two) ||
             memcmp(camera->principal_length, given.principal_length, two) ||
             memcmp(camera->principal_pixel, given.principal_pixel, two);
  base.given = &given;

  // the attributes of a lens need the sizes in length and pixels, and replace the field of view
  if (camera->sensor_size[0] > 0 && camera->sensor_size[1] > 0) copy.fovy = given.fovy;
  if (lens) given.sensor_size[0] = given.resolution[0] = -1;
  mji_writeRows(w, mji_rowsCamera, &copy, base);
}

static void addCamera(mjiWriter* w, const mjiElem* e, const mjiElem* inherited) {
  mji_writeBegin(w, "camera", e, inherited);
  mji_writeCamera(w, &e->as.camera, mji_writeBase(w, e));
  mji_writeClose(w, "camera");
}

static void writeLight(mjiWriter* w, const mjiElem* e, const mjiElem* inherited) {
  mji_writeBegin(w, "light", e, inherited);
  mji_writeRows(w, mji_rowsLight, &e->as.light, mji_writeBase(w, e));
  mji_writeClose(w, "light");
}

// ---- bodies

static void writeContent(mjiWriter* w, const mjiElem* body, const mjiElem* dclass);

static void writeBody(mjiWriter* w, const mjiElem* e, const mjiElem* inherited) {
  const char* childclass = mjs_getString(e->as.body.childclass);
  const mjiElem* dclass = *childclass ? mji_class_find(e->spec, childclass) : NULL;
  if (!dclass) dclass = inherited;
  mji_writeOpen(w, "body");
  w->elem = e;
  if (*mji_elem_name(e)) mji_writeText(w, "name", mji_elem_name(e));
  if (dclass != inherited) mji_writeText(w, "childclass", mji_elem_name(dclass));
  mji_writeRows(w, mji_rowsBody, &e->as.body, mji_writeInitial(w, mjOBJ_BODY));
  mji_writePlugin(w, &e->as.body.plugin);
  writeInertial(w, e);
  writeContent(w, e, dclass);
  mji_writeClose(w, "body");
}

static void writeContent(mjiWriter* w, const mjiElem* body, const mjiElem* dclass) {
  static const struct {
    mjiKid kid;
    void (*write)(mjiWriter* w, const mjiElem* e, const mjiElem* inherited);
  } kinds[] = {{MJI_KID_JOINT, writeJoint}, {MJI_KID_GEOM, writeGeom},   {MJI_KID_SITE, writeSite},
               {MJI_KID_CAMERA, addCamera}, {MJI_KID_LIGHT, writeLight}, {MJI_KID_BODY, writeBody}};
  const mjiVec* frames = body->kid + MJI_KID_FRAME;
  Place at = {w, body, dclass, NULL, mji_vec_alloc((size_t)frames->num + 1)};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const mjiVec* list = body->kid + kinds[k].kid;
    for (int i = 0; i < list->num; i++) {
      const mjiElem* e = mji_elem_at(list, i);
      goTo(&at, e->frame);
      kinds[k].write(w, e, classIn(&at, at.frame));
    }
  }

  // frames that hold nothing
  for (int i = 0; i < frames->num; i++) {
    const mjiElem* frame = mji_elem_at(frames, i);
    if (*mji_elem_name(frame) && !at.seen[i]) goTo(&at, frame);
  }
  goTo(&at, NULL);
  free(at.seen);
}

void mji_writeWorldBody(mjiWriter* w) {
  mji_writeOpen(w, "worldbody");
  writeContent(w, w->spec->world, w->spec->mainclass);
  w->elem = NULL;
  mji_writeClose(w, "worldbody");
}
