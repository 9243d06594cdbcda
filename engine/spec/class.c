// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Default classes: a tree of named sets of initial values, one public struct per kind of element that
// has defaults. A class starts as a copy of the class it is made under, so later changes above do
// not reach it.

#include <string.h>

#include "spec/copy.h"
#include "spec/element.h"

typedef struct {
  mjtObj type;
  size_t offset;  // of its public struct in mjsDefault
} Kind;

static const Kind kinds[] = {
    {mjOBJ_JOINT, offsetof(mjsDefault, joint)},   {mjOBJ_GEOM, offsetof(mjsDefault, geom)},
    {mjOBJ_SITE, offsetof(mjsDefault, site)},     {mjOBJ_CAMERA, offsetof(mjsDefault, camera)},
    {mjOBJ_LIGHT, offsetof(mjsDefault, light)},   {mjOBJ_FLEX, offsetof(mjsDefault, flex)},
    {mjOBJ_MESH, offsetof(mjsDefault, mesh)},     {mjOBJ_MATERIAL, offsetof(mjsDefault, material)},
    {mjOBJ_PAIR, offsetof(mjsDefault, pair)},     {mjOBJ_EQUALITY, offsetof(mjsDefault, equality)},
    {mjOBJ_TENDON, offsetof(mjsDefault, tendon)}, {mjOBJ_ACTUATOR, offsetof(mjsDefault, actuator)},
};

enum { NKIND = sizeof kinds / sizeof kinds[0] };

// where mjsDefault points to the public struct of a kind
static void** fieldOf(const mjiElem* dclass, size_t offset) { return (void**)((char*)&dclass->as.dflt + offset); }

// every public struct starts with the pointer to its element
static mjiElem* elemOf(void* pub) { return mji_elem(*(mjsElement**)pub); }

mjiElem* mji_class_values(const mjiElem* dclass, mjtObj type) {
  for (int i = 0; i < NKIND; i++) {
    if (kinds[i].type == type) return elemOf(*fieldOf(dclass, kinds[i].offset));
  }
  return NULL;
}

mjiElem* mji_class_find(const mjiSpec* s, const char* name) {
  for (int i = 0; i < s->classes.num; i++) {
    mjiElem* e = mji_elem_at(&s->classes, i);
    if (!strcmp(mji_elem_name(e), name)) return e;
  }
  return NULL;
}

mjiElem* mji_class_add(mjiSpec* s, const char* name, mjiElem* parent) {
  mjiElem* e = mji_elem_make(s, mjOBJ_DEFAULT);
  mji_vec_setText(&e->name, name);
  e->parent = parent;
  for (int i = 0; i < NKIND; i++) {
    mjiElem* values = mji_elem_make(s, kinds[i].type);
    if (parent) mji_elem_copyFields(values, elemOf(*fieldOf(parent, kinds[i].offset)));
    values->parent = values->dclass = e;
    *fieldOf(e, kinds[i].offset) = &values->as;
  }
  if (parent) mji_vec_push(&parent->list, e);
  e->id = s->classes.num;
  mji_vec_push(&s->classes, e);
  return e;
}

void mji_class_copyValues(mjiElem* dst, const mjiElem* src) {
  for (int i = 0; i < NKIND; i++) {
    mji_elem_copyFields(elemOf(*fieldOf(dst, kinds[i].offset)), elemOf(*fieldOf(src, kinds[i].offset)));
  }
}

mjiElem* mji_class_inherited(const mjiElem* body) {
  const char* name = body->head.elemtype == mjOBJ_FRAME ? mji_vec_text(body->as.frame.childclass)
                                                        : mji_vec_text(body->as.body.childclass);
  mjiElem* found = *name ? mji_class_find(body->spec, name) : NULL;
  return found ? found : body->spec->mainclass;
}

mjsDefault* mjs_addDefault(mjSpec* s, const char* classname, const mjsDefault* parent) {
  mjiSpec* spec = mji_spec(s);
  if (mji_class_find(spec, classname)) {
    mji_spec_error(spec, NULL, "default class '%.200s' exists already", classname);
    return NULL;
  }
  mjiElem* above = parent ? mji_elem(parent->element) : spec->mainclass;
  return &mji_class_add(spec, classname, above)->as.dflt;
}

mjsDefault* mjs_getSpecDefault(mjSpec* s) { return &mji_spec(s)->mainclass->as.dflt; }

mjsDefault* mjs_findDefault(mjSpec* s, const char* classname) {
  mjiElem* e = mji_class_find(mji_spec(s), classname);
  return e ? &e->as.dflt : NULL;
}

mjsDefault* mjs_getDefault(mjsElement* element) {
  mjiElem* e = mji_elem(element);
  if (e->head.elemtype == mjOBJ_MODEL) return &e->spec->mainclass->as.dflt;
  if (e->head.elemtype == mjOBJ_DEFAULT) return &e->as.dflt;
  return e->dclass ? &e->dclass->as.dflt : NULL;
}

void mjs_setDefault(mjsElement* element, const mjsDefault* def) { mji_elem(element)->dclass = mji_elem(def->element); }

// elements of a deleted class, and childclass names that mean it, fall back to the class above
static void replaceClass(mjiSpec* s, const mjiElem* old, mjiElem* by) {
  for (int type = 0; type <= mjNOBJECT; type++) {
    mjiVec* list = type < mjNOBJECT ? s->list + type : &s->frames;
    for (int i = 0; i < list->num; i++) {
      mjiElem* e = mji_elem_at(list, i);
      if (e->dclass == old) e->dclass = by;
    }
  }
}

int mji_class_delete(mjiElem* dclass) {
  while (dclass->list.num) mji_class_delete(mji_elem_at(&dclass->list, dclass->list.num - 1));
  replaceClass(dclass->spec, dclass, dclass->parent);
  mji_vec_remove(&dclass->parent->list, dclass);
  mji_spec_remove(dclass);
  return 0;
}
