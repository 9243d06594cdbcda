// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What can be attached where: bodies, frames, sites and whole models, of another specification or the same one,
// before and after it was compiled.
#include "spec_print.h"

static const char* const kHost =
    "<mujoco><worldbody><frame name='f' pos='1 0 0'/><body name='b'><joint name='j'/><geom name='gb' size='1'/>"
    "<site name='s' pos='0 1 1' euler='0 0 90'/><frame name='h' pos='0 1 0'><geom size='.2' name='gh'/><body name='bb'>"
    "<joint name='jj'/><geom size='1'/></body></frame></body></worldbody><sensor><clock name='cl'/><jointpos joint='j' "
    "name='sj'/></sensor><keyframe><key name='k' qpos='1 2'/></keyframe></mujoco>";
static const char* const kPart =
    "<mujoco model='part'><worldbody><geom name='gw' size='1'/><frame name='g' pos='1 2 3'><body name='c' pos='1 0 0'>"
    "<joint name='jc'/><geom size='1'/><site name='sb'/></body><frame name='gg' euler='30 0 "
    "0'/></frame></worldbody></mujoco>";

enum { NPLACE = 7 };

static mjsElement* place(mjSpec* s, int k) {
  switch (k) {
    case 0: return find(s, mjOBJ_BODY, "b");
    case 1: return find(s, mjOBJ_FRAME, "f");
    case 2: return find(s, mjOBJ_SITE, "s");
    case 3: return find(s, mjOBJ_BODY, "world");
    case 4: return find(s, mjOBJ_BODY, "bb");
    case 5: return find(s, mjOBJ_FRAME, "h");
    default: return find(s, mjOBJ_GEOM, "gb");
  }
}

static mjsElement* part(mjSpec* s, int k) {
  switch (k) {
    case 0: return find(s, mjOBJ_BODY, "c");
    case 1: return find(s, mjOBJ_FRAME, "g");
    case 2: return find(s, mjOBJ_FRAME, "gg");
    case 3: return s->element;
    case 4: return find(s, mjOBJ_SITE, "sb");
    default: return find(s, mjOBJ_GEOM, "gw");
  }
}

int main(void) {
  for (int compiled = 0; compiled < 2; compiled++) {
    for (int to = 0; to < NPLACE; to++) {
      for (int what = 0; what < 6; what++) {
        mjSpec *s = parseText(kHost), *child = parseText(kPart);
        mjs_setDeepCopy(s, 1);
        if (compiled) showModel(s);
        attach(place(s, to), part(child, what), "x_", "");
        showNames(s);
        showModel(s);
        showNames(child);
        showModel(child);
        mj_deleteSpec(child);
        mj_deleteSpec(s);
      }
    }
    // to itself; what is in itself loses numbers of keyframes there, so these go without
    static const int inside[][2] = {{1, 0}, {1, 4}, {1, 5}, {4, 1}, {2, 0}, {5, 0}, {0, 5}, {5, 5}, {3, 1}, {3, 5}};
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
      mjSpec* s = parseText(kHost);
      mjs_setDeepCopy(s, 1);
      mjs_delete(s, find(s, mjOBJ_KEY, "k"));
      if (compiled) showModel(s);
      attach(place(s, inside[i][0]), place(s, inside[i][1]), "x_", "_y");
      showNames(s);
      showModel(s);
      attach(place(s, inside[i][0]), place(s, inside[i][1]), "", "");
      showModel(s);
      mj_deleteSpec(s);
    }
  }
  return 0;
}
