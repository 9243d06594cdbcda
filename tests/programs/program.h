// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the programs share: a model from text, numbers printed with seven digits, a way back out of errors.
#ifndef SHEAF_TESTS_PROGRAMS_PROGRAM_H_
#define SHEAF_TESTS_PROGRAMS_PROGRAM_H_

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

// a walker-like chain on a plane, with an arm, contacts, limits, actuators, sensors and a keyframe
static const char* const kModel =
    "<mujoco><option timestep='.002' tolerance='1e-12' iterations='200'/>"
    "<default><geom friction='.8 .01 .001'/><joint damping='.5' armature='.02'/></default>"
    "<worldbody><geom name='floor' type='plane' size='5 5 .1'/>"
    "<site name='goal' pos='.4 .1 .9'/>"
    "<body name='base' pos='0 0 .25'><freejoint name='root'/>"
    "<geom name='base' type='box' size='.2 "
    ".1 .1'/>"
    "<body name='upper' pos='.1 0 .1'><joint name='shoulder' axis='0 1 0' range='-90 90'/>"
    "<geom name='upper' type='capsule' size='.04' fromto='0 0 0 .1 0 .3'/>"
    "<body name='lower' pos='.1 0 .3'><joint name='elbow' axis='0 1 0' range='-120 20'/><joint "
    "name='twist' axis='0 0 1'/>"
    "<geom name='lower' type='capsule' size='.03' fromto='0 0 0 .25 0 0'/>"
    "<site name='hand' "
    "pos='.25 0 0'/></body></body></body>"
    "<body name='ball' pos='.6 0 .3'><freejoint/><geom name='ball' size='.1'/></body></worldbody>"
    "<actuator><motor name='m0' joint='shoulder' gear='3'/>"
    "<position name='m1' joint='elbow' "
    "kp='8' ctrlrange='-2 1'/>"
    "<general name='m2' joint='twist' dyntype='filter' dynprm='.05' gainprm='2'/></actuator>"
    "<sensor><framepos objtype='site' objname='hand'/><accelerometer site='hand'/>"
    "<touch "
    "site='hand'/><jointpos joint='elbow'/></sensor>"
    "<keyframe><key name='ready' qpos='0 0 .4 1 0 0 0 .3 -.4 .1 .6 0 .5 1 0 0 0'"
    " ctrl='.1 -.2 "
    ".3'/></keyframe></mujoco>";

static inline mjModel* loadText(const char* xml) {
  char error[1000] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  if (mj_addBufferVFS(&vfs, "model.xml", xml, (int)strlen(xml))) exit(2);
  mjModel* m = mj_loadXML("model.xml", &vfs, error, sizeof error);
  mj_deleteVFS(&vfs);
  if (!m) {
    printf("cannot load: %s\n", error);
    exit(1);
  }
  return m;
}

static inline void show(const char* name, const mjtNum* x, int n) {
  printf("%s", name);
  for (int i = 0; i < n; i++) printf(" %.7g", fabs(x[i]) < 1e-10 ? 0.0 : x[i]);
  printf("\n");
}

// handlers: errors jump to the last setjmp(back), warnings are counted
static jmp_buf back;
static int warned;

static inline void goBack(const char* text) {
  (void)text;
  longjmp(back, 1);
}

static inline void countWarning(const char* text) {
  (void)text;
  warned++;
}

#endif  // SHEAF_TESTS_PROGRAMS_PROGRAM_H_
