// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Attaching by reference: unless a specification makes deep copies, it takes the attached elements
// themselves, so that what the user holds pointers to belongs to it from then on.
//
// mjs_attach has made copies by now. Here each original and its copy exchange everything but their
// address: the originals get names and places in the host, the copies stay behind in the guest
// under the old names.

#include "spec/copy.h"
#include "spec/plugin_use.h"
#include "spec/element.h"
#include "spec/keyframe.h"

// ---- every element of a specification

typedef void (*Visitor)(mjiElem* e);

static void visitList(const mjiVec* list, Visitor visit) {
  for (int i = 0; i < list->num; i++) {
    mjiElem* e = mji_elem_at(list, i);
    visit(e);
    if (e->head.elemtype != mjOBJ_TENDON) continue;
    for (int k = 0; k < e->list.num; k++) visit(mji_elem_at(&e->list, k));
  }
}

static void visitAll(const mjiSpec* s, Visitor visit) {
  for (int type = 0; type < mjNOBJECT; type++) visitList(s->list + type, visit);
  visitList(&s->frames, visit);
}

// ---- pairs

static void pairUp(mjiElem* copy) {
  if (!copy->source) return;
  copy->counterpart = copy->source;
  copy->source->counterpart = copy;
}

// called for copies, while the host's lists have them
static void exchange(mjiElem* copy) {
  mjiElem* original = copy->counterpart;
  if (!original) return;
  mjiElem was = *original;
  *original = *copy;
  *copy = was;
  original->counterpart = copy;
  copy->counterpart = original;
  // what the user hung on the original stays with it
  struct mjiUserValue_* user = original->user;
  original->user = copy->user;
  copy->user = user;
  mji_elem_reconnect(original);
  mji_elem_reconnect(copy);
}

static mjiElem* now(mjiElem* e) { return e && e->counterpart ? e->counterpart : e; }

static void follow(const mjiVec* list) {
  for (int i = 0; i < list->num; i++) ((void**)list->data)[i] = now(mji_elem_at(list, i));
}

static void redirect(mjiElem* e) {
  // paths of tendons were done with the lists
  if (e->head.elemtype == mjOBJ_TENDON) return;
  e->parent = now(e->parent);
  e->frame = now(e->frame);
  for (int k = 0; e->kid && k < MJI_NKID; k++) follow(e->kid + k);
  follow(&e->list);
  mjsPlugin* plugin = mji_plugin_of(e);
  if (plugin && plugin->element) plugin->element = &now(mji_elem(plugin->element))->head;
  for (int i = 0; i < e->shares.num; i++) {
    mjiKeyShare* share = mji_vec_get(&e->shares, i);
    share->owner = now(share->owner);
  }
}

static void redirectLists(mjiSpec* s) {
  mji_index_dropAll(s);
  for (int type = 0; type < mjNOBJECT; type++) follow(s->list + type);
  follow(&s->frames);
  // the wraps of a tendon are found through it
  const mjiVec* tendons = s->list + mjOBJ_TENDON;
  for (int i = 0; i < tendons->num; i++) follow(&mji_elem_at(tendons, i)->list);
}

static void forget(mjiElem* e) { e->counterpart = NULL; }

void mji_adopt(mjiSpec* host, mjiSpec* guest) {
  guest->lent = 1;
  guest->numbered = MJI_RENUMBER;
  visitAll(host, pairUp);
  visitAll(host, exchange);
  redirectLists(host);
  redirectLists(guest);
  visitAll(host, redirect);
  visitAll(guest, redirect);
  visitAll(host, forget);
  visitAll(guest, forget);
}

// ---- who is attached to whom, for mjs_findSpec

void mji_adopt_introduce(mjiSpec* host, mjiSpec* guest) {
  mji_vec_remove(&host->attached, &guest->pub);
  mji_vec_remove(&guest->hosts, host);
  mji_vec_push(&host->attached, &guest->pub);
  mji_vec_push(&guest->hosts, host);
}

static void refresh(mjiOrigin* origin) {
  const mjsCompiler* now = &origin->guest->pub.compiler;
  mji_vec_copy(&origin->meshdir, now->meshdir);
  mji_vec_copy(&origin->texturedir, now->texturedir);
  origin->compiler = *now;
  origin->compiler.meshdir = &origin->meshdir;
  origin->compiler.texturedir = &origin->texturedir;
}

void mji_adopt_refresh(const mjiSpec* host) {
  for (int i = 0; i < host->origins.num; i++) {
    mjiOrigin* origin = mji_vec_get(&host->origins, i);
    if (origin->guest) refresh(origin);
  }
}

void mji_adopt_forget(mjiSpec* s) {
  for (int i = 0; i < s->hosts.num; i++) {
    const mjiSpec* host = mji_vec_get(&s->hosts, i);
    mji_adopt_refresh(host);
    for (int k = 0; k < host->origins.num; k++) {
      mjiOrigin* origin = mji_vec_get(&host->origins, k);
      if (origin->guest == s) origin->guest = NULL;
    }
  }
  for (int i = 0; i < s->attached.num; i++) {
    mji_vec_remove(&mji_spec(mji_vec_get(&s->attached, i))->hosts, s);
  }
  for (int i = 0; i < s->hosts.num; i++) {
    mjiSpec* host = mji_vec_get(&s->hosts, i);
    mji_vec_remove(&host->attached, &s->pub);
  }
  mji_vec_free(&s->attached);
  mji_vec_free(&s->hosts);
}
