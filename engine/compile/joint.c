// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Joints: units, limits, axes, and which joints can share a body.

#include "compile/compile.h"

static void toRadians(mjsJoint* jnt) {
  // degrees become radians; a range that is off stays as it was written
  if (jnt->limited && (jnt->type == mjJNT_HINGE || jnt->type == mjJNT_BALL)) {
    for (int i = 0; i < 2; i++) jnt->range[i] *= mjPI / 180;
  }
  if (jnt->type == mjJNT_HINGE) {
    jnt->ref *= mjPI / 180;
    jnt->springref *= mjPI / 180;
  }
}

static int compileLimits(mjiCompile* c, mjiElem* e) {
  mjsJoint* jnt = &e->as.joint;
  int ball = jnt->type == mjJNT_BALL, free = jnt->type == mjJNT_FREE;
  if (free) jnt->limited = mjLIMITED_FALSE;
  // the limit of a ball is one angle, which may be zero
  if (!ball || jnt->limited != mjLIMITED_TRUE) {
    jnt->limited = mji_limit_resolve(c, e, jnt->limited, jnt->range, "");
    if (jnt->limited < 0) return -1;
  }
  if (jnt->limited && ball && jnt->range[0]) {
    return mji_compile_error(c, e, "range: the first number must be zero for a ball joint");
  }
  if (ball || free) jnt->actfrclimited = mjLIMITED_FALSE;
  jnt->actfrclimited = mji_limit_resolve(c, e, jnt->actfrclimited, jnt->actfrcrange, "actuatorfrc");
  return jnt->actfrclimited < 0 ? -1 : 0;
}

static int compileJoint(mjiCompile* c, mjiElem* e) {
  mjsJoint* jnt = &e->as.joint;
  if (jnt->type < mjJNT_FREE || jnt->type > mjJNT_HINGE) {
    return mji_compile_error(c, e, "there is no joint of type %d", (int)jnt->type);
  }
  if (compileLimits(c, e)) return -1;
  if (mji_elem_compiler(e)->degree) toRadians(jnt);

  // free and ball joints have no axis; the model says z
  if (jnt->type == mjJNT_FREE || jnt->type == mjJNT_BALL) {
    mju_zero3(jnt->axis);
    jnt->axis[2] = 1;
  } else if (!mji_unit(jnt->axis, 3)) {
    return mji_compile_error(c, e, "the axis is too short");
  }
  if (jnt->type == mjJNT_FREE) mju_zero3(jnt->pos);

  const double* sd = jnt->springdamper;
  if ((sd[0] || sd[1]) && (sd[0] <= 0 || sd[1] <= 0)) {
    return mji_compile_error(c, e, "springdamper: both numbers must be positive");
  }
  return 0;
}

static int dofs(mjtJoint type) { return type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1; }

// check the joints of one body together
static int checkBody(mjiCompile* c, mjiElem* body) {
  const mjiVec* joints = body->kid + MJI_KID_JOINT;
  int ndof = 0, balls = 0;
  if (joints->num && body == c->w->world) {
    return mji_compile_error(c, mji_elem_at(joints, 0), "the world body cannot have joints");
  }
  for (int i = 0; i < joints->num; i++) {
    mjiElem* e = mji_elem_at(joints, i);
    mjtJoint type = e->as.joint.type;
    if (type == mjJNT_FREE && joints->num > 1) {
      return mji_compile_error(c, e, "a free joint cannot be combined with other joints");
    }
    if (balls && (type == mjJNT_BALL || type == mjJNT_HINGE)) {
      return mji_compile_error(c, e, "no rotation can follow a ball joint in the same body");
    }
    balls += type == mjJNT_BALL;
    ndof += dofs(type);
  }
  if (ndof > 6) return mji_compile_error(c, body, "a body can have at most 6 degrees of freedom");
  return 0;
}

int mji_joint_check(mjiCompile* c) {
  for (int i = 0; i < mji_count(c, mjOBJ_BODY); i++) {
    if (checkBody(c, mji_get(c, mjOBJ_BODY, i))) return -1;
  }
  return 0;
}

int mji_joint_compile(mjiCompile* c) {
  for (int i = 0; i < mji_count(c, mjOBJ_JOINT); i++) {
    if (compileJoint(c, mji_get(c, mjOBJ_JOINT, i))) return -1;
  }
  return 0;
}

int mji_joint_checkFree(mjiCompile* c) {
  for (int i = 0; i < mji_count(c, mjOBJ_JOINT); i++) {
    const mjiElem* e = mji_get(c, mjOBJ_JOINT, i);
    if (e->as.joint.type == mjJNT_FREE && e->parent->parent != c->w->world)
      return mji_compile_error(c, e, "only children of the world body can have a free joint");
  }
  return 0;
}
