// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Attaching a part of one specification to another (or the same): a body to a frame or site, a
// frame to a body or site, a whole model to a frame or site. The part is copied with a prefix and a
// suffix on every name; its default classes, assets and custom fields come along, and so does every
// element that refers only to what was copied. Settings of its compiler keep holding for the copied
// elements.

#include <stdlib.h>
#include <string.h>

#include "spec/copy.h"
#include "spec/element.h"
#include "spec/key.h"

// ---- names

static void affix(const mjiCopy* copy, mjiVec* text) {
  size_t size = strlen(copy->prefix) + (size_t)text->num + strlen(copy->suffix) + 1;
  char* name = mji_vec_alloc(size);
  strcat(strcat(strcpy(name, copy->prefix), mji_vec_text(text)), copy->suffix);
  mji_vec_setText(text, name);
  free(name);
}

static void renameText(const mjiCopy* copy, mjiVec* text) {
  if (text->num) affix(copy, text);
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

// tendons, skins and meshes keep the materials that they name, as in the reference
static void renameBeside(void* arg, mjtObj type, mjiVec* text) {
  if (!isAsset(type)) renameText(arg, text);
}

// name of the copy of what is referred to; 0 if there is none. No name becomes that of prefix and suffix.
static int findRenamed(const mjiCopy* copy, mjtObj type, const mjiVec* text, mjiVec* renamed) {
  mji_vec_init(renamed, MJI_STRING);
  mji_vec_copy(renamed, text);
  affix(copy, renamed);
  return mjs_findElement(&copy->dst->pub, type, mji_vec_text(renamed)) != NULL;
}

// within one specification, what has no renamed copy is meant itself
static void renameIfCopied(void* arg, mjtObj type, mjiVec* text) {
  if (isAsset(type) || !text->num) return;
  mjiVec renamed;
  if (findRenamed(arg, type, text, &renamed)) mji_vec_copy(text, &renamed);
  mji_vec_free(&renamed);
}

// As in the reference the missing name of a side site becomes prefix and suffix, too: where no site has
// that name, the tendon stays behind.
static void renameWrap(const mjiCopy* copy, mjiElem* wrap) {
  int isBare = mji_elem_isGeomWrap(wrap) && !wrap->wrap->sidesite.num;
  mji_elem_references(wrap, renameInTree, (void*)copy);
  if (isBare) affix(copy, &wrap->wrap->sidesite);
}

// within one specification: a geom and its side site both, or neither
static void renameWrappedGeom(const mjiCopy* copy, mjiWrapInfo* wrap) {
  mjiVec geom, site;
  int found = findRenamed(copy, mjOBJ_GEOM, &wrap->target, &geom);
  found &= findRenamed(copy, mjOBJ_SITE, &wrap->sidesite, &site);
  if (found) {
    mji_vec_copy(&wrap->target, &geom);
    mji_vec_copy(&wrap->sidesite, &site);
  }
  mji_vec_free(&geom);
  mji_vec_free(&site);
}

// bodies may be excluded from collisions with the world, which keeps its name
static void renameExclude(const mjiCopy* copy, mjsExclude* exclude) {
  mjiVec* names[2] = {exclude->bodyname1, exclude->bodyname2};
  for (int i = 0; i < 2; i++) {
    if (!strcmp(mji_vec_text(names[i]), "world")) continue;
    if (isWithin(copy)) renameIfCopied((void*)copy, mjOBJ_BODY, names[i]);
    else renameText(copy, names[i]);
  }
}

static void renameReferences(const mjiCopy* copy, mjiElem* e) {
  void* arg = (void*)copy;
  switch (e->head.elemtype) {
    case mjOBJ_EXCLUDE: renameExclude(copy, &e->as.exclude); break;
    case mjOBJ_UNKNOWN:                         // path element of a tendon
      if (!isWithin(copy)) renameWrap(copy, e);
      else if (mji_elem_isGeomWrap(e)) renameWrappedGeom(copy, e->wrap);
      else mji_elem_references(e, renameIfCopied, arg);
      break;
    case mjOBJ_PAIR:
    case mjOBJ_SENSOR: mji_elem_references(e, isWithin(copy) ? renameIfCopied : renameInTree, arg); break;
    case mjOBJ_SKIN:
    case mjOBJ_MESH:
    case mjOBJ_TENDON: mji_elem_references(e, renameBeside, arg); break;
    default: mji_elem_references(e, renameInTree, arg); break;
  }
}

// keyframes without a name get one of prefix and suffix, skins keep theirs
static void renameElement(const mjiCopy* copy, mjiElem* e) {
  if (e->head.elemtype == mjOBJ_KEY) affix(copy, &e->name);
  else if (e->head.elemtype != mjOBJ_SKIN) renameText(copy, &e->name);
  renameReferences(copy, e);
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

// Within one specification, what refers to the copied part is copied, and sensors that refer to
// nothing (a clock).
static int copyListed(const mjiCopy* copy, mjtObj type, int n) {
  for (int i = 0; i < n; i++) {
    mjiElem* from = mji_elem_at(copy->src->list + type, i);
    mjiElem* e = mji_copy_listed(copy, from);
    int length = referenceLength(from);
    int global = type == mjOBJ_SENSOR && length == 0;
    int elsewhere = isWithin(copy) && !global && referenceLength(e) == length;
    if (elsewhere || !mji_elem_isResolved(e)) {
      mji_spec_remove(e);
    } else if (*mji_elem_name(e) && mji_index_find(copy->dst, type, mji_elem_name(e)) != e) {
      return mji_spec_error(copy->dst, e, "the name is used by another %s", mji_elem_typeName(type));
    }
  }
  return 0;
}

// textures before materials, tendons before actuators, actuators before sensors
static int copyRest(const mjiCopy* copy, const int* count) {
  static const mjtObj order[] = {mjOBJ_TEXTURE,  mjOBJ_MATERIAL, mjOBJ_MESH,    mjOBJ_HFIELD,
                                 mjOBJ_PAIR,     mjOBJ_EXCLUDE,  mjOBJ_TENDON,  mjOBJ_EQUALITY,
                                 mjOBJ_ACTUATOR, mjOBJ_NUMERIC,  mjOBJ_TEXT,    mjOBJ_SENSOR,
                                 mjOBJ_TUPLE,    mjOBJ_SKIN};
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    mjtObj type = order[i];
    int shared =
        isAsset(type) || type == mjOBJ_SKIN || type == mjOBJ_NUMERIC || type == mjOBJ_TEXT;
    if (isWithin(copy) && shared) continue;
    if (copyListed(copy, type, count[type])) return -1;
  }
  return 0;
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
  Place place = {0};
  if (findPlace(to, what, &place)) return NULL;
  mji_key_remember(what->spec);

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
  int failed = copyRest(&copy, count);
  if (!failed) mji_key_attach(&copy, count[mjOBJ_KEY]);
  mji_key_forget(what->spec);
  if (!failed) mji_key_extend(to->spec);
  mji_copy_close(&copy);
  if (!failed && !isWithin(&copy)) {
    mji_adopt_introduce(to->spec, what->spec);
    if (!to->spec->deepcopy) {
      mji_adopt(to->spec, what->spec);
      if (what->head.elemtype != mjOBJ_MODEL) result = what;
    }
  }
  forgetSources(to->spec);
  to->spec->numbered = MJI_RENUMBER;
  return failed ? NULL : &result->head;
}
