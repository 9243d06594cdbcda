// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A callback raises an error in the middle of a step, whose handler leaves the step by a long jump;
// the program goes on with the same data. What is written for programs alone (qM) is there after a whole stage.
#include "program.h"

static int countdown = -1;

static void failAt(const mjModel* m, mjData* d) {
  (void)m;
  if (countdown >= 0 && countdown-- == 0) mju_error("no more of this at %g", d->time);
}

static int failFilter(const mjModel* m, mjData* d, int geom1, int geom2) {
  (void)m, (void)geom1, (void)geom2;
  if (countdown >= 0 && countdown-- == 0) mju_error("no more of this at %g", d->time);
  return 0;
}

static void report(const char* what, const mjModel* m, const mjData* d) {
  printf("%s time %g ncon %d nefc %d nisland %d\n", what, d->time, d->ncon, d->nefc, d->nisland);
  show("qpos", d->qpos, m->nq);
  show("qvel", d->qvel, m->nv);
  show("qacc", d->qacc, m->nv);
  show("cam", d->cam_xpos, 3 * m->ncam);
  show("force", d->efc_force, d->nefc);
}

// leave a step at the n-th call of a callback, then step on, and use stages on their own
static void leaveAt(const mjModel* m, int n) {
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 40; i++) mj_step(m, d);
  countdown = n;
  int left = setjmp(back);
  if (!left) mj_step(m, d);
  countdown = -1;
  printf("left %d after %d calls, scratch in use: %d\n", left, n, d->pstack > 0);
  if (left) report("at the error:", m, d);
  mj_forward(m, d);
  report("forward:", m, d);
  show("qM", d->qM, m->nM);
  for (int i = 0; i < 5; i++) mj_step(m, d);
  report("later:", m, d);
  mj_fwdPosition(m, d);
  report("position:", m, d);
  mj_deleteData(d);
}

int main(void) {
  mjModel* m = loadText(
      "<mujoco><option integrator='RK4'/><worldbody><geom type='plane' size='5 5 1'/>"
      "<camera pos='0 0 3' mode='trackcom'/><body name='a' pos='0 0 .12'><freejoint/><geom size='.1'/>"
      "<camera pos='0 -1 0'/><body pos='.2 0 0'><joint axis='0 1 0' damping='.1'/>"
      "<geom type='capsule' size='.05' fromto='0 0 0 .3 0 0'/></body></body>"
      "<body pos='1 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "</worldbody></mujoco>");
  mju_user_error = goBack;
  mjcb_passive = failAt;
  for (int n = 0; n < 5; n++) leaveAt(m, n);
  mjcb_passive = NULL;
  mjcb_control = failAt;
  for (int n = 0; n < 4; n++) leaveAt(m, n);
  mjcb_control = NULL;
  mjcb_contactfilter = failFilter;
  for (int n = 0; n < 12; n += 3) leaveAt(m, n);
  mj_deleteModel(m);
  return 0;
}
