// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mjs_attach: elements of one specification, the guest, are attached to another, the host (or to the same): a body to
// a frame or site, a frame or a whole model to a frame, body or site.
//
// They are copied with a prefix and a suffix on every name; their default classes, assets and custom fields come along,
// and so does every element that refers only to what was copied. Settings of the guest's compiler keep holding for the
// copied elements.

#include <stdlib.h>
#include <string.h>

#include "spec/attach.h"
#include "spec/copy.h"
#include "spec/element.h"
#include "spec/keyframe.h"
#include "spec/plugin_use.h"

// ---- default classes

static void copyClasses(mjiCopy* copy) {
  mji_vec_init(&copy->classes, MJI_POINTERS);
  int n = copy->src->classes.num;
  for (int i = 0; i < n; i++) {
    const mjiElem* from = mji_elem_at(&copy->src->classes, i);
    if (mji_attach_isWithin(copy)) {
      mji_vec_push(&copy->classes, (void*)from);
      continue;
    }
    mjiVec name;
    mji_vec_init(&name, MJI_STRING);
    mji_vec_setText(&name, mji_elem_name(from));
    mji_attach_renameText(copy, &name);
    mjiElem* to = mji_class_find(copy->dst, mji_vec_text(&name));
    if (!to) {
      mjiElem* above = from->parent ? mji_copy_class(copy, from->parent) : copy->dst->mainclass;
      to = mji_class_add(copy->dst, mji_vec_text(&name), above);
      mji_class_copyValues(to, from);
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

// Total length of the names that an element refers to. It grows when some of them get a prefix or suffix.
static int referenceLength(mjiElem* e) {
  int length = 0;
  mji_elem_references(e, addLength, &length);
  for (int i = 0; i < e->list.num && e->head.elemtype == mjOBJ_TENDON; i++) {
    mji_elem_references(mji_elem_at(&e->list, i), addLength, &length);
  }
  return length;
}

static int canRefer(mjtObj type) {
  return type == mjOBJ_PAIR || type == mjOBJ_EXCLUDE || type == mjOBJ_TENDON || type == mjOBJ_EQUALITY ||
         type == mjOBJ_ACTUATOR || type == mjOBJ_SENSOR || type == mjOBJ_TUPLE;
}

// Copy elements that refer to copied ones, and sensors that refer to nothing (a clock): all are copied, and the copies
// of others removed.
static int copyListed(const mjiCopy* copy, mjtObj type, int n) {
  for (int i = 0; i < n; i++) {
    mjiElem* from = mji_elem_at(copy->src->list + type, i);
    mjiElem* e = mji_copy_listed(copy, from);
    int length = referenceLength(from);
    int global = type == mjOBJ_SENSOR && length == 0;
    int renames = *copy->prefix || *copy->suffix;
    int elsewhere = canRefer(type) && !global && renames && referenceLength(e) == length;
    if (elsewhere || !mji_elem_isResolved(e)) mji_spec_remove(e);
  }
  const mjiElem* repeated = mji_index_repeated(copy->dst, type);
  return repeated ? mji_spec_error(copy->dst, repeated, "the name is used by another %s", mji_elem_typeName(type)) : 0;
}

// The order decides which of several repeated names the error tells.
static int copyRest(const mjiCopy* copy, const int* count, mjiElem* place, mjiElem* frame) {
  static const mjtObj order[] = {mjOBJ_PLUGIN,   mjOBJ_MESH,     mjOBJ_SKIN,     mjOBJ_HFIELD, mjOBJ_TEXTURE,
                                 mjOBJ_MATERIAL, mjOBJ_NUMERIC,  mjOBJ_TEXT,     mjOBJ_PAIR,   mjOBJ_EXCLUDE,
                                 mjOBJ_TENDON,   mjOBJ_EQUALITY, mjOBJ_ACTUATOR, mjOBJ_SENSOR, mjOBJ_TUPLE};
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    mjtObj type = order[i];
    int shared = mji_attach_isAsset(type) || type == mjOBJ_SKIN || type == mjOBJ_NUMERIC || type == mjOBJ_TEXT;
    if (mji_attach_isWithin(copy) && shared) continue;
    // equalities of flexes refer to their copies
    if (type == mjOBJ_EQUALITY && mji_attach_flexes(copy, count[mjOBJ_FLEX], place, frame)) return -1;
    if (copyListed(copy, type, count[type])) return -1;
  }
  return 0;
}

// Within one specification, keyframes that came with attached elements go along with their first copy.
static void copyKeys(const mjiCopy* copy) {
  const mjiVec* keys = copy->src->list + mjOBJ_KEY;
  int n = keys->num;
  for (int i = 0; i < n; i++) {
    const mjiElem* key = mji_elem_at(keys, i);
    if (!mji_attach_isWithin(copy) || !key->attached) mji_copy_listed(copy, key);
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

// a body goes into a frame, a frame also into a body
static int findPlace(mjiElem* parent, const mjiElem* child, Place* place) {
  mjtObj to = parent->head.elemtype, what = child->head.elemtype;
  if (to != mjOBJ_FRAME && to != mjOBJ_BODY && to != mjOBJ_SITE) {
    return mji_spec_error(parent->spec, parent, "only frames, bodies and sites can be attached to");
  }
  if (what != mjOBJ_FRAME && (what != mjOBJ_BODY || to == mjOBJ_BODY)) {
    return mji_spec_error(
        parent->spec, parent,
        to == mjOBJ_BODY ? "only a frame can be attached to a body" : "only a body or a frame can be attached here");
  }
  *place = to == mjOBJ_FRAME  ? (Place){parent->parent, parent}
           : to == mjOBJ_SITE ? (Place){parent->parent, frameAtSite(parent)}
                              : (Place){parent, NULL};
  return 0;
}

static int isInside(const mjiElem* e, const mjiElem* frame) {
  for (const mjiElem* f = e; f; f = f->frame) {
    if (f == frame) return 1;
  }
  return 0;
}

// The place may be inside of what is copied, so a holder keeps the copies apart until all are made.
static mjiElem* makeHolder(mjiSpec* s) { return mji_elem_make(s, mjOBJ_BODY); }

static void moveKids(mjiElem* holder, mjiElem* body) {
  for (int k = 0; k < MJI_NKID; k++) {
    const mjiVec* kids = holder->kid + k;
    for (int i = 0; i < kids->num; i++) mji_elem_at(kids, i)->parent = body;
    mji_vec_append(body->kid + k, kids->data, kids->num);
    holder->kid[k].num = 0;
  }
  mji_elem_free(holder);
}

// copy of frame f, if f is in `frame` and so is copied with it
static mjiElem* copyOfFrame(const mjiElem* f, const mjiElem* frame, mjiElem* const* copies) {
  return isInside(f, frame) ? copies[f->id] : NULL;
}

// pose of a frame in its frame, or, if it was compiled, in its body
static int poseOf(const mjiElem* f, double pos[3], double quat[4]) {
  const mjsFrame* frame = &f->as.frame;
  const mjsCompiler* settings = mji_elem_compiler(f);
  mju_copy3(pos, f->settled ? f->settled : frame->pos);
  mju_copy4(quat, f->settled ? f->settled + 3 : frame->quat);
  return f->settled || !mjs_resolveOrientation(quat, settings->degree, settings->eulerseq, &frame->alt);
}

// As in the reference, a frame that is attached to a body stays in the frames that it was in.
static void keepOuterFrames(mjiElem* copy, const mjiElem* frame) {
  mjsFrame* to = &copy->as.frame;
  double pos[3], quat[4], outerpos[3], outerquat[4];
  if (frame->settled || !frame->frame || !poseOf(frame, pos, quat)) return;
  for (const mjiElem* f = frame->frame; f; f = f->settled ? NULL : f->frame) {
    if (!poseOf(f, outerpos, outerquat)) return;
    mju_mulPose(pos, quat, outerpos, outerquat, pos, quat);
  }
  mju_copy3(to->pos, pos);
  mju_copy4(to->quat, quat);
  mjs_defaultOrientation(&to->alt);
}

// Copy a frame and what is in it. Frames come first. Where their place is in a body that is copied, too, that copy has
// them once more, as in the reference.
static mjiElem* copyFrame(const mjiCopy* copy, const mjiElem* frame, Place place) {
  const mjiElem* src = frame->parent;
  const mjiVec* frames = src->kid + MJI_KID_FRAME;
  int n = frames->num;
  mjiElem** copies = mji_vec_alloc((size_t)n * sizeof *copies);
  for (int i = 0; i < n; i++) mji_elem_at(frames, i)->id = i;
  mjiElem *holder = makeHolder(copy->dst), *body = place.body == src ? holder : place.body;
  copies[frame->id] = mji_copy_kid(copy, frame, body);
  for (int i = 0; i < n; i++) {
    const mjiElem* f = mji_elem_at(frames, i);
    if (f != frame && isInside(f, frame)) copies[i] = mji_copy_kid(copy, f, body);
  }
  for (int i = 0; i < n; i++) {
    mjiElem* around = copyOfFrame(mji_elem_at(frames, i)->frame, frame, copies);
    if (copies[i]) copies[i]->frame = i == frame->id ? place.frame : around;
  }
  for (int k = 0; k < MJI_NKID; k++) {
    if (k == MJI_KID_FRAME) continue;
    for (int i = 0; i < src->kid[k].num; i++) {
      const mjiElem* kid = mji_elem_at(src->kid + k, i);
      mjiElem* around = copyOfFrame(kid->frame, frame, copies);
      if (!around) continue;
      mjiElem* e = mji_copy_kid(copy, kid, holder);
      e->frame = around;
    }
  }
  mjiElem* result = copies[frame->id];
  if (!place.frame) keepOuterFrames(result, frame);
  for (int i = 0; i < n; i++) mji_elem_at(frames, i)->id = -1;
  moveKids(holder, place.body);
  free(copies);
  return result;
}

static mjiElem* copyBody(const mjiCopy* copy, const mjiElem* body, Place place) {
  mjiElem* holder = makeHolder(copy->dst);
  mjiElem* result = mji_copy_kid(copy, body, holder);
  result->frame = place.frame;
  moveKids(holder, place.body);
  return result;
}

// A model is attached as a frame around everything in its world. The frame stays in the guest, as in the reference.
static mjiElem* frameAround(mjiSpec* s) {
  mjiElem* f = mji_elem(mjs_addFrame(&s->world->as.body, NULL)->element);
  for (int k = 0; k < MJI_NKID; k++) {
    for (int i = 0; i < s->world->kid[k].num; i++) {
      mjiElem* e = mji_elem_at(s->world->kid + k, i);
      if (!e->frame && e != f) e->frame = f;
    }
  }
  return f;
}

static void forgetIn(const mjiVec* list) {
  for (int i = 0; i < list->num; i++) {
    mjiElem* e = mji_elem_at(list, i);
    e->source = NULL;
    if (e->head.elemtype == mjOBJ_TENDON) forgetIn(&e->list);
  }
}

// sources may have gone since they were copied
static void forgetSources(mjiSpec* s) {
  for (int type = 0; type < mjNOBJECT; type++) forgetIn(s->list + type);
  forgetIn(&s->frames);
}

mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix, const char* suffix) {
  mjiElem *to = mji_elem(parent), *what = (mjiElem*)child;
  if (!to || !what) mju_error("mjs_attach: there is no %s", to ? "child" : "parent");
  if (what->head.elemtype == mjOBJ_MODEL) what = frameAround(what->spec);
  if (mji_key_checkGuest(what->spec, to->spec)) return NULL;
  mji_key_divide(to->spec);
  forgetSources(to->spec);
  Place place = {0};
  if (findPlace(to, what, &place)) return NULL;

  // within one specification, copy only what is there before
  int count[mjNOBJECT];
  for (int type = 0; type < mjNOBJECT; type++) count[type] = what->spec->list[type].num;

  mjiCopy copy = {.src = what->spec,
                  .dst = to->spec,
                  .prefix = prefix ? prefix : "",
                  .suffix = suffix ? suffix : "",
                  .rename = mji_attach_rename};
  mji_copy_origins(&copy);
  const mjSpec* from = &what->spec->pub;
  mjiOrigin* base = NULL;
  if (to->spec != what->spec) {
    base = mji_copy_addOrigin(to->spec, &from->compiler, from->modelfiledir, &what->spec->document);
    copy.base = base;
  }
  copyClasses(&copy);

  mjiElem* result = what->head.elemtype == mjOBJ_BODY ? copyBody(&copy, what, place) : copyFrame(&copy, what, place);
  int failed = copyRest(&copy, count, place.body, place.frame);
  mji_plugin_relink(to->spec);
  mji_plugin_dropUnused(to->spec);
  mji_plugin_activateAll(to->spec, what->spec);
  if (!failed) {
    copyKeys(&copy);
    mji_key_attach(to->spec, what->spec);
  }
  mji_copy_close(&copy);
  if (!failed && !mji_attach_isWithin(&copy)) {
    mji_adopt_introduce(to->spec, what->spec);
    base->guest = what->spec;
    if (!to->spec->deepcopy) {
      mji_adopt(to->spec, what->spec);
      result = what;
    }
  }
  forgetSources(to->spec);
  to->spec->numbered = MJI_RENUMBER;
  to->spec->self.head.signature = mji_spec_signature(to->spec);
  return failed ? NULL : &result->head;
}
