// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A program of a user: documented names only, built against the installed tree.

#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>
#include <sheaf/batch.h>

// programs size buffers by these
_Static_assert(mjMAXUINAME == 40 && mjNREF == 2 && mjNIMP == 5 && mjNGROUP == 6, "constants of the reference");

// callbacks are variables of the library: what a program assigns must be what the library reads
static int ncontrol;
static void countControl(const mjModel* m, mjData* d) {
  (void)m, (void)d;
  ncontrol++;
}

int main(void) {
  static const char xml[] =
      "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
  char error[1000];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "ball.xml", xml, (int)strlen(xml));
  mjModel* m = mj_loadXML("ball.xml", &vfs, error, sizeof error);
  mj_deleteVFS(&vfs);
  if (!m) {
    printf("%s\n", error);
    return 1;
  }
  mjData* d = mj_makeData(m);
  mjcb_control = countControl;
  for (int i = 0; i < 100; i++) mj_step(m, d);

  // free fall for 0.2 s, semi-implicit steps of 2 ms
  double want = 1 - 9.81 * 0.002 * 0.002 * 100 * 101 / 2;
  printf("height %.12f, expected %.12f; %s\n", d->qpos[2], want, sheaf_buildInfo());
  int good = d->qpos[2] - want < 1e-12 && want - d->qpos[2] < 1e-12;
  printf("calls of the control callback %d, expected 100\n", ncontrol);
  good &= ncontrol == 100;
  // the installed headers and the installed library are of one version
  good &= !strncmp(sheaf_buildInfo(), "sheaf " SHEAF_VERSION ",", strlen("sheaf " SHEAF_VERSION ","));
  mj_deleteData(d);
  mj_deleteModel(m);
  return !good;
}
