// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fewer elements, when the compiler settings ask for it: discardvisual drops what only renderers see,
// fusestatic merges bodies that cannot move relative to their parent into it.

#include <stdlib.h>
#include <string.h>

#include "compile/bvh_past.h"
#include "compile/compile.h"

// ---- what other elements refer to

typedef struct {
  const mjiCompile* c;
  mjtObj type;
  mjtByte* used;      // by id
} Search;

static void markUsed(void* arg, mjtObj type, mjiVec* text) {
  Search* search = arg;
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

// elements of one type that those of another one name, by id
static mjtByte* findUsedBy(const mjiCompile* c, mjtObj type, mjtObj by) {
  Search search = {c, type, mji_vec_alloc((size_t)mji_count(c, type) + 1)};
  for (int i = 0; i < mji_count(c, by); i++) markReferences(mji_get(c, by, i), &search);
  return search.used;
}

// ... that any other element names
static mjtByte* findUsed(const mjiCompile* c, mjtObj type) {
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

// Sites, tendons, skins, lights and meshes of geoms cannot do without what is about to go: only geoms forget
// their material. Text of what is missed, NULL if nothing is.
static const char* missed(const mjiCompile* c, const mjiElem* e) {
  const mjString* name = NULL;
  switch (e->head.elemtype) {
    case mjOBJ_SITE: name = e->as.site.material; break;
    case mjOBJ_TENDON: name = e->as.tendon.material; break;
    case mjOBJ_SKIN: name = e->as.skin.material; break;
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
  static const mjtObj types[] = {mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_LIGHT, mjOBJ_SKIN, mjOBJ_TENDON};
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

// Before assets are compiled: nothing is asked of materials and textures that nobody will see.
int mji_reduce_materials(mjiCompile* c) {
  if (!c->w->pub.compiler.discardvisual) return 0;
  if (checkMissed(c)) return -1;
  forgetMaterials(c);
  discardAll(c, mjOBJ_MATERIAL);
  discardAll(c, mjOBJ_TEXTURE);
  mji_spec_reorder(c->w);
  return mji_names_build(c);
}

static void discardUnused(const mjiCompile* c, mjtObj type, mjtByte* used,
                          int (*mayGo)(const mjiElem*)) {
  for (int i = mji_count(c, type) - 1; i >= 0; i--) {
    mjiElem* e = mji_get(c, type, i);
    if (!used[i] && mayGo(e)) discard(e);
  }
  free(used);
}

static int isVisual(const mjiElem* geom) {
  return !geom->as.geom.contype && !geom->as.geom.conaffinity;
}

static int mayGoFrom(const mjiElem* geom) {
  if (!isVisual(geom)) return 0;
  geom->parent->as.body.explicitinertial = 1;    // the mass that it had stays
  return 1;
}

static int always(const mjiElem* e) {
  (void)e;
  return 1;
}

// The bodies have their inertia by now, so geoms can go, and then the meshes that no geom has: a tuple that
// names one of them will not find it.
int mji_reduce_visual(mjiCompile* c) {
  if (!c->w->pub.compiler.discardvisual) return 0;
  discardUnused(c, mjOBJ_GEOM, findUsed(c, mjOBJ_GEOM), mayGoFrom);
  mji_spec_reorder(c->w);
  if (mji_names_build(c)) return -1;
  discardUnused(c, mjOBJ_MESH, findUsedBy(c, mjOBJ_MESH, mjOBJ_GEOM), always);
  mji_spec_reorder(c->w);
  return mji_names_build(c);
}

// ---- fusestatic

// forces between bodies are measured where bodies meet
static void keepForceSensors(const mjiCompile* c, mjtByte* used) {
  for (int i = 0; i < mji_count(c, mjOBJ_SENSOR); i++) {
    const mjsSensor* sensor = &mji_get(c, mjOBJ_SENSOR, i)->as.sensor;
    if (sensor->type != mjSENS_FORCE && sensor->type != mjSENS_TORQUE) continue;
    const mjiElem* site = mji_names_get(c, mjOBJ_SITE, sensor->objname);
    if (site) used[site->parent->id] = 1;
  }
}

static void addPoint(double mat[9], const double inertia[3], const double quat[4], double mass,
                     const double arm[3]) {
  double turned[9];
  mji_body_turnInertia(turned, inertia, quat);
  mju_addTo(mat, turned, 9);
  mji_body_addPointMass(mat, mass, arm);
}

// Mass and inertia of a body, moved into its parent. The inertial frame of the body keeps its orientation and
// moves by the body's position: models are expected to get these numbers, which agree with physics
// where the body is not rotated.
static int fuseInertia(mjiCompile* c, mjiElem* parent, const mjiElem* e) {
  mjsBody* to = &parent->as.body;
  const mjsBody* from = &e->as.body;
  double pos[3], com[3] = {0, 0, 0};
  const double* quat = from->iquat;
  mju_trnVecPose(pos, from->ipos, from->iquat, from->pos);
  double mass = to->mass + from->mass;
  if (from->mass < mjMINVAL) return 0;
  mju_addToScl3(com, to->ipos, to->mass / mass);
  mju_addToScl3(com, pos, from->mass / mass);
  double mat[9] = {0}, arm[3];
  mju_sub3(arm, to->ipos, com);
  addPoint(mat, to->inertia, to->iquat, to->mass, arm);
  mju_sub3(arm, pos, com);
  addPoint(mat, from->inertia, quat, from->mass, arm);
  to->mass = mass;
  mju_copy3(to->ipos, com);
  return mji_body_principalAxes(c, parent, mat, to->inertia, to->iquat);
}

static void movePose(const mjsBody* from, double pos[3], double quat[4]) {
  mju_mulPose(pos, quat, from->pos, from->quat, pos, quat);
}

// pose of a part of the body, seen from the parent
static void moveElement(const mjsBody* from, mjiElem* e) {
  double quat[4] = {1, 0, 0, 0};
  switch (e->head.elemtype) {
    case mjOBJ_BODY: movePose(from, e->as.body.pos, e->as.body.quat); break;
    case mjOBJ_GEOM: movePose(from, e->as.geom.pos, e->as.geom.quat); break;
    case mjOBJ_SITE: movePose(from, e->as.site.pos, e->as.site.quat); break;
    case mjOBJ_CAMERA: movePose(from, e->as.camera.pos, e->as.camera.quat); break;
    case mjOBJ_LIGHT:
      movePose(from, e->as.light.pos, quat);
      mju_rotVecQuat(e->as.light.dir, e->as.light.dir, from->quat);
      break;
    default: break;
  }
}

// bodies take the place of the fused body, other parts come last
static void moveKids(mjiElem* parent, mjiElem* e, int kid) {
  mjiVec* to = parent->kid + kid;
  mjiVec* from = e->kid + kid;
  int at = to->num;
  if (kid == MJI_KID_BODY) {
    for (at = 0; mji_elem_at(to, at) != e; at++) {}
    at++;
  }
  int tail = to->num - at;
  mji_vec_resize(to, to->num + from->num);
  void** slot = (void**)to->data + at;
  if (tail) memmove(slot + from->num, slot, (size_t)tail * sizeof(void*));
  for (int i = 0; i < from->num; i++) {
    mjiElem* child = mji_elem_at(from, i);
    moveElement(&e->as.body, child);
    child->parent = parent;
    child->frame = NULL;
    slot[i] = child;
  }
  from->num = 0;
}

static int fuse(mjiCompile* c, mjiElem* e) {
  mjiElem* parent = e->parent;
  mji_bvh_rememberFusion(parent, e);
  if (parent != c->w->world && fuseInertia(c, parent, e)) return -1;
  parent->as.body.explicitinertial = parent != c->w->world;
  for (int kid = 0; kid < MJI_NKID; kid++) {
    if (kid != MJI_KID_FRAME) moveKids(parent, e, kid);
  }
  mji_spec_remove(e);
  return 0;
}

// Bodies that are referred to stay. So do those before the last one that is, once no more bodies are
// left than its number says: the reference loses track of it then, and the numbering of bodies is what
// programs see.
int mji_reduce_static(mjiCompile* c) {
  if (!c->w->pub.compiler.fusestatic) return 0;
  mjtByte* used = findUsed(c, mjOBJ_BODY);
  int bad = 0, n = mji_count(c, mjOBJ_BODY), left = n, last = n - 1;
  while (last > 0 && !used[last]) last--;
  keepForceSensors(c, used);
  mjiElem** bodies = mji_vec_alloc((size_t)n * sizeof(mjiElem*));
  for (int i = 0; i < n; i++) bodies[i] = mji_get(c, mjOBJ_BODY, i);
  for (int i = 1; i < n && !bad; i++) {
    mjiElem* e = bodies[i];
    int lost = i < last && last >= left;
    if (e->kid[MJI_KID_JOINT].num || e->as.body.mocap || used[i] || lost) continue;
    bad = fuse(c, e);
    left--;
  }
  free(bodies);
  free(used);
  mji_spec_reorder(c->w);
  return bad ? -1 : mji_names_build(c);
}
