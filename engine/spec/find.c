// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Finding elements and walking over them.

#include <string.h>

#include "spec/element.h"

mjSpec* mjs_getSpec(mjsElement* element) { return &mji_elem(element)->spec->pub; }

mjSpec* mjs_findSpec(mjSpec* spec, const char* name) {
  const mjiVec* attached = &mji_spec(spec)->attached;
  for (int i = 0; i < attached->num; i++) {
    mjSpec* child = mji_vec_get(attached, i);
    if (!strcmp(mjs_getString(child->modelname), name)) return child;
  }
  return NULL;
}

mjsElement* mjs_findElement(mjSpec* s, mjtObj type, const char* name) {
  mjiSpec* spec = mji_spec(s);
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  const mjiVec* list = type == mjOBJ_DEFAULT ? NULL : mji_spec_list(spec, type);
  if (list && *name) {
    mjiElem* e = mji_index_find(spec, type, name);
    return e ? &e->head : NULL;
  }
  for (int i = 0; list && i < list->num; i++) {
    mjiElem* e = mji_elem_at(list, i);
    if (!strcmp(mji_elem_name(e), name)) return &e->head;
  }
  return NULL;
}

mjsBody* mjs_findBody(mjSpec* s, const char* name) { return mjs_asBody(mjs_findElement(s, mjOBJ_BODY, name)); }

mjsFrame* mjs_findFrame(mjSpec* s, const char* name) { return mjs_asFrame(mjs_findElement(s, mjOBJ_FRAME, name)); }

// body of this name below another one
static mjiElem* findBelow(mjiElem* body, const char* name) {
  const mjiVec* kids = body->kid + MJI_KID_BODY;
  for (int i = 0; i < kids->num; i++) {
    mjiElem* kid = mji_elem_at(kids, i);
    if (!strcmp(mji_elem_name(kid), name)) return kid;
    mjiElem* below = findBelow(kid, name);
    if (below) return below;
  }
  return NULL;
}

// the body itself counts
mjsBody* mjs_findChild(mjsBody* body, const char* name) {
  mjiElem* top = mji_elem(body->element);
  mjiElem* e = strcmp(mji_elem_name(top), name) ? findBelow(top, name) : top;
  return e ? &e->as.body : NULL;
}

mjsBody* mjs_getParent(mjsElement* element) {
  mjiElem* e = mji_elem(element);
  if (mji_elem_kid(e->head.elemtype) < 0 || !e->parent) return NULL;
  return &e->parent->as.body;
}

// elements in the tree have no id from an addition to it until the next compilation or deletion
int mjs_getId(mjsElement* element) {
  if (!element || element->elemtype == mjOBJ_FRAME) return -1;
  mjiElem* e = mji_elem(element);
  if (mji_elem_kid(element->elemtype) < 0 || e == e->spec->world) return e->id;
  if (e->spec->numbered == MJI_UNNUMBERED) return -1;
  if (e->spec->numbered == MJI_RENUMBER) mji_spec_reorder(e->spec);
  return e->id;
}

// ---- walking

// bodies come before what is below them, other elements in order of their bodies
static mjiElem* firstBelow(mjiElem* body, int kid, int recurse) {
  if (body->kid[kid].num) return mji_elem_at(body->kid + kid, 0);
  if (!recurse || kid == MJI_KID_BODY) return NULL;
  const mjiVec* bodies = body->kid + MJI_KID_BODY;
  for (int i = 0; i < bodies->num; i++) {
    mjiElem* found = firstBelow(mji_elem_at(bodies, i), kid, 1);
    if (found) return found;
  }
  return NULL;
}

static int indexOf(const mjiVec* list, const mjiElem* e) {
  for (int i = 0; i < list->num; i++) {
    if (mji_elem_at(list, i) == e) return i;
  }
  return -1;
}

// first element in the bodies after `done`, inside the subtree of top
static mjiElem* firstAfter(mjiElem* top, mjiElem* done, int kid) {
  while (done != top) {
    const mjiVec* siblings = done->parent->kid + MJI_KID_BODY;
    for (int i = indexOf(siblings, done) + 1; i < siblings->num; i++) {
      mjiElem* body = mji_elem_at(siblings, i);
      if (kid == MJI_KID_BODY) return body;
      mjiElem* found = firstBelow(body, kid, 1);
      if (found) return found;
    }
    done = done->parent;
  }
  return NULL;
}

static mjiElem* nextBelow(mjiElem* top, mjiElem* e, int kid, int recurse) {
  const mjiVec* siblings = e->parent->kid + kid;
  if (kid == MJI_KID_BODY && recurse) {
    return e->kid[kid].num ? mji_elem_at(e->kid + kid, 0) : firstAfter(top, e, kid);
  }
  int next = indexOf(siblings, e) + 1;
  if (next < siblings->num) return mji_elem_at(siblings, next);
  if (!recurse) return NULL;

  // what is below the same body, then the bodies after it
  const mjiVec* bodies = e->parent->kid + MJI_KID_BODY;
  for (int i = 0; i < bodies->num; i++) {
    mjiElem* found = firstBelow(mji_elem_at(bodies, i), kid, 1);
    if (found) return found;
  }
  return firstAfter(top, e->parent, kid);
}

// list of a body for elements of the type; no list is an error
static int kidOf(const mjsBody* body, mjtObj type) {
  int kid = mji_elem_kid(type);
  const mjiElem* e = mji_elem(body->element);
  if (kid < 0) mji_spec_error(e->spec, e, "bodies hold no elements of type %d", (int)type);
  return kid;
}

mjsElement* mjs_firstChild(mjsBody* body, mjtObj type, int recurse) {
  int kid = kidOf(body, type);
  mjiElem* e = kid < 0 ? NULL : firstBelow(mji_elem(body->element), kid, recurse);
  return e ? &e->head : NULL;
}

// is the element in the body, or below it?
static int holds(const mjiElem* body, const mjiElem* e) {
  const mjiElem* up = e->parent;
  while (up && up != body) up = up->parent;
  return up != NULL;
}

mjsElement* mjs_nextChild(mjsBody* body, mjsElement* child, int recurse) {
  int kid = kidOf(body, child->elemtype);
  mjiElem* top = mji_elem(body->element);
  if (kid < 0 || !holds(top, mji_elem(child))) return NULL;
  mjiElem* e = nextBelow(top, mji_elem(child), kid, recurse);
  return e ? &e->head : NULL;
}

mjsElement* mjs_firstElement(mjSpec* s, mjtObj type) {
  mjiSpec* spec = mji_spec(s);
  if (type == mjOBJ_XBODY) return NULL;
  if (type == mjOBJ_BODY) return &spec->world->head;
  if (mji_elem_kid(type) >= 0) return mjs_firstChild(&spec->world->as.body, type, 1);
  const mjiVec* list = type == mjOBJ_DEFAULT ? NULL : mji_spec_list(spec, type);
  return list && list->num ? &mji_elem_at(list, 0)->head : NULL;
}

mjsElement* mjs_nextElement(mjSpec* s, mjsElement* element) {
  mjiSpec* spec = mji_spec(s);
  mjiElem* e = mji_elem(element);
  if (e == spec->world) return mjs_firstChild(&spec->world->as.body, mjOBJ_BODY, 1);
  if (mji_elem_kid(element->elemtype) >= 0) {
    return mjs_nextChild(&spec->world->as.body, element, 1);
  }
  const mjiVec* list = mji_spec_list(spec, element->elemtype);
  int next = list ? indexOf(list, e) + 1 : 0;
  return next > 0 && next < list->num ? &mji_elem_at(list, next)->head : NULL;
}

// ---- paths of tendons

int mjs_getWrapNum(const mjsTendon* tendonspec) { return mji_elem(tendonspec->element)->list.num; }

mjsWrap* mjs_getWrap(const mjsTendon* tendonspec, int i) {
  const mjiVec* list = &mji_elem(tendonspec->element)->list;
  if (i < 0 || i >= list->num) mju_error("mjs_getWrap: there is no element %d in a path of %d", i, list->num);
  return &mji_elem_at(list, i)->as.wrap;
}

mjsElement* mjs_getWrapTarget(mjsWrap* wrap) {
  mjiElem* e = mji_elem(wrap->element);
  if (wrap->type == mjWRAP_PULLEY) return NULL;
  mjtObj type = wrap->type == mjWRAP_JOINT ? mjOBJ_JOINT : wrap->type == mjWRAP_SITE ? mjOBJ_SITE : mjOBJ_GEOM;
  return mjs_findElement(&e->spec->pub, type, mji_vec_text(&e->wrap->target));
}

mjsSite* mjs_getWrapSideSite(mjsWrap* wrap) {
  mjiElem* e = mji_elem(wrap->element);
  const char* name = mji_vec_text(&e->wrap->sidesite);
  if (!*name) return NULL;
  mjsElement* site = mjs_findElement(&e->spec->pub, mjOBJ_SITE, name);
  if (!site) mju_warning("there is no site '%.200s' to pass by", name);
  return mjs_asSite(site);
}

// the number of a wrap if it is of the type that has one; else 1, with a warning
static double wrapNumber(const mjsWrap* wrap, mjtWrap type, const char* what) {
  if (wrap->type == type) return mji_elem(wrap->element)->wrap->prm;
  mju_warning("this element of a path has no %s", what);
  return 1;
}

double mjs_getWrapDivisor(mjsWrap* wrap) { return wrapNumber(wrap, mjWRAP_PULLEY, "divisor"); }

double mjs_getWrapCoef(mjsWrap* wrap) { return wrapNumber(wrap, mjWRAP_JOINT, "coefficient"); }

// ---- from an element to its public struct, null if it is of another type

#define CAST(Type, member, object)                              \
  mjs##Type* mjs_as##Type(mjsElement* element) {                \
    if (!element || element->elemtype != (object)) return NULL; \
    return &mji_elem(element)->as.member;                       \
  }

CAST(Body, body, mjOBJ_BODY)
CAST(Geom, geom, mjOBJ_GEOM)
CAST(Joint, joint, mjOBJ_JOINT)
CAST(Site, site, mjOBJ_SITE)
CAST(Camera, camera, mjOBJ_CAMERA)
CAST(Light, light, mjOBJ_LIGHT)
CAST(Frame, frame, mjOBJ_FRAME)
CAST(Actuator, actuator, mjOBJ_ACTUATOR)
CAST(Sensor, sensor, mjOBJ_SENSOR)
CAST(Flex, flex, mjOBJ_FLEX)
CAST(Pair, pair, mjOBJ_PAIR)
CAST(Equality, equality, mjOBJ_EQUALITY)
CAST(Exclude, exclude, mjOBJ_EXCLUDE)
CAST(Tendon, tendon, mjOBJ_TENDON)
CAST(Numeric, numeric, mjOBJ_NUMERIC)
CAST(Text, text, mjOBJ_TEXT)
CAST(Tuple, tuple, mjOBJ_TUPLE)
CAST(Key, key, mjOBJ_KEY)
CAST(Mesh, mesh, mjOBJ_MESH)
CAST(HField, hfield, mjOBJ_HFIELD)
CAST(Skin, skin, mjOBJ_SKIN)
CAST(Texture, texture, mjOBJ_TEXTURE)
CAST(Material, material, mjOBJ_MATERIAL)
CAST(Plugin, plugin, mjOBJ_PLUGIN)
