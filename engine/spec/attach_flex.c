// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Flexes go along with the bodies that carry them.

#include <stdlib.h>
#include <string.h>

#include "spec/attach.h"

static int isWorld(const mjiVec* names, int i) { return !strcmp(mji_vec_textAt(names, i), "world"); }

// Is a body that carries the flex copied? The first that is not the world tells, so that a flex of thousands of
// vertices costs little where it stays.
static int isCarried(const mjiCopy* copy, const mjsFlex* flex) {
  const mjiVec* lists[] = {flex->vertbody, flex->nodebody};
  int named = 0;
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < lists[k]->num; i++) {
      if (isWorld(lists[k], i)) continue;
      named = 1;
      if (mji_attach_hasCopy(copy, mjOBJ_BODY, mji_vec_at(lists[k], i))) return 1;
      break;
    }
  }
  // a flex of the world alone belongs to a model that is attached as a whole
  return !named && !mji_attach_isWithin(copy);
}

static int isInWorld(const mjsFlex* flex) {
  const mjiVec* lists[] = {flex->vertbody, flex->nodebody};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < lists[k]->num; i++) {
      if (isWorld(lists[k], i)) return 1;
    }
  }
  return 0;
}

// The world of another specification is a place in a body here: a body of its own stands there.
static int leaveWorld(mjiElem* e, mjiElem* place, mjiElem* frame) {
  mjsFlex* flex = &e->as.flex;
  char* name = mji_vec_alloc((size_t)e->name.num + 32);
  strcat(strcpy(name, mji_elem_name(e)), "_world");
  mjsBody* body = mjs_addBody(&place->as.body, NULL);
  const int bad = mjs_setName(body->element, name);
  mji_elem(body->element)->frame = frame;
  mjiVec* lists[] = {flex->vertbody, flex->nodebody};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < lists[k]->num; i++) {
      if (isWorld(lists[k], i)) mji_vec_setText(mji_vec_at(lists[k], i), name);
    }
  }
  free(name);
  return bad;
}

int mji_attach_flexes(const mjiCopy* copy, int n, mjiElem* place, mjiElem* frame) {
  for (int i = 0; i < n; i++) {
    const mjiElem* from = mji_elem_at(copy->src->list + mjOBJ_FLEX, i);
    if (!isCarried(copy, &from->as.flex)) continue;
    mjiElem* e = mji_copy_listed(copy, from);
    if (!mji_attach_isWithin(copy) && isInWorld(&e->as.flex) && leaveWorld(e, place, frame)) return -1;
    if (!mji_elem_isResolved(e)) mji_spec_remove(e);
  }
  const mjiElem* repeated = mji_index_repeated(copy->dst, mjOBJ_FLEX);
  return repeated ? mji_spec_error(copy->dst, repeated, "the name is used by another flex") : 0;
}
