// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Adding elements, to bodies and to the specification.

#include "spec/element.h"
#include "spec/reset_element.h"

// new element with the initial values of a default class
static mjiElem* makeFrom(mjiSpec* s, mjtObj type, mjiElem* dclass) {
  mjiElem* e = mji_elem_make(s, type);
  mjiElem* values = mji_class_values(dclass, type);
  if (values) mji_elem_copyFields(e, values);
  e->dclass = dclass;
  return e;
}

static mjiElem* addToBody(mjsBody* body, mjtObj type, const mjsDefault* def) {
  mjiElem* parent = mji_elem(body->element);
  mjiSpec* s = parent->spec;
  mjiElem* e = makeFrom(s, type, def ? mji_elem(def->element) : mji_class_inherited(parent));
  mjiVec* list = mji_spec_list(s, type);
  s->numbered = MJI_UNNUMBERED;
  e->parent = parent;
  e->id = type == mjOBJ_BODY ? -1 : list->num;
  mji_vec_push(parent->kid + mji_elem_kid(type), e);
  mji_vec_push(list, e);
  mji_spec_signAdded(s, type);
  return e;
}

static mjiElem* addToSpec(mjSpec* spec, mjtObj type, const mjsDefault* def) {
  mjiSpec* s = mji_spec(spec);
  mjiElem* e = makeFrom(s, type, def ? mji_elem(def->element) : s->mainclass);
  e->id = s->list[type].num;
  mji_vec_push(s->list + type, e);
  mji_spec_signAdded(s, type);
  return e;
}

// ---- elements of the tree

mjsBody* mjs_addBody(mjsBody* body, const mjsDefault* def) {
  mjiElem* e = addToBody(body, mjOBJ_BODY, def);
  mjs_setString(e->as.body.childclass, mji_elem_name(e->dclass));
  return &e->as.body;
}

mjsSite* mjs_addSite(mjsBody* body, const mjsDefault* def) { return &addToBody(body, mjOBJ_SITE, def)->as.site; }

mjsJoint* mjs_addJoint(mjsBody* body, const mjsDefault* def) { return &addToBody(body, mjOBJ_JOINT, def)->as.joint; }

// a free joint ignores the default class: springs and dampers of hinges are not meant for it
mjsJoint* mjs_addFreeJoint(mjsBody* body) {
  mjiElem* e = addToBody(body, mjOBJ_JOINT, NULL);
  mji_elem_reset(&e->head);
  e->dclass = e->spec->mainclass;
  e->as.joint.type = mjJNT_FREE;
  return &e->as.joint;
}

mjsGeom* mjs_addGeom(mjsBody* body, const mjsDefault* def) { return &addToBody(body, mjOBJ_GEOM, def)->as.geom; }

mjsCamera* mjs_addCamera(mjsBody* body, const mjsDefault* def) {
  return &addToBody(body, mjOBJ_CAMERA, def)->as.camera;
}

mjsLight* mjs_addLight(mjsBody* body, const mjsDefault* def) { return &addToBody(body, mjOBJ_LIGHT, def)->as.light; }

mjsFrame* mjs_addFrame(mjsBody* body, mjsFrame* parentframe) {
  const mjiElem* parent = mji_elem(body->element);
  if (parentframe && mji_elem(parentframe->element)->parent != parent) {
    mji_spec_error(parent->spec, parent, "the frame around a new frame belongs to another body");
    return NULL;
  }
  mjiElem* e = addToBody(body, mjOBJ_FRAME, NULL);
  e->frame = parentframe ? mji_elem(parentframe->element) : NULL;
  return &e->as.frame;
}

// ---- elements of the specification

mjsActuator* mjs_addActuator(mjSpec* s, const mjsDefault* def) {
  return &addToSpec(s, mjOBJ_ACTUATOR, def)->as.actuator;
}

mjsSensor* mjs_addSensor(mjSpec* s) { return &addToSpec(s, mjOBJ_SENSOR, NULL)->as.sensor; }

mjsFlex* mjs_addFlex(mjSpec* s) { return &addToSpec(s, mjOBJ_FLEX, NULL)->as.flex; }

mjsPair* mjs_addPair(mjSpec* s, const mjsDefault* def) { return &addToSpec(s, mjOBJ_PAIR, def)->as.pair; }

mjsExclude* mjs_addExclude(mjSpec* s) { return &addToSpec(s, mjOBJ_EXCLUDE, NULL)->as.exclude; }

mjsEquality* mjs_addEquality(mjSpec* s, const mjsDefault* def) {
  return &addToSpec(s, mjOBJ_EQUALITY, def)->as.equality;
}

mjsTendon* mjs_addTendon(mjSpec* s, const mjsDefault* def) { return &addToSpec(s, mjOBJ_TENDON, def)->as.tendon; }

mjsNumeric* mjs_addNumeric(mjSpec* s) { return &addToSpec(s, mjOBJ_NUMERIC, NULL)->as.numeric; }

mjsText* mjs_addText(mjSpec* s) { return &addToSpec(s, mjOBJ_TEXT, NULL)->as.text; }

mjsTuple* mjs_addTuple(mjSpec* s) { return &addToSpec(s, mjOBJ_TUPLE, NULL)->as.tuple; }

mjsKey* mjs_addKey(mjSpec* s) { return &addToSpec(s, mjOBJ_KEY, NULL)->as.key; }

mjsPlugin* mjs_addPlugin(mjSpec* s) { return &addToSpec(s, mjOBJ_PLUGIN, NULL)->as.plugin; }

mjsMesh* mjs_addMesh(mjSpec* s, const mjsDefault* def) { return &addToSpec(s, mjOBJ_MESH, def)->as.mesh; }

mjsHField* mjs_addHField(mjSpec* s) { return &addToSpec(s, mjOBJ_HFIELD, NULL)->as.hfield; }

mjsSkin* mjs_addSkin(mjSpec* s) { return &addToSpec(s, mjOBJ_SKIN, NULL)->as.skin; }

mjsTexture* mjs_addTexture(mjSpec* s) { return &addToSpec(s, mjOBJ_TEXTURE, NULL)->as.texture; }

mjsMaterial* mjs_addMaterial(mjSpec* s, const mjsDefault* def) {
  return &addToSpec(s, mjOBJ_MATERIAL, def)->as.material;
}

// ---- paths of tendons

static mjiElem* addWrap(mjsTendon* tendon, mjtWrap type, const char* target) {
  mjiElem* parent = mji_elem(tendon->element);
  mjiElem* e = mji_elem_make(parent->spec, mjOBJ_UNKNOWN);
  e->parent = parent;
  e->id = parent->list.num;
  e->as.wrap.type = type;
  mji_vec_setText(&e->wrap->target, target);
  mji_vec_push(&parent->list, e);
  return e;
}

mjsWrap* mjs_wrapSite(mjsTendon* tendon, const char* name) { return &addWrap(tendon, mjWRAP_SITE, name)->as.wrap; }

// whether the geom is a sphere or a cylinder is known when the model is compiled
mjsWrap* mjs_wrapGeom(mjsTendon* tendon, const char* name, const char* sidesite) {
  mjiElem* e = addWrap(tendon, mjWRAP_SPHERE, name);
  mji_vec_setText(&e->wrap->sidesite, sidesite);
  return &e->as.wrap;
}

mjsWrap* mjs_wrapJoint(mjsTendon* tendon, const char* name, double coef) {
  mjiElem* e = addWrap(tendon, mjWRAP_JOINT, name);
  e->wrap->prm = coef;
  return &e->as.wrap;
}

mjsWrap* mjs_wrapPulley(mjsTendon* tendon, double divisor) {
  mjiElem* e = addWrap(tendon, mjWRAP_PULLEY, "");
  e->wrap->prm = divisor;
  return &e->as.wrap;
}

// ---- frames

mjsFrame* mjs_getFrame(mjsElement* element) {
  mjiElem* frame = mji_elem(element)->frame;
  return frame ? &frame->as.frame : NULL;
}

int mjs_setFrame(mjsElement* dest, mjsFrame* frame) {
  if (!dest) return -1;
  mjiElem* e = mji_elem(dest);
  if (!frame) return mji_spec_error(e->spec, e, "there is no frame to put it in");
  mjiElem* f = mji_elem(frame->element);
  if (e->parent != f->parent) {
    return mji_spec_error(e->spec, e, "the frame belongs to another body");
  }
  for (mjiElem* up = f; up; up = up->frame) {
    if (up == e) return mji_spec_error(e->spec, e, "a frame cannot be inside itself");
  }
  e->frame = f;
  return 0;
}
