// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What requests for derivatives share: the states that they are at, named outputs of these states, and rows of results.
#ifndef SHEAF_BATCH_DERIVATIVE_JOB_H_
#define SHEAF_BATCH_DERIVATIVE_JOB_H_

#include "lanes/lane_types.h"
#include "batch/evaluator.h"

// ---- the given states

typedef struct {
  const mjtNum* data;  // NULL: the default
  int count;           // rows
} mjiRows;

typedef struct {
  int inverse;                     // of inverse dynamics: positions, velocities and accelerations, not whole states
  int bytes;                       // of a number in results
  mjiRows state, ctrl, warmstart;  // inputs of the request; those that it does not have are NULL
  mjiRows qpos, qvel, qacc, act;   //
  mjiNamed nominal;                // outputs whose names begin with SHEAF_NOMINAL
} mjiGiven;

// Read the inputs and the nominal outputs of a job's request. The struct must not be copied.
void mji_findGiven(sheafJob* job, mjiGiven* g);

// Put the inputs of rows into fresh data. `status` receives SHEAF_ROW_* for each of them.
void mji_loadGiven(const sheafJob* job, const mjiGiven* g, mjData* d, int first, int count, int status[MJI_MAX_LANES]);

// Compute the nominal outputs of the rows of an item and write them. It takes the worker's data, so it comes before the
// derivatives, which then have the bits that they have without outputs.
void mji_giveNominal(struct mjiWorker_* w, sheafJob* job, int item, const mjiGiven* g);

// NaN in those of a row that is not valid.
void mji_undefineNominal(const mjiGiven* g, int row);

// A derivative's prepareX: the functions of its items, and how many columns they compute.
void mji_setDerivative(sheafJob* job, const sheafPool* pool, mjiItemFunc run, int nlane, int ncolumn);

// The most lanes that model and outputs allow, but so few that the numbers of a group still fit a cache that cores
// share.
int mji_matrixLanes(const sheafPool* pool, const sheafJob* job, int needs, size_t numbers);

// ---- results

// Where results of one row of the batch go: numbers of `bytes` each. Floats are made in scratch, which has room for the
// largest result. A result is an address, or NULL where it is not wanted, and the numbers that each row has.
typedef struct {
  size_t row;
  int bytes;
  mjtNum* scratch;
} mjiTarget;

// Where to write the numbers of a result; NULL if it is not wanted. Call mji_resultDone afterwards.
mjtNum* mji_resultAt(const mjiTarget* t, void* x, size_t n);
void mji_resultDone(const mjiTarget* t, void* x, size_t n);

// NaN, or numbers that are there.
void mji_resultNone(const mjiTarget* t, void* x, size_t n);
void mji_resultFrom(const mjiTarget* t, void* x, const mjtNum* from, size_t n);

// Columns of one lane, from the first on, nrow numbers each, as the rows of a matrix. plus is added to every number:
// -0.0 changes nothing, +0.0 makes zeros positive. `from` and `place`: which columns instead, and where they go in the
// matrix; NULL: one after the other.
typedef struct {
  int first, ncol, nrow, nlane, lane;
  mjtNum plus;
  const int *from, *place;
} mjiColumns;
void mji_resultColumns(const mjiTarget* t, void* x, const mjtNum* from, mjiColumns c);

#endif  // SHEAF_BATCH_DERIVATIVE_JOB_H_
