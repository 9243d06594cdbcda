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

// copies of the first n keyframes; their numbers for what was copied belong to the copies
static void copyKeys(const mjiCopy* copy, int n) {
  for (int i = 0; i < n; i++) {
    mji_copy_key(copy, mji_elem_at(copy->src->list + mjOBJ_KEY, i));
  }
}

// later replicas take the controls and activations of keyframes, as in the reference
static void forgetActuators(mjiSpec* s) {
  const mjiVec* keys = s->list + mjOBJ_KEY;
  for (int i = 0; i < keys->num; i++) {
    mjiVec* list = &mji_elem_at(keys, i)->list;
    for (int k = 0; k < list->num; k++) {
      const mjiElem* e = mji_elem_at(list, k);
      if (e && e->head.elemtype == mjOBJ_ACTUATOR) ((void**)list->data)[k] = NULL;
    }
  }
}

void mji_key_attach(const mjiCopy* copy, int nkey) {
  if (copy->src != copy->dst) {
    copyKeys(copy, nkey);
  } else if (copy->dst->nkeycopied) {
    copyKeys(copy, copy->dst->nkeycopied);
  } else {
    appointHeirs(copy->dst);
    if (copy->dst->replicated) forgetActuators(copy->dst);
  }
}

void mji_key_beginCopies(mjiSpec* s) {
  const mjiVec* list = s->list + mjOBJ_KEY;
  int n = 0;
  while (n < list->num && !mji_elem_at(list, n)->list.num) n++;
  s->nkeycopied = n;
  s->replicated |= n > 0;
}

void mji_key_endCopies(mjiSpec* s) {
  mjiVec* list = s->list + mjOBJ_KEY;
  void** key = list->data;
  int n = s->nkeycopied, ncopy = list->num - n;
  s->nkeycopied = 0;
  if (!n || !ncopy) return;
  void** original = mji_vec_alloc((size_t)n * sizeof *original);
  memcpy(original, key, (size_t)n * sizeof *key);
  memmove(key, key + n, (size_t)ncopy * sizeof *key);
  memcpy(key + ncopy, original, (size_t)n * sizeof *key);
  free(original);
  for (int i = 0; i < list->num; i++) mji_elem_at(list, i)->id = i;
}
