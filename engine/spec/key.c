// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "spec/key.h"

#include <stdlib.h>
#include <string.h>

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

void mji_key_remember(mjiSpec* s) {
  for (int i = 0; i < s->list[mjOBJ_KEY].num; i++)
    rememberOrder(mji_elem_at(s->list + mjOBJ_KEY, i));
}

// what was copied knows its newest copy, for as long as keyframes are at work
static void pairUp(mjiSpec* s, int paired) {
  static const mjtObj types[] = {mjOBJ_JOINT, mjOBJ_BODY, mjOBJ_ACTUATOR};
  for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
    for (int i = 0; i < s->list[types[k]].num; i++) {
      mjiElem* e = mji_elem_at(s->list + types[k], i);
      if (e->source) e->source->twin = paired ? e : NULL;
    }
  }
}

// what a number belongs to once its owner was copied; within one specification, what was not copied
// is meant itself
static mjiElem* heir(const mjiCopy* copy, mjiElem* owner) {
  if (!owner) return NULL;
  return owner->twin || copy->src != copy->dst ? owner->twin : owner;
}

static void copyKey(const mjiCopy* copy, const mjiElem* src) {
  mjiElem* e = mji_copy_listed(copy, src);
  for (int i = 0; i < src->list.num; i++) mji_vec_push(&e->list, heir(copy, mji_elem_at(&src->list, i)));
  mji_vec_copy(&e->parts, &src->parts);
  e->pending = 1;
}

static void bequeath(const mjiCopy* copy, const mjiElem* key) {
  void** list = key->list.data;
  for (int i = 0; i < key->list.num; i++) list[i] = heir(copy, list[i]);
}

void mji_key_attach(const mjiCopy* copy, int nkey) {
  const mjiVec* keys = copy->src->list + mjOBJ_KEY;
  int within = copy->src == copy->dst;
  pairUp(copy->dst, 1);
  for (int i = 0; i < nkey; i++) {
    mjiElem* key = mji_elem_at(keys, i);
    if (within && key->pending) bequeath(copy, key);
    else copyKey(copy, key);
  }
  pairUp(copy->dst, 0);
}

static void forgetActuators(const mjiElem* key) {
  void** list = key->list.data;
  for (int i = 0; i < key->list.num; i++) {
    const mjiElem* e = list[i];
    if (e && e->head.elemtype == mjOBJ_ACTUATOR) list[i] = NULL;
  }
}

// pending keyframes before the others, which are pending from now on
void mji_key_deleteBody(mjiSpec* s) {
  mji_key_remember(s);
  mjiVec* keys = s->list + mjOBJ_KEY;
  if (!keys->num) return;
  mjiElem** sorted = mji_vec_alloc((size_t)keys->num * sizeof *sorted);
  int n = 0;
  for (int pending = 1; pending >= 0; pending--) {
    for (int i = 0; i < keys->num; i++) {
      if (mji_elem_at(keys, i)->pending == pending) sorted[n++] = mji_elem_at(keys, i);
    }
  }
  memcpy(keys->data, sorted, (size_t)n * sizeof *sorted);
  free(sorted);
  for (int i = 0; i < n; i++) {
    mjiElem* key = mji_elem_at(keys, i);
    if (key->pending) forgetActuators(key);
    key->pending = 1;
    key->id = i;
  }
}

void mji_key_settle(mjiSpec* s) {
  for (int i = 0; i < s->list[mjOBJ_KEY].num; i++) mji_elem_at(s->list + mjOBJ_KEY, i)->pending = 0;
}
