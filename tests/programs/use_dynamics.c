// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Inverse dynamics, inertia, rays, distances, energy and applied forces.
#include "program.h"

int main(void) {
  mjModel* m = loadText(kModel);
  mjData* d = mj_makeData(m);
  int nv = m->nv;
  m->opt.enableflags |= mjENBL_ENERGY;
  mj_resetDataKeyframe(m, d, 0);
  for (int i = 0; i < nv; i++) d->qvel[i] = sin(i);
  mj_forward(m, d);
  show("energy", d->energy, 2);

  // inverse of forward, and of a wanted acceleration
  mj_inverse(m, d);
  show("inverse", d->qfrc_inverse, nv);
  for (int i = 0; i < nv; i++) d->qacc[i] = cos(2 * i);
  mj_inverse(m, d);
  show("wanted", d->qfrc_inverse, nv);
  mj_forward(m, d);
  mj_rnePostConstraint(m, d);
  show("cfrc_int", d->cfrc_int, 6 * m->nbody);

  mjtNum* M = calloc((size_t)(nv * nv), sizeof(mjtNum));
  mjtNum* x = calloc((size_t)(3 * nv), sizeof(mjtNum));
  mj_fullM(m, M, d->qM);
  show("M", M, nv * nv);
  for (int i = 0; i < nv; i++) x[i] = i;
  mj_mulM(m, d, x + nv, x);
  mj_solveM(m, d, x + 2 * nv, x + nv, 1);
  show("solved", x + 2 * nv, nv);
  mj_differentiatePos(m, x, 0.5, m->qpos0, d->qpos);
  show("between", x, nv);

  // rays from above, with and without the static world
  for (int i = 0; i < 5; i++) {
    mjtNum from[3] = {.2 * i - .2, 0.02, 3}, down[3] = {0, 0, -1};
    int geom[2] = {-1, -1};
    mjtNum dist[2] = {mj_ray(m, d, from, down, NULL, 1, -1, geom), mj_ray(m, d, from, down, NULL, 0, 1, geom + 1)};
    show("ray", dist, 2);
    printf("  hits %d %d\n", geom[0], geom[1]);
  }
  mjtNum fromto[6],
      dist = mj_geomDistance(m, d, mj_name2id(m, mjOBJ_GEOM, "ball"), mj_name2id(m, mjOBJ_GEOM, "lower"), 5, fromto);
  show("distance", &dist, 1);
  show("fromto", fromto, 6);

  // push the ball for a while
  int ball = mj_name2id(m, mjOBJ_BODY, "ball");
  d->xfrc_applied[6 * ball] = 20;
  d->qfrc_applied[6] = 1;
  for (int t = 0; t < 100; t++) mj_step(m, d);
  show("pushed", d->qpos, m->nq);
  show("velocity", d->qvel, nv);
  printf("mass %.9g\n", mj_getTotalmass(m));
  free(M);
  free(x);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
