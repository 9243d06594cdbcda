// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Composite objects: bodies generated from a short description. Of the types that the format once
// had only the cable remains: a chain of bodies, one per segment of a curve. What it generates
// starts from initial values, not from those of default classes.

#include <stdio.h>
#include <string.h>

#include "mjcf/cable.h"
#include "spec/reset_element.h"

typedef enum { BALL, FREE, NONE } Initial;

// what all segments have in common
typedef struct {
  mjiCable cable;
  Initial initial;  // how the first segment moves
  const mjiXML *joint, *geom, *site;
  const mjsPlugin* plugin;  // instance that all segments share, NULL: none
} Composite;

// ---- names

static const char* join(mjiReader* r, const mjiXML* elem, const char* a, const char* b) {
  size_t size = strlen(a) + strlen(b) + 1;
  char* text = mji_readAlloc(r, elem, size);
  snprintf(text, size, "%s%s", a, b);
  return text;
}

const char* mji_cableName(mjiReader* r, const mjiCable* cable, const char* name) {
  return join(r, cable->elem, cable->prefix, name);
}

const char* mji_cablePart(mjiReader* r, const mjiCable* cable, char letter, int i) {
  char name[32];
  if (i == 0) snprintf(name, sizeof name, "%c_first", letter);
  else if (i == cable->npoint - 2) snprintf(name, sizeof name, "%c_last", letter);
  else snprintf(name, sizeof name, "%c_%d", letter, i);
  return mji_cableName(r, cable, name);
}

static void settle(mjiReader* r, const Composite* c, mjsElement* element, mjString* info, const char* name) {
  mji_readIdentity(r, c->cable.elem, element, info);
  if (mjs_setName(element, name)) mji_readFailSpec(r, c->cable.elem);
}

// ---- what a segment has

static double length(const mjiCable* cable, int i) {
  double edge[3];
  mji_cableEdge(cable, i, edge);
  return mju_norm3(edge);
}

static void addJoint(mjiReader* r, const Composite* c, mjsBody* body, int i) {
  if (i == 0 && c->initial == NONE) return;
  mjsJoint* joint = mjs_addJoint(body, NULL);
  mji_elem_reset(joint->element);
  settle(r, c, joint->element, joint->info, mji_cablePart(r, &c->cable, 'J', i));
  joint->group = 3;
  if (c->joint) mji_readRows(r, c->joint, mji_rowsCableJoint, joint);
  joint->type = mjJNT_BALL;
  if (i || c->initial != FREE) return;

  // the first segment is pushed around freely
  joint->type = mjJNT_FREE;
  joint->limited = mjLIMITED_FALSE;
  joint->damping = joint->armature = joint->frictionloss = 0;
}

// type of the geoms, which also says whether there is a skin
static mjtGeom readGeomType(mjiReader* r, const Composite* c, double size[3]) {
  mjsGeom geom = {0};
  static const mjiAttrRow rows[] = {
      ROW_WORD(type, mjiWORD, mji_wordsGeom, mjsGeom, type), ROW_UPTO(size, mjiNUM, 3, mjsGeom, size), {0}};
  geom.type = mjGEOM_SPHERE;
  if (c->geom) mji_readRows(r, c->geom, rows, &geom);
  if (geom.type != mjGEOM_CAPSULE && geom.type != mjGEOM_CYLINDER && geom.type != mjGEOM_BOX)
    mji_readFail(r, c->geom ? c->geom : c->cable.elem, "the geoms of a cable must be capsules, cylinders or boxes");
  mju_copy3(size, geom.size);
  return geom.type;
}

static void addGeom(mjiReader* r, const Composite* c, mjsBody* body, int i) {
  char name[32];
  snprintf(name, sizeof name, "G%d", i);
  mjsGeom* geom = mjs_addGeom(body, NULL);
  mji_elem_reset(geom->element);
  settle(r, c, geom->element, geom->info, mji_cableName(r, &c->cable, name));
  mji_readRows(r, c->geom, mji_rowsCableGeom, geom);

  // along the segment
  double along = length(&c->cable, i);
  if (geom->type == mjGEOM_BOX) {
    geom->pos[0] = geom->size[0] = along / 2;
  } else {
    mju_zero(geom->fromto, 6);
    geom->fromto[3] = along;
  }
}

static void addSite(mjiReader* r, const Composite* c, mjsBody* body, int i, double x) {
  mjsSite* site = mjs_addSite(body, NULL);
  mji_elem_reset(site->element);
  settle(r, c, site->element, site->info, mji_cablePart(r, &c->cable, 'S', i));
  site->group = 3;
  if (c->site) mji_readRows(r, c->site, mji_rowsCableSite, site);
  site->pos[0] = x;
}

// neighbours overlap and must not collide
static void addExclude(mjiReader* r, const Composite* c, int i) {
  mjsExclude* exclude = mjs_addExclude(r->spec);
  mji_readIdentity(r, c->cable.elem, exclude->element, exclude->info);
  mjs_setString(exclude->bodyname1, mji_cablePart(r, &c->cable, 'B', i));
  mjs_setString(exclude->bodyname2, mji_cablePart(r, &c->cable, 'B', i + 1));
}

// ---- the cable

static void addCable(mjiReader* r, const Composite* c, mjsBody* body, mjsFrame* frame) {
  const mjiCable* cable = &c->cable;
  int n = cable->npoint - 1;
  double offset[3] = {0};
  mji_readNums(r, cable->elem, "offset", offset, 3, 3);
  for (int i = 0; i < n; i++) {
    body = mjs_addBody(body, NULL);
    if (!body) mji_readFailSpec(r, cable->elem);
    settle(r, c, body->element, body->info, mji_cablePart(r, cable, 'B', i));
    if (i) {
      // relative to the segment before
      double back[4];
      body->pos[0] = length(cable, i - 1);
      mju_negQuat(back, cable->quat[i - 1]);
      mju_mulQuat(body->quat, back, cable->quat[i]);
    } else {
      if (frame) mjs_setFrame(body->element, frame);
      for (int k = 0; k < 3; k++) body->pos[k] = offset[k] + cable->point[0][k];
      mju_copy4(body->quat, cable->quat[0]);
    }
    mji_usePlugin(body, c->plugin);
    addGeom(r, c, body, i);
    addJoint(r, c, body, i);
    if (i == n - 1) addSite(r, c, body, i, length(cable, i));
    else if (i == 0) addSite(r, c, body, i, 0);
    if (i + 1 < n) addExclude(r, c, i);
  }
}

// refuse types that only older versions of the format had
static void readType(mjiReader* r, const mjiXML* elem) {
  static const char* const gone[] = {"particle", "grid", "rope", "loop", "cloth"};
  const char* type = mji_readText(r, elem, "type", 1);
  for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
    if (!strcmp(type, gone[i]))
      mji_readFail(r, elem, "type '%s' is no longer part of the format, only 'cable' is", type);
  if (strcmp(type, "cable")) mji_readFail(r, elem, "invalid keyword '%.64s' in attribute 'type'", type);
}

static void readParts(mjiReader* r, Composite* c) {
  const mjiXML* elem = c->cable.elem;
  const mjiXML* plugin = mji_xmlChild(elem, "plugin");
  if (plugin) c->plugin = mji_readSharedPlugin(r, plugin, join(r, elem, "composite", c->cable.prefix));
  c->geom = mji_xmlChild(elem, "geom");
  c->site = mji_xmlChild(elem, "site");
  c->joint = mji_xmlChild(elem, "joint");
  if (!c->joint) return;

  const mjiXML* other = mji_xmlNext(c->joint);
  if (other) mji_readFail(r, other, "a cable has one kind of joint");
  const char* kind = mji_readText(r, c->joint, "kind", 1);
  if (strcmp(kind, "main")) mji_readFail(r, c->joint, "invalid keyword '%.64s' in attribute 'kind'", kind);

  // attributes of types that are gone: they are checked, and have no effect
  double unused[mjNIMP];
  mji_readNums(r, c->joint, "solreffix", unused, 0, mjNREF);
  mji_readNums(r, c->joint, "solimpfix", unused, 0, mjNIMP);
}

static Initial readInitial(const mjiXML* elem) {
  const char* text = mji_xmlAttr(elem, "initial");
  if (!text) return BALL;
  return !strcmp(text, "free") ? FREE : !strcmp(text, "none") ? NONE : BALL;
}

void mji_readComposite(mjiReader* r, const mjiXML* elem, mjsBody* body, mjsFrame* frame) {
  const char* prefix = mji_xmlAttr(elem, "prefix");
  Composite c = {.cable = {.elem = elem, .prefix = prefix ? prefix : ""}, .initial = readInitial(elem)};
  readType(r, elem);
  readParts(r, &c);
  mjtGeom type = readGeomType(r, &c, c.cable.size);
  mji_cablePath(r, &c.cable);

  // in shorter cables the names of neighbours and bones would not fit together
  if (c.cable.npoint == 3 || (c.cable.npoint == 2 && type == mjGEOM_BOX))
    mji_readFail(r, elem, "a cable needs 2 points without a skin, or 4 and more; got %d", c.cable.npoint);
  addCable(r, &c, body, frame);
  const mjiXML* skin = mji_xmlChild(elem, "skin");
  if (type == mjGEOM_BOX) mji_cableSkin(r, &c.cable, skin);
  else if (skin) mji_cableNoSkin(r, skin);

  // a note for programs that look for cables
  mjsText* text = mjs_addText(r->spec);
  settle(r, &c, text->element, text->info, join(r, elem, "composite_", c.cable.prefix));
  mjs_setString(text->data, join(r, elem, "rope_", c.cable.prefix));
}
