// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Errors: reasons for models that do not load, handlers of the user, and a way back out of them.
#include "program.h"

static char said[1000];

static void onError(const char* text) {
  snprintf(said, sizeof said, "%s", text);
  longjmp(back, 1);
}

static int loads(const char* xml) {
  char error[500] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof error);
  if (!spec) return error[0] ? 0 : -1;
  mjModel* m = mj_compile(spec, NULL);
  int ok = m != NULL;
  if (!ok && !mjs_getError(spec)[0]) ok = -1;  // without a reason
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return ok;
}

int main(void) {
  mju_user_error = onError;
  mju_user_warning = countWarning;
  static const char* const text[] = {
      "<mujoco/>",
      "<mujoco><worldbody><body><geom size='.1'/></body></worldbody></mujoco>",
      "<mujoco><worldbody><body><geom size='.1'/></worldbody></mujoco>",
      "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>",
      "<mujoco><worldbody><body><geom/></body></worldbody></mujoco>",
      "<mujoco><worldbody><body><geom size='a'/></body></worldbody></mujoco>",
      "<mujoco><worldbody><body><geom size='.1' color='red'/></body></worldbody></mujoco>",
      "<mujoco><actuator><motor joint='nobody'/></actuator></mujoco>",
      "<mujoco><worldbody><geom name='a' size='1'/><geom name='a' size='1'/></worldbody></mujoco>",
      "<mujoco><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>",
      "<mujoco><worldbody><body><freejoint/><geom size='.1'/><body><freejoint/><geom "
      "size='.1'/></body></body></worldbody></mujoco>",
      "<mujoco><keyframe><key qpos='1 2'/></keyframe></mujoco>",
      "<mujoco><include file='nobody.xml'/></mujoco>",
      "<element/>",
      "",
      "<mujoco",
  };
  for (int i = 0; i < (int)(sizeof text / sizeof *text); i++) printf("text %d loads %d\n", i, loads(text[i]));

  char error[100] = "";
  printf("file %d", mj_loadXML("nobody/nothing.xml", NULL, error, sizeof error) != NULL);
  printf(" reason %d\n", error[0] != 0);
  warned = 0;
  printf("binary %d\n", mj_loadModel("nobody.mjb", NULL) != NULL);

  // an error of a program comes back here
  mjModel* m = loadText(kModel);
  mjData* d = mj_makeData(m);
  if (!setjmp(back)) {
    mju_error("value %d of %s", 3, "four");
    printf("not reached\n");
  } else {
    printf("caught %s\n", said);
  }
  if (!setjmp(back)) {
    mj_resetDataKeyframe(m, d, 77);  // no such keyframe: a plain reset
    printf("reset %g\n", d->qpos[2]);
    mjModel* rk = mj_copyModel(NULL, m);
    rk->opt.integrator = mjINT_RK4;
    mjd_transitionFD(rk, d, 1e-6, 0, NULL, NULL, NULL, NULL);
    printf("not reached\n");
  } else {
    printf("caught an error %d\n", said[0] != 0);
  }

  // bad numbers are counted, and the simulation starts again
  mju_warning("careful %d", 1);
  printf("warnings %d\n", warned);
  mj_step(m, d);
  d->qvel[0] = NAN;
  mj_step(m, d);
  printf("bad velocity %d last %d time %g finite %d\n", d->warning[mjWARN_BADQVEL].number,
         d->warning[mjWARN_BADQVEL].lastinfo, d->time, isfinite(d->qvel[0]));
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
