// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Bodies, joints and degrees of freedom: numbering, addresses and the trees they form.

#include <math.h>

#include "compile/compile.h"
#include "model/tree.h"

// ---- sizes

void mji_tree_count(const mjiCompile* c, mjModel* sizes) {
  sizes->nbody = mji_count(c, mjOBJ_BODY);
  sizes->njnt = mji_count(c, mjOBJ_JOINT);
  for (int i = 0; i < sizes->njnt; i++) {
    mjtJoint type = mji_get(c, mjOBJ_JOINT, i)->as.joint.type;
    sizes->nq += mji_tree_qposSize(type);
    sizes->nv += mji_tree_dofSize(type);
  }
  for (int i = 0; i < sizes->nbody; i++) {
    const mjiElem* e = mji_get(c, mjOBJ_BODY, i);
    sizes->nmocap += e->as.body.mocap != 0;
    sizes->ngravcomp += e->as.body.gravcomp > 0;

    // a tree starts at the first body with joints on the way from the world
    const mjiElem* up = e->parent;
    while (up && !up->kid[MJI_KID_JOINT].num) up = up->parent;
    sizes->ntree += e->kid[MJI_KID_JOINT].num && !up;
  }
}

// ---- where frames coincide

// coarse, because frames that come from meshes differ by the rounding of a float
#define FRAME_EPS 1e-6

static int isZero(const double* v, int n) {
  for (int i = 0; i < n; i++) {
    if (fabs(v[i]) >= FRAME_EPS) return 0;
  }
  return 1;
}

static int isSamePose(const double* pos1, const double* pos2, const double* quat1, const double* quat2) {
  double dpos[3] = {0}, dquat[4], sum[4];
  if (pos1) mju_sub3(dpos, pos1, pos2);
  mju_sub(dquat, quat1, quat2, 4);
  mju_add(sum, quat1, quat2, 4);
  return isZero(dpos, 3) && (isZero(dquat, 4) || isZero(sum, 4));
}

static const double noPos[3] = {0, 0, 0};
static const double noQuat[4] = {1, 0, 0, 0};

mjtSameFrame mji_tree_sameFrame(const mjsBody* body, const double pos[3], const double quat[4]) {
  if (isSamePose(pos, noPos, quat, noQuat)) return mjSAMEFRAME_BODY;
  if (isSamePose(NULL, NULL, quat, noQuat)) return mjSAMEFRAME_BODYROT;
  if (body && isSamePose(pos, body->ipos, quat, body->iquat)) return mjSAMEFRAME_INERTIA;
  if (body && isSamePose(NULL, NULL, quat, body->iquat)) return mjSAMEFRAME_INERTIAROT;
  return mjSAMEFRAME_NONE;
}

// ---- bodies

static void packBody(mjiCompile* c, int i, int* mocap) {
  mjModel* m = c->m;
  const mjiElem* e = mji_get(c, mjOBJ_BODY, i);
  const mjsBody* body = &e->as.body;

  m->body_parentid[i] = e->parent ? e->parent->id : 0;
  m->body_mocapid[i] = body->mocap ? (*mocap)++ : -1;
  m->body_jntnum[i] = e->kid[MJI_KID_JOINT].num;
  m->body_geomnum[i] = e->kid[MJI_KID_GEOM].num;
  m->body_geomadr[i] = m->body_geomnum[i] ? mji_elem_at(e->kid + MJI_KID_GEOM, 0)->id : -1;

  m->body_sameframe[i] = mji_tree_sameFrame(NULL, body->ipos, body->iquat);
  m->body_gravcomp[i] = body->gravcomp;
  m->body_plugin[i] = mji_plugin_id(&body->plugin);
}

// what a body can collide with, and from how far away: the union over its geoms
static void packCollision(mjiCompile* c, int i) {
  mjModel* m = c->m;
  const mjiVec* geoms = mji_get(c, mjOBJ_BODY, i)->kid + MJI_KID_GEOM;
  for (int k = 0; k < geoms->num; k++) {
    const mjsGeom* geom = &mji_elem_at(geoms, k)->as.geom;
    m->body_contype[i] |= geom->contype;
    m->body_conaffinity[i] |= geom->conaffinity;
    m->body_margin[i] = fmax(m->body_margin[i], geom->margin);
  }
}

// ---- joints and dofs

static void packJoint(mjiCompile* c, int i) {
  mjModel* m = c->m;
  const mjiElem* e = mji_get(c, mjOBJ_JOINT, i);
  const mjsJoint* jnt = &e->as.joint;
  m->jnt_group[i] = jnt->group;
  m->jnt_limited[i] = (mjtByte)jnt->limited;
  m->jnt_actfrclimited[i] = (mjtByte)jnt->actfrclimited;
  m->jnt_actgravcomp[i] = jnt->actgravcomp;
  mju_copy(m->jnt_actfrcrange + 2 * i, jnt->actfrcrange, 2);

  // reference configuration
  mjtNum *q0 = m->qpos0 + m->jnt_qposadr[i], *qs = m->qpos_spring + m->jnt_qposadr[i];
  switch (jnt->type) {
    case mjJNT_FREE:
      mju_copy3(q0, e->parent->as.body.pos);
      mju_copy4(q0 + 3, e->parent->as.body.quat);
      mju_copy(qs, q0, 7);
      break;
    case mjJNT_BALL:
      mju_unit4(q0);
      mju_unit4(qs);
      break;
    default: q0[0] = jnt->ref; qs[0] = jnt->springref;
  }
}

static void packDof(mjiCompile* c, int dof) {
  mjModel* m = c->m;
  const mjsJoint* jnt = &mji_get(c, mjOBJ_JOINT, m->dof_jntid[dof])->as.joint;
  mju_copy(m->dof_solref + mjNREF * dof, jnt->solref_friction, mjNREF);
  mju_copy(m->dof_solimp + mjNIMP * dof, jnt->solimp_friction, mjNIMP);
  m->dof_frictionloss[dof] = jnt->frictionloss;
  m->dof_armature[dof] = jnt->armature;
  m->dof_damping[dof] = jnt->damping;
}

// ---- simple bodies: those whose part of the inertia matrix is diagonal

static int isAlongAxis(const mjtNum axis[3]) {
  return (fabs(axis[0]) > MJI_EPS) + (fabs(axis[1]) > MJI_EPS) + (fabs(axis[2]) > MJI_EPS) == 1;
}

// the joints of the body keep its part of the matrix diagonal
static int hasSimpleJoints(const mjiCompile* c, int body) {
  const mjModel* m = c->m;
  int rotated = 0;
  for (int k = 0; k < m->body_jntnum[body]; k++) {
    const mjsJoint* joint = &mji_get(c, mjOBJ_JOINT, m->body_jntadr[body] + k)->as.joint;
    mjtJoint type = joint->type;
    int scalar = type == mjJNT_HINGE || type == mjJNT_SLIDE;
    if (rotated || !isZero(joint->pos, 3) || (scalar && !isAlongAxis(joint->axis))) return 0;
    rotated = type == mjJNT_HINGE || type == mjJNT_BALL;
  }
  return 1;
}

static int onlySlides(const mjModel* m, int body) {
  for (int k = 0; k < m->body_jntnum[body]; k++) {
    if (m->jnt_type[m->body_jntadr[body] + k] != mjJNT_SLIDE) return 0;
  }
  return m->body_jntnum[body] > 0;
}

// body_simple: 1 if the body's part of the inertia matrix is diagonal, 2 if the body also has only slides
static void packSimple(const mjiCompile* c) {
  mjModel* m = c->m;
  for (int i = 0; i < m->nbody; i++) {
    int parent = m->body_parentid[i];
    // the body is on the world, or on a body that is fixed to the world
    int top = m->body_rootid[i] == i || (parent == m->body_rootid[i] && !m->body_dofnum[parent]);
    m->body_simple[i] = m->body_sameframe[i] == mjSAMEFRAME_BODY && top && hasSimpleJoints(c, i);
    if (m->body_simple[i] && onlySlides(m, i)) m->body_simple[i] = 2;
    if (parent) m->body_simple[parent] = 0;
  }
}

// a spatial tendon with armature couples the dofs of the bodies on its path, so these are not simple
static void unsimplify(mjiCompile* c) {
  for (int i = 0; i < mji_count(c, mjOBJ_TENDON); i++) {
    const mjiElem* e = mji_get(c, mjOBJ_TENDON, i);
    if (!e->as.tendon.armature) continue;
    for (int k = 0; k < e->list.num; k++) {
      const mjiElem* w = mji_elem_at(&e->list, k);
      if (w->as.wrap.type != mjWRAP_SITE) continue;
      int site = mji_names_find(c, mjOBJ_SITE, mji_vec_text(&w->wrap->target));
      c->m->body_simple[mji_get(c, mjOBJ_SITE, site)->parent->id] = 0;
    }
  }
}

void mji_tree_pack(mjiCompile* c) {
  mjModel* m = c->m;
  int mocap = 0;
  for (int i = 0; i < m->nbody; i++) {
    packBody(c, i, &mocap);
    packCollision(c, i);
  }
  for (int j = 0; j < m->njnt; j++) m->jnt_type[j] = mji_get(c, mjOBJ_JOINT, j)->as.joint.type;
  mji_tree_derive(m);
  for (int j = 0; j < m->njnt; j++) packJoint(c, j);
  for (int i = 0; i < m->nv; i++) packDof(c, i);
  packSimple(c);
  unsimplify(c);
  mji_tree_deriveSimple(m);
}
