// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The passes in order. Read this first.

#include "compile/compile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/reals.h"
#include "model/model.h"
#include "spec/copy.h"
#include "spec/keyframe.h"

// ---- messages

static void describe(char* text, size_t size, const mjiCompile* c, const mjiElem* e, const char* format, va_list args) {
  char reason[600];
  vsnprintf(reason, sizeof reason, format, args);
  mji_spec_describe(text, size, c->w, e, reason);
}

int mji_compile_error(mjiCompile* c, const mjiElem* e, const char* format, ...) {
  va_list args;
  va_start(args, format);
  describe(c->error, sizeof c->error, c, e, format, args);
  va_end(args);
  return -1;
}

void mji_compile_warning(mjiCompile* c, const mjiElem* e, const char* format, ...) {
  if (*c->warning) return;
  va_list args;
  va_start(args, format);
  describe(c->warning, sizeof c->warning, c, e, format, args);
  va_end(args);
}

// ---- the stages

// everything that can be wrong with a specification is found here
static int checkAndResolve(mjiCompile* c) {
  static int (*const stages[])(mjiCompile*) = {
      mji_names_assets,   mji_joint_check,    mji_names_build,  mji_reduce_materials, mji_frame_resolve,
      mji_plugin_compile, mji_assets_compile, mji_geom_compile, mji_joint_compile,    mji_body_compile,
      mji_custom_users,   mji_reduce_visual,  mji_fuse_static,  mji_joint_checkFree,  mji_body_checkMoving,
      mji_visual_compile, mji_links_compile,  mji_names_build,  mji_tendon_compile,   mji_actuator_compile,
      mji_sensor_compile, mji_skin_compile,   mji_flex_compile, mji_custom_compile};
  for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
    if (stages[i](c)) return -1;
  }
  mji_body_keepFrames(c);
  return 0;
}

static void packSettings(mjiCompile* c) {
  const mjSpec* s = &c->w->pub;
  c->m->opt = s->option;
  c->m->vis = s->visual;
  c->m->stat = s->stat;
}

static int pack(mjiCompile* c) {
  mjModel* sizes = mji_vec_alloc(sizeof(mjModel));
  int bad = mji_sizes_count(c, sizes);
  if (!bad) c->m = mji_allocModel(sizes);
  free(sizes);
  if (bad) return -1;
  if (!c->m) return mji_compile_error(c, NULL, "the model is too large for memory");

  packSettings(c);
  mji_reals_pack(c->m, c->w);
  mji_tree_pack(c);
  if (mji_sparse_fill(c->m)) return mji_compile_error(c, NULL, "out of memory");
  mji_assets_pack(c);
  mji_skin_pack(c);
  mji_flex_pack(c);
  mji_pack_objects(c);
  mji_bvh_pack(c);
  mji_pack_links(c);
  mji_pack_names(c);
  if (mji_sleep_pack(c) || mji_pack_custom(c) || mji_plugin_pack(c)) return -1;
  if (mji_finishModel(c->m)) return mji_compile_error(c, NULL, "out of memory");
  return mji_finite_check(c);
}

// ---- begin and end

static void freeCompile(mjiCompile* c) {
  for (int type = 0; type < mjNOBJECT; type++) {
    free(c->names[type].slot);
    for (int i = 0; type != mjOBJ_GEOM && i < mji_count(c, type); i++) mji_assets_free(mji_get(c, type, i));
  }
}

// Keep the working copy of a compilation that went well: the writer writes it, mj_copyBack changes it.
static void keepCompiled(mjiSpec* s, mjiSpec* compiled) {
  if (s->compiled) mj_deleteSpec(&s->compiled->pub);
  s->compiled = compiled;
  if (!compiled) return;

  // forget the elements that it was copied from: the user may delete them
  for (int type = 0; type < mjNOBJECT; type++)
    for (int i = 0; i < compiled->list[type].num; i++) mji_elem_at(compiled->list + type, i)->source = NULL;

  // the writer finds frames by their place in the body
  for (int b = 0; b < compiled->list[mjOBJ_BODY].num; b++) {
    const mjiVec* frames = mji_elem_at(compiled->list + mjOBJ_BODY, b)->kid + MJI_KID_FRAME;
    for (int i = 0; i < frames->num; i++) mji_elem_at(frames, i)->id = i;
  }
}

// Put pairs and excludes in the order of their ids, as the reference does; those without an id come last.
static void takeOrder(const mjiCompile* c, mjiSpec* s, mjtObj type) {
  mjiVec* list = s->list + type;
  if (!list->num) return;
  mjiElem** sorted = mji_vec_alloc((size_t)list->num * sizeof *sorted);
  int n = 0;
  for (int i = 0; i < mji_count(c, type); i++) {
    mjiElem* source = mji_get(c, type, i)->source;
    if (source) sorted[n++] = source;
  }
  for (int i = 0; i < list->num; i++) {
    if (mji_elem_at(list, i)->id < 0) sorted[n++] = mji_elem_at(list, i);
  }
  memcpy(list->data, sorted, (size_t)n * sizeof *sorted);
  free(sorted);
}

// Tell elements of the user's specification their ids. Those that were fused or discarded have none.
static void returnIds(const mjiCompile* c, mjiSpec* s) {
  mji_spec_reorder(s);
  for (int type = 0; type < mjNOBJECT; type++) {
    for (int i = 0; i < s->list[type].num; i++) mji_elem_at(s->list + type, i)->id = -1;
    for (int i = 0; i < mji_count(c, type); i++) {
      mjiElem* source = mji_get(c, type, i)->source;
      if (source) source->id = i;
    }
  }
  for (int i = 0; i < mji_count(c, mjOBJ_TENDON); i++) {
    const mjiVec* path = &mji_get(c, mjOBJ_TENDON, i)->list;
    for (int k = 0; k < path->num; k++) {
      const mjiElem* wrap = mji_elem_at(path, k);
      if (wrap->source) wrap->source->as.wrap.type = wrap->as.wrap.type;
    }
  }
  takeOrder(c, s, mjOBJ_PAIR);
  takeOrder(c, s, mjOBJ_EXCLUDE);
}

// As in the reference, `size nkey` makes keyframes that no element describes. They become elements, unless there are so
// many that a short text would take much memory.
static void addKeys(mjiSpec* s) {
  enum { MAX_ADDED = 10000 };
  if (s->pub.nkey > MAX_ADDED) return;
  while (s->list[mjOBJ_KEY].num < s->pub.nkey) mjs_addKey(&s->pub);
}

mjiCompile* mji_compile_begin(mjiSpec* s, const mjVFS* vfs) {
  mji_adopt_refresh(s);
  mjiCompile* c = mji_vec_alloc(sizeof(mjiCompile));
  c->s = s;
  c->w = mji_spec(mji_copy_spec(s));
  c->vfs = vfs;
  if (s->lent) mji_compile_error(c, NULL, "a part of the specification belongs to another one");
  if (s->lent || checkAndResolve(c) || pack(c)) mji_compile_drop(c);
  return c;
}

void mji_compile_drop(mjiCompile* c) {
  mj_deleteModel(c->m);
  c->m = NULL;
}

// the model is there: tell the user's specification about it
static void succeed(mjiCompile* c) {
  mjiSpec* s = c->s;
  returnIds(c, s);
  addKeys(s);
  addKeys(c->w);
  mji_copyback_settle(c->w, c->m);
  snprintf(s->error, sizeof s->error, "%s", c->warning);
  s->warning = *c->warning != 0;
  c->m->signature = mji_spec_signature(s);
  s->self.head.signature = c->w->made.signature = c->m->signature;
  mji_key_settle(s, c->m);
}

static void fail(mjiCompile* c) {
  snprintf(c->s->error, sizeof c->s->error, "%s", c->error);
  c->s->warning = 0;
  c->s->numbered = MJI_RENUMBER;
}

mjModel* mji_compile_end(mjiCompile* c) {
  mjModel* m = c->m;
  if (m) succeed(c);
  else fail(c);
  freeCompile(c);
  if (!m) mj_deleteSpec(&c->w->pub);
  keepCompiled(c->s, m ? c->w : NULL);
  free(c);
  return m;
}

void mji_compile_remember(mjiSpec* s) {
  for (int type = 0; type < mjNOBJECT; type++) {
    for (int i = 0; i < s->list[type].num; i++) {
      mjiElem* e = mji_elem_at(s->list + type, i);
      e->made = e->id;
    }
  }
}
