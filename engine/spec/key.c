// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "spec/key.h"

#include <stdlib.h>
#include <string.h>

// ---- waiting

static int partsOf(mjiElem* key) {
  int bits = 0;
  for (int i = 0; i < MJI_NKEYPART; i++) bits |= (mji_key_part(key, i)->num > 0) << i;
  return bits;
}

static int checkSize(mjiElem* key, const mjiKeyOwners* owners) {
  static const char* const name[MJI_NKEYPART] = {"qpos", "qvel", "mpos", "mquat", "act", "ctrl"};
  for (int i = 0; i < MJI_NKEYPART; i++) {
    int n = mji_key_part(key, i)->num;
    if (!n || n == owners->size[i]) continue;
    return mji_spec_error(key->spec, key, "%s has %d numbers, its model has %d", name[i], n, owners->size[i]);
  }
  return 0;
}

// the numbers of a keyframe that belong to o, to be kept by e
static void keep(mjiElem* e, const char* name, int isNew, mjiElem* key, const mjiKeyOwner* o) {
  for (int i = 0; i < 2; i++) {
    const mjiVec* part = mji_key_part(key, o->first + (mjiKeyPart)i);
    if (part->num >= o->at[i] + o->n[i] && o->n[i]) {
      mji_kept_put(e, name, isNew, i, (const double*)part->data + o->at[i], o->n[i]);
    }
  }
}

// ---- attaching

static mjiVec renamed(const mjiCopy* copy, const mjiElem* key) {
  mjiVec name;
  mji_vec_init(&name, MJI_STRING);
  mji_vec_setFormat(&name, "%s%s%s", copy->prefix, mji_elem_name(key), copy->suffix);
  return name;
}

// those of a part that wait themselves come along under the names that they have; its settings and classes stay
static void takeWaiting(const mjiCopy* copy, mjiVec* waiting) {
  for (int i = 0; i < waiting->num; i++) {
    mjiElem* key = mji_elem_at(waiting, i);
    key->spec = copy->dst;
    key->origin = mji_copy_origin(copy, key->origin);
    key->dclass = mji_copy_class(copy, key->dclass);
    mji_vec_push(&copy->dst->waiting, key);
  }
  waiting->num = 0;
}

int mji_key_offer(const mjiCopy* copy, mjiKeyOwners* owners) {
  mjiSpec *src = (mjiSpec*)copy->src, *dst = copy->dst;
  const mjiVec* keys = src->list + mjOBJ_KEY;
  *owners = (mjiKeyOwners){0};
  if (keys->num) mji_key_ownersMade(src, owners);
  for (int i = 0; i < keys->num; i++) {
    mjiElem *key = mji_elem_at(keys, i), *e = mji_elem_make(dst, mjOBJ_KEY);
    mjiVec name = renamed(copy, key);
    mji_vec_setText(&e->name, mji_vec_text(&name));
    mji_vec_free(&name);
    e->as.key.time = key->as.key.time;
    e->waited = partsOf(key);
    e->origin = mji_copy_origin(copy, key->origin);
    mji_vec_copy(e->as.key.info, key->as.key.info);
    mji_vec_push(&dst->waiting, e);
    if (!checkSize(key, owners)) {
      // what is copied takes along what it keeps, also when it is attached later
      for (int k = 0; src != dst && k < owners->num; k++) {
        keep(owners->owner[k].e, mji_elem_name(e), 0, key, owners->owner + k);
      }
      continue;
    }
    if (src != dst) memcpy(dst->error, src->error, sizeof dst->error);
    return -1;
  }
  if (src != dst) takeWaiting(copy, &src->waiting);
  return 0;
}

// what was copied knows its newest copy, for as long as keyframes are at work
static void pairUp(mjiSpec* s, int paired) {
  for (int k = 0; k < MJI_NKEYOWNER; k++) {
    const mjiVec* list = s->list + mji_keyOwner[k];
    for (int i = 0; i < list->num; i++) {
      mjiElem* e = mji_elem_at(list, i);
      if (e->source) e->source->twin = paired ? e : NULL;
    }
  }
}

static int countWaiting(const mjiSpec* s, const char* name) {
  int n = 0;
  for (int i = 0; i < s->waiting.num; i++) n += !strcmp(mji_elem_name(mji_elem_at(&s->waiting, i)), name);
  return n;
}

// a joint without its body: both have the numbers then, as in the reference
static int isCopiedAlone(const mjiElem* e) {
  return e->twin && e->head.elemtype == mjOBJ_JOINT && !e->twin->parent->source;
}

// within one specification, what was not copied is meant itself
static void keepOffered(const mjiCopy* copy, const mjiKeyOwners* owners) {
  const mjiVec* keys = copy->src->list + mjOBJ_KEY;
  pairUp(copy->dst, 1);
  for (int i = 0; i < keys->num; i++) {
    mjiElem* key = mji_elem_at(keys, i);
    mjiVec name = renamed(copy, key);
    int isNew = countWaiting(copy->dst, mji_vec_text(&name)) == 1;
    for (int k = 0; k < owners->num; k++) {
      const mjiKeyOwner* o = owners->owner + k;
      keep(o->e->twin ? o->e->twin : o->e, mji_vec_text(&name), isNew, key, o);
      if (isCopiedAlone(o->e)) keep(o->e, mji_vec_text(&name), isNew, key, o);
    }
    mji_vec_free(&name);
  }
  pairUp(copy->dst, 0);
}

// ---- making longer

// the reference position of a joint as it was written: free and ball joints know theirs once they were compiled
static void putJoint(const mjiElem* joint, double* to, int n) {
  static const double ball[4] = {1, 0, 0, 0};
  const double* settled = joint->parent ? joint->parent->settled : NULL;
  if (n == 1) *to = joint->as.joint.ref;
  else if (settled) mju_copy(to, n == 7 ? settled : ball, n);
  else mju_zero(to, n);
}

// the reference configuration as it was written, before angles and frames were looked at
static void putWritten(const mjiKeyOwner* o, double* to, int i) {
  const mjsBody* body = &o->e->as.body;
  const double* settled = o->e->settled;
  switch (o->first + (mjiKeyPart)i) {
    case MJI_KEY_QPOS: putJoint(o->e, to, o->n[0]); break;
    case MJI_KEY_MPOS: mju_copy3(to, settled ? settled : body->pos); break;
    case MJI_KEY_MQUAT: mju_copy4(to, settled ? settled + 3 : body->quat); break;
    default: mju_zero(to, o->n[i]); break;
  }
}

// Of poses of mocap bodies, whole ones stay as they are; other numbers each.
static void lengthenFor(mjiElem* key, const mjiKeyOwner* o, const int* had) {
  double written[7];
  for (int i = 0; i < 2; i++) {
    mjiKeyPart part = o->first + (mjiKeyPart)i;
    int n = o->n[i], stay = had[part] - o->at[i];
    if (!had[part] || stay >= n || part == MJI_KEY_ACT || part == MJI_KEY_CTRL || part == MJI_KEY_QVEL) continue;
    if (stay < 0 || part == MJI_KEY_MPOS || part == MJI_KEY_MQUAT) stay = 0;
    putWritten(o, written, i);
    mju_copy((double*)mji_key_part(key, part)->data + o->at[i] + stay, written + stay, n - stay);
  }
}

static void lengthen(mjiElem* key, const mjiKeyOwners* owners) {
  int had[MJI_NKEYPART], isShort = 0;
  for (int i = 0; i < MJI_NKEYPART; i++) {
    mjiVec* part = mji_key_part(key, i);
    had[i] = part->num;
    if (!part->num || part->num >= owners->size[i]) continue;
    mji_vec_resize(part, owners->size[i]);
    isShort = 1;
  }
  for (int k = 0; isShort && k < owners->num; k++) lengthenFor(key, owners->owner + k, had);
}

// more than the compiler allows is left to it to complain about
static void lengthenAll(mjiSpec* s) {
  const mjiVec* keys = s->list + mjOBJ_KEY;
  if (!keys->num) return;
  mjiKeyOwners owners;
  mji_key_owners(s, &owners);
  double size = 0;
  for (int i = 0; i < MJI_NKEYPART; i++) size += owners.size[i];
  if (size * keys->num * sizeof(double) <= MJI_MAXASKED) {
    for (int i = 0; i < keys->num; i++) lengthen(mji_elem_at(keys, i), &owners);
  }
  mji_key_freeOwners(&owners);
}

void mji_key_attach(const mjiCopy* copy, const mjiKeyOwners* owners) {
  if (copy->src == copy->dst) keepOffered(copy, owners);
  lengthenAll(copy->dst);
}

// ---- deleting

// the numbers of actuators do not survive a second time, but for those on something that is not there yet
static void forgetActuators(mjiSpec* s) {
  const mjiVec* list = s->list + mjOBJ_ACTUATOR;
  for (int i = 0; i < list->num; i++) {
    mjiElem* e = mji_elem_at(list, i);
    if (mji_elem_isResolved(e)) mji_kept_free(e);
  }
}

int mji_key_deleteBody(mjiSpec* s) {
  mjiVec* keys = s->list + mjOBJ_KEY;
  mjiKeyOwners owners = {0};
  if (keys->num) mji_key_ownersMade(s, &owners);
  for (int i = 0; i < keys->num; i++) {
    if (!checkSize(mji_elem_at(keys, i), &owners)) continue;
    mji_key_freeOwners(&owners);
    return -1;
  }
  if (keys->num || s->waiting.num) forgetActuators(s);
  for (int i = 0; i < keys->num; i++) {
    mjiElem* key = mji_elem_at(keys, i);
    key->waited = partsOf(key);
    for (int k = 0; k < owners.num; k++) keep(owners.owner[k].e, mji_elem_name(key), 0, key, owners.owner + k);
    for (int k = 0; k < MJI_NKEYPART; k++) mji_vec_resize(mji_key_part(key, k), 0);
    key->id = -1;
    mji_vec_push(&s->waiting, key);
  }
  mji_key_freeOwners(&owners);
  keys->num = 0;
  mji_index_drop(s, mjOBJ_KEY);
  s->rebuilt = 1;
  return 0;
}

// ---- compiling

// the last unnamed keyframe gets all that was kept without a name
static void shareUnnamed(const mjiVec* waiting) {
  mjiElem* last = NULL;
  for (int i = waiting->num - 1; i >= 0; i--) {
    mjiElem* key = mji_elem_at(waiting, i);
    if (*mji_elem_name(key)) continue;
    if (!last) {
      last = key;
    } else {
      last->waited |= key->waited;
      key->waited = 0;
    }
  }
}

int mji_key_publish(mjiSpec* s) {
  shareUnnamed(&s->waiting);
  mjiVec* keys = s->list + mjOBJ_KEY;
  if (s->waiting.num && s->pub.nkey > mjiMAX_KEYFILL) return -1;
  while (s->waiting.num && keys->num < s->pub.nkey) mjs_addKey(&s->pub);
  int first = keys->num;
  for (int i = 0; i < s->waiting.num; i++) {
    mjiElem* key = mji_elem_at(&s->waiting, i);
    key->id = keys->num;
    mji_vec_push(keys, key);
    mji_index_add(key);
  }
  s->waiting.num = 0;
  return first;
}

void mji_key_lengthen(mjiSpec* s, const mjiSpec* w) {
  lengthenAll(s);
  for (int i = 0; i < w->list[mjOBJ_KEY].num; i++) {
    mjiElem* key = mji_elem_at(w->list + mjOBJ_KEY, i);
    for (int k = 0; key->source && k < MJI_NKEYPART; k++) {
      mji_vec_copy(mji_key_part(key, k), mji_key_part(key->source, k));
    }
  }
}

static void fillFrom(mjiElem* key, const mjModel* m) {
  const size_t k = (size_t)key->id;
  const mjtNum* const from[MJI_NKEYPART] = {
      m->key_qpos + k * m->nq, m->key_qvel + k * m->nv,   m->key_mpos + 3 * k * m->nmocap,
      m->key_mquat + 4 * k * m->nmocap, m->key_act + k * m->na, m->key_ctrl + k * m->nu};
  const int size[MJI_NKEYPART] = {(int)m->nq, (int)m->nv, 3 * (int)m->nmocap, 4 * (int)m->nmocap,
                                  (int)m->na, (int)m->nu};
  for (int i = 0; i < MJI_NKEYPART; i++) {
    if (key->waited >> i & 1) mji_vec_set(mji_key_part(key, i), from[i], size[i]);
  }
}

// where the owner has its numbers; addresses are in its `id` of the owners
typedef struct {
  mjiKeyOwners owners;
  const mjiKeyOwner** of[MJI_NKEYOWNER];    // by id
} Places;

static void openPlaces(mjiSpec* s, Places* places) {
  mji_key_owners(s, &places->owners);
  for (int k = 0; k < MJI_NKEYOWNER; k++) {
    places->of[k] = mji_vec_alloc(((size_t)s->list[mji_keyOwner[k]].num + 1) * sizeof *places->of[k]);
  }
  for (int i = 0; i < places->owners.num; i++) {
    const mjiKeyOwner* o = places->owners.owner + i;
    if (o->e->id >= 0) places->of[o->first / 2][o->e->id] = o;
  }
}

static void closePlaces(Places* places) {
  mji_key_freeOwners(&places->owners);
  for (int k = 0; k < MJI_NKEYOWNER; k++) free(places->of[k]);
}

// quaternions are kept as they were given
static void fillKept(void* arg, mjiElem* key, mjiElem* owner, mjiKeyPart part, const mjiVec* numbers) {
  const Places* places = arg;
  const mjiKeyOwner* o = owner->id < 0 ? NULL : places->of[part / 2][owner->id];
  mjiVec* to = mji_key_part(key, part);
  int i = part % 2;
  if (!o || numbers->num != o->n[i] || to->num < o->at[i] + o->n[i]) return;
  mju_copy((double*)to->data + o->at[i], numbers->data, o->n[i]);
}

static void forgetAll(mjiSpec* s) {
  for (int k = 0; k < MJI_NKEYOWNER; k++) {
    const mjiVec* list = s->list + mji_keyOwner[k];
    for (int i = 0; i < list->num; i++) mji_kept_free(mji_elem_at(list, i));
  }
}

// all that have waited are at the end of the list
static void waitAgain(mjiSpec* s, int first) {
  mjiVec* keys = s->list + mjOBJ_KEY;
  for (int i = first; i < keys->num; i++) {
    mji_elem_at(keys, i)->id = -1;
    mji_vec_push(&s->waiting, mji_elem_at(keys, i));
  }
  mji_vec_resize(keys, first);
  mji_index_drop(s, mjOBJ_KEY);
}

void mji_key_settle(mjiSpec* s, int first, const mjModel* m) {
  const mjiVec* keys = s->list + mjOBJ_KEY;
  if (first < 0) return;
  if (!m) {
    waitAgain(s, first);
    return;
  }
  s->rebuilt = 0;
  if (first == keys->num) return;
  for (int i = first; i < keys->num; i++) {
    mjiElem* key = mji_elem_at(keys, i);
    if (key->id >= 0 && key->id < m->nkey) fillFrom(key, m);
  }
  Places places;
  openPlaces(s, &places);
  mji_kept_visit(s, fillKept, &places);
  closePlaces(&places);
  for (int i = first; i < keys->num; i++) mji_elem_at(keys, i)->waited = 0;
  forgetAll(s);
}
