// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which elements the numbers of keyframes belong to, and what elements keep of keyframes that wait.

#include <stdlib.h>
#include <string.h>

#include "spec/key.h"

// ---- owners

mjiVec* mji_key_part(mjiElem* key, mjiKeyPart part) {
  const mjsKey* k = &key->as.key;
  mjiVec* const parts[MJI_NKEYPART] = {k->qpos, k->qvel, k->mpos, k->mquat, k->act, k->ctrl};
  return parts[part];
}

// twice as much room for a full list
static void* grown(void* items, int* cap, size_t width) {
  int more = *cap ? 2 * *cap : 8;
  void* room = mji_vec_alloc((size_t)more * width);
  if (*cap) memcpy(room, items, (size_t)*cap * width);
  free(items);
  *cap = more;
  return room;
}

static void addOwner(mjiKeyOwners* owners, mjiElem* e, mjiKeyPart first, int n0, int n1) {
  mjiKeyOwner o = {.e = e, .first = first, .at = {owners->size[first], owners->size[first + 1]}, .n = {n0, n1}};
  owners->size[first] += n0;
  owners->size[first + 1] += n1;
  if (!e) return;
  if (owners->num == owners->cap) owners->owner = grown(owners->owner, &owners->cap, sizeof *owners->owner);
  owners->owner[owners->num++] = o;
}

// `as`: the element when the sizes were made, `e`: what it is now, NULL if it is gone
static void addElement(mjiKeyOwners* owners, const mjiElem* as, mjiElem* e) {
  static const int nq[4] = {7, 4, 1, 1}, nv[4] = {6, 3, 1, 1};
  const mjsActuator* act = &as->as.actuator;
  switch (as->head.elemtype) {
    case mjOBJ_JOINT: {
      unsigned type = as->as.joint.type;
      if (type < 4) addOwner(owners, e, MJI_KEY_QPOS, nq[type], nv[type]);
      break;
    }
    case mjOBJ_BODY:
      if (as->as.body.mocap) addOwner(owners, e, MJI_KEY_MPOS, 3, 4);
      break;
    default:
      addOwner(owners, e, MJI_KEY_ACT, act->actdim >= 0 ? act->actdim : act->dyntype != mjDYN_NONE, 1);
  }
}

const mjtObj mji_keyOwner[MJI_NKEYOWNER] = {mjOBJ_JOINT, mjOBJ_BODY, mjOBJ_ACTUATOR};

static void compiledOwners(mjiSpec* s, mjiKeyOwners* owners) {
  for (int k = 0; k < MJI_NKEYOWNER; k++) {
    const mjiVec *was = s->compiled->list + mji_keyOwner[k], *is = s->list + mji_keyOwner[k];
    mjiElem** now = mji_vec_alloc(((size_t)was->num + 1) * sizeof *now);
    for (int i = 0; i < is->num; i++) {
      mjiElem* e = mji_elem_at(is, i);
      if (e->made >= 0 && e->made < was->num) now[e->made] = e;
    }
    for (int i = 0; i < was->num; i++) addElement(owners, mji_elem_at(was, i), now[i]);
    free(now);
  }
}

// joints and bodies in the order of the tree: each step by mjs_nextElement would look for its place anew
static void addTree(mjiKeyOwners* owners, mjiElem* body) {
  const mjiVec *joints = body->kid + MJI_KID_JOINT, *bodies = body->kid + MJI_KID_BODY;
  addElement(owners, body, body);
  for (int i = 0; i < joints->num; i++) addElement(owners, mji_elem_at(joints, i), mji_elem_at(joints, i));
  for (int i = 0; i < bodies->num; i++) addTree(owners, mji_elem_at(bodies, i));
}

void mji_key_owners(mjiSpec* s, mjiKeyOwners* owners) {
  *owners = (mjiKeyOwners){0};
  addTree(owners, s->world);
  const mjiVec* actuators = s->list + mjOBJ_ACTUATOR;
  for (int i = 0; i < actuators->num; i++) addElement(owners, mji_elem_at(actuators, i), mji_elem_at(actuators, i));
}

void mji_key_ownersMade(mjiSpec* s, mjiKeyOwners* owners) {
  *owners = (mjiKeyOwners){0};
  if (s->compiled && !s->rebuilt) compiledOwners(s, owners);
  else mji_key_owners(s, owners);
}

void mji_key_freeOwners(mjiKeyOwners* owners) {
  free(owners->owner);
  *owners = (mjiKeyOwners){0};
}

// ---- what elements keep

static mjiKeptKey* find(const mjiElem* e, const char* name) {
  struct mjiKept_* kept = e->kept;
  if (!kept) return NULL;
  unsigned hash = mji_vec_hash(name);
  for (int k = kept->num - 1; k >= 0; k--) {
    if (kept->key[k].hash == hash && !strcmp(mji_vec_text(&kept->key[k].name), name)) return kept->key + k;
  }
  return NULL;
}

// a part can be attached any number of times, and what is not copied keeps what it has: the oldest goes
static void dropOldest(struct mjiKept_* kept) {
  mji_vec_free(&kept->key->name);
  for (int i = 0; i < 2; i++) mji_vec_free(kept->key->part + i);
  memmove(kept->key, kept->key + 1, (size_t)--kept->num * sizeof *kept->key);
}

static mjiKeptKey* add(mjiElem* e, const char* name) {
  if (!e->kept) e->kept = mji_vec_alloc(sizeof *e->kept);
  struct mjiKept_* kept = e->kept;
  if (kept->num == MJI_MAXKEPT) dropOldest(kept);
  if (kept->num == kept->cap) kept->key = grown(kept->key, &kept->cap, sizeof *kept->key);
  mjiKeptKey* key = kept->key + kept->num++;
  mji_vec_init(&key->name, MJI_STRING);
  mji_vec_setText(&key->name, name);
  key->hash = mji_vec_hash(name);
  for (int i = 0; i < 2; i++) mji_vec_init(key->part + i, MJI_DOUBLES);
  return key;
}

void mji_kept_put(mjiElem* e, const char* name, int isNew, int i, const double* numbers, int n) {
  mjiKeptKey* key = isNew && !i ? NULL : find(e, name);
  if (!key) key = add(e, name);
  mji_vec_set(key->part + i, numbers, n);
}

// the keyframe that waited under this name; without one, the last, which has them all
static mjiElem* findWaited(mjiSpec* s, const char* name) {
  if (*name) return mji_index_find(s, mjOBJ_KEY, name);
  const mjiVec* keys = s->list + mjOBJ_KEY;
  for (int i = keys->num - 1; i >= 0; i--) {
    mjiElem* key = mji_elem_at(keys, i);
    if (key->waited && !*mji_elem_name(key)) return key;
  }
  return NULL;
}

void mji_kept_visit(mjiSpec* s, mjiKeptVisitor visit, void* arg) {
  for (int k = 0; k < MJI_NKEYOWNER; k++) {
    const mjiVec* list = s->list + mji_keyOwner[k];
    for (int j = 0; j < list->num; j++) {
      mjiElem* e = mji_elem_at(list, j);
      for (int n = 0; e->kept && n < e->kept->num; n++) {
        const mjiKeptKey* kept = e->kept->key + n;
        mjiElem* key = findWaited(s, mji_vec_text(&kept->name));
        for (int i = 0; key && i < 2; i++) {
          mjiKeyPart part = 2 * (mjiKeyPart)k + (mjiKeyPart)i;
          if (key->waited >> part & 1 && kept->part[i].num) visit(arg, key, e, part, kept->part + i);
        }
      }
    }
  }
}

void mji_kept_copy(mjiElem* dst, const mjiElem* src) {
  for (int k = 0; src->kept && k < src->kept->num; k++) {
    const mjiKeptKey* from = src->kept->key + k;
    mjiKeptKey* key = add(dst, mji_vec_text(&from->name));
    for (int i = 0; i < 2; i++) mji_vec_copy(key->part + i, from->part + i);
  }
}

void mji_kept_move(mjiElem* dst, mjiElem* src) {
  mji_kept_free(dst);
  dst->kept = src->kept;
  src->kept = NULL;
}

void mji_kept_free(mjiElem* e) {
  for (int k = 0; e->kept && k < e->kept->num; k++) {
    mjiKeptKey* key = e->kept->key + k;
    mji_vec_free(&key->name);
    for (int i = 0; i < 2; i++) mji_vec_free(key->part + i);
  }
  if (e->kept) free(e->kept->key);
  free(e->kept);
  e->kept = NULL;
}
