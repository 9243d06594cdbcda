// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// discardvisual: what only renderers see is dropped.

#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"

// ---- what other elements refer to

typedef struct {
  const mjiCompile* c;
  mjtObj type;
  mjtByte* used;  // by id
} Search;

static void markUsed(void* arg, mjtObj type, mjiVec* text) {
  Search* search = arg;
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  if (type != search->type) return;
  int id = mji_names_find(search->c, type, mji_vec_text(text));
  if (id >= 0) search->used[id] = 1;
}

static void markReferences(mjiElem* e, Search* search) {
  mji_elem_references(e, markUsed, search);
  if (e->head.elemtype != mjOBJ_TENDON) return;
  for (int k = 0; k < e->list.num; k++) {
    mji_elem_references(mji_elem_at(&e->list, k), markUsed, search);
  }
}

// marks, by id, of the elements of one type that elements of type `by` name
static mjtByte* findUsedBy(const mjiCompile* c, mjtObj type, mjtObj by) {
  Search search = {c, type, mji_vec_alloc((size_t)mji_count(c, type) + 1)};
  for (int i = 0; i < mji_count(c, by); i++) markReferences(mji_get(c, by, i), &search);
  return search.used;
}

// marks of the meshes that geoms or tactile sensors name
static mjtByte* findUsedMeshes(const mjiCompile* c) {
  mjtByte *used = findUsedBy(c, mjOBJ_MESH, mjOBJ_GEOM), *more = findUsedBy(c, mjOBJ_MESH, mjOBJ_SENSOR);
  for (int i = 0; i < mji_count(c, mjOBJ_MESH); i++) used[i] |= more[i];
  free(more);
  return used;
}

// marks of the elements that any other element names
mjtByte* mji_reduce_findUsed(const mjiCompile* c, mjtObj type) {
  Search search = {c, type, mji_vec_alloc((size_t)mji_count(c, type) + 1)};
  for (int t = 1; t < mjNOBJECT; t++) {
    for (int i = 0; i < mji_count(c, t); i++) markReferences(mji_get(c, t, i), &search);
  }
  return search.used;
}

static void discard(mjiElem* e) {
  if (e->head.elemtype != mjOBJ_GEOM) mji_assets_free(e);
  mji_spec_remove(e);
}

static void discardAll(const mjiCompile* c, mjtObj type) {
  while (mji_count(c, type)) discard(mji_get(c, type, mji_count(c, type) - 1));
}

// ---- discardvisual

// Geoms simply lose their material. Other elements cannot do without what is about to be dropped. Returns what the
// element would miss, as text; NULL if nothing.
static const char* missed(const mjiCompile* c, const mjiElem* e) {
  const mjString* name = NULL;
  switch (e->head.elemtype) {
    case mjOBJ_SITE: name = e->as.site.material; break;
    case mjOBJ_TENDON: name = e->as.tendon.material; break;
    case mjOBJ_SKIN: name = e->as.skin.material; break;
    case mjOBJ_FLEX: name = e->as.flex.material; break;
    case mjOBJ_LIGHT: name = e->as.light.texture; break;
    case mjOBJ_GEOM: {
      const mjiElem* mesh = mji_names_get(c, mjOBJ_MESH, e->as.geom.meshname);
      if (mesh) name = mesh->as.mesh.material;
      break;
    }
    default: break;
  }
  return name && *mjs_getString(name) ? mjs_getString(name) : NULL;
}

static int checkMissed(mjiCompile* c) {
  static const mjtObj types[] = {mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_LIGHT, mjOBJ_FLEX, mjOBJ_SKIN, mjOBJ_TENDON};
  for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
    for (int i = 0; i < mji_count(c, types[k]); i++) {
      const mjiElem* e = mji_get(c, types[k], i);
      const char* name = missed(c, e);
      if (!name) continue;
      return mji_compile_error(c, e, "%s '%.200s' is dropped by discardvisual",
                               types[k] == mjOBJ_LIGHT ? "texture" : "material", name);
    }
  }
  return 0;
}

static void forgetMaterials(const mjiCompile* c) {
  for (int i = 0; i < c->w->classes.num; i++) {
    mjsDefault* dclass = &mji_elem_at(&c->w->classes, i)->as.dflt;
    mjs_setString(dclass->geom->material, "");
    mjs_setString(dclass->site->material, "");
    mjs_setString(dclass->tendon->material, "");
    mjs_setString(dclass->light->texture, "");
  }
  for (int i = 0; i < mji_count(c, mjOBJ_MESH); i++) {
    mjs_setString(mji_get(c, mjOBJ_MESH, i)->as.mesh.material, "");
  }
  for (int i = 0; i < mji_count(c, mjOBJ_GEOM); i++) {
    mjs_setString(mji_get(c, mjOBJ_GEOM, i)->as.geom.material, "");
  }
}

// Runs before assets are compiled, so that no file of a texture that is dropped is read.
int mji_reduce_materials(mjiCompile* c) {
  if (!c->w->pub.compiler.discardvisual) return 0;
  if (checkMissed(c)) return -1;
  forgetMaterials(c);
  discardAll(c, mjOBJ_MATERIAL);
  discardAll(c, mjOBJ_TEXTURE);
  mji_spec_reorder(c->w);
  return mji_names_build(c);
}

static void discardUnused(const mjiCompile* c, mjtObj type, mjtByte* used, int (*mayGo)(const mjiElem*)) {
  for (int i = mji_count(c, type) - 1; i >= 0; i--) {
    mjiElem* e = mji_get(c, type, i);
    if (!used[i] && mayGo(e)) discard(e);
  }
  free(used);
}

static int isVisual(const mjiElem* geom) { return !geom->as.geom.contype && !geom->as.geom.conaffinity; }

static int mayGoFrom(const mjiElem* geom) {
  if (!isVisual(geom)) return 0;
  geom->parent->as.body.explicitinertial = 1;  // the body keeps the mass of the geom
  return 1;
}

static int always(const mjiElem* e) {
  (void)e;
  return 1;
}

// Runs when bodies have their inertia, so geoms are no longer needed; then drops meshes that no geom and no sensor
// uses. A tuple that names such a mesh is an error.
int mji_reduce_visual(mjiCompile* c) {
  if (!c->w->pub.compiler.discardvisual) return 0;
  discardUnused(c, mjOBJ_GEOM, mji_reduce_findUsed(c, mjOBJ_GEOM), mayGoFrom);
  mji_spec_reorder(c->w);
  if (mji_names_build(c)) return -1;
  discardUnused(c, mjOBJ_MESH, findUsedMeshes(c), always);
  mji_spec_reorder(c->w);
  return mji_names_build(c);
}
