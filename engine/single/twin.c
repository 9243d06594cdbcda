// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models of doubles, and their twins of floats.

#include "single/single.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mjxmacro.h>

#include "model/head.h"

#if SHEAF_SINGLE

// What a twin was made of, so that a change of the model is seen: a copy of the struct and of the buffer.
struct mjiTwin_ {
  mjiSingleModel* model;
  int nuser;  // who took it, and the model while it is its twin
  mjModel made;
  char buffer[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // of all twins of all models

static void release(mjiTwin* twin) {
  if (!twin || --twin->nuser) return;
  mji_single_deleteModel(twin->model);
  free(twin);
}

enum {
#define X(type, name, nr, nc) ARRAY_##name,
  MJMODEL_POINTERS
#undef X
      NARRAY
};

static mjiSingleModel* convert(const mjModel* m) {
  const void* array[NARRAY];
  char numbers[NARRAY];
  int k = 0;
#define X(type, name, nr, nc) numbers[k] = _Generic((type*)0, double* : 1, default : 0), array[k++] = m->name;
  MJMODEL_POINTERS
#undef X
  mjiParts parts = {.sizes = m,
                    .array = array,
                    .numbers = numbers,
                    .option = &m->opt.timestep,
                    .choice = &m->opt.integrator,
                    .statistic = &m->stat.meaninertia,
                    .signature = m->signature};
  return mji_single_makeModel(&parts);
}

static mjiTwin* make(const mjModel* m) {
  size_t n = (size_t)m->nbuffer;
  mjiTwin* twin = malloc(sizeof *twin + n);
  if (!twin) return NULL;
  twin->model = convert(m);
  twin->nuser = 1;
  memcpy(&twin->made, m, sizeof *m);
  memcpy(twin->buffer, m->buffer, n);
  if (twin->model) return twin;
  free(twin);
  return NULL;
}

static int isOf(const mjiTwin* twin, const mjModel* m) {
  return twin && !memcmp(&twin->made, m, sizeof *m) && !memcmp(twin->buffer, m->buffer, (size_t)m->nbuffer);
}

mjiTwin* mji_takeTwin(const mjModel* m) {
  struct mjiTwin_** place = &mji_head(m->buffer)->twin;
  pthread_mutex_lock(&lock);
  if (!isOf(*place, m)) {
    mjiTwin* fresh = make(m);
    if (fresh) {
      release(*place);
      *place = fresh;
    }
  }
  mjiTwin* twin = isOf(*place, m) ? *place : NULL;
  if (twin) twin->nuser++;
  pthread_mutex_unlock(&lock);
  return twin;
}

void mji_giveBackTwin(void* twin) {
  pthread_mutex_lock(&lock);
  release(twin);
  pthread_mutex_unlock(&lock);
}

void mji_dropTwin(struct mjiTwin_* twin) { mji_giveBackTwin(twin); }

const mjiSingleModel* mji_twinModel(const mjiTwin* twin) { return twin->model; }

uint64_t mji_twinSerial(const mjModel* m) {
  pthread_mutex_lock(&lock);
  const mjiTwin* twin = mji_head(m->buffer)->twin;
  uint64_t serial = twin ? mji_single_serial(twin->model) : 0;
  pthread_mutex_unlock(&lock);
  return serial;
}

#else  // without the engine of floats

mjiTwin* mji_takeTwin(const mjModel* m) { return (void)m, NULL; }
void mji_giveBackTwin(void* twin) { (void)twin; }
void mji_dropTwin(struct mjiTwin_* twin) { (void)twin; }
const mjiSingleModel* mji_twinModel(const mjiTwin* twin) { return (void)twin, NULL; }
uint64_t mji_twinSerial(const mjModel* m) { return (void)m, 0; }
uint64_t mji_single_serial(const mjiSingleModel* m) { return (void)m, 0; }
const char* mji_single_lacks(const mjiSingleModel* m) { return (void)m, ""; }
int mji_single_prepareJob(sheafJob* job, const mjiSingleModel* m, const sheafPool* pool, sheafStatus* status) {
  return (void)job, (void)m, (void)pool, (void)status, SHEAF_UNIMPLEMENTED;
}

#endif
