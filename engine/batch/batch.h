// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Shared by the kinds of batch requests: checking inputs, lane groups, rows.
#ifndef SHEAF_BATCH_BATCH_H_
#define SHEAF_BATCH_BATCH_H_

#include <sheaf/batch.h>

#include "pool/pool.h"
#include "pool/queue.h"

struct mjiWorker_;

// ---- checks: each fills status and returns nonzero if the request is not valid

// The struct's own size, a batch of at least one row, and a model.
int mji_checkRequest(const mjModel* m, size_t size, size_t expect, int nbatch, sheafStatus* status);

// An array with `count` rows: NULL, or count is nbatch or 1.
int mji_checkRows(const char* field, const mjtNum* data, int count, int nbatch,
                  sheafStatus* status);

// Named outputs exist and have places to go; *needs receives MJI_NEED_* of all.
int mji_checkOutputs(const sheafOutput* output, int noutput, int* needs, sheafStatus* status);

// ---- lane groups

// Lanes per group for a job: what model and CPU allow, but no fewer groups than threads.
int mji_groupLanes(const sheafPool* pool, const mjModel* m, int nbatch, int needs);

// Enable options that the request needs, in the job's own copy of the model struct; arrays stay
// shared.
void mji_jobOptions(sheafJob* job, int needs, int enableflags);

// Set up the items of a job: groups of nlane rows.
void mji_jobGroups(sheafJob* job, const sheafPool* pool, int nbatch, int nlane, int64_t total);

// Rows of item i: first, and how many of the lanes have one of their own.
int mji_groupFirst(const sheafJob* job, int item);
int mji_groupCount(const sheafJob* job, int item, int nbatch);

// Row i of an array with nbatch rows or one.
static inline const mjtNum* mji_row(const mjtNum* data, int count, int i, size_t n) {
  return data + (count == 1 ? 0 : (size_t)i * n);
}

// Data of the worker with every lane in the default state of the model (as after mj_resetData), and
// the output flags set.
mjData* mji_freshLanes(struct mjiWorker_* w, const sheafJob* job, int needs);

// Put `data` (rows of n numbers, or NULL to leave the default) into an array of lane data; lanes
// without a row of their own repeat the last.
void mji_putRows(mjtNum* dst, const mjtNum* data, int count, int first, int ngroup, int n,
                 int nlane);

// Nonzero if all n numbers of a lane are finite and of sensible size (|x| <= mjMAXVAL).
int mji_laneGood(const mjtNum* x, int n, int nlane, int lane);

// ---- kinds of requests: check, and fill in the job
int mji_prepareRollout(sheafJob* job, const sheafPool* pool, const sheafRollout* r,
                       sheafStatus* status);
int mji_prepareForward(sheafJob* job, const sheafPool* pool, const sheafForward* r,
                       sheafStatus* status);
int mji_prepareInverse(sheafJob* job, const sheafPool* pool, const sheafInverse* r,
                       sheafStatus* status);
int mji_prepareTransitionFD(sheafJob* job, const sheafPool* pool, const sheafTransitionFD* r,
                            sheafStatus* status);
int mji_prepareInverseFD(sheafJob* job, const sheafPool* pool, const sheafInverseFD* r,
                         sheafStatus* status);

#endif  // SHEAF_BATCH_BATCH_H_
