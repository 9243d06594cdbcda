// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Joints of URDF. What they move hangs on the parent link at the joint's origin.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mjcf/urdf.h"

enum { FIXED = -1, PLANAR = -2 };  // none; three: two slides and a hinge

static const mjiWord types[] = {{"revolute", mjJNT_HINGE},  {"continuous", mjJNT_HINGE},
                                {"prismatic", mjJNT_SLIDE}, {"spherical", mjJNT_BALL},
                                {"floating", mjJNT_FREE},   {"fixed", FIXED},
                                {"planar", PLANAR},         {0}};

static const mjiAttrRow rowsAxis[] = {ROW(xyz, mjiNUM, 3, mjsJoint, axis, .flags = mjiREQUIRED), {0}};

static const mjiAttrRow rowsDynamics[] = {
    ROW(damping, mjiNUM, 1, mjsJoint, damping), ROW(friction, mjiNUM, 1, mjsJoint, frictionloss), {0}};

static const mjiAttrRow rowsLimit[] = {ROW(lower, mjiNUM, 1, mjsJoint, range[0]),
                                       ROW(upper, mjiNUM, 1, mjsJoint, range[1]),
                                       ROW(effort, mjiNUM, 1, mjsJoint, actfrcrange[1]),
                                       {0}};

static mjsJoint* addJoint(mjiURDF* u, const mjiXML* elem, mjsBody* body, mjtJoint type, const char* suffix) {
  const char* name = mji_urdfText(u, elem, "name");
  size_t size = strlen(name) + strlen(suffix) + 1;
  char* full = mji_readAlloc(u->r, elem, size);
  snprintf(full, size, "%s%s", name, suffix);

  mjsJoint* joint = mjs_addJoint(body, mjs_getSpecDefault(u->r->spec));
  mji_readLine(u->r, elem, joint->info);
  if (*full && mjs_setName(joint->element, full)) mji_readFailSpec(u->r, elem);
  joint->type = type;
  return joint;
}

// the joints of a type and how many they are; a plane takes two slides across the axis and a hinge about it
static int addJoints(mjiURDF* u, const mjiXML* elem, mjsBody* body, const double axis[3], mjsJoint* joint[3]) {
  int type = mji_readWord(u->r, elem, "type", types, FIXED);
  if (type == FIXED) return 0;
  if (type != PLANAR) {
    joint[0] = addJoint(u, elem, body, (mjtJoint)type, "");
    if (type != mjJNT_FREE) mju_copy3(joint[0]->axis, axis);
    return 1;
  }
  double quat[4], rot[9];
  mju_quatZ2Vec(quat, axis);
  mju_quat2Mat(rot, quat);
  static const char* const suffix[] = {"_TX", "_TY", "_RZ"};
  for (int i = 0; i < 3; i++) {
    joint[i] = addJoint(u, elem, body, i == 2 ? mjJNT_HINGE : mjJNT_SLIDE, suffix[i]);
    for (int k = 0; k < 3; k++) joint[i]->axis[k] = i == 2 ? axis[k] : rot[3 * k + i];
  }
  return 3;
}

static void readLimit(mjiURDF* u, const mjiXML* elem, mjsJoint* joint) {
  mji_urdfRows(u, elem, rowsLimit, joint);
  joint->actfrcrange[1] = fabs(joint->actfrcrange[1]);
  joint->actfrcrange[0] -= joint->actfrcrange[1];

  // without both ends, or with the upper below the lower, there is no limit
  int nend = mji_readGiven(elem, "lower") + mji_readGiven(elem, "upper");
  if (nend == 1 || (nend == 2 && joint->range[0] > joint->range[1])) joint->limited = mjLIMITED_FALSE;
}

void mji_urdfJoint(mjiURDF* u, const mjiXML* elem, mjsBody* body) {
  mji_urdfText(u, elem, "name");
  mji_urdfText(u, elem, "type");
  mji_urdfOrigin(u, elem, body->pos, body->quat);

  // read the axis of every joint, to refuse wrong ones; fixed and free joints do not use it
  mjsJoint given = {.axis = {1, 0, 0}};
  const mjiXML* axis = mji_urdfChild(u, elem, "axis", 0);
  if (axis) mji_urdfRows(u, axis, rowsAxis, &given);

  mjsJoint* joint[3];
  int n = addJoints(u, elem, body, given.axis, joint);
  const mjiXML* dynamics = n ? mji_urdfChild(u, elem, "dynamics", 0) : NULL;
  const mjiXML* limit = n ? mji_urdfChild(u, elem, "limit", 0) : NULL;
  for (int i = 0; dynamics && i < n; i++) mji_urdfRows(u, dynamics, rowsDynamics, joint[i]);
  if (limit) readLimit(u, limit, joint[0]);
}
