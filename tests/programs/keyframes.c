// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Keyframes while bodies are copied, attached and deleted: whose numbers are whose, which keyframes
// are copied along, and in what order they stand.
#include "model.h"

static const char* const kThree =
    "<mujoco><worldbody><frame name='f'/><body name='a'><joint name='a' type='slide'/><geom size='.1'/></body>"
    "<body name='b'><joint name='b' type='slide'/><geom size='.1'/></body>"
    "<body name='c'><joint name='c' type='slide'/><geom size='.1'/></body></worldbody>"
    "<actuator><motor joint='a'/><intvelocity name='v' joint='b' actrange='0 1'/><motor joint='a'/></actuator>"
    "<keyframe><key name='k' time='3' qpos='1 2 3' ctrl='5 6 7' act='9'/><key qvel='4 5 6'/></keyframe></mujoco>";
static const char* const kOther =
    "<mujoco><worldbody><body name='o'><joint name='o' type='slide'/><geom size='.1'/></body></worldbody>"
    "<actuator><motor joint='o'/></actuator><keyframe><key name='k' time='4' qpos='11' ctrl='15'/></keyframe></mujoco>";

static void compile(mjSpec* s) {
  mjModel* m = mj_compile(s, NULL);
  if (!m) {
    printf(" refused\n");
    return;
  }
  for (int i = 0; i < m->nkey; i++) {
    const char* name = mj_id2name(m, mjOBJ_KEY, i);
    printf(" %s %g\n", name ? name : "-", m->key_time[i]);
    show("  qpos", m->key_qpos + i * m->nq, (int)m->nq);
    show("  qvel", m->key_qvel + i * m->nv, (int)m->nv);
    show("  ctrl", m->key_ctrl + i * m->nu, (int)m->nu);
    show("  act", m->key_act + i * m->na, (int)m->na);
  }
  mj_deleteModel(m);
}

// a, b, c: a copy of the body; o: one of the other model; A, B, C: the body is deleted; s: compiled
static void act(mjSpec* s, mjSpec* other, char what, int step) {
  char suffix[16], name[2] = {what, 0};
  snprintf(suffix, sizeof suffix, "_%d", step);
  mjsElement* frame = mjs_findFrame(s, "f")->element;
  if (what == 's') {
    compile(s);
  } else if (what == 'o') {
    printf(" %d", mjs_attach(frame, mjs_findBody(other, "o")->element, "p", suffix) != NULL);
  } else if (what >= 'a') {
    printf(" %d", mjs_attach(frame, mjs_findBody(s, name)->element, "", suffix) != NULL);
  } else {
    name[0] = (char)(what - 'A' + 'a');
    printf(" %d", mjs_delete(s, mjs_findBody(s, name)->element));
  }
}

int main(void) {
  static const char* const sequences[] = {"b",   "bB", "bBcC", "bBccC", "bcCB", "oB",  "osB",  "oC",  "sbo",   "bsb", "bsBs",
                                          "bBsc", "ob", "bo",   "bBo",   "obB",  "sCb", "bBcc", "cCb", "cCbsA", "ocC", "C"};
  for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
    mjSpec* s = mj_parseXMLString(kThree, NULL, NULL, 0);
    mjSpec* other = mj_parseXMLString(kOther, NULL, NULL, 0);
    mjs_setDeepCopy(s, 1);
    printf("%s:", sequences[i]);
    for (int k = 0; sequences[i][k]; k++) act(s, other, sequences[i][k], k);
    compile(s);
    mj_deleteSpec(s);
    mj_deleteSpec(other);
  }
  return 0;
}
