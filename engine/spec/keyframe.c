// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "spec/keyframe.h"

#include <stdlib.h>
#include <string.h>

// mjs_defaultKey on the keyframe of a specification clears the pointers to its lists, as the other defaults do.
mjiVec* mji_key_list(mjiElem* key, mjiKeyList list) {
  if (!key->as.key.qpos) mji_elem_reconnect(key);
  const mjsKey* k = &key->as.key;
  mjiVec* const lists[MJI_NKEYLIST] = {k->qpos, k->qvel, k->mpos, k->mquat, k->act, k->ctrl};
  return lists[list];
}

static int hasNumbers(mjiElem* key) {
  for (int i = 0; i < MJI_NKEYLIST; i++) {
    if (mji_key_list(key, i)->num) return 1;
  }
  return 0;
}

// ---- the order of numbers

int mji_key_hasNumbers(mjtObj type) { return type == mjOBJ_JOINT || type == mjOBJ_BODY || type == mjOBJ_ACTUATOR; }

// The first of the two lists of a keyframe in which an element has numbers, and how many in each.
static mjiKeyList sizesOf(const mjiElem* e, int n[2]) {
  static const int nq[4] = {7, 4, 1, 1}, nv[4] = {6, 3, 1, 1};
  const mjsActuator* act = &e->as.actuator;
  unsigned type = e->as.joint.type;
  switch (e->head.elemtype) {
    case mjOBJ_JOINT:
      n[0] = type < 4 ? nq[type] : 0;
      n[1] = type < 4 ? nv[type] : 0;
      return MJI_KEY_QPOS;
    case mjOBJ_BODY:
      n[0] = e->as.body.mocap ? 3 : 0;
      n[1] = e->as.body.mocap ? 4 : 0;
      return MJI_KEY_MPOS;
    default:
      n[0] = act->actdim >= 0 ? act->actdim : act->dyntype != mjDYN_NONE;
      n[1] = 1;
      return MJI_KEY_ACT;
  }
}

// a walk over all elements in the order of the model
typedef struct {
  int64_t at[MJI_NKEYLIST];  // numbers passed so far in each list; at the end, its length in the model
  mjiElem* key;              // whose lists are divided; NULL: only count
} Walk;

static void pass(Walk* walk, mjiElem* owner) {
  int n[2];
  mjiKeyList first = sizesOf(owner, n);
  const double* from[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) {
    const mjiVec* list = walk->key ? mji_key_list(walk->key, first + (mjiKeyList)i) : NULL;
    int64_t at = walk->at[first + (mjiKeyList)i];
    walk->at[first + (mjiKeyList)i] += n[i];
    if (list && at + n[i] <= list->num) from[i] = (const double*)list->data + at;
    else n[i] = 0;
  }
  if (!n[0] && !n[1]) return;
  mjiKeyShare* share = mji_vec_alloc(sizeof *share + (size_t)(n[0] + n[1]) * sizeof(double));
  share->owner = owner;
  share->first = first;
  for (int i = 0; i < 2; i++) share->n[i] = n[i];
  if (n[0]) memcpy(share->number, from[0], (size_t)n[0] * sizeof(double));
  if (n[1]) memcpy(share->number + n[0], from[1], (size_t)n[1] * sizeof(double));
  mji_vec_push(&walk->key->shares, share);
}

static void passTree(Walk* walk, mjiElem* body) {
  const mjiVec *joints = body->kid + MJI_KID_JOINT, *bodies = body->kid + MJI_KID_BODY;
  pass(walk, body);
  for (int i = 0; i < joints->num; i++) pass(walk, mji_elem_at(joints, i));
  for (int i = 0; i < bodies->num; i++) passTree(walk, mji_elem_at(bodies, i));
}

static void passAll(Walk* walk, mjiSpec* s) {
  const mjiVec* actuators = s->list + mjOBJ_ACTUATOR;
  passTree(walk, s->world);
  for (int i = 0; i < actuators->num; i++) pass(walk, mji_elem_at(actuators, i));
}

// A list of a keyframe that is longer than the model, or -1. The walk has come to its end.
static int findTooLong(mjiElem* key, const Walk* whole) {
  for (int i = 0; i < MJI_NKEYLIST; i++) {
    if (mji_key_list(key, i)->num > whole->at[i]) return i;
  }
  return -1;
}

// ---- dividing

static void divide(mjiElem* key, mjiSpec* s) {
  if (!hasNumbers(key)) return;
  passAll(&(Walk){.key = key}, s);
  for (int i = 0; i < MJI_NKEYLIST; i++) mji_vec_resize(mji_key_list(key, i), 0);
}

void mji_key_divide(mjiSpec* s) {
  const mjiVec* keys = s->list + mjOBJ_KEY;
  Walk whole = {0};
  int walked = 0;
  for (int i = 0; i < keys->num; i++) {
    mjiElem* key = mji_elem_at(keys, i);
    if (!hasNumbers(key)) continue;
    if (!walked++) passAll(&whole, s);
    if (findTooLong(key, &whole) < 0) divide(key, s);
  }
}

// keep the shares whose owners have a successor
static void replaceOwners(mjiElem* key, mjiElem* (*successor)(mjiElem* owner)) {
  int n = 0;
  for (int i = 0; i < key->shares.num; i++) {
    mjiKeyShare* share = mji_vec_get(&key->shares, i);
    share->owner = successor(share->owner);
    if (share->owner) ((void**)key->shares.data)[n++] = share;
    else free(share);
  }
  key->shares.num = n;
}

static mjiElem* unlessMarked(mjiElem* owner) { return owner->marked ? NULL : owner; }

void mji_key_dropMarked(mjiSpec* s) {
  for (int i = 0; i < s->list[mjOBJ_KEY].num; i++) replaceOwners(mji_elem_at(s->list + mjOBJ_KEY, i), unlessMarked);
}

// ---- copying

static void copyShares(mjiElem* dst, const mjiElem* src) {
  for (int i = 0; i < src->shares.num; i++) {
    const mjiKeyShare* from = mji_vec_get(&src->shares, i);
    size_t size = sizeof *from + (size_t)(from->n[0] + from->n[1]) * sizeof(double);
    mji_vec_push(&dst->shares, memcpy(mji_vec_alloc(size), from, size));
  }
}

// let owners in the source know their copies, or forget them
static void pairUp(mjiSpec* dst, int paired) {
  static const mjtObj owners[] = {mjOBJ_JOINT, mjOBJ_BODY, mjOBJ_ACTUATOR};
  for (size_t k = 0; k < sizeof owners / sizeof owners[0]; k++) {
    const mjiVec* list = dst->list + owners[k];
    for (int i = 0; i < list->num; i++) {
      mjiElem* e = mji_elem_at(list, i);
      if (e->source) e->source->counterpart = paired ? e : NULL;
    }
  }
}

static mjiElem* copyOf(mjiElem* owner) { return owner->counterpart; }

static mjiElem* copyOrSelf(mjiElem* owner) { return owner->counterpart ? owner->counterpart : owner; }

void mji_key_copy(mjiSpec* dst) {
  pairUp(dst, 1);
  for (int i = 0; i < dst->list[mjOBJ_KEY].num; i++) {
    mjiElem* key = mji_elem_at(dst->list + mjOBJ_KEY, i);
    copyShares(key, key->source);
    key->attached = key->source->attached;
    replaceOwners(key, copyOf);
  }
  pairUp(dst, 0);
}

int mji_key_checkGuest(mjiSpec* guest, mjiSpec* host) {
  static const char* const name[MJI_NKEYLIST] = {"qpos", "qvel", "mpos", "mquat", "act", "ctrl"};
  const mjiVec* keys = guest->list + mjOBJ_KEY;
  Walk whole = {0};
  if (keys->num) passAll(&whole, guest);
  for (int i = 0; i < keys->num; i++) {
    mjiElem* key = mji_elem_at(keys, i);
    int k = findTooLong(key, &whole);
    if (k < 0) continue;
    mji_spec_error(guest, key, "%s has %d numbers, its model has %d", name[k], mji_key_list(key, k)->num,
                   (int)whole.at[k]);
    if (guest != host) memcpy(host->error, guest->error, sizeof host->error);
    return -1;
  }
  return 0;
}

void mji_key_attach(mjiSpec* dst, const mjiSpec* src) {
  const mjiVec* keys = dst->list + mjOBJ_KEY;
  pairUp(dst, 1);
  for (int i = 0; i < keys->num; i++) {
    mjiElem* key = mji_elem_at(keys, i);
    int fresh = key->source != NULL;
    if (fresh) {
      copyShares(key, key->source);
      divide(key, (mjiSpec*)src);
      key->attached = 1;
      key->source = NULL;  // adopt.c then leaves the keyframe where it is
    }
    if (fresh || (src == dst && key->attached)) replaceOwners(key, src == dst ? copyOrSelf : copyOf);
  }
  pairUp(dst, 0);
}

// ---- limits and compilation

int64_t mji_key_countShares(const mjiSpec* s) {
  const mjiVec* keys = s->list + mjOBJ_KEY;
  int64_t count = 0;
  for (int i = 0; i < keys->num; i++) {
    mjiElem* key = mji_elem_at(keys, i);
    count += key->shares.num;
    for (int k = 0; k < MJI_NKEYLIST; k++) count += mji_key_list(key, k)->num;
  }
  return count;
}

static void fillFrom(mjiElem* key, const mjModel* m) {
  const size_t k = (size_t)key->id;
  const mjtNum* const from[MJI_NKEYLIST] = {m->key_qpos + k * m->nq,         m->key_qvel + k * m->nv,
                                            m->key_mpos + 3 * k * m->nmocap, m->key_mquat + 4 * k * m->nmocap,
                                            m->key_act + k * m->na,          m->key_ctrl + k * m->nu};
  const int size[MJI_NKEYLIST] = {(int)m->nq,         (int)m->nv, 3 * (int)m->nmocap,
                                  4 * (int)m->nmocap, (int)m->na, (int)m->nu};
  int fill[MJI_NKEYLIST];
  for (int i = 0; i < MJI_NKEYLIST; i++) {
    int n = mji_key_list(key, i)->num;
    fill[i] = n > 0 && n < size[i];
  }
  for (int i = 0; i < key->shares.num; i++) {
    const mjiKeyShare* share = mji_vec_get(&key->shares, i);
    for (int n = 0; n < 2; n++) fill[share->first + (mjiKeyList)n] |= share->n[n] > 0;
  }
  for (int i = 0; i < MJI_NKEYLIST; i++) {
    if (fill[i]) mji_vec_set(mji_key_list(key, i), from[i], size[i]);
  }
}

void mji_key_settle(mjiSpec* s, const mjModel* m) {
  const mjiVec* keys = s->list + mjOBJ_KEY;
  for (int i = 0; i < keys->num; i++) {
    mjiElem* key = mji_elem_at(keys, i);
    if (key->id >= 0 && key->id < m->nkey) fillFrom(key, m);
    mji_elem_freeShares(key);
    key->attached = 0;
  }
}
