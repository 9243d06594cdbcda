// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mjs_bodyToFrame. The inertia of geoms comes along with the geoms. An inertia that was given must be added to that of
// the parent, which may be that of geoms: only the compiler knows those, so it is asked about a copy.

#include <string.h>

#include "compile/compile.h"
#include "spec/copy.h"
#include "spec/keyframe.h"

// Drop what inertia does not need and the compiler may refuse: elements that refer to others, which may be unfinished,
// and joints, so that no body must have mass.
static void dropLinks(mjiSpec* s) {
  static const mjtObj types[] = {mjOBJ_KEY,    mjOBJ_TUPLE, mjOBJ_SENSOR,  mjOBJ_ACTUATOR, mjOBJ_EQUALITY,
                                 mjOBJ_TENDON, mjOBJ_PAIR,  mjOBJ_EXCLUDE, mjOBJ_SKIN,     mjOBJ_JOINT};
  for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
    const mjiVec* list = s->list + types[k];
    while (list->num) mji_spec_remove(mji_elem_at(list, list->num - 1));
  }
}

static int findCopy(const mjiSpec* copy, const mjiElem* body) {
  const mjiVec* list = copy->list + mjOBJ_BODY;
  for (int i = 0; i < list->num; i++) {
    if (mji_elem_at(list, i)->source == body) return mji_elem_at(list, i)->id;
  }
  return -1;
}

// pose of a body's inertial frame in the parent
static void seeFromParent(const mjModel* m, int body, double pos[3], double quat[4]) {
  mju_mulPose(pos, quat, m->body_pos + 3 * body, m->body_quat + 4 * body, m->body_ipos + 3 * body,
              m->body_iquat + 4 * body);
}

// Add to mat the inertia about com of a body with inertial frame pos, quat.
static void addInertia(double mat[9], double mass, const double inertia[3], const double pos[3], const double quat[4],
                       const double com[3]) {
  double turned[9], arm[3];
  mji_body_turnInertia(turned, inertia, quat);
  mju_sub3(arm, pos, com);
  mji_body_addPointMass(turned, mass, arm);
  mju_addTo(mat, turned, 9);
}

// give the parent the mass and inertia of both
static void join(mjsBody* to, const mjModel* m, int parent, int body) {
  double pos[3], quat[4], mat[9] = {0};
  const double *ipos = m->body_ipos + 3 * parent, *inertia = m->body_inertia;
  double mass = m->body_mass[parent], added = m->body_mass[body];
  seeFromParent(m, body, pos, quat);
  to->mass = mass + added;
  for (int i = 0; i < 3; i++) to->ipos[i] = (mass * ipos[i] + added * pos[i]) / to->mass;
  addInertia(mat, mass, inertia + 3 * parent, ipos, m->body_iquat + 4 * parent, to->ipos);
  addInertia(mat, added, inertia + 3 * body, pos, quat, to->ipos);

  const double full[6] = {mat[0], mat[4], mat[8], mat[1], mat[2], mat[5]};
  mju_copy(to->fullinertia, full, 6);
  mju_zero3(to->inertia);
  mju_unit4(to->iquat);
  mjs_defaultOrientation(&to->ialt);
  to->explicitinertial = 1;
}

// 0, or -1 with the error of the specification
static int addToParent(const mjiElem* body) {
  mjiSpec *s = body->spec, *copy = mji_spec(mji_copy_spec(s));
  dropLinks(copy);
  copy->pub.compiler.fusestatic = copy->pub.compiler.balanceinertia = 0;
  mjModel* m = mji_compile_end(mji_compile_begin(copy, NULL));
  if (!m) mji_spec_error(s, body, "its inertia cannot be added to that of its parent: %s", copy->error);
  int id = findCopy(copy, body);
  if (m && m->body_mass[id] > 0) join(&body->parent->as.body, m, findCopy(copy, body->parent), id);
  mj_deleteModel(m);
  mj_deleteSpec(&copy->pub);
  return m ? 0 : -1;
}

static void moveKids(mjiElem* body, mjiElem* frame) {
  mjiElem* parent = body->parent;
  for (int k = 0; k < MJI_NKID; k++) {
    for (int i = 0; i < body->kid[k].num; i++) {
      mjiElem* child = mji_elem_at(body->kid + k, i);
      child->parent = parent;
      if (!child->frame) child->frame = frame;
      mji_vec_push(parent->kid + k, child);
    }
    body->kid[k].num = 0;
  }
}

mjsFrame* mjs_bodyToFrame(mjsBody** body) {
  mjiElem* e = mji_elem((*body)->element);
  mjiElem* parent = e->parent;
  mjiSpec* s = e->spec;
  if (!parent) return NULL;
  int given = e->as.body.explicitinertial && mji_elem_compiler(e)->inertiafromgeom != mjINERTIAFROMGEOM_TRUE;
  if (given && parent != s->world && addToParent(e)) return NULL;

  mji_key_divide(s);
  mjiElem* f = mji_elem(mjs_addFrame(&parent->as.body, NULL)->element);
  f->frame = e->frame;
  f->origin = e->origin;
  mjsFrame* frame = &f->as.frame;
  mju_copy3(frame->pos, (*body)->pos);
  mju_copy4(frame->quat, (*body)->quat);
  frame->alt = (*body)->alt;
  moveKids(e, f);
  e->marked = 1;
  mji_key_dropMarked(s);
  mji_spec_remove(e);
  s->self.head.signature = mji_spec_signature(s);
  *body = NULL;
  return frame;
}
