// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "spec/copy.h"

#include <string.h>

#include "spec/key.h"

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
  e->dclass = mji_copy_class(copy, src->dclass);
  e->origin = mji_copy_origin(copy, src->origin);
  if (copy->rename) copy->rename(copy, e);
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

// the copy of an element in another specification; lists are mostly in the same order
static mjiElem* findCopy(const mjiCopy* copy, const mjiElem* src) {
  const mjiVec* list = mji_spec_list(copy->dst, src->head.elemtype);
  int hint = src->id;
  if (hint >= 0 && hint < list->num && mji_elem_at(list, hint)->source == src) return mji_elem_at(list, hint);
  for (int i = 0; i < list->num; i++) {
    if (mji_elem_at(list, i)->source == src) return mji_elem_at(list, i);
  }
  return NULL;
}

static void copyKey(const mjiCopy* copy, const mjiElem* src) {
  mjiElem* e = copyListed(copy, src);
  for (int i = 0; i < src->list.num; i++) {
    const mjiElem* owner = mji_elem_at(&src->list, i);
    mji_vec_push(&e->list, owner ? findCopy(copy, owner) : NULL);
  }
  mji_vec_copy(&e->parts, &src->parts);
  if (src->pending) mji_key_setPending(e);
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

static mjiElem* copyKid(const mjiCopy* copy, const mjiElem* src, mjiElem* parent) {
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

static int isInside(const mjiElem* e, const mjiElem* frame) {
  const mjiElem* f = e->frame;
  while (f && f != frame) f = f->frame;
  return f == frame;
}

void mji_copy_kids(const mjiCopy* copy, const mjiElem* src, mjiElem* dst, mjiElem* frame,
                   const mjiElem* only) {
  // frames first: the others point to them
  const mjiVec* frames = src->kid + MJI_KID_FRAME;
  int first = dst->kid[MJI_KID_FRAME].num;
  for (int i = 0; i < frames->num; i++) copyKid(copy, mji_elem_at(frames, i), dst);

  for (int k = 0; k < MJI_NKID; k++) {
    for (int i = 0; i < src->kid[k].num; i++) {
      const mjiElem* kid = mji_elem_at(src->kid + k, i);
      if (only && k != MJI_KID_FRAME && !isInside(kid, only)) continue;
      mjiElem* e = k == MJI_KID_FRAME ? mji_elem_at(dst->kid + k, first + i) : copyKid(copy, kid, dst);
      e->frame = kid->frame
                     ? mji_elem_at(dst->kid + MJI_KID_FRAME, first + indexOf(frames, kid->frame))
                     : frame;
      if (k == MJI_KID_BODY) mji_copy_kids(copy, kid, e, NULL, NULL);
    }
  }
}

mjiElem* mji_copy_body(const mjiCopy* copy, const mjiElem* src, mjiElem* parent, mjiElem* frame) {
  mjiElem* e = copyKid(copy, src, parent);
  e->frame = frame;
  mji_copy_kids(copy, src, e, NULL, NULL);
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
  mji_vec_copy(&dst->self.name, &src->self.name);
  dst->deepcopy = src->deepcopy;
}

mjSpec* mj_copySpec(const mjSpec* spec) {
  const mjiSpec* src = (const mjiSpec*)spec;
  mjiSpec* dst = mji_spec(mj_makeSpec());
  copySettings(dst, src);

  mjiCopy copy = {.src = src, .dst = dst};
  mji_copy_origins(&copy);
  mji_vec_init(&copy.classes, MJI_POINTERS);
  for (int i = 0; i < src->classes.num; i++) {
    const mjiElem* from = mji_elem_at(&src->classes, i);
    mjiElem* to = from == src->mainclass
                      ? dst->mainclass
                      : mji_class_add(dst, mji_elem_name(from), mji_copy_class(&copy, from->parent));
    mji_vec_setText(&to->name, mji_elem_name(from));
    mji_class_copyParts(to, from);
    mji_vec_push(&copy.classes, to);
  }

  mji_elem_copyFields(dst->world, src->world);
  dst->world->source = src->world;
  mji_vec_copy(&dst->world->name, &src->world->name);
  mji_copy_kids(&copy, src->world, dst->world, NULL, NULL);
  for (int type = 0; type < mjNOBJECT; type++) {
    if (mji_elem_kid(type) >= 0) continue;
    for (int i = 0; i < src->list[type].num; i++) {
      const mjiElem* e = mji_elem_at(src->list + type, i);
      if (type == mjOBJ_KEY) copyKey(&copy, e);
      else mji_copy_listed(&copy, e);
    }
  }
  mji_copy_close(&copy);
  mji_spec_reorder(dst);
  return &dst->pub;
}
