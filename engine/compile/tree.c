// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Bodies, joints and degrees of freedom: numbering, addresses and the trees they form.

#include <math.h>

#include "compile/compile.h"

static int qposSize(mjtJoint type) {
  return type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1;
}

static int dofSize(mjtJoint type) {
  return type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
}

// ---- sizes

void mji_tree_count(const mjiCompile* c, mjModel* sizes) {
  sizes->nbody = mji_count(c, mjOBJ_BODY);
  sizes->njnt = mji_count(c, mjOBJ_JOINT);
  for (int i = 0; i < sizes->njnt; i++) {
    mjtJoint type = mji_get(c, mjOBJ_JOINT, i)->as.joint.type;
    sizes->nq += qposSize(type);
    sizes->nv += dofSize(type);
  }
  for (int i = 0; i < sizes->nbody; i++) {
    const mjiElem* e = mji_get(c, mjOBJ_BODY, i);
    sizes->nmocap += e->as.body.mocap != 0;
    sizes->ngravcomp += e->as.body.gravcomp > 0;

    // a tree starts where the first joints on the way from the world are
    const mjiElem* up = e->parent;
    while (up && !up->kid[MJI_KID_JOINT].num) up = up->parent;
    sizes->ntree += e->kid[MJI_KID_JOINT].num && !up;
  }
}

// ---- where frames coincide

// coarse: frames that differ by the rounding of a float, as those of meshes do, are taken to be the same
#define FRAME_EPS 1e-6

static int isZero(const double* v, int n) {
  for (int i = 0; i < n; i++) {
    if (fabs(v[i]) >= FRAME_EPS) return 0;
  }
  return 1;
}

static int isSamePose(const double* pos1, const double* pos2, const double* quat1,
                      const double* quat2) {
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
  int parent = e->parent ? e->parent->id : 0;
  int moves = e->kid[MJI_KID_JOINT].num > 0;

  m->body_parentid[i] = parent;
  m->body_rootid[i] = !i ? 0 : !parent ? i : m->body_rootid[parent];
  m->body_weldid[i] = !i ? 0 : moves ? i : m->body_weldid[parent];
  m->body_mocapid[i] = body->mocap ? (*mocap)++ : -1;
  m->body_jntnum[i] = e->kid[MJI_KID_JOINT].num;
  m->body_jntadr[i] = moves ? mji_elem_at(e->kid + MJI_KID_JOINT, 0)->id : -1;
  m->body_geomnum[i] = e->kid[MJI_KID_GEOM].num;
  m->body_geomadr[i] = m->body_geomnum[i] ? mji_elem_at(e->kid + MJI_KID_GEOM, 0)->id : -1;

  mju_copy3(m->body_pos + 3 * i, body->pos);
  mju_copy4(m->body_quat + 4 * i, body->quat);
  mju_copy3(m->body_ipos + 3 * i, body->ipos);
  mju_copy4(m->body_iquat + 4 * i, body->iquat);
  m->body_sameframe[i] = mji_tree_sameFrame(NULL, body->ipos, body->iquat);
  m->body_mass[i] = body->mass;
  mju_copy3(m->body_inertia + 3 * i, body->inertia);
  m->body_gravcomp[i] = body->gravcomp;
  m->body_plugin[i] = -1;
  mji_pack_user(m->body_user + (size_t)m->nuser_body * i, body->userdata);
}

// geoms decide what a body can collide with, and how far away
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

static void packJoint(mjiCompile* c, int i, int qposadr, int dofadr) {
  mjModel* m = c->m;
  const mjiElem* e = mji_get(c, mjOBJ_JOINT, i);
  const mjsJoint* jnt = &e->as.joint;
  m->jnt_type[i] = jnt->type;
  m->jnt_qposadr[i] = qposadr;
  m->jnt_dofadr[i] = dofadr;
  m->jnt_bodyid[i] = e->parent->id;
  m->jnt_group[i] = jnt->group;
  m->jnt_limited[i] = (mjtByte)jnt->limited;
  m->jnt_actfrclimited[i] = (mjtByte)jnt->actfrclimited;
  m->jnt_actgravcomp[i] = jnt->actgravcomp;
  mju_copy(m->jnt_solref + mjNREF * i, jnt->solref_limit, mjNREF);
  mju_copy(m->jnt_solimp + mjNIMP * i, jnt->solimp_limit, mjNIMP);
  mju_copy3(m->jnt_pos + 3 * i, jnt->pos);
  mju_copy3(m->jnt_axis + 3 * i, jnt->axis);
  m->jnt_stiffness[i] = jnt->stiffness;
  mju_copy(m->jnt_range + 2 * i, jnt->range, 2);
  mju_copy(m->jnt_actfrcrange + 2 * i, jnt->actfrcrange, 2);
  m->jnt_margin[i] = jnt->margin;
  mji_pack_user(m->jnt_user + (size_t)m->nuser_jnt * i, jnt->userdata);

  // reference configuration
  mjtNum *q0 = m->qpos0 + qposadr, *qs = m->qpos_spring + qposadr;
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
    default:
      q0[0] = jnt->ref;
      qs[0] = jnt->springref;
  }
}

static void packDof(mjiCompile* c, int dof, int joint, int parentdof) {
  mjModel* m = c->m;
  const mjiElem* e = mji_get(c, mjOBJ_JOINT, joint);
  const mjsJoint* jnt = &e->as.joint;
  m->dof_bodyid[dof] = e->parent->id;
  m->dof_jntid[dof] = joint;
  m->dof_parentid[dof] = parentdof;
  mju_copy(m->dof_solref + mjNREF * dof, jnt->solref_friction, mjNREF);
  mju_copy(m->dof_solimp + mjNIMP * dof, jnt->solimp_friction, mjNIMP);
  m->dof_frictionloss[dof] = jnt->frictionloss;
  m->dof_armature[dof] = jnt->armature;
  m->dof_damping[dof] = jnt->damping;
}

// joints of one body, and their dofs: each dof hangs on the one before it, the first on the last of the
// nearest body above that has any
static void packJoints(mjiCompile* c, int body, int* qposadr, int* dofadr) {
  mjModel* m = c->m;
  int up = m->body_parentid[body];
  while (up && !m->body_dofnum[up]) up = m->body_parentid[up];
  int parentdof = m->body_dofnum[up] ? m->body_dofadr[up] + m->body_dofnum[up] - 1 : -1;

  int first = *dofadr;
  for (int k = 0; k < m->body_jntnum[body]; k++) {
    int joint = m->body_jntadr[body] + k;
    packJoint(c, joint, *qposadr, *dofadr);
    for (int i = 0; i < dofSize(m->jnt_type[joint]); i++) {
      packDof(c, *dofadr, joint, parentdof);
      parentdof = (*dofadr)++;
    }
    *qposadr += qposSize(m->jnt_type[joint]);
  }
  m->body_dofnum[body] = *dofadr - first;
  m->body_dofadr[body] = m->body_dofnum[body] ? first : -1;
}

// ---- trees

static void packTrees(mjModel* m) {
  int ntree = 0;
  m->body_treeid[0] = -1;
  for (int i = 1; i < m->nbody; i++) {
    int tree = m->body_treeid[m->body_parentid[i]];
    if (tree < 0 && m->body_dofnum[i]) {
      tree = ntree++;
      m->tree_bodyadr[tree] = i;
      m->tree_dofadr[tree] = m->body_dofadr[i];
    }
    m->body_treeid[i] = tree;
    if (tree < 0) continue;
    m->tree_bodynum[tree]++;
    m->tree_dofnum[tree] += m->body_dofnum[i];
    for (int k = 0; k < m->body_dofnum[i]; k++) m->dof_treeid[m->body_dofadr[i] + k] = tree;
  }
}

// ---- simple bodies: those whose part of the inertia matrix is diagonal

static int isAlongAxis(const mjtNum axis[3]) {
  return (fabs(axis[0]) > MJI_EPS) + (fabs(axis[1]) > MJI_EPS) + (fabs(axis[2]) > MJI_EPS) == 1;
}

// the joints of the body keep its part of the matrix diagonal
static int hasSimpleJoints(const mjModel* m, int body) {
  int rotated = 0;
  for (int k = 0; k < m->body_jntnum[body]; k++) {
    int j = m->body_jntadr[body] + k;
    mjtJoint type = m->jnt_type[j];
    int scalar = type == mjJNT_HINGE || type == mjJNT_SLIDE;
    if (rotated || !isZero(m->jnt_pos + 3 * j, 3) || (scalar && !isAlongAxis(m->jnt_axis + 3 * j))) {
      return 0;
    }
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

// 1: diagonal; 2: diagonal, and only slides
static void packSimple(mjModel* m) {
  for (int i = 0; i < m->nbody; i++) {
    int parent = m->body_parentid[i];
    // at the top, or on a body that is fixed to the world
    int top = m->body_rootid[i] == i || (parent == m->body_rootid[i] && !m->body_dofnum[parent]);
    m->body_simple[i] = m->body_sameframe[i] == mjSAMEFRAME_BODY && top && hasSimpleJoints(m, i);
    if (m->body_simple[i] && onlySlides(m, i)) m->body_simple[i] = 2;
    if (parent) m->body_simple[parent] = 0;
  }
}

// the armature of a spatial tendon couples the dofs of the bodies it is attached to
static void unsimplify(mjiCompile* c) {
  for (int i = 0; i < mji_count(c, mjOBJ_TENDON); i++) {
    const mjiElem* e = mji_get(c, mjOBJ_TENDON, i);
    if (!e->as.tendon.armature) continue;
    for (int k = 0; k < e->list.num; k++) {
      const mjiElem* w = mji_elem_at(&e->list, k);
      if (w->as.wrap.type != mjWRAP_SITE) continue;
      const mjiElem* site = mji_names_get(c, mjOBJ_SITE, &w->wrap->target);
      c->m->body_simple[site->parent->id] = 0;
    }
  }
}

// number of simple dofs in a row, this one included
static void packSimpleDofs(mjModel* m) {
  int run = 0;
  for (int i = m->nv - 1; i >= 0; i--) {
    run = m->body_simple[m->dof_bodyid[i]] ? run + 1 : 0;
    m->dof_simplenum[i] = run;
  }
}

void mji_tree_pack(mjiCompile* c) {
  mjModel* m = c->m;
  int mocap = 0, qposadr = 0, dofadr = 0;
  for (int i = 0; i < m->nbody; i++) {
    packBody(c, i, &mocap);
    packCollision(c, i);
    packJoints(c, i, &qposadr, &dofadr);
  }
  packTrees(m);
  packSimple(m);
  unsimplify(c);
  packSimpleDofs(m);
}
