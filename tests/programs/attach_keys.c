// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Where keyframes are after parts were attached and bodies deleted: before the next compilation and after it.
#include "spec_print.h"

static const char* const kHost =
    "<mujoco><worldbody><frame name='f'/><body name='b'><joint name='j' ref='.5'/><geom name='g' size='1'/><frame name='h'/>"
    "</body><body name='b2'><freejoint name='j2'/><geom name='g2' size='1'/></body><body mocap='true' name='mc'/></worldbody>"
    "<actuator><motor name='m' joint='j'/><position name='m2' joint='j2'/></actuator><keyframe><key name='k' "
    "qpos='1 1 2 3 0 1 0 0' ctrl='2 4' mpos='1 2 3' qvel='1 2 3 4 5 6 7' time='3'/><key name='k3' qvel='1 2 3 4 5 6 7'/>"
    "</keyframe></mujoco>";
static const char* const kPart =
    "<mujoco><worldbody><body name='c'><joint name='q'/><geom size='1'/><body name='d'><joint name='r' type='slide' "
    "ref='.3'/><geom size='1'/></body></body><body name='e'><joint name='s'/><geom size='1'/></body></worldbody><actuator>"
    "<general dyntype='integrator' name='n' joint='q'/></actuator><keyframe><key name='kb' qpos='1 2 3' qvel='4 5 6' act='7' "
    "ctrl='8' time='9'/><key name='kc' qvel='1 2 3'/></keyframe></mujoco>";
static const char* const kUnnamed =
    "<mujoco><worldbody><frame name='f'/><body name='b'><joint name='j' ref='.5'/><geom name='g' size='1'/><frame name='h'/>"
    "</body><body name='b2'><joint name='j2' type='slide'/><geom name='g2' size='1'/></body></worldbody><keyframe>"
    "<key qpos='1 2'/><key qvel='8 9'/><key qpos='3 4'/></keyframe></mujoco>";
static const char* const kShort =
    "<mujoco><worldbody><body name='b'><joint name='j' ref='.5'/><geom size='1'/></body><body name='b2'><joint/><geom "
    "size='1'/></body></worldbody><keyframe><key name='k' qpos='1'/><key name='k2' qpos='2 2'/></keyframe></mujoco>";

static void showAll(mjSpec* s) {
  showKeys(s);
  showModel(s);
  showKeys(s);
}

static void deleteBody(mjSpec* s, const char* name) {
  printf("delete %s: %d\n", name, mjs_delete(s, find(s, mjOBJ_BODY, name)));
}

// compiled: bit 0 the host, bit 1 the part; added: a joint in the same way
static void attachTwice(int compiled, int added) {
  printf("compiled %d added %d\n", compiled, added);
  mjSpec *s = parseText(kHost), *child = parseText(kPart);
  mjs_setDeepCopy(s, 1);
  if (compiled & 1) showModel(s);
  if (compiled & 2) showModel(child);
  if (added & 1) mjs_addJoint(mjs_findBody(s, "b"), NULL)->type = mjJNT_SLIDE;
  if (added & 2) mjs_addJoint(mjs_findBody(child, "c"), NULL)->type = mjJNT_SLIDE;
  attach(find(s, mjOBJ_FRAME, "h"), find(child, mjOBJ_BODY, "c"), "x_", "");
  showAll(s);
  attach(find(s, mjOBJ_FRAME, "f"), find(child, mjOBJ_BODY, "c"), "y_", "");
  showKeys(s);
  attach(find(s, mjOBJ_FRAME, "h"), find(child, mjOBJ_BODY, "d"), "x_", "_s");
  showAll(s);
  showAll(child);
  if (!added) {
    deleteBody(s, "x_c");
    showAll(s);
    deleteBody(s, "y_c");
    deleteBody(s, "x_d_s");
    showAll(s);
  }
  mj_deleteSpec(child);
  mj_deleteSpec(s);
}

int main(void) {
  for (int compiled = 0; compiled < 4; compiled++) {
    for (int added = 0; added < 4; added++) attachTwice(compiled, added);
  }

  // what waits, attached on
  mjSpec *b = parseText(kHost), *c = parseText(kPart);
  mjs_setDeepCopy(b, 1);
  attach(find(b, mjOBJ_FRAME, "h"), find(c, mjOBJ_BODY, "c"), "x_", "");
  attach(find(b, mjOBJ_FRAME, "f"), find(b, mjOBJ_BODY, "x_c"), "w_", "");
  showKeys(b);
  showAll(b);
  mj_deleteSpec(c);
  mj_deleteSpec(b);

  // without names, and with too few numbers
  mjSpec* a = parseText(kUnnamed);
  deleteBody(a, "b2");
  showAll(a);
  mj_deleteSpec(a);
  a = parseText(kShort);
  showAll(a);
  deleteBody(a, "b2");
  mjsKey* key = mjs_addKey(a);
  mjs_setName(key->element, "new");
  const double q = 9;
  mjs_setDouble(key->qpos, &q, 1);
  showAll(a);
  mjsBody* body = mjs_findBody(a, "b");
  mjs_addBody(body, NULL);
  mjsBody* empty = mjs_asBody(mjs_firstChild(body, mjOBJ_BODY, 0));
  mjs_bodyToFrame(&empty);
  showAll(a);
  mj_deleteSpec(a);
  return 0;
}
