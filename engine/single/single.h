// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The two sides of single precision meet here. The engine of floats (MJI_SINGLE) is compiled from the same sources as
// that of doubles and linked into one object in which only the functions below are global. The structs mjModel and
// mjData differ between the two, so neither may read those of the other.
#ifndef SHEAF_SINGLE_SINGLE_H_
#define SHEAF_SINGLE_SINGLE_H_

#include <sheaf/batch.h>

// ---- on the side of floats

// A model in parts that mean the same on both sides.
typedef struct {
  const void* sizes;         // the beginning of mjModel, up to `opt`
  const void* const* array;  // the arrays, in the order of MJMODEL_POINTERS
  const char* numbers;       // by array: 1 if it holds doubles that are numbers of the model
  const double* option;      // the numbers of mjOption, in their order
  const int* choice;         // the integers of mjOption
  const double* statistic;   // the numbers of mjStatistic
  uint64_t signature;
} mjiParts;

struct mjiSingleModel_;
typedef struct mjiSingleModel_ mjiSingleModel;  // its mjModel

// NULL if memory is out.
mjiSingleModel* mji_single_makeModel(const mjiParts* parts);
void mji_single_deleteModel(mjiSingleModel* m);

// The serial of the model's plan, under which workers keep data.
uint64_t mji_single_serial(const mjiSingleModel* m);

// What the model has that needs doubles, NULL if there is nothing.
const char* mji_single_lacks(const mjiSingleModel* m);

// As mji_prepareJob (batch/evaluator.h), for a job whose model is one of floats.
int mji_single_prepareJob(sheafJob* job, const mjiSingleModel* m, const sheafPool* pool, sheafStatus* status);

// ---- on the side of doubles

// The model of floats that goes with a model, made at the first call and when the model has changed since. The caller
// gives it back. NULL if memory is out.
typedef struct mjiTwin_ mjiTwin;
mjiTwin* mji_takeTwin(const mjModel* m);
void mji_giveBackTwin(void* twin);
const mjiSingleModel* mji_twinModel(const mjiTwin* twin);

// The serial of the last twin of a model, 0 if it has none.
uint64_t mji_twinSerial(const mjModel* m);

// Forget the twin of a model that is deleted.
void mji_dropTwin(struct mjiTwin_* twin);

#endif  // SHEAF_SINGLE_SINGLE_H_
