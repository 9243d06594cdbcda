// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Frames are where the first compilation found them, whatever is written into them afterwards.
#include "spec_print.h"

static const char* const kModelText =
    "<mujoco><worldbody><frame name='f' pos='1 0 0' euler='0 0 90'><body name='b' pos='1 0 0' euler='30 0 0'><joint/>"
    "<geom size='1'/><site name='s' pos='0 0 1'/></body><frame name='g' pos='0 2 0' euler='0 10 0'><body name='c' "
    "pos='0 0 1'><geom size='1'/></body></frame></frame></worldbody></mujoco>";

static mjsFrame* frame(mjSpec* s, const char* name) { return mjs_asFrame(find(s, mjOBJ_FRAME, name)); }

int main(void) {
  mjSpec* s = parseText(kModelText);
  mjs_setDeepCopy(s, 1);
  frame(s, "f")->pos[1] = 3;
  showModel(s);
  frame(s, "f")->pos[0] = 5;
  frame(s, "g")->pos[0] = 7;
  showModel(s);
  mjs_findBody(s, "b")->pos[2] = 3;
  s->compiler.degree = 0;
  showModel(s);

  // what comes later is put into the frames as they were
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  body->pos[0] = .1;
  mjs_addGeom(body, NULL)->size[0] = 1;
  mjs_setFrame(body->element, frame(s, "f"));
  mjsFrame* late = mjs_addFrame(mjs_findBody(s, "world"), frame(s, "f"));
  late->pos[1] = 4;
  mjs_setFrame(find(s, mjOBJ_BODY, "c"), late);
  showModel(s);
  late->pos[1] = 5;
  showModel(s);
  mjs_setFrame(frame(s, "g")->element, late);
  showModel(s);

  // copies, too
  mjSpec* copy = mj_copySpec(s);
  frame(copy, "f")->pos[1] = -7;
  showModel(copy);
  mj_deleteSpec(copy);
  attach(find(s, mjOBJ_FRAME, "f"), find(s, mjOBJ_FRAME, "g"), "x_", "");
  frame(s, "x_g")->pos[2] = 11;
  attach(find(s, mjOBJ_SITE, "s"), find(s, mjOBJ_FRAME, "g"), "y_", "");
  showModel(s);

  // also if the compilation failed
  mjSpec* other = parseText(kModelText);
  mjsGeom* bad = mjs_addGeom(mjs_findBody(other, "c"), NULL);
  bad->size[0] = -1;
  showModel(other);
  mjs_delete(other, bad->element);
  frame(other, "f")->pos[2] = frame(other, "g")->pos[2] = 11;
  showModel(other);
  mj_deleteSpec(other);
  mj_deleteSpec(s);
  return 0;
}
