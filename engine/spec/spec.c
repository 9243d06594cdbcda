// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Life of a specification: making it, its lists, its error, and taking elements out.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/from_document.h"
#include "spec/plugin_use.h"
#include "spec/element.h"

static void connectSpec(mjiSpec* s) {
  s->pub.element = &s->self.head;
  s->pub.modelname = s->store + 0;
  s->pub.comment = s->store + 1;
  s->pub.modelfiledir = s->store + 2;
  s->pub.compiler.meshdir = s->store + 3;
  s->pub.compiler.texturedir = s->store + 4;
}

mjSpec* mj_makeSpec(void) {
  mjiSpec* s = mji_vec_alloc(sizeof(mjiSpec));
  mjs_defaultSpec(&s->pub);
  for (int i = 0; i < 5; i++) mji_vec_init(s->store + i, MJI_STRING);
  mji_vec_init(&s->document, MJI_STRING);
  mji_vec_init(&s->active, MJI_STRINGS);
  connectSpec(s);
  mjs_setString(s->pub.modelname, "MuJoCo Model");

  s->self.head.elemtype = mjOBJ_MODEL;
  s->self.spec = s;
  mji_vec_init(&s->self.name, MJI_STRING);
  mji_vec_init(&s->classes, MJI_POINTERS);
  mji_vec_init(&s->frames, MJI_POINTERS);
  mji_vec_init(&s->origins, MJI_POINTERS);
  mji_vec_init(&s->attached, MJI_POINTERS);
  mji_vec_init(&s->hosts, MJI_POINTERS);
  mji_vec_init(&s->models, MJI_POINTERS);
  for (int i = 0; i < mjNOBJECT; i++) mji_vec_init(s->list + i, MJI_POINTERS);

  s->mainclass = mji_class_add(s, "main", NULL);
  s->world = mji_elem_make(s, mjOBJ_BODY);
  s->world->id = 0;
  s->world->dclass = s->mainclass;
  mji_vec_setText(&s->world->name, "world");
  mjs_setString(s->world->as.body.childclass, "main");
  mji_vec_push(s->list + mjOBJ_BODY, s->world);
  return &s->pub;
}

static void freeWraps(mjiElem* tendon) {
  for (int i = 0; i < tendon->list.num; i++) mji_elem_free(mji_elem_at(&tendon->list, i));
  tendon->list.num = 0;
}

static void freeClass(mjiElem* dclass) {
  for (int type = 0; type < mjNOBJECT; type++) {
    mjiElem* values = mji_class_values(dclass, type);
    if (values) mji_elem_free(values);
  }
  mji_elem_free(dclass);
}

static void freeList(mjiVec* list) {
  for (int i = 0; i < list->num; i++) {
    mjiElem* e = mji_elem_at(list, i);
    if (e->head.elemtype == mjOBJ_TENDON) freeWraps(e);
    if (e->head.elemtype == mjOBJ_DEFAULT) freeClass(e);
    else mji_elem_free(e);
  }
  mji_vec_free(list);
}

void mj_deleteSpec(mjSpec* spec) {
  if (!spec) return;
  mjiSpec* s = mji_spec(spec);
  if (s->compiled) mj_deleteSpec(&s->compiled->pub);
  mji_index_dropAll(s);
  for (int i = 0; i < mjNOBJECT; i++) freeList(s->list + i);
  freeList(&s->frames);
  freeList(&s->classes);
  for (int i = 0; i < s->origins.num; i++) {
    mjiOrigin* origin = mji_vec_get(&s->origins, i);
    mji_vec_free(&origin->meshdir);
    mji_vec_free(&origin->texturedir);
    mji_vec_free(&origin->modelfiledir);
    mji_vec_free(&origin->document);
    free(origin);
  }
  mji_vec_free(&s->origins);
  mji_adopt_forget(s);
  for (int i = 0; i < s->models.num; i++) mj_deleteSpec(mji_vec_get(&s->models, i));
  mji_vec_free(&s->models);
  for (int i = 0; i < 5; i++) mji_vec_free(s->store + i);
  mji_vec_free(&s->document);
  mji_vec_free(&s->active);
  mji_user_free(&s->self);
  mji_vec_free(&s->self.name);
  free(s);
}

int mjs_setDeepCopy(mjSpec* s, int deepcopy) {
  mji_spec(s)->deepcopy = deepcopy;
  return 0;
}

void mji_spec_addModel(mjSpec* s, mjSpec* model) {
  mji_vec_push(&mji_spec(s)->models, model);
  mji_adopt_introduce(mji_spec(s), mji_spec(model));
}

// ---- errors

void mji_spec_setDocument(mjSpec* s, const char* file) { mji_vec_setText(&mji_spec(s)->document, file); }

// where an element was written: its info has "line 3", or "line 3 of part.xml" where that is not the main document
static void putPlace(char* text, size_t size, const mjiSpec* s, const mjiElem* e) {
  const char* info = e ? mji_elem_info(e) : "";
  const char* document = mji_vec_text(e && e->origin ? &e->origin->document : &s->document);
  char included[200];
  int line = 0, found = sscanf(info, "line %d of %199[^\n]", &line, included);
  text[0] = 0;
  if (found == 2) snprintf(text, size, "%s:%d: ", included, line);
  else if (found == 1 && *document) snprintf(text, size, "%.199s:%d: ", document, line);
  else if (*info || *document) snprintf(text, size, "%.199s: ", *info ? info : document);
}

void mji_spec_describe(char* text, size_t size, const mjiSpec* s, const mjiElem* e, const char* reason) {
  char place[240];
  putPlace(place, sizeof place, s, e);
  if (!e) {
    snprintf(text, size, "%s%s", place, reason);
    return;
  }
  const char* type = mji_elem_typeName(e->head.elemtype);
  const char* name = mji_elem_name(e);
  if (*name) snprintf(text, size, "%s%s '%.150s': %s", place, type, name, reason);
  else if (e->id >= 0) snprintf(text, size, "%s%s %d: %s", place, type, e->id, reason);
  else snprintf(text, size, "%s%s: %s", place, type, reason);
}

int mji_spec_error(mjiSpec* s, const mjiElem* e, const char* format, ...) {
  char reason[700];
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof reason, format, args);
  va_end(args);
  s->warning = 0;
  mji_spec_describe(s->error, sizeof s->error, s, e, reason);
  return -1;
}

const char* mjs_getError(mjSpec* s) {
  if (!s) mju_error("mjs_getError: there is no specification");
  return mji_spec(s)->error;
}

int mjs_isWarning(mjSpec* s) { return mji_spec(s)->warning; }

// ---- lists

mjiVec* mji_spec_list(mjiSpec* s, mjtObj type) {
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  if (type == mjOBJ_FRAME) return &s->frames;
  if (type == mjOBJ_DEFAULT) return &s->classes;
  if (type <= mjOBJ_UNKNOWN || type >= mjNOBJECT || type == mjOBJ_DOF) return NULL;
  return s->list + type;
}

// append what a body holds, then what the bodies below hold
static void listSubtree(mjiSpec* s, mjiElem* body) {
  static const mjtObj held[] = {mjOBJ_JOINT, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_CAMERA, mjOBJ_LIGHT, mjOBJ_FRAME};
  mji_vec_push(s->list + mjOBJ_BODY, body);
  for (size_t i = 0; i < sizeof held / sizeof held[0]; i++) {
    const mjiVec* kids = body->kid + mji_elem_kid(held[i]);
    mji_vec_append(mji_spec_list(s, held[i]), kids->data, kids->num);
  }
  const mjiVec* bodies = body->kid + MJI_KID_BODY;
  for (int i = 0; i < bodies->num; i++) listSubtree(s, mji_elem_at(bodies, i));
}

void mji_spec_reorder(mjiSpec* s) {
  static const mjtObj tree[] = {mjOBJ_BODY,   mjOBJ_JOINT, mjOBJ_GEOM, mjOBJ_SITE,
                                mjOBJ_CAMERA, mjOBJ_LIGHT, mjOBJ_FRAME};
  for (size_t i = 0; i < sizeof tree / sizeof tree[0]; i++) mji_spec_list(s, tree[i])->num = 0;
  listSubtree(s, s->world);
  mji_index_dropAll(s);
  for (int type = 0; type < mjNOBJECT; type++) {
    for (int i = 0; i < s->list[type].num; i++) mji_elem_at(s->list + type, i)->id = i;
  }
  s->numbered = MJI_NUMBERED;
}

static uint64_t mixNumber(uint64_t h, int number) { return (h ^ (uint64_t)number) * 1099511628211u; }

static uint64_t mixBody(uint64_t h, const mjiElem* body) {
  for (int k = 0; k < MJI_NKID; k++) {
    if (k != MJI_KID_FRAME) h = mixNumber(h, body->kid[k].num);
  }
  const mjiVec* bodies = body->kid + MJI_KID_BODY;
  for (int i = 0; i < bodies->num; i++) h = mixBody(h, mji_elem_at(bodies, i));
  return h;
}

static int isSignedBeside(int type) {
  return mji_elem_kid(type) < 0 && type != mjOBJ_NUMERIC && type != mjOBJ_TEXT && type != mjOBJ_TUPLE &&
         type != mjOBJ_EQUALITY;
}

// FNV-1a over the numbers of elements in each body and beside the tree; as in the reference without frames,
// equalities and custom fields
uint64_t mji_spec_signature(const mjiSpec* s) {
  uint64_t h = mixBody(14695981039346656037u, s->world);
  for (int type = 0; type < mjNOBJECT; type++) {
    if (isSignedBeside(type)) h = mixNumber(h, s->list[type].num);
  }
  return h;
}

void mji_spec_signAdded(mjiSpec* s, mjtObj type) {
  if (type == mjOBJ_FRAME || (mji_elem_kid(type) < 0 && !isSignedBeside(type))) return;
  s->self.head.signature = mixNumber(s->self.head.signature, (int)type + 1);
}

// ---- taking elements out

// forget a frame: what was in it moves to the frame around it
static void releaseFrame(mjiElem* frame) {
  mjiElem* body = frame->parent;
  for (int k = 0; k < MJI_NKID; k++) {
    for (int i = 0; i < body->kid[k].num; i++) {
      mjiElem* e = mji_elem_at(body->kid + k, i);
      if (e->frame == frame) e->frame = frame->frame;
    }
  }
}

static void renumber(mjiVec* list, int first) {
  for (int i = first; i < list->num; i++) {
    mjiElem* e = mji_elem_at(list, i);
    if (e->id >= 0) e->id = i;
  }
}

// what is below a body, last first
static void removeSubtree(mjiElem* body) {
  for (int k = 0; k < MJI_NKID; k++) {
    while (body->kid[k].num) mji_spec_remove(mji_elem_at(body->kid + k, body->kid[k].num - 1));
  }
}

void mji_spec_remove(mjiElem* e) {
  mjtObj type = e->head.elemtype;
  mji_plugin_release(e);
  if (*mji_elem_name(e)) mji_index_drop(e->spec, type);
  e->spec->numbered = MJI_RENUMBER;
  if (type == mjOBJ_BODY) removeSubtree(e);
  if (type == mjOBJ_FRAME) releaseFrame(e);
  if (type == mjOBJ_TENDON) freeWraps(e);
  int kid = mji_elem_kid(type);
  if (kid >= 0 && e->parent) mji_vec_remove(e->parent->kid + kid, e);
  mjiVec* list = mji_spec_list(e->spec, type);
  if (mji_vec_remove(list, e)) renumber(list, 0);
  if (type == mjOBJ_DEFAULT) freeClass(e);
  else mji_elem_free(e);
}
