// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Deleting elements. A body takes with it everything below it, every element that refers to any of that, and elements
// that refer to those. Keyframes lose the numbers of deleted elements. Skins and tuples stay, and so does what already
// referred to something missing: the compiler complains about them. Other elements are deleted alone.
// Frames and the world stay: asked to delete them, the reference does nothing and reports no error.

#include "spec/element.h"
#include "spec/keyframe.h"

typedef struct {
  mjiSpec* s;
  int hit;
} Search;

static void markSubtree(mjiElem* e) {
  e->marked = 1;
  for (int k = 0; e->kid && k < MJI_NKID; k++) {
    for (int i = 0; i < e->kid[k].num; i++) markSubtree(mji_elem_at(e->kid + k, i));
  }
}

static void checkReference(void* arg, mjtObj type, mjiVec* text) {
  Search* search = arg;
  if (search->hit || !text->num) return;
  mjsElement* target = mjs_findElement(&search->s->pub, type, mji_vec_text(text));
  search->hit = target && mji_elem(target)->marked;
}

static int refersToMarked(mjiElem* e) {
  if (e->head.elemtype == mjOBJ_SKIN || e->head.elemtype == mjOBJ_TUPLE) return 0;
  if (!mji_elem_isResolved(e)) return 0;
  Search search = {.s = e->spec};
  mji_elem_references(e, checkReference, &search);
  if (e->head.elemtype != mjOBJ_TENDON) return search.hit;
  for (int i = 0; i < e->list.num && !search.hit; i++) {
    mji_elem_references(mji_elem_at(&e->list, i), checkReference, &search);
  }
  return search.hit;
}

// mark what refers to something marked; the number of elements that are new
static int markReferring(mjiSpec* s) {
  int marked = 0;
  for (int type = 0; type < mjNOBJECT; type++) {
    if (mji_elem_kid(type) >= 0) continue;
    for (int i = 0; i < s->list[type].num; i++) {
      mjiElem* e = mji_elem_at(s->list + type, i);
      if (e->marked || !refersToMarked(e)) continue;
      e->marked = 1;
      marked++;
    }
  }
  return marked;
}

static void removeMarkedBeside(mjiSpec* s) {
  for (int type = 0; type < mjNOBJECT; type++) {
    if (mji_elem_kid(type) >= 0) continue;
    for (int i = s->list[type].num - 1; i >= 0; i--) {
      mjiElem* e = mji_elem_at(s->list + type, i);
      if (e->marked) mji_spec_remove(e);
    }
  }
}

int mjs_delete(mjSpec* spec, mjsElement* element) {
  mjiSpec* s = mji_spec(spec);
  if (!element) return mji_spec_error(s, NULL, "there is no element to delete");
  mjiElem* e = mji_elem(element);
  if (e->spec != s) return mji_spec_error(s, e, "the element belongs to another specification");
  if (e == s->world || e->head.elemtype == mjOBJ_FRAME) return 0;
  if (e == s->mainclass) return mji_spec_error(s, e, "the main default class cannot be deleted");
  if (e->head.elemtype == mjOBJ_MODEL) return mji_spec_error(s, NULL, "use mj_deleteSpec");

  if (e->head.elemtype == mjOBJ_DEFAULT) return mji_class_delete(e);

  if (mji_key_hasNumbers(e->head.elemtype)) mji_key_divide(s);
  markSubtree(e);
  // an actuator may act on a tendon of a body, a sensor measure that actuator, and so on
  if (e->head.elemtype == mjOBJ_BODY)
    while (markReferring(s)) {
    }
  mji_key_dropMarked(s);
  if (e->head.elemtype == mjOBJ_BODY) removeMarkedBeside(s);
  mji_spec_remove(e);
  s->self.head.signature = mji_spec_signature(s);
  return 0;
}
