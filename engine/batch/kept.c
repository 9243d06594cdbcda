// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/kept.h"

#include <stdlib.h>
#include <string.h>

#include "batch/evaluator.h"
#include "model/work.h"
#include "pool/worker.h"

static size_t stateSize(const mjModel* m) { return (size_t)mj_stateSize(m, mjSTATE_INTEGRATION); }

static void putMarks(void* to, const mjiWork* work) {
  memcpy(to, work->bad, sizeof *work->bad * (size_t)work->nlane);
  memcpy((char*)to + sizeof *work->bad * (size_t)work->nlane, work->badcode, sizeof(int) * (size_t)work->nlane);
}

static void getMarks(mjiWork* work, const void* from) {
  memcpy(work->bad, from, sizeof *work->bad * (size_t)work->nlane);
  memcpy(work->badcode, (const char*)from + sizeof *work->bad * (size_t)work->nlane, sizeof(int) * (size_t)work->nlane);
}

mjiKept* mji_keep(struct mjiWorker_* w, sheafJob* job, mjData* d, int whole) {
  const mjiWork* work = mji_work(d);
  size_t n = whole ? 0 : stateSize(job->m), nlane = (size_t)work->nlane;
  size_t bytes = sizeof(mjiKept) + nlane * (n * sizeof(mjtNum) + sizeof *work->bad + sizeof(int));
  mjiKept* kept = malloc(bytes);
  if (!kept) return NULL;
  *kept = (mjiKept){.d = whole ? d : NULL, .bytes = bytes + (whole ? mji_heldBytes(d) : 0)};
  for (size_t i = 0; i < nlane && !whole; i++) mji_getLane(job->m, d, (int)i, kept->state + i * n, mjSTATE_INTEGRATION);
  if (whole) mji_workerDetach(w, d);
  else putMarks(kept->state + nlane * n, work);
  atomic_fetch_add(&job->kept, (int64_t)kept->bytes);
  return kept;
}

mjData* mji_unkeep(struct mjiWorker_* w, sheafJob* job, int item, mjiKept* kept) {
  mjData* d = kept->d;
  if (d) {
    mji_workerAttach(w, job->m, d);
    kept->d = NULL;
  } else {
    size_t n = stateSize(job->m), nlane = (size_t)job->nlane;
    d = mji_freshLanes(w, job, item, 0);
    for (size_t i = 0; i < nlane; i++) mji_putLane(job->m, d, (int)i, kept->state + i * n, mjSTATE_INTEGRATION);
    getMarks(mji_work(d), kept->state + nlane * n);
  }
  mji_forget(job, kept);
  return d;
}

void mji_forget(sheafJob* job, void* kept) {
  mjiKept* k = kept;
  atomic_fetch_sub(&job->kept, (int64_t)k->bytes);
  mj_deleteData(k->d);
  free(k);
}
