// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Simulate with a control callback, then with mj_step1 and mj_step2; look at contacts and their
// forces.
#include "program.h"

static void hold(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = 0.5 * sin(3 * d->time + i) - 0.1 * d->qvel[6 + i];
}

int main(void) {
  mjModel* m = loadText(kModel);
  mjData* d = mj_makeData(m);
  mjcb_control = hold;
  while (d->time < 0.3) mj_step(m, d);
  show("callback", d->qpos, m->nq);
  mjcb_control = NULL;

  mj_resetData(m, d);
  for (int t = 0; t < 150; t++) {
    mj_step1(m, d);
    hold(m, d);
    mj_step2(m, d);
  }
  show("halves", d->qpos, m->nq);
  show("act", d->act, m->na);
  show("sensors", d->sensordata, m->nsensordata);

  printf("contacts %d rows %d\n", d->ncon, d->nefc);
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* c = d->contact + i;
    mjtNum force[6], total[3];
    mj_contactForce(m, d, i, force);
    mju_mulMatTVec3(total, c->frame, force);
    printf("%s %s dim %d ", mj_id2name(m, mjOBJ_GEOM, c->geom[0]), mj_id2name(m, mjOBJ_GEOM, c->geom[1]), c->dim);
    show("", &c->dist, 1);
    show("  pos", c->pos, 3);
    show("  force", total, 3);
  }
  show("warnings", (mjtNum[]){d->warning[mjWARN_BADQACC].number, d->warning[mjWARN_CONTACTFULL].number}, 2);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
