// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Keyframes when parts are attached and bodies deleted: the part's come along under new names, numbers stay with
// their joints, actuators and mocap bodies.
#include "program.h"

static const char* const kHost =
    "<mujoco><worldbody><frame name='f'/><body name='a'><joint name='a' type='slide'/><geom size='.1'/></body>"
    "<body name='b'><joint name='b' type='ball'/><geom size='.1'/></body><body name='m' mocap='true'/>"
    "<body name='c'><joint name='c' type='slide'/><geom size='.1'/></body></worldbody>"
    "<actuator><motor joint='a'/><intvelocity name='v' joint='c' actrange='0 1'/><motor joint='a'/></actuator>"
    "<keyframe><key name='k' time='3' qpos='1 0 1 0 0 3' ctrl='5 6 7' act='9' mpos='1 2 3'/><key name='l' qvel='4 5 6 "
    "7 8'/>"
    "</keyframe></mujoco>";
static const char* const kPart =
    "<mujoco><worldbody><body name='o'><joint name='o' type='slide' ref='.5'/><geom size='.1'/></body><body name='p'>"
    "<freejoint/><geom size='.1'/></body></worldbody><actuator><motor joint='o'/></actuator>"
    "<keyframe><key name='k' time='4' qpos='11 1 2 3 0 0 1 0' ctrl='15'/><key name='t' time='2'/></keyframe></mujoco>";

// in the order of names: the order in the model is that of no document
static void compile(mjSpec* s, int deleted) {
  static const char* const names[] = {"k", "l", "0_k", "0_t", "1_k", "1_t", "2_k", "2_t"};
  mjModel* m = mj_compile(s, NULL);
  if (!m) {
    printf(" refused\n");
    return;
  }
  printf(" %d keyframes\n", (int)m->nkey);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    int i = mj_name2id(m, mjOBJ_KEY, names[k]);
    if (i < 0) continue;
    printf(" %s %g\n", names[k], m->key_time[i]);
    show("  qpos", m->key_qpos + i * m->nq, (int)m->nq);
    show("  qvel", m->key_qvel + i * m->nv, (int)m->nv);
    show("  mpos", m->key_mpos + i * m->nmocap * 3, (int)m->nmocap * 3);
    if (deleted) continue;  // a deletion takes all controls in the reference
    show("  ctrl", m->key_ctrl + i * m->nu, (int)m->nu);
    show("  act", m->key_act + i * m->na, (int)m->na);
  }
  mj_deleteModel(m);
}

// o, p: a body of the part is attached; A, B, C: a body of the host is deleted; s: compiled
static void act(mjSpec* s, mjSpec* part, char what, int step, int deleted) {
  char prefix[16], name[2] = {what, 0};
  snprintf(prefix, sizeof prefix, "%d_", step);
  if (what == 's') {
    compile(s, deleted);
  } else if (what >= 'a') {
    printf(" %d", mjs_attach(mjs_findFrame(s, "f")->element, mjs_findBody(part, name)->element, prefix, "") != NULL);
  } else {
    name[0] = (char)(what - 'A' + 'a');
    printf(" %d", mjs_delete(s, mjs_findBody(s, name)->element));
  }
}

int main(void) {
  static const char* const sequences[] = {"o", "p",  "oo", "pp",  "so", "sos", "A",  "B",
                                          "C", "sC", "sB", "AsB", "oC", "osB", "Co", "Boo"};
  for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
    mjSpec* s = mj_parseXMLString(kHost, NULL, NULL, 0);
    mjSpec* part = mj_parseXMLString(kPart, NULL, NULL, 0);
    mjs_setDeepCopy(s, 1);
    printf("%s:", sequences[i]);
    int deleted = 0;
    for (int k = 0; sequences[i][k]; k++) {
      deleted |= sequences[i][k] < 'a';
      act(s, part, sequences[i][k], k, deleted);
    }
    compile(s, deleted);
    mj_deleteSpec(s);
    mj_deleteSpec(part);
  }
  return 0;
}
