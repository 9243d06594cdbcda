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

// activations of an actuator, as far as the specification says
static int countActivations(const mjsActuator* act) {
  return act->actdim >= 0 ? act->actdim : act->dyntype != mjDYN_NONE;
}

// what the numbers of a keyframe belong to, in the order of the tree
static void rememberOrder(mjiElem* key) {
  mjiSpec* s = key->spec;
  for (mjsElement* e = mjs_firstElement(&s->pub, mjOBJ_JOINT); e; e = mjs_nextElement(&s->pub, e)) {
    remember(key, mji_elem(e), mjs_asJoint(e)->type);
  }
  for (mjsElement* e = mjs_firstElement(&s->pub, mjOBJ_BODY); e; e = mjs_nextElement(&s->pub, e)) {
    if (mjs_asBody(e)->mocap) remember(key, mji_elem(e), 0);
  }
  for (int i = 0; i < s->list[mjOBJ_ACTUATOR].num; i++) {
    mjiElem* e = mji_elem_at(s->list + mjOBJ_ACTUATOR, i);
    remember(key, e, countActivations(&e->as.actuator));
  }
}

// a keyframe that is not pending remembers nothing for long: its numbers are those of the model as it is
static void forget(mjiElem* key) {
  mji_vec_resize(&key->list, 0);
  mji_vec_resize(&key->parts, 0);
}

void mji_key_remember(mjiSpec* s) {
  const mjiElem* first = NULL;
  for (int i = 0; i < s->list[mjOBJ_KEY].num; i++) {
    mjiElem* key = mji_elem_at(s->list + mjOBJ_KEY, i);
    if (key->pending) continue;
    if (first) {
      mji_vec_copy(&key->list, &first->list);
      mji_vec_copy(&key->parts, &first->parts);
    } else {
      rememberOrder(key);
      first = key;
    }
  }
}

void mji_key_forget(mjiSpec* s) {
  for (int i = 0; i < s->list[mjOBJ_KEY].num; i++) {
    mjiElem* key = mji_elem_at(s->list + mjOBJ_KEY, i);
    if (!key->pending) forget(key);
  }
}

// ---- keyframes of a model that has grown

// numbers of the model as it is written, one list for each of those of a keyframe
typedef struct {
  mjiVec qpos, qvel, act, ctrl, mpos, mquat;
} Numbers;

static void addJoint(Numbers* all, const mjsJoint* joint) {
  static const double zero[6] = {0}, unit[7] = {0, 0, 0, 1, 0, 0, 0};
  switch (joint->type) {
    case mjJNT_FREE:
      mji_vec_append(&all->qpos, unit, 7);
      mji_vec_append(&all->qvel, zero, 6);
      break;
    case mjJNT_BALL:
      mji_vec_append(&all->qpos, unit + 3, 4);
      mji_vec_append(&all->qvel, zero, 3);
      break;
    default:
      mji_vec_append(&all->qpos, &joint->ref, 1);
      mji_vec_append(&all->qvel, zero, 1);
  }
}

static void collectNumbers(mjiSpec* s, Numbers* all) {
  for (mjsElement* e = mjs_firstElement(&s->pub, mjOBJ_JOINT); e; e = mjs_nextElement(&s->pub, e)) {
    addJoint(all, mjs_asJoint(e));
  }
  for (mjsElement* e = mjs_firstElement(&s->pub, mjOBJ_BODY); e; e = mjs_nextElement(&s->pub, e)) {
    const mjsBody* body = mjs_asBody(e);
    if (!body->mocap) continue;
    mji_vec_append(&all->mpos, body->pos, 3);
    mji_vec_append(&all->mquat, body->quat, 4);
  }
  int na = 0, nu = s->list[mjOBJ_ACTUATOR].num;
  for (int i = 0; i < nu; i++) na += countActivations(&mji_elem_at(s->list + mjOBJ_ACTUATOR, i)->as.actuator);
  mji_vec_resize(&all->act, na);
  mji_vec_resize(&all->ctrl, nu);
}

// what is given in part ends with the numbers of the model; only as many as `width` belong together are a part
static void fillUp(mjiVec* given, const mjiVec* all, int width) {
  if (!given->num || given->num >= all->num) return;
  mji_vec_resize(given, given->num - given->num % width);
  mji_vec_append(given, (const double*)all->data + given->num, all->num - given->num);
}

void mji_key_extend(mjiSpec* s) {
  const mjiVec* keys = s->list + mjOBJ_KEY;
  if (!keys->num) return;
  Numbers all;
  mjiVec* part[] = {&all.qpos, &all.qvel, &all.act, &all.ctrl, &all.mpos, &all.mquat};
  for (int k = 0; k < 6; k++) mji_vec_init(part[k], MJI_DOUBLES);
  collectNumbers(s, &all);
  for (int i = 0; i < keys->num; i++) {
    mjiElem* e = mji_elem_at(keys, i);
    const mjsKey* key = &e->as.key;
    if (e->pending) continue;
    fillUp(key->qpos, &all.qpos, 1);
    fillUp(key->qvel, &all.qvel, 1);
    fillUp(key->act, &all.act, 1);
    fillUp(key->ctrl, &all.ctrl, 1);
    fillUp(key->mpos, &all.mpos, 3);
    fillUp(key->mquat, &all.mquat, 4);
  }
  for (int k = 0; k < 6; k++) mji_vec_free(part[k]);
}

// ---- keyframes that go along with what is copied or deleted

// What was copied knows its newest copy, for as long as keyframes are at work. Returns whether pending
// keyframes remember any of it.
static int pairUp(mjiSpec* s, int paired) {
  static const mjtObj types[] = {mjOBJ_JOINT, mjOBJ_BODY, mjOBJ_ACTUATOR};
  int remembered = 0;
  for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
    for (int i = 0; i < s->list[types[k]].num; i++) {
      mjiElem* e = mji_elem_at(s->list + types[k], i);
      if (!e->source) continue;
      e->source->twin = paired ? e : NULL;
      remembered |= e->source->pending;
    }
  }
  return remembered;
}

void mji_key_setPending(mjiElem* key) {
  key->pending = 1;
  for (int i = 0; i < key->list.num; i++) {
    mjiElem* e = mji_elem_at(&key->list, i);
    if (e) e->pending = 1;
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
  mji_key_setPending(e);
}

static void bequeath(const mjiCopy* copy, mjiElem* key) {
  void** list = key->list.data;
  for (int i = 0; i < key->list.num; i++) {
    mjiElem* e = list[i];
    list[i] = heir(copy, e);
    if (e && list[i] != e) e->pending = 0;
  }
  mji_key_setPending(key);
}

void mji_key_attach(const mjiCopy* copy, int nkey) {
  const mjiVec* keys = copy->src->list + mjOBJ_KEY;
  int within = copy->src == copy->dst;
  int remembered = pairUp(copy->dst, 1);
  for (int i = 0; i < nkey; i++) {
    mjiElem* key = mji_elem_at(keys, i);
    if (!within || !key->pending) copyKey(copy, key);
    else if (remembered) bequeath(copy, key);
  }
  pairUp(copy->dst, 0);
}

// actuators on something that is not there yet keep theirs
static void forgetActuators(const mjiElem* key) {
  void** list = key->list.data;
  for (int i = 0; i < key->list.num; i++) {
    mjiElem* e = list[i];
    if (e && e->head.elemtype == mjOBJ_ACTUATOR && mji_elem_isResolved(e)) list[i] = NULL;
  }
}

// keyframes that are pending or are not, in their order
static int collect(const mjiVec* keys, int pending, mjiElem** out) {
  int n = 0;
  for (int i = 0; i < keys->num; i++) {
    if (mji_elem_at(keys, i)->pending == pending) out[n++] = mji_elem_at(keys, i);
  }
  return n;
}

// pending keyframes before the others, which are pending from now on
void mji_key_deleteBody(mjiSpec* s) {
  mji_key_remember(s);
  mjiVec* keys = s->list + mjOBJ_KEY;
  if (!keys->num) return;
  mjiElem** sorted = mji_vec_alloc((size_t)keys->num * sizeof *sorted);
  int n = collect(keys, 1, sorted);
  n += collect(keys, 0, sorted + n);
  memcpy(keys->data, sorted, (size_t)n * sizeof *sorted);
  free(sorted);
  for (int i = 0; i < n; i++) {
    mjiElem* key = mji_elem_at(keys, i);
    if (key->pending) forgetActuators(key);
    mji_key_setPending(key);
    key->id = i;
  }
}

int mji_key_fill(mjiSpec* s) {
  mjiVec* keys = s->list + mjOBJ_KEY;
  int npending = 0;
  for (int i = 0; i < keys->num; i++) npending += mji_elem_at(keys, i)->pending;
  if (!npending) return 0;
  if (s->pub.nkey > mjiMAX_KEYFILL) return -1;
  while (keys->num - npending < s->pub.nkey) mjs_addKey(&s->pub);

  mjiElem** sorted = mji_vec_alloc((size_t)keys->num * sizeof *sorted);
  int n = collect(keys, 0, sorted);
  collect(keys, 1, sorted + n);
  memcpy(keys->data, sorted, (size_t)keys->num * sizeof *sorted);
  free(sorted);
  for (int i = 0; i < keys->num; i++) mji_elem_at(keys, i)->id = i;
  return 0;
}

void mji_key_settle(mjiSpec* s) {
  for (int i = 0; i < s->list[mjOBJ_KEY].num; i++) mji_elem_at(s->list + mjOBJ_KEY, i)->pending = 0;
}
