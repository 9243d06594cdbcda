// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Whose settings of <compiler> count for geoms and joints that come into a body of another specification: those of the
// body say which geoms have mass and whether it is aligned, those of the part read its angles.
#include "spec_print.h"

static const char* const kHost =
    "<mujoco><compiler %s/><worldbody><body name='h' pos='0 0 1'><geom size='.1' group='4'/>"
    "<geom size='.2' pos='.3 0 0' group='1'/></body></worldbody></mujoco>";
static const char* const kPart =
    "<mujoco><compiler %s/><worldbody><body name='b'><frame name='f' euler='.1 0 20'><%s/>"
    "<geom size='.1 .2 .3' type='box' pos='.5 0 0'/><geom size='.15' pos='0 .5 0' group='4'/></frame>"
    "</body></worldbody></mujoco>";

static void combine(const char* host, const char* part, const char* joint) {
  char text[1000];
  snprintf(text, sizeof text, kHost, host);
  mjSpec* s = parseText(text);
  snprintf(text, sizeof text, kPart, part, joint);
  mjSpec* child = parseText(text);
  attach(find(s, mjOBJ_BODY, "h"), find(child, mjOBJ_FRAME, "f"), "x_", "");
  mjModel* m = mj_compile(s, NULL);
  printf("%s, %s: mass", host, part);
  printf(" %.6g ipos %.6g %.6g %.6g pos %.6g %.6g", m->body_mass[1], m->body_ipos[3], m->body_ipos[4], m->body_ipos[5],
         m->body_pos[3], m->body_pos[4]);
  printf(" range %.6g quat %.6g %.6g\n", m->jnt_range[1], m->geom_quat[8], m->geom_quat[9]);
  mj_deleteModel(m);
  mj_deleteSpec(child);
  mj_deleteSpec(s);
}

int main(void) {
  static const char* const settings[] = {"inertiagrouprange='4 5'", "inertiagrouprange='0 1'", "alignfree='true'",
                                         "angle='radian'", "boundmass='900'"};
  for (int i = 0; i < 5; i++) {
    for (int k = 0; k < 5; k++) {
      combine(settings[i], settings[k], "joint type='free'");
      combine(settings[i], settings[k], "joint range='-.5 .5' limited='true'");
    }
  }
  return 0;
}
