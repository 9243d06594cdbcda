// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Attaching a part of one specification to another (or the same): a body to a frame or site, a
// frame to a body or site, a whole model to a frame or site. The part is copied with a prefix and a
// suffix on every name; its default classes, assets and custom fields come along, and so does every
// element that refers only to what was copied. Settings of its compiler keep holding for the copied
// elements.
//
// Keyframes hold numbers in the order of the joints, mocap bodies and actuators that there were
// when they were written. Because attaching changes that order, keyframes remember these elements
// in their list.

#include <stdlib.h>
#include <string.h>

#include "spec/copy.h"
#include "spec/element.h"

// ---- names

static void renameText(const mjiCopy* copy, mjiVec* text) {
  if (!text->num) return;
  size_t size = strlen(copy->prefix) + (size_t)text->num + strlen(copy->suffix) + 1;
  char* name = mji_vec_alloc(size);
  strcat(strcat(strcpy(name, copy->prefix), mji_vec_text(text)), copy->suffix);
  mji_vec_setText(text, name);
  free(name);
}

static int isAsset(mjtObj type) {
  return type == mjOBJ_MESH || type == mjOBJ_HFIELD || type == mjOBJ_TEXTURE ||
         type == mjOBJ_MATERIAL;
}

// a part of a specification that is attached to it again shares what stands beside the tree
static int isWithin(const mjiCopy* copy) {
  return copy->src == copy->dst;
}

// references inside the tree are to other parts of it
static void renameInTree(void* arg, mjtObj type, mjiVec* text) {
  if (!isWithin(arg) || !isAsset(type)) renameText(arg, text);
}

// within one specification, what has no renamed copy is meant itself
static void renameReference(void* arg, mjtObj type, mjiVec* text) {
  const mjiCopy* copy = arg;
  if (!isWithin(copy)) {
    renameText(copy, text);
    return;
  }
  if (isAsset(type) || !text->num) return;
  mjiVec renamed;
  mji_vec_init(&renamed, MJI_STRING);
  mji_vec_copy(&renamed, text);
  renameText(copy, &renamed);
  if (mjs_findElement(&copy->dst->pub, type, mji_vec_text(&renamed))) mji_vec_copy(text, &renamed);
  mji_vec_free(&renamed);
}

// bodies may be excluded from collisions with the world, which keeps its name
static void renameExclude(const mjiCopy* copy, mjsExclude* exclude) {
  mjiVec* names[2] = {exclude->bodyname1, exclude->bodyname2};
  for (int i = 0; i < 2; i++) {
    if (strcmp(mji_vec_text(names[i]), "world")) renameText(copy, names[i]);
  }
}

static void renameElement(const mjiCopy* copy, mjiElem* e) {
  renameText(copy, &e->name);
  if (e->head.elemtype == mjOBJ_EXCLUDE) {
    renameExclude(copy, &e->as.exclude);
  } else {
    // paths of tendons, of no type, refer to what is copied and to other things alike
    mjtObj type = e->head.elemtype;
    int listed = type == mjOBJ_UNKNOWN || (type >= mjOBJ_PAIR && type <= mjOBJ_TUPLE);
    mji_elem_references(e, listed ? renameReference : renameInTree, (void*)copy);
  }
  if (isWithin(copy)) return;
  if (e->head.elemtype == mjOBJ_BODY) renameText(copy, e->as.body.childclass);
  if (e->head.elemtype == mjOBJ_FRAME) renameText(copy, e->as.frame.childclass);
}

// ---- default classes

static void copyClasses(mjiCopy* copy) {
  mji_vec_init(&copy->classes, MJI_POINTERS);
  int n = copy->src->classes.num;
  for (int i = 0; i < n; i++) {
    const mjiElem* from = mji_elem_at(&copy->src->classes, i);
    if (isWithin(copy)) {
      mji_vec_push(&copy->classes, (void*)from);
      continue;
    }
    mjiVec name;
    mji_vec_init(&name, MJI_STRING);
    mji_vec_setText(&name, mji_elem_name(from));
    renameText(copy, &name);
    mjiElem* to = mji_class_find(copy->dst, mji_vec_text(&name));
    if (!to) {
      mjiElem* above = from->parent ? mji_copy_class(copy, from->parent) : copy->dst->mainclass;
      to = mji_class_add(copy->dst, mji_vec_text(&name), above);
      mji_class_copyParts(to, from);
    }
    mji_vec_push(&copy->classes, to);
    mji_vec_free(&name);
  }
}

// ---- elements that refer to what was copied

typedef struct {
  mjiSpec* dst;
  int missing;
} Search;

static void checkReference(void* arg, mjtObj type, mjiVec* text) {
  Search* search = arg;
  if (!text->num || type == mjOBJ_UNKNOWN) return;
  if (!mjs_findElement(&search->dst->pub, type, mji_vec_text(text))) search->missing = 1;
}

static int isComplete(mjiElem* e) {
  Search search = {.dst = e->spec};
  mji_elem_references(e, checkReference, &search);
  for (int i = 0; i < e->list.num && e->head.elemtype == mjOBJ_TENDON; i++) {
    mji_elem_references(mji_elem_at(&e->list, i), checkReference, &search);
  }
  return !search.missing;
}

static void addLength(void* arg, mjtObj type, mjiVec* text) {
  (void)type;
  *(int*)arg += text->num;
}

// total length of references: grows when some are renamed
static int referenceLength(mjiElem* e) {
  int length = 0;
  mji_elem_references(e, addLength, &length);
  for (int i = 0; i < e->list.num && e->head.elemtype == mjOBJ_TENDON; i++) {
    mji_elem_references(mji_elem_at(&e->list, i), addLength, &length);
  }
  return length;
}

// Assets that an earlier part brought in under the same name are shared. Within one specification,
// only what refers to the copied part is copied.
static void copyListed(const mjiCopy* copy, mjtObj type, int n) {
  for (int i = 0; i < n; i++) {
    mjiElem* from = mji_elem_at(copy->src->list + type, i);
    mjiElem* e = mji_copy_listed(copy, from);
    const char* name = mji_elem_name(e);
    mjsElement* first = *name ? mjs_findElement(&copy->dst->pub, type, name) : NULL;
    int repeated = isAsset(type) && first && first != &e->head;
    int elsewhere = isWithin(copy) && referenceLength(e) == referenceLength(from);
    if (repeated || elsewhere || !isComplete(e)) mji_spec_remove(e);
  }
}

// textures before materials, tendons before actuators, actuators before sensors
static void copyRest(const mjiCopy* copy, const int* count) {
  static const mjtObj order[] = {mjOBJ_TEXTURE,  mjOBJ_MATERIAL, mjOBJ_MESH,    mjOBJ_HFIELD,
                                 mjOBJ_SKIN,     mjOBJ_PAIR,     mjOBJ_EXCLUDE, mjOBJ_TENDON,
                                 mjOBJ_EQUALITY, mjOBJ_ACTUATOR, mjOBJ_SENSOR,  mjOBJ_NUMERIC,
                                 mjOBJ_TEXT,     mjOBJ_TUPLE};
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    mjtObj type = order[i];
    int shared =
        isAsset(type) || type == mjOBJ_NUMERIC || type == mjOBJ_TEXT || type == mjOBJ_TUPLE;
    if (!isWithin(copy) || !shared) copyListed(copy, type, count[type]);
  }
}

// ---- keyframes

static void remember(mjiElem* key, mjiElem* e, int size) {
  const int part[MJI_KEYPART] = {e->head.elemtype, size};
  mji_vec_push(&key->list, e);
  mji_vec_append(&key->parts, part, MJI_KEYPART);
}

// what the numbers of a keyframe belong to, in the order of the tree
static void rememberOrder(mjiElem* key) {
  mjiSpec* s = key->spec;
  if (key->list.num) return;
  for (mjsElement* e = mjs_firstElement(&s->pub, mjOBJ_JOINT); e; e = mjs_nextElement(&s->pub, e)) {
    remember(key, mji_elem(e), mjs_asJoint(e)->type);
  }
  for (mjsElement* e = mjs_firstElement(&s->pub, mjOBJ_BODY); e; e = mjs_nextElement(&s->pub, e)) {
    if (mjs_asBody(e)->mocap) remember(key, mji_elem(e), 0);
  }
  for (int i = 0; i < s->list[mjOBJ_ACTUATOR].num; i++) {
    mjiElem* e = mji_elem_at(s->list + mjOBJ_ACTUATOR, i);
    const mjsActuator* act = &e->as.actuator;
    remember(key, e, act->actdim >= 0 ? act->actdim : act->dyntype != mjDYN_NONE);
  }
}

static void rememberOrders(mjiSpec* s) {
  for (int i = 0; i < s->list[mjOBJ_KEY].num; i++)
    rememberOrder(mji_elem_at(s->list + mjOBJ_KEY, i));
}

// what is copied within a specification leaves its place in keyframes to its first copy
static void appointHeirs(mjiSpec* s) {
  static const mjtObj types[] = {mjOBJ_JOINT, mjOBJ_BODY, mjOBJ_ACTUATOR};
  for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
    for (int i = 0; i < s->list[types[k]].num; i++) {
      mjiElem* e = mji_elem_at(s->list + types[k], i);
      if (!e->source || e->source->heir) continue;
      e->source->heir = e;
      e->testator = e->source;
    }
  }
}

// keyframes of the source: numbers of what was not copied are left out by the compiler
static void copyKeys(const mjiCopy* copy, int n) {
  for (int i = 0; i < n; i++) {
    mji_copy_key(copy, mji_elem_at(copy->src->list + mjOBJ_KEY, i));
  }
}

// ---- where to and what

typedef struct {
  mjiElem* body;
  mjiElem* frame;
} Place;

// a site is a frame for this purpose
static mjiElem* frameAtSite(mjiElem* site) {
  mjiElem* f = mji_elem(mjs_addFrame(&site->parent->as.body, NULL)->element);
  f->frame = site->frame;
  f->origin = site->origin;
  mju_copy3(f->as.frame.pos, site->as.site.pos);
  mju_copy4(f->as.frame.quat, site->as.site.quat);
  f->as.frame.alt = site->as.site.alt;
  return f;
}

static int findPlace(mjiElem* parent, const mjiElem* child, Place* place) {
  mjtObj to = parent->head.elemtype, what = child->head.elemtype;
  if (what != mjOBJ_BODY && what != mjOBJ_FRAME && what != mjOBJ_MODEL) {
    return mji_spec_error(parent->spec, parent, "only a body, a frame or a model can be attached");
  }
  if (to == mjOBJ_FRAME && what != mjOBJ_FRAME) {
    *place = (Place){parent->parent, parent};
  } else if (to == mjOBJ_SITE) {
    *place = (Place){parent->parent, frameAtSite(parent)};
  } else if (to == mjOBJ_BODY && what == mjOBJ_FRAME) {
    *place = (Place){parent, NULL};
  } else {
    return mji_spec_error(parent->spec, parent, "%s cannot be attached here",
                          what == mjOBJ_FRAME  ? "a frame"
                          : what == mjOBJ_BODY ? "a body"
                                               : "a model");
  }
  return 0;
}

static int isInside(const mjiElem* e, const mjiElem* frame) {
  for (const mjiElem* f = e; f; f = f->frame) {
    if (f == frame) return 1;
  }
  return 0;
}

// a frame and what is in it: copy all of its body's parts, then drop what is outside
static mjiElem* copyFrame(const mjiCopy* copy, const mjiElem* frame, Place place) {
  mjiElem* body = place.body;
  int first[MJI_NKID];
  for (int k = 0; k < MJI_NKID; k++) first[k] = body->kid[k].num;
  mjiElem* result = NULL;
  mji_copy_kids(copy, frame->parent, body, NULL, frame);
  for (int i = first[MJI_KID_FRAME]; i < body->kid[MJI_KID_FRAME].num; i++) {
    mjiElem* f = mji_elem_at(body->kid + MJI_KID_FRAME, i);
    if (f->source == frame) result = f;
  }
  // frames around it and beside it go
  for (int i = body->kid[MJI_KID_FRAME].num - 1; i >= first[MJI_KID_FRAME]; i--) {
    mjiElem* f = mji_elem_at(body->kid + MJI_KID_FRAME, i);
    if (!isInside(f, result)) mji_spec_remove(f);
  }
  result->frame = place.frame;
  return result;
}

static mjiElem* copyModel(const mjiCopy* copy, Place place) {
  mjiElem* f = mji_elem(mjs_addFrame(&place.body->as.body, NULL)->element);
  f->frame = place.frame;
  mji_copy_kids(copy, copy->src->world, place.body, f, NULL);
  return f;
}

// sources may have gone since they were copied
static void forgetSources(mjiSpec* s) {
  for (int type = 0; type < mjNOBJECT; type++) {
    for (int i = 0; i < s->list[type].num; i++) mji_elem_at(s->list + type, i)->source = NULL;
  }
  for (int i = 0; i < s->frames.num; i++) mji_elem_at(&s->frames, i)->source = NULL;
}

mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix,
                       const char* suffix) {
  mjiElem *to = mji_elem(parent), *what = (mjiElem*)child;
  if (!to || !what) return NULL;
  if (to->spec == what->spec && what->head.elemtype == mjOBJ_MODEL) {
    mji_spec_error(to->spec, to, "a model cannot be attached to itself");
    return NULL;
  }
  forgetSources(to->spec);
  rememberOrders(to->spec);
  rememberOrders(what->spec);
  Place place = {0};
  if (findPlace(to, what, &place)) return NULL;

  // within one specification, copy only what is there before
  int count[mjNOBJECT];
  for (int type = 0; type < mjNOBJECT; type++) count[type] = what->spec->list[type].num;

  mjiCopy copy = {.src = what->spec, .dst = to->spec, .prefix = prefix ? prefix : "",
                  .suffix = suffix ? suffix : "", .rename = renameElement};
  mji_copy_origins(&copy);
  const mjSpec* from = &what->spec->pub;
  if (to->spec != what->spec) {
    copy.base = mji_copy_addOrigin(to->spec, &from->compiler, from->modelfiledir,
                                   &what->spec->document);
  }
  copyClasses(&copy);

  mjiElem* result = what->head.elemtype == mjOBJ_BODY
                        ? mji_copy_body(&copy, what, place.body, place.frame)
                    : what->head.elemtype == mjOBJ_FRAME ? copyFrame(&copy, what, place)
                                                         : copyModel(&copy, place);
  copyRest(&copy, count);
  if (isWithin(&copy)) appointHeirs(to->spec);
  else copyKeys(&copy, count[mjOBJ_KEY]);
  mji_copy_close(&copy);
  if (!isWithin(&copy)) {
    mji_adopt_introduce(to->spec, what->spec);
    if (!to->spec->deepcopy) {
      mji_adopt(to->spec, what->spec);
      if (what->head.elemtype != mjOBJ_MODEL) result = what;
    }
  }
  forgetSources(to->spec);
  to->spec->numbered = MJI_RENUMBER;
  return &result->head;
}
