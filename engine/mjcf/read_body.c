// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The kinematic tree. A place in it is a body, the innermost frame around (or NULL), and the
// default class that elements without a class get.

#include <stdio.h>
#include <string.h>

#include "mjcf/read.h"
#include "spec/element.h"
#include "spec/keyframe.h"

typedef struct {
  mjsBody* body;
  mjsFrame* frame;
  const mjsDefault* def;
  int world;
} Place;

static void readChildren(mjiReader* r, const mjiXML* elem, Place at);

// element of a place: name it, note its line, put it into the frame
static void settle(mjiReader* r, const mjiXML* e, Place at, mjsElement* element, mjString* info) {
  mji_readIdentity(r, e, element, info);
  if (at.frame) mjs_setFrame(element, at.frame);
}

// ---- what a body carries

void mji_readJoint(mjiReader* r, const mjiXML* elem, mjsJoint* joint) { mji_readRows(r, elem, mji_rowsJoint, joint); }

void mji_readGeom(mjiReader* r, const mjiXML* elem, mjsGeom* geom) {
  mji_readRows(r, elem, mji_rowsGeom, geom);
  const mjiXML* plugin = mji_xmlChild(elem, "plugin");
  if (plugin) mji_readPlugin(r, plugin, &geom->plugin);
}

void mji_readCamera(mjiReader* r, const mjiXML* elem, mjsCamera* camera) {
  const mjsCamera before = *camera;
  mji_readRows(r, elem, mji_rowsCamera, camera);

  // A length in the document has no effect beside the same in pixels. One from the class stays, and then the compiler
  // refuses both together.
  if (mji_readGiven(elem, "focalpixel")) memcpy(camera->focal_length, before.focal_length, sizeof before.focal_length);
  if (mji_readGiven(elem, "principalpixel"))
    memcpy(camera->principal_length, before.principal_length, sizeof before.principal_length);

  // any attribute of the lens needs sensorsize and resolution, and excludes fovy
  static const char* const lens[] = {"sensorsize", "focal", "focalpixel", "principal", "principalpixel"};
  int given = 0;
  for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) given += mji_readGiven(elem, lens[i]);
  if (!given) return;
  mji_readText(r, elem, "sensorsize", 1);
  mji_readText(r, elem, "resolution", 1);
  if (mji_readGiven(elem, "fovy")) mji_readFail(r, elem, "fovy and sensorsize cannot both be given");
}

void mji_readLight(mjiReader* r, const mjiXML* elem, mjsLight* light) {
  mji_readRows(r, elem, mji_rowsLight, light);
  if (!mji_xmlAttr(elem, "directional")) return;
  if (mji_xmlAttr(elem, "type")) mji_readFail(r, elem, "type and directional cannot both be given");
  light->type = mji_readWord(r, elem, "directional", mji_wordsBool, 0) ? mjLIGHT_DIRECTIONAL : mjLIGHT_SPOT;
}

static void addJoint(mjiReader* r, const mjiXML* e, Place at) {
  if (at.world) mji_readFail(r, e, "the world does not move, so it has no joints");
  mjsJoint* joint = mjs_addJoint(at.body, mji_readClass(r, e, "class", at.def));
  settle(r, e, at, joint->element, joint->info);
  mji_readJoint(r, e, joint);
}

static void addFreeJoint(mjiReader* r, const mjiXML* e, Place at) {
  if (at.world) mji_readFail(r, e, "the world does not move, so it has no joints");
  mjsJoint* joint = mjs_addFreeJoint(at.body);
  if (at.def) mjs_setDefault(joint->element, at.def);  // for those who ask: it has no values from the class
  settle(r, e, at, joint->element, joint->info);
  mji_readRows(r, e, mji_rowsFreeJoint, joint);
}

static void addGeom(mjiReader* r, const mjiXML* e, Place at) {
  mjsGeom* geom = mjs_addGeom(at.body, mji_readClass(r, e, "class", at.def));
  settle(r, e, at, geom->element, geom->info);
  mji_readGeom(r, e, geom);
}

static void addSite(mjiReader* r, const mjiXML* e, Place at) {
  mjsSite* site = mjs_addSite(at.body, mji_readClass(r, e, "class", at.def));
  settle(r, e, at, site->element, site->info);
  mji_readRows(r, e, mji_rowsSite, site);
}

static void addCamera(mjiReader* r, const mjiXML* e, Place at) {
  mjsCamera* camera = mjs_addCamera(at.body, mji_readClass(r, e, "class", at.def));
  settle(r, e, at, camera->element, camera->info);
  mji_readCamera(r, e, camera);
}

static void addLight(mjiReader* r, const mjiXML* e, Place at) {
  mjsLight* light = mjs_addLight(at.body, mji_readClass(r, e, "class", at.def));
  settle(r, e, at, light->element, light->info);
  mji_readLight(r, e, light);
}

static void readInertial(mjiReader* r, const mjiXML* e, Place at) {
  // Directly inside of <replicate> the body is a temporary one (readReplicate): inertia is allowed there, without
  // effect.
  if (at.body == mjs_findBody(r->spec, "world")) mji_readFail(r, e, "the world has no inertia");
  at.body->explicitinertial = 1;
  mji_readRows(r, e, mji_rowsInertial, at.body);
  if (!mji_readGiven(e, "fullinertia")) return;

  // A full matrix contains the orientation, so no other may be given. An empty quat counts as given, other empty
  // attributes do not.
  static const char* const other[] = {"axisangle", "xyaxes", "zaxis", "euler"};
  if (mji_xmlAttr(e, "quat")) mji_readFail(r, e, "fullinertia and quat cannot both be given");
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    if (mji_readGiven(e, other[i])) mji_readFail(r, e, "fullinertia and %s cannot both be given", other[i]);
}

// ---- places inside a place

static void addBody(mjiReader* r, const mjiXML* e, Place at) {
  const mjsDefault* def = mji_readClass(r, e, "childclass", at.def);
  mjsBody* body = mjs_addBody(at.body, at.def);
  if (!body) mji_readFailSpec(r, e);
  settle(r, e, at, body->element, body->info);
  mji_readRows(r, e, mji_rowsBody, body);
  const char* childclass = mji_xmlAttr(e, "childclass");
  if (childclass) {
    mjs_setString(body->childclass, childclass);
    mjs_setDefault(body->element, def);
  }
  readChildren(r, e, (Place){body, NULL, def, 0});
}

static void addFrame(mjiReader* r, const mjiXML* e, Place at) {
  const mjsDefault* def = mji_readClass(r, e, "childclass", at.def);
  mjsFrame* frame = mjs_addFrame(at.body, at.frame);
  mji_readIdentity(r, e, frame->element, frame->info);
  mji_readRows(r, e, mji_rowsFrame, frame);
  const char* childclass = mji_xmlAttr(e, "childclass");
  if (childclass) mjs_setString(frame->childclass, childclass);
  readChildren(r, e, (Place){at.body, frame, def, at.world});
}

// rotation of the i-th copy: its angles are i times the given ones
static void turn(const mjiReader* r, const double euler[3], int i, double quat[4]) {
  mjsOrientation alt;
  mjs_defaultOrientation(&alt);
  alt.type = mjORIENTATION_EULER;
  mju_scl3(alt.euler, euler, i);
  const mjsCompiler* c = &r->spec->compiler;

  // as in the reference, a wrong letter in eulerseq is no error here: it ends the rotation
  mjs_resolveOrientation(quat, c->degree, c->eulerseq, &alt);
}

// the number of elements that an element becomes once all replicates below it are expanded
static double countExpanded(mjiReader* r, const mjiXML* e) {
  double n = 1;
  for (const mjiXML* c = e->first; c; c = c->next) n += countExpanded(r, c);
  return strcmp(e->name, "replicate") ? n : n * mji_readInt(r, e, "count", 0);
}

// A copy visits all elements there are, and the numbers of keyframes that were attached, so a short text could ask
// for endless work. guest: the model that is attached, NULL for a replica.
static void limitCopies(mjiReader* r, const mjiXML* e, const mjSpec* guest) {
  const mjiSpec* s = mji_spec(r->spec);
  int64_t total = s->frames.num, keyed = mji_key_countShares(s) + (guest ? mji_key_countShares(mji_spec(guest)) : 0);
  for (int type = 0; type < mjNOBJECT; type++) total += s->list[type].num;
  r->visited += total + keyed;
  if (total > mjiMAX_COPIES || r->visited > mjiMAX_VISITED)
    mji_readFail(r, e, "more than %d elements, or too many copies of them", mjiMAX_COPIES);
  if (keyed > mjiMAX_KEYED) mji_readFail(r, e, "keyframes of attached models have more than %d numbers", mjiMAX_KEYED);
}

// <replicate>: copies of a subtree, in frames that move and turn from one copy to the next
static void readReplicate(mjiReader* r, const mjiXML* e, Place at) {
  int count = mji_readInt(r, e, "count", 0);
  if (countExpanded(r, e) > mjiMAX_COPIES) mji_readFail(r, e, "would make more than %d elements", mjiMAX_COPIES);
  double offset[3] = {0}, euler[3] = {0};
  mji_readNums(r, e, "offset", offset, 3, 3);
  mji_readNums(r, e, "euler", euler, 3, 3);
  const char* sep = mji_xmlAttr(e, "sep");
  if (sep && strlen(sep) > mjiMAX_NAME) mji_readFail(r, e, "sep too long");
  const mjsDefault* def = mji_readClass(r, e, "childclass", at.def);

  // read the subtree once, into a frame of a temporary body, which is deleted when all copies are attached
  mjsBody* beside = mjs_addBody(at.body, at.def);
  mjsFrame* subtree = mjs_addFrame(beside, NULL);
  readChildren(r, e, (Place){beside, subtree, def, at.world});

  int digits = snprintf(NULL, 0, "%d", count > 0 ? count - 1 : 0);
  double pos[3] = {0}, step[3];
  for (int i = 0; i < count; i++) {
    char suffix[mjiMAX_NAME + 16];
    snprintf(suffix, sizeof suffix, "%s%0*d", sep ? sep : "", digits, i);
    mju_copy3(subtree->pos, pos);
    turn(r, euler, i, subtree->quat);
    mju_rotVecQuat(step, offset, subtree->quat);
    mju_addTo3(pos, step);
    limitCopies(r, e, NULL);
    mjsElement* copy = mjs_attach(at.body->element, subtree->element, "", suffix);
    if (!copy) mji_readFailSpec(r, e);
    if (at.frame) mjs_setFrame(copy, at.frame);
  }
  limitCopies(r, e, NULL);
  if (mjs_delete(r->spec, beside->element)) mji_readFailSpec(r, e);
}

// <attach>: a body of another model, or everything in that model
static void readAttach(mjiReader* r, const mjiXML* e, Place at) {
  const char* prefix = mji_xmlAttr(e, "prefix");
  const char* modelname = mji_readText(r, e, "model", 1);
  const char* bodyname = mji_xmlAttr(e, "body");
  mjsFrame* frame = at.frame ? at.frame : mjs_addFrame(at.body, NULL);

  // As in the reference, a body that has this name already is not attached again but moves into the frame. Without a
  // name that is the first body without one.
  char name[2 * mjiMAX_NAME];
  int n = snprintf(name, sizeof name, "%s%s", prefix, bodyname ? bodyname : "");
  mjsBody* there = n < (int)sizeof name ? mjs_findBody(r->spec, name) : NULL;
  if (there) {
    if (mjs_setFrame(there->element, frame)) mji_readFailSpec(r, e);
    return;
  }
  mjSpec* model = NULL;
  for (int i = 0; i < r->nmodel && !model; i++)
    if (!strcmp(mjs_getString(r->model[i]->modelname), modelname)) model = r->model[i];
  if (!model) mji_readFail(r, e, "model '%s' not found", modelname);

  mjsElement* child = model->element;
  if (bodyname && *bodyname) {
    mjsBody* body = mjs_findBody(model, bodyname);
    if (!body) mji_readFail(r, e, "body '%s' not found in model '%s'", bodyname, modelname);
    child = body->element;
  }
  limitCopies(r, e, model);
  int nkey = mji_spec(r->spec)->list[mjOBJ_KEY].num;
  if (!mjs_attach(frame->element, child, prefix, "")) mji_readFailSpec(r, e);
  r->nattachedkey += mji_spec(r->spec)->list[mjOBJ_KEY].num - nkey;
}

// ---- dispatch

static void readPlugin(mjiReader* r, const mjiXML* e, Place at) {
  if (at.body->plugin.active) mji_readFail(r, e, "a body has one plugin");
  mji_readPlugin(r, e, &at.body->plugin);
}

static void addFlexcomp(mjiReader* r, const mjiXML* e, Place at) {
  mji_readFlexcomp(r, e, at.body, at.frame);
  limitCopies(r, e, NULL);
}

static void addComposite(mjiReader* r, const mjiXML* e, Place at) {
  mji_readComposite(r, e, at.body, at.frame);
  limitCopies(r, e, NULL);
}

static const struct {
  const char* name;
  void (*read)(mjiReader* r, const mjiXML* e, Place at);
} readers[] = {
    {"body", addBody},           {"frame", addFrame},
    {"geom", addGeom},           {"joint", addJoint},
    {"freejoint", addFreeJoint}, {"site", addSite},
    {"inertial", readInertial},  {"camera", addCamera},
    {"light", addLight},         {"replicate", readReplicate},
    {"attach", readAttach},      {"composite", addComposite},
    {"plugin", readPlugin},      {"flexcomp", addFlexcomp},
};

static void readChildren(mjiReader* r, const mjiXML* elem, Place at) {
  for (const mjiXML* c = elem->first; c; c = c->next)
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
      if (!strcmp(readers[i].name, c->name)) readers[i].read(r, c, at);
}

void mji_readWorldBody(mjiReader* r, const mjiXML* section) {
  if (section->nattr) mji_readFail(r, section, "the world has no attributes");
  mjsBody* world = mjs_findBody(r->spec, "world");
  readChildren(r, section, (Place){world, NULL, mjs_getSpecDefault(r->spec), 1});
}
