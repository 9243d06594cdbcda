// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// When a specification tells that it is no longer what a model was made of, and mj_copyBack refuses the model.
#include "spec_print.h"

enum { NWAY = 14 };

static void add(mjSpec* s, int way) {
  mjsBody* b = mjs_findBody(s, "b");
  switch (way) {
    case 0: mjs_addFrame(b, NULL); break;
    case 1: mjs_addSite(b, NULL); break;
    case 2: mjs_addGeom(b, NULL)->size[0] = 1; break;
    case 3: mjs_addCamera(b, NULL); break;
    case 4: mjs_addLight(b, NULL); break;
    case 5: mjs_addKey(s); break;
    case 6: mjs_addSensor(s)->type = mjSENS_CLOCK; break;
    case 7: mjs_addText(s); break;
    case 8: mjs_addNumeric(s); break;
    case 9: mjs_addTuple(s); break;
    case 10: mjs_addDefault(s, "class", NULL); break;
    case 11: mjs_addEquality(s, NULL); break;
    case 12: mjs_addBody(b, NULL); break;
    default: attach(find(s, mjOBJ_FRAME, "f"), find(s, mjOBJ_BODY, "c"), "x_", ""); break;
  }
}

int main(void) {
  static const mjtObj last[NWAY] = {[1] = mjOBJ_SITE, [6] = mjOBJ_SENSOR, [12] = mjOBJ_BODY, [13] = mjOBJ_BODY};
  for (int way = 0; way < NWAY; way++) {
    mjSpec* s = parseText(
        "<mujoco><worldbody><frame name='f'/><body name='b'><joint name='j'/><geom size='1'/></body>"
        "<body name='c'><geom size='1'/></body></worldbody></mujoco>");
    mjs_setDeepCopy(s, 1);
    mjModel* m = mj_compile(s, NULL);
    if (!m) return 1;
    add(s, way);
    printf("%d: %d %d\n", way, s->element->signature == m->signature, mj_copyBack(s, m));
    mjsElement *e = last[way] ? mjs_firstElement(s, last[way]) : NULL, *next;
    while (e && (next = mjs_nextElement(s, e))) e = next;
    if (e) {
      mjs_delete(s, e);
      printf(" deleted: %d %d\n", s->element->signature == m->signature, mj_copyBack(s, m));
    }
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
  return 0;
}
