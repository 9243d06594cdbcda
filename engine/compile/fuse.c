// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// fusestatic: bodies that cannot move relative to their parent are merged into it.

#include <stdlib.h>
#include <string.h>

#include "compile/bvh_past.h"
#include "compile/compile.h"

// ---- one body

// forces between bodies are measured where bodies meet
static void keepForceSensors(const mjiCompile* c, mjtByte* used) {
  for (int i = 0; i < mji_count(c, mjOBJ_SENSOR); i++) {
    const mjsSensor* sensor = &mji_get(c, mjOBJ_SENSOR, i)->as.sensor;
    if (sensor->type != mjSENS_FORCE && sensor->type != mjSENS_TORQUE) continue;
    const mjiElem* site = mji_names_get(c, mjOBJ_SITE, sensor->objname);
    if (site && *mji_elem_name(site->parent)) used[site->parent->id] = 1;
  }
}

// A point seen from further out. Rotated by the matrix, as in the reference: mju_trnVecPose has other last bits.
static void moveOut(double res[3], const double pos[3], const double quat[4], const double vec[3]) {
  double rot[9], turned[3];
  mju_quat2Mat(rot, quat);
  mju_mulMatVec3(turned, rot, vec);
  mju_add3(res, pos, turned);
}

static void addPoint(double mat[9], const double inertia[3], const double quat[4], double mass,
                     const double arm[3]) {
  double turned[9];
  mji_body_turnInertia(turned, inertia, quat);
  mji_body_addPointMass(turned, mass, arm);
  mju_addTo(mat, turned, 9);
}

// Mass and inertia of a body, moved into its parent. The inertial frame of the body keeps its orientation and
// moves by the body's position: models are expected to get these numbers, which agree with physics
// where the body is not rotated.
static int fuseInertia(mjiCompile* c, mjiElem* parent, const mjiElem* e) {
  mjsBody* to = &parent->as.body;
  const mjsBody* from = &e->as.body;
  double pos[3], com[3];
  const double* quat = from->iquat;
  moveOut(pos, from->ipos, from->iquat, from->pos);
  double mass = to->mass + from->mass;
  if (from->mass < mjMINVAL) return 0;
  for (int i = 0; i < 3; i++) com[i] = (to->mass * to->ipos[i] + from->mass * pos[i]) / mass;
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
  double at[3];
  moveOut(at, from->pos, from->quat, pos);
  mju_mulPose(pos, quat, from->pos, from->quat, pos, quat);
  mju_copy3(pos, at);
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

// ---- numbers before and after

// the elements of a type, in the order that they have now
static mjiElem** listAll(const mjiCompile* c, mjtObj type) {
  size_t n = (size_t)mji_count(c, type);
  mjiElem** all = mji_vec_alloc((n + 1) * sizeof(mjiElem*));
  for (size_t i = 0; i < n; i++) all[i] = mji_get(c, type, (int)i);
  return all;
}

// to be called when elements have their new ids
static void rememberIds(mjiCompile* c, mjtObj type, mjiElem** all) {
  int n = mji_count(c, type);
  c->names[type].before = mji_vec_alloc((size_t)(n + 1) * sizeof(int));
  for (int i = 0; i < n; i++) c->names[type].before[all[i]->id] = i;
  free(all);
}

// geoms of a subtree in the order that they will have, from number n on; the next number
static int listGeoms(const mjiElem* body, mjiElem** list, int n) {
  const mjiVec* geoms = body->kid + MJI_KID_GEOM;
  const mjiVec* bodies = body->kid + MJI_KID_BODY;
  for (int i = 0; i < geoms->num; i++) list[n++] = mji_elem_at(geoms, i);
  for (int i = 0; i < bodies->num; i++) n = listGeoms(mji_elem_at(bodies, i), list, n);
  return n;
}

// ---- which bodies

typedef struct {
  mjtByte* used;       // by id: named by another element
  int last;            // the last of them
  int left;            // bodies that there are at this time
  mjiElem** geoms;     // room for their list
} Fusion;

// where the paths of tendons have geoms, by the numbers from before, there are spheres and cylinders now
static int pathsFit(const mjiCompile* c, const Fusion* f) {
  int listed = 0;
  for (int t = 0; t < mji_count(c, mjOBJ_TENDON); t++) {
    const mjiVec* path = &mji_get(c, mjOBJ_TENDON, t)->list;
    for (int k = 0; k < path->num; k++) {
      const mjiElem* w = mji_elem_at(path, k);
      if (w->as.wrap.type != mjWRAP_SPHERE && w->as.wrap.type != mjWRAP_CYLINDER) continue;
      int id = mji_names_find(c, mjOBJ_GEOM, mji_vec_text(&w->wrap->target));
      if (id < 0) continue;
      if (!listed) listed = listGeoms(c->w->world, f->geoms, 0);
      if (!mji_tendon_canWrap(f->geoms[id])) return 0;
    }
  }
  return 1;
}

// Bodies that are named by another element stay. The reference finds them by trying whether all names still mean
// something without this one, and it counts with the numbers from before: once no more bodies are left than the
// last named one had as its number, or a tendon finds other geoms in its path, every body with a name seems to
// be missed. The numbering of bodies is what programs see, so it is the same here.
static int isMissed(const mjiCompile* c, const Fusion* f, const mjiElem* e, int id) {
  if (f->used[id]) return 1;
  return *mji_elem_name(e) && ((id < f->last && f->last >= f->left) || !pathsFit(c, f));
}

int mji_fuse_static(mjiCompile* c) {
  if (!c->w->pub.compiler.fusestatic) return 0;
  int bad = 0, n = mji_count(c, mjOBJ_BODY);
  Fusion f = {mji_reduce_findUsed(c, mjOBJ_BODY), n - 1, n, listAll(c, mjOBJ_GEOM)};
  while (f.last > 0 && !f.used[f.last]) f.last--;
  keepForceSensors(c, f.used);
  mjiElem** bodies = listAll(c, mjOBJ_BODY);
  mjiElem** geoms = listAll(c, mjOBJ_GEOM);
  mjiElem** sites = listAll(c, mjOBJ_SITE);
  for (int i = 1; i < n && !bad; i++) {
    mjiElem* e = bodies[i];
    if (e->kid[MJI_KID_JOINT].num || e->as.body.mocap || isMissed(c, &f, e, i)) continue;
    bad = fuse(c, e);
    f.left--;
  }
  free(f.geoms);
  free(f.used);
  free(bodies);
  mji_spec_reorder(c->w);
  rememberIds(c, mjOBJ_GEOM, geoms);
  rememberIds(c, mjOBJ_SITE, sites);
  return bad ? -1 : mji_names_build(c);
}
