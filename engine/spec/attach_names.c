// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Names of what is attached, and of what it refers to.

#include <stdlib.h>
#include <string.h>

#include "spec/attach.h"

static void affix(const mjiCopy* copy, mjiVec* text) {
  size_t size = strlen(copy->prefix) + (size_t)text->num + strlen(copy->suffix) + 1;
  char* name = mji_vec_alloc(size);
  strcat(strcat(strcpy(name, copy->prefix), mji_vec_text(text)), copy->suffix);
  mji_vec_setText(text, name);
  free(name);
}

void mji_attach_renameText(const mjiCopy* copy, mjiVec* text) {
  if (text->num) affix(copy, text);
}

int mji_attach_isAsset(mjtObj type) {
  return type == mjOBJ_PLUGIN || type == mjOBJ_MESH || type == mjOBJ_HFIELD || type == mjOBJ_TEXTURE ||
         type == mjOBJ_MATERIAL;
}

int mji_attach_isWithin(const mjiCopy* copy) { return copy->src == copy->dst; }

// references are to other elements that are copied, assets of the same specification aside
static void renameInTree(void* arg, mjtObj type, mjiVec* text) {
  if (!mji_attach_isWithin(arg) || !mji_attach_isAsset(type)) mji_attach_renameText(arg, text);
}

// Find a copy of the element that a text names, by the new name, which the caller frees; NULL if there is no such copy.
static const mjiElem* findRenamed(const mjiCopy* copy, mjtObj type, const mjiVec* text, mjiVec* renamed) {
  mji_vec_init(renamed, MJI_STRING);
  mji_vec_copy(renamed, text);
  affix(copy, renamed);
  return mji_elem(mjs_findElement(&copy->dst->pub, type, mji_vec_text(renamed)));
}

// A name without a renamed copy stays: in the host it means an element that was there before.
static void renameIfCopied(void* arg, mjtObj type, mjiVec* text) {
  if ((mji_attach_isAsset(type) && type != mjOBJ_PLUGIN) || !text->num) return;
  mjiVec renamed;
  if (findRenamed(arg, type, text, &renamed)) mji_vec_copy(text, &renamed);
  mji_vec_free(&renamed);
}

// rename a geom on a path and its side site if both have copies
static void renameWithSide(const mjiCopy* copy, mjiWrapInfo* wrap) {
  mjiVec geom, site;
  const mjiElem* found[2] = {findRenamed(copy, mjOBJ_GEOM, &wrap->target, &geom),
                             findRenamed(copy, mjOBJ_SITE, &wrap->sidesite, &site)};
  if (found[0] && found[1]) {
    mji_vec_copy(&wrap->target, &geom);
    mji_vec_copy(&wrap->sidesite, &site);
  }
  mji_vec_free(&geom);
  mji_vec_free(&site);
}

// In a model with geom1 and geom10, the second looks like a copy of the first by its name. A geom without a side site
// must be a copy: as in the reference, where it is none at all, its name alone does not make a copy of its tendon.
static void renameOnPath(void* arg, mjtObj type, mjiVec* text) {
  mjiVec renamed;
  const mjiElem* found = findRenamed(arg, type, text, &renamed);
  mji_vec_free(&renamed);
  if (type != mjOBJ_GEOM || (found && found->source)) renameIfCopied(arg, type, text);
}

static void renamePath(const mjiCopy* copy, mjiElem* e) {
  if (e->wrap->sidesite.num) renameWithSide(copy, e->wrap);
  else mji_elem_references(e, renameOnPath, (void*)copy);
}

// bodies may be excluded from collisions with the world, which keeps its name
static void renameExclude(const mjiCopy* copy, mjsExclude* exclude) {
  mjiVec* names[2] = {exclude->bodyname1, exclude->bodyname2};
  for (int i = 0; i < 2; i++) {
    if (!strcmp(mji_vec_text(names[i]), "world")) continue;
    renameIfCopied((void*)copy, mjOBJ_BODY, names[i]);
  }
}

// vertices and nodes in the world: the caller of the attachment finds them a body
static void renameUnlessWorld(void* arg, mjtObj type, mjiVec* text) {
  if (type != mjOBJ_BODY || strcmp(mji_vec_text(text), "world")) renameInTree(arg, type, text);
}

int mji_attach_hasCopy(const mjiCopy* copy, mjtObj type, const mjiVec* text) {
  mjiVec renamed;
  const int found = findRenamed(copy, type, text, &renamed) != NULL;
  mji_vec_free(&renamed);
  return found;
}

static void renameReferences(const mjiCopy* copy, mjiElem* e) {
  void* arg = (void*)copy;
  switch (e->head.elemtype) {
    case mjOBJ_EXCLUDE: renameExclude(copy, &e->as.exclude); break;
    case mjOBJ_UNKNOWN: renamePath(copy, e); break;  // element of a tendon's path
    case mjOBJ_FLEX: mji_elem_references(e, renameUnlessWorld, arg); break;
    case mjOBJ_PAIR:
    case mjOBJ_SENSOR: mji_elem_references(e, renameIfCopied, arg); break;
    default: mji_elem_references(e, renameInTree, arg); break;
  }
}

// "main" then means the main class of the host
static void renameClass(const mjiCopy* copy, mjiVec* name) {
  if (strcmp(mji_vec_text(name), mji_elem_name(copy->src->mainclass))) mji_attach_renameText(copy, name);
}

void mji_attach_rename(const mjiCopy* copy, mjiElem* e) {
  mji_elem_nameAfterFile(e);
  mji_attach_renameText(copy, &e->name);
  renameReferences(copy, e);
  if (mji_attach_isWithin(copy)) return;
  if (e->head.elemtype == mjOBJ_BODY) renameClass(copy, e->as.body.childclass);
  if (e->head.elemtype == mjOBJ_FRAME) renameClass(copy, e->as.frame.childclass);
}
