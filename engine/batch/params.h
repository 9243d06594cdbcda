// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Parameters of a request: numbers of the model that its rows have for themselves (model/number.h). Lanes of a group
// get those of their rows, and what follows from them is computed again or kept. Rows that repeat the parameters of a
// row before, as the windows of a candidate do in an identification, share that work.
#ifndef SHEAF_BATCH_PARAMS_H_
#define SHEAF_BATCH_PARAMS_H_

#include <sheaf/batch.h>

#include "lanes/kernels.h"
#include "pool/queue.h"

struct mjiWorker_;

// ---- checks: the list of a request, and the values in its arrays. 0, or the code that is also in status.
int mji_checkParams(const mjModel* m, const sheafParam* param, int n, int nbatch, int keep_constants,
                    sheafStatus* status);
int mji_checkParamValues(const mjModel* m, const sheafParam* param, int n, sheafStatus* status);

// ---- jobs

// Take the parameters of a checked request into its job; none: job->params stays NULL. 0, or a code with the reason in
// status.
int mji_takeParams(sheafJob* job, const sheafParam* param, int n, int keep_constants, sheafStatus* status);

// The parameters of an item's rows go to the lanes of its data; without parameters the lanes have the numbers of the
// model. Raises mju_error if out of memory, or if constants cannot be computed. The state of the worker's data of one
// state is lost.
void mji_putParams(struct mjiWorker_* w, const sheafJob* job, mjData* d, int item);

// Do rows differ in their parameters?
int mji_paramsVary(const sheafJob* job);

// Does the state after a reset depend on the parameters?
int mji_paramsMoveReset(const sheafJob* job);

// Kernels for the groups of a job.
const mjiKernels* mji_jobKernels(const sheafJob* job);

// The model that kernels get with a group's data: with one lane its view, which has the parameters of the row.
const mjModel* mji_groupModel(const sheafJob* job, const mjData* d);

#endif  // SHEAF_BATCH_PARAMS_H_
