// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From a checked request to a job, in the precision of the engine that this is compiled for.

#include "batch/evaluator.h"
#include "model/plan.h"
#include "model/work.h"

typedef int (*Prepare)(sheafJob* job, const sheafPool* pool, sheafStatus* status);

#ifdef MJI_SINGLE
// derivatives are of doubles: half of the digits would be lost in differences
static const Prepare prepare[] = {[SHEAF_ROLLOUT] = mji_prepareRollout,
                                  [SHEAF_FORWARD] = mji_prepareForward,
                                  [SHEAF_INVERSE] = mji_prepareInverse,
                                  [SHEAF_SAMPLE] = mji_prepareSample};
enum { NPREPARE = sizeof prepare / sizeof prepare[0] };
#else
static const Prepare prepare[] = {
#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc) mji_prepare##Type,
#include <sheaf/request_table.h>
};
enum { NPREPARE = sizeof prepare / sizeof prepare[0] };
#endif

int mji_prepareJob(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  if (job->kind >= NPREPARE || !prepare[job->kind]) {
    return mji_status(status, SHEAF_UNIMPLEMENTED, "precision",
                      "expected double precision for derivatives, got single");
  }
  job->serial = mji_plan(job->m)->serial;
  int err = mji_takeRequestParams(job, status);
  return err ? err : prepare[job->kind](job, pool, status);
}
