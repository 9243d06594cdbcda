// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Parameters of a request: numbers of the model that its rows set (own numbers, model/number.h). Each lane of a group
// gets the numbers of its row, and the constants that follow from them are computed again or kept. Rows with
// the same parameters share that work, whatever worker has them and in any order, as far as there is room for different
// ones; in system identification, for example, one candidate is rolled out over several windows of data.
#ifndef SHEAF_BATCH_PARAMS_H_
#define SHEAF_BATCH_PARAMS_H_

#include <sheaf/batch.h>

#include "lanes/kernels.h"
#include "pool/queue.h"

struct mjiWorker_;

// ---- checks: the list of a request, and the values in its arrays. Return 0, or the code of `status`.
int mji_checkParams(const mjModel* m, const sheafParam* param, int n, int nbatch, int keep_constants,
                    sheafStatus* status);
int mji_checkParamValues(const mjModel* m, const sheafParam* param, int n, int first, int count, sheafStatus* status);

// ---- jobs

// Take the parameters of a checked request into its job. Without parameters job->params stays NULL. Returns 0, or a
// code with the reason in status.
int mji_takeParams(sheafJob* job, const sheafParam* param, int n, int keep_constants, sheafStatus* status);

// Put the parameters of an item's rows into the lanes of its data; without parameters the lanes get the numbers of the
// model. Raises mju_error if memory is lacking or constants cannot be computed. Overwrites the state in the worker's
// data of one state. Returns nonzero if some lane may have had other numbers before.
int mji_putParams(struct mjiWorker_* w, const sheafJob* job, mjData* d, int item);

// Each `share` rows of the job have a row of the parameters in common.
void mji_shareParams(sheafJob* job, int share);

// Lanes of a group for this job, at most nlane: fewer where neighbours differ in numbers that lanes share.
int mji_paramsLanes(const sheafJob* job, int nlane, int nrow);

// Do rows have different parameters?
int mji_paramsVary(const sheafJob* job);

// Does the state after a reset depend on the parameters?
int mji_paramsMoveReset(const sheafJob* job);

// Kernels for a group's data, and the model that they get with it. Where all rows of a group have the same parameters,
// that is a view of the model which has them, and lanes need no numbers of their own.
const mjiKernels* mji_groupKernels(const sheafJob* job, const mjData* d);
const mjModel* mji_groupModel(const sheafJob* job, const mjData* d);

#endif  // SHEAF_BATCH_PARAMS_H_
