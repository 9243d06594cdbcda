// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "spec/copy.h"

#include <string.h>

#include "spec/from_document.h"
#include "spec/keyframe.h"
#include "spec/plugin_use.h"

mjiElem* mji_copy_class(const mjiCopy* copy, const mjiElem* dclass) {
  if (!dclass) return NULL;
  for (int i = 0; i < copy->src->classes.num; i++) {
    if (mji_elem_at(&copy->src->classes, i) == dclass) return mji_vec_get(&copy->classes, i);
  }
  return copy->dst->mainclass;
}

const mjiOrigin* mji_copy_origin(const mjiCopy* copy, const mjiOrigin* origin) {
  for (int i = 0; origin && i < copy->src->origins.num; i++) {
    if (mji_vec_get(&copy->src->origins, i) == origin) return mji_vec_get(&copy->origins, i);
  }
  return copy->base;
}

mjiOrigin* mji_copy_addOrigin(mjiSpec* dst, const mjsCompiler* compiler, const mjiVec* modelfiledir,
                              const mjiVec* document) {
  mjiOrigin* o = mji_vec_alloc(sizeof(mjiOrigin));
  o->compiler = *compiler;
  mji_vec_init(&o->meshdir, MJI_STRING);
  mji_vec_init(&o->texturedir, MJI_STRING);
  mji_vec_init(&o->modelfiledir, MJI_STRING);
  mji_vec_init(&o->document, MJI_STRING);
  mji_vec_copy(&o->meshdir, compiler->meshdir);
  mji_vec_copy(&o->texturedir, compiler->texturedir);
  mji_vec_copy(&o->modelfiledir, modelfiledir);
  mji_vec_copy(&o->document, document);
  o->compiler.meshdir = &o->meshdir;
  o->compiler.texturedir = &o->texturedir;
  mji_vec_push(&dst->origins, o);
  return o;
}

void mji_copy_origins(mjiCopy* copy) {
  mji_vec_init(&copy->origins, MJI_POINTERS);
  for (int i = 0; i < copy->src->origins.num; i++) {
    mjiOrigin* o = mji_vec_get(&copy->src->origins, i);
    // within one specification origins are shared
    int same = copy->src == copy->dst;
    if (!same) o = mji_copy_addOrigin(copy->dst, &o->compiler, &o->modelfiledir, &o->document);
    mji_vec_push(&copy->origins, o);
  }
}

void mji_copy_close(mjiCopy* copy) {
  mji_vec_free(&copy->classes);
  mji_vec_free(&copy->origins);
}

// everything of an element that does not depend on its place
static mjiElem* copyElement(const mjiCopy* copy, const mjiElem* src) {
  mjiElem* e = mji_elem_make(copy->dst, src->head.elemtype);
  mji_elem_copyFields(e, src);
  mji_vec_copy(&e->name, &src->name);
  e->source = (mjiElem*)src;
  // Elements without a class of their own get the main class of the host, but not tendons: saved MJCF can say the width
  // and the color of a fixed tendon only by a class.
  const int plain = src->dclass == copy->src->mainclass && src->head.elemtype != mjOBJ_TENDON;
  e->dclass = plain ? copy->dst->mainclass : mji_copy_class(copy, src->dclass);
  e->origin = mji_copy_origin(copy, src->origin);
  if (copy->rename) copy->rename(copy, e);
  if (src->settled) {
    e->settled = mji_vec_alloc(7 * sizeof(double));
    memcpy(e->settled, src->settled, 7 * sizeof(double));
  }
  mji_index_add(e);
  return e;
}

static mjiElem* copyListed(const mjiCopy* copy, const mjiElem* src) {
  mjiElem* e = copyElement(copy, src);
  mjiVec* list = mji_spec_list(copy->dst, src->head.elemtype);
  e->id = list->num;
  mji_vec_push(list, e);
  return e;
}

mjiElem* mji_copy_listed(const mjiCopy* copy, const mjiElem* src) {
  mjiElem* e = copyListed(copy, src);
  for (int i = 0; i < src->list.num && src->head.elemtype == mjOBJ_TENDON; i++) {
    mjiElem* wrap = copyElement(copy, mji_elem_at(&src->list, i));
    wrap->parent = e;
    wrap->id = i;
    mji_vec_push(&e->list, wrap);
  }
  return e;
}

static mjiElem* copyAlone(const mjiCopy* copy, const mjiElem* src, mjiElem* parent) {
  mjiElem* e = copyElement(copy, src);
  mjtObj type = src->head.elemtype;
  mjiVec* list = mji_spec_list(copy->dst, type);
  e->parent = parent;
  e->id = type == mjOBJ_BODY ? -1 : list->num;
  mji_vec_push(parent->kid + mji_elem_kid(type), e);
  mji_vec_push(list, e);
  return e;
}

static int indexOf(const mjiVec* list, const mjiElem* e) {
  int i = 0;
  while (mji_elem_at(list, i) != e) i++;
  return i;
}

void mji_copy_kids(const mjiCopy* copy, const mjiElem* src, mjiElem* dst) {
  // frames first: other elements point to them
  const mjiVec* frames = src->kid + MJI_KID_FRAME;
  int first = dst->kid[MJI_KID_FRAME].num, n = frames->num;
  for (int i = 0; i < n; i++) copyAlone(copy, mji_elem_at(frames, i), dst);
  for (int k = 0; k < MJI_NKID; k++) {
    for (int i = 0; i < src->kid[k].num; i++) {
      const mjiElem* kid = mji_elem_at(src->kid + k, i);
      mjiElem* e = k == MJI_KID_FRAME ? mji_elem_at(dst->kid + k, first + i) : mji_copy_kid(copy, kid, dst);
      e->frame = kid->frame ? mji_elem_at(dst->kid + MJI_KID_FRAME, first + indexOf(frames, kid->frame)) : NULL;
    }
  }
}

mjiElem* mji_copy_kid(const mjiCopy* copy, const mjiElem* src, mjiElem* parent) {
  mjiElem* e = copyAlone(copy, src, parent);
  if (src->head.elemtype == mjOBJ_BODY) mji_copy_kids(copy, src, e);
  return e;
}

// the specification's own settings and texts
static void copySettings(mjiSpec* dst, const mjiSpec* src) {
  mjSpec keep = dst->pub;
  dst->pub = src->pub;
  dst->pub.element = keep.element;
  dst->pub.modelname = keep.modelname;
  dst->pub.comment = keep.comment;
  dst->pub.modelfiledir = keep.modelfiledir;
  dst->pub.compiler.meshdir = keep.compiler.meshdir;
  dst->pub.compiler.texturedir = keep.compiler.texturedir;
  for (int i = 0; i < 5; i++) mji_vec_copy(dst->store + i, src->store + i);
  mji_vec_copy(&dst->document, &src->document);
  mji_vec_copy(&dst->active, &src->active);
  mji_vec_copy(&dst->self.name, &src->self.name);
  dst->deepcopy = src->deepcopy;
}

static int isSkinComplete(const mjiElem* e) {
  const mjiVec* bodies = e->as.skin.bodyname;
  for (int i = 0; i < bodies->num; i++) {
    if (!mjs_findElement(&e->spec->pub, mjOBJ_BODY, mji_vec_textAt(bodies, i))) return 0;
  }
  return 1;
}

// Remove copies that refer to something missing. Tendons come before actuators and actuators before sensors, because
// each may refer to what was just removed.
static void dropUnresolved(mjiSpec* s) {
  static const mjtObj order[] = {mjOBJ_SKIN,     mjOBJ_PAIR,     mjOBJ_EXCLUDE, mjOBJ_TENDON,
                                 mjOBJ_EQUALITY, mjOBJ_ACTUATOR, mjOBJ_SENSOR,  mjOBJ_TUPLE};
  for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
    const mjiVec* list = s->list + order[k];
    for (int i = list->num - 1; i >= 0; i--) {
      mjiElem* e = mji_elem_at(list, i);
      int complete = order[k] == mjOBJ_SKIN ? isSkinComplete(e) : mji_elem_isResolved(e);
      if (!complete) mji_spec_remove(e);
    }
  }
}

mjSpec* mj_copySpec(const mjSpec* spec) {
  mjSpec* copy = mji_copy_spec((const mjiSpec*)spec);
  // elements beside the tree cannot share a name, as in the reference
  mjiSpec* s = mji_spec(copy);
  for (int type = 0; type < mjNOBJECT; type++) {
    const mjiElem* e = mji_elem_kid(type) < 0 && mji_spec_list(s, type) ? mji_index_repeated(s, type) : NULL;
    if (!e) continue;
    mji_spec_error((mjiSpec*)spec, e, "the name is used twice");
    mj_deleteSpec(copy);
    return NULL;
  }
  dropUnresolved(s);
  s->self.head.signature = spec->element->signature;
  const mjiVec* models = &((const mjiSpec*)spec)->models;
  for (int i = 0; i < models->num; i++) {
    mjSpec* model = mj_copySpec(mji_vec_get(models, i));
    if (model) mji_spec_addModel(copy, model);
  }
  return copy;
}

mjSpec* mji_copy_spec(const mjiSpec* src) {
  mjiSpec* dst = mji_spec(mj_makeSpec());
  copySettings(dst, src);

  mjiCopy copy = {.src = src, .dst = dst};
  mji_copy_origins(&copy);
  mji_vec_init(&copy.classes, MJI_POINTERS);
  for (int i = 0; i < src->classes.num; i++) {
    const mjiElem* from = mji_elem_at(&src->classes, i);
    mjiElem* to = from == src->mainclass ? dst->mainclass
                                         : mji_class_add(dst, mji_elem_name(from), mji_copy_class(&copy, from->parent));
    mji_vec_setText(&to->name, mji_elem_name(from));
    mji_class_copyValues(to, from);
    mji_vec_push(&copy.classes, to);
  }

  mji_elem_copyFields(dst->world, src->world);
  dst->world->source = src->world;
  mji_vec_copy(&dst->world->name, &src->world->name);
  mji_copy_kids(&copy, src->world, dst->world);
  for (int type = 0; type < mjNOBJECT; type++) {
    if (mji_elem_kid(type) >= 0) continue;
    for (int i = 0; i < src->list[type].num; i++) {
      mji_copy_listed(&copy, mji_elem_at(src->list + type, i));
    }
  }
  mji_plugin_relink(dst);
  mji_key_copy(dst);
  mji_copy_close(&copy);
  mji_spec_reorder(dst);
  return &dst->pub;
}
