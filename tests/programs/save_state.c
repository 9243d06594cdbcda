// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Save and restore states, keyframes, copies of data and models, and a binary model in a file.
#include "program.h"

static void run(const mjModel* m, mjData* d, int n) {
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = 0.3 * cos(d->time * 5 + i);
    mj_step(m, d);
  }
}

int main(int argc, char** argv) {
  mjModel* m = loadText(kModel);
  mjData *d = mj_makeData(m), *other = mj_makeData(m);
  int key = mj_name2id(m, mjOBJ_KEY, "ready");
  mj_resetDataKeyframe(m, d, key);
  show("key", d->qpos, m->nq);
  show("keyctrl", d->ctrl, m->nu);
  run(m, d, 50);

  // a state brings back everything that the next steps depend on
  int size = mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum* state = malloc((size_t)size * sizeof(mjtNum));
  mj_getState(m, d, state, mjSTATE_INTEGRATION);
  printf("sizes %d %d %d\n", size, mj_stateSize(m, mjSTATE_PHYSICS), mj_stateSize(m, mjSTATE_FULLPHYSICS));
  run(m, d, 30);
  mj_setState(m, other, state, mjSTATE_INTEGRATION);
  run(m, other, 30);
  printf("restored %d\n", memcmp(d->qpos, other->qpos, (size_t)m->nq * sizeof(mjtNum)));
  show("qpos", d->qpos, m->nq);

  mj_copyData(other, m, d);
  printf("copy %d %d %d\n", other->ncon == d->ncon, other->nefc == d->nefc,
         memcmp(d->qacc, other->qacc, (size_t)m->nv * sizeof(mjtNum)));
  mjData* third = mj_copyData(NULL, m, d);
  run(m, third, 5);
  run(m, other, 5);
  printf("copies %d\n", memcmp(third->qpos, other->qpos, (size_t)m->nq * sizeof(mjtNum)));

  // keyframe from data
  mj_setKeyframe(m, third, key);
  show("newkey", m->key_qpos, m->nq);

  // through a file, and through a buffer
  const char* path = argc > 1 ? argv[1] : "program_state.mjb";
  mj_saveModel(m, path, NULL, 0);
  mjModel* file = mj_loadModel(path, NULL);
  remove(path);
  mjModel* twin = mj_copyModel(NULL, m);
  mjModel* models[2] = {file, twin};
  for (int i = 0; i < 2; i++) {
    mjData* e = mj_makeData(models[i]);
    mj_resetDataKeyframe(models[i], e, key);
    run(models[i], e, 20);
    show(i ? "twin" : "file", e->qpos, models[i]->nq);
    mj_deleteData(e);
    mj_deleteModel(models[i]);
  }
  printf("unknown %d\n", mj_name2id(m, mjOBJ_KEY, "nobody"));
  free(state);
  mj_deleteData(d);
  mj_deleteData(other);
  mj_deleteData(third);
  mj_deleteModel(m);
  return 0;
}
