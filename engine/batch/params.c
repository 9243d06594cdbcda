// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/params.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/evaluator.h"
#include "load/lane_const.h"
#include "model/number.h"
#include "pool/worker.h"

// ---- names

int sheaf_paramCount(void) { return mjiNNUM; }

const char* sheaf_paramName(int i) { return i >= 0 && i < mjiNNUM ? mji_numberName((mjiNumber)i) : NULL; }

int sheaf_paramSize(const mjModel* m, const char* name, int shape[2]) {
  int own[2], number = name ? mji_findNumber(name) : -1;
  if (number < 0) return -1;
  if (!shape) shape = own;
  mji_numberShape(m, (mjiNumber)number, shape);
  return shape[0] * shape[1];
}

const mjtNum* sheaf_paramValues(const mjModel* m, const char* name) {
  size_t n;
  int number = name ? mji_findNumber(name) : -1;
  return number < 0 ? NULL : mji_baseNumber(m, (mjiNumber)number, &n);
}

// ---- checks

// Names that may be meant: those of the same kind of element ("body_..."), or all kinds where there is none.
static void listNames(char* out, size_t size, const char* like) {
  size_t prefix = strcspn(like, "_."), n = 0;
  int found = 0;
  out[0] = 0;
  for (int i = 0; i < mjiNNUM; i++) found |= !strncmp(mji_numberName((mjiNumber)i), like, prefix + 1);
  const char* last = "";
  for (int i = 0; i < mjiNNUM && n < size; i++) {
    const char* name = mji_numberName((mjiNumber)i);
    int kind = (int)strcspn(name, "_.") + 1;
    if (found && !strncmp(name, like, prefix + 1)) {
      n += (size_t)snprintf(out + n, size - n, "%s%s", n ? ", " : "", name);
    } else if (!found && strncmp(last, name, (size_t)kind) != 0) {
      n += (size_t)snprintf(out + n, size - n, "%s%.*s*", n ? ", " : "", kind, name);
    }
    last = name;
  }
}

static int checkParam(const mjModel* m, const sheafParam* p, int nbatch, int keep_constants, sheafStatus* status) {
  const char* name = p->name ? p->name : "(null)";
  int number = mji_findNumber(name);
  if (number < 0) {
    char names[240];
    listNames(names, sizeof names, name);
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "param", "expected one of %s, got \"%.40s\"", names, name);
  }
  if (!keep_constants && mji_numberFollows((mjiNumber)number) == mjiFOLLOWS_DERIVED) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, name,
                      "expected keep_constants with what mj_setConst derives, got neither");
  }
  if (!p->data && sheaf_paramSize(m, name, NULL)) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, name, "expected an array, got NULL");
  }
  if (p->nrow == nbatch || p->nrow == 1) return 0;
  return mji_status(status, SHEAF_INVALID_ARGUMENT, name, "expected %d rows or 1, got %d", nbatch, p->nrow);
}

int mji_checkParams(const mjModel* m, const sheafParam* param, int n, int nbatch, int keep_constants,
                    sheafStatus* status) {
  unsigned char seen[mjiNNUM] = {0};
  if (n < 0 || n > mjiNNUM) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "nparam", "expected 0 to %d, got %d", mjiNNUM, n);
  }
  if (n && !param) return mji_status(status, SHEAF_INVALID_ARGUMENT, "param", "expected %d parameters, got NULL", n);
  for (int i = 0; i < n; i++) {
    int err = checkParam(m, param + i, nbatch, keep_constants, status);
    if (err) return err;
    if (seen[mji_findNumber(param[i].name)]++) {
      return mji_status(status, SHEAF_INVALID_ARGUMENT, "param", "expected each name once, got \"%s\" twice",
                        param[i].name);
    }
  }
  return 0;
}

#ifndef MJI_SINGLE
// "a positive number, got -1 in row 2, at 5" of a number that breaks a rule; the structure's rules by KEEPS
static int checkRow(const mjModel* m, mjiNumber number, const mjtNum* x, int row, sheafStatus* status) {
  const char *name = mji_numberName(number), *expected;
  int k = mji_numberBad(m, number, x, &expected);
  if (k < 0) {
    k = mji_numberBreaks(m, number, x);
    expected = "the number of the model, whose structure depends on it";
  }
  if (k < 0) return 0;
  return mji_status(status, SHEAF_INVALID_ARGUMENT, name, "expected %s, got %.17g in row %d, at %d", expected, x[k],
                    row, k);
}

int mji_checkParamValues(const mjModel* m, const sheafParam* param, int n, int first, int count, sheafStatus* status) {
  for (int i = 0; i < n; i++) {
    mjiNumber number = (mjiNumber)mji_findNumber(param[i].name);
    size_t size = (size_t)sheaf_paramSize(m, param[i].name, NULL);
    int end = mjMIN(param[i].nrow - first, count) + first;
    for (int row = first; row < end && size; row++) {
      const double* x = param[i].data + (size_t)row * size;
      if (row && !memcmp(x, x - size, size * sizeof(double))) continue;  // as in the row before
      int err = checkRow(m, number, x, row, status);
      if (err) return err;
    }
  }
  return 0;
}
#else
// requests are checked before they come here
int mji_checkParamValues(const mjModel* m, const sheafParam* param, int n, int first, int count, sheafStatus* status) {
  return (void)m, (void)param, (void)n, (void)first, (void)count, (void)status, 0;
}
#endif

// ---- jobs

typedef struct {
  mjiNumber number;
  const mjtNum* data;
  int count;
  size_t size;
} Param;

// rows of parameters
static const mjtNum* rowOf(const Param* p, int i) { return p->data + (p->count == 1 ? 0 : (size_t)i * p->size); }

// Rows whose numbers, with what follows from them, are kept for when they come again: so many, in so many bytes.
enum { MOST_KEPT = 64, KEPT_BYTES = 1 << 18 };

struct mjiParams_ {
  uint64_t serial;  // of this job among all with parameters
  int constants, bounds, reset, vary, shares;
  int share;                     // rows of the job that have a row of parameters in common
  unsigned char moves[mjiNNUM];  // numbers that differ between rows
  int room;                      // for rows that are kept
  atomic_int taken;              // places among them that workers fill or have filled
  atomic_int row[MOST_KEPT];     // 1 + the row in a place, 0 until it is there
  size_t each;                   // numbers of a place
  mjtNum* kept;                  // (room x each)
  mjtByte* apart;                // for the model: its frames do not coincide
  int n;
  Param of[mjiNNUM];
  mjtNum base[];  // numbers of the job's model that are zero in the caller's, and not in some row
};
typedef struct mjiParams_ Params;

// room for the rows in the precision of the model: none if they have it already
static size_t roomFor(const mjModel* m, const sheafParam* from) {
  return MJI_ROOM((size_t)from->nrow * (size_t)sheaf_paramSize(m, from->name, NULL));
}

static void addParam(Params* p, const mjModel* m, const sheafParam* from, int keep_constants, mjtNum* room) {
  mjiNumber number = (mjiNumber)mji_findNumber(from->name);
  mjiFollows follows = mji_numberFollows(number);
  size_t size = (size_t)sheaf_paramSize(m, from->name, NULL);
  if (!size) return;
  p->of[p->n++] = (Param){number, mji_given(from->data, room, (size_t)from->nrow * size), from->nrow, size};
  p->moves[number] = 1;
  p->vary |= from->nrow > 1;
  p->shares |= mji_numberShared(number);
  p->constants |= !keep_constants && (follows == mjiFOLLOWS_CONSTANTS || follows == mjiFOLLOWS_BOUNDS);
  p->bounds |= follows == mjiFOLLOWS_BOUNDS;
  p->reset |= number == mjiNUM_qpos0 || number == mjiNUM_body_pos || number == mjiNUM_body_quat;
}

// Kernels skip what is zero in the model. Where rows have something else, the job's model has it, too: its struct is a
// copy, with arrays of its own for these numbers.
static void raiseZeros(sheafJob* job, Params* p) {
  mjtNum* base = p->base;
  for (int i = 0; i < p->n; i++) {
    const Param* of = p->of + i;
    const mjtNum* old = mji_baseNumber(job->m, of->number, &(size_t){0});
    int raises = 0;
    memcpy(base, old, of->size * sizeof(mjtNum));
    for (int row = 0; row < of->count; row++) {
      const mjtNum* x = of->data + (size_t)row * of->size;
      if (row && !memcmp(x, x - of->size, of->size * sizeof(mjtNum))) continue;  // as in the row before
      raises |= mji_numberRaises(job->m, of->number, x, base);
    }
    if (!raises) continue;
    if (job->m != &job->model) job->model = *job->m;
    job->m = &job->model;
    mji_pointNumber(&job->model, of->number, base);
    base += of->size;
  }
}

// poses in a body: whether one coincides with another is in arrays of the model
static int isPlace(mjiNumber number) {
  switch (number) {
    case mjiNUM_body_ipos:
    case mjiNUM_body_iquat:
    case mjiNUM_geom_pos:
    case mjiNUM_geom_quat:
    case mjiNUM_site_pos:
    case mjiNUM_site_quat: return 1;
    default: return 0;
  }
}

// Frames that coincide in the caller's model need not do so in rows that move one of them.
static void partFrames(sheafJob* job, const Params* p) {
  int moves = 0;
  for (int i = 0; i < p->n; i++) moves |= isPlace(p->of[i].number);
  if (!moves) return;
  if (job->m != &job->model) job->model = *job->m;
  job->m = &job->model;
  job->model.body_sameframe = job->model.geom_sameframe = job->model.site_sameframe = p->apart;
}

static size_t countNumbers(const mjModel* m, const sheafParam* param, int n) {
  size_t sum = 0;
  for (int i = 0; i < n; i++) sum += (size_t)sheaf_paramSize(m, param[i].name, NULL);
  return sum;
}

// numbers that a row may move: its own, and all that may follow
static size_t countMoved(const mjModel* m, size_t own) {
  size_t n, sum = own;
  for (int i = 0; i < mjiNNUM; i++) {
    if (!mji_constWrites((mjiNumber)i) && i != mjiNUM_geom_rbound) continue;
    mji_baseNumber(m, (mjiNumber)i, &n);
    sum += n;
  }
  return sum;
}

// how many rows can be kept that may come more than once
static int countKept(const sheafParam* param, int n, size_t each) {
  int most = 0;
  for (int i = 0; i < n; i++) most = mjMAX(most, param[i].nrow);
  return most > 1 ? mjMIN(mjMIN(most, MOST_KEPT), (int)(KEPT_BYTES / (each * sizeof(mjtNum)))) : 0;
}

int mji_takeParams(sheafJob* job, const sheafParam* param, int n, int keep_constants, sheafStatus* status) {
  static _Atomic uint64_t serial;
  if (!n) return 0;
  size_t nbase = countNumbers(job->m, param, n), nroom = 0, each = countMoved(job->m, nbase);
  int nkept = keep_constants || !each ? 0 : countKept(param, n, each);
  for (int i = 0; i < n; i++) nroom += roomFor(job->m, param + i);
  size_t nnumber = nbase + nroom + (size_t)nkept * each;
  size_t nframe = (size_t)mjMAX(job->m->nbody, mjMAX(job->m->ngeom, job->m->nsite));
  Params* p = job->params = calloc(1, sizeof *p + nnumber * sizeof(mjtNum) + nframe);
  if (!p) return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  p->room = nkept, p->each = each, p->kept = p->base + nbase + nroom;
  p->apart = (mjtByte*)(p->base + nnumber);  // mjSAMEFRAME_NONE is zero
  p->share = 1;
  p->serial = atomic_fetch_add(&serial, 1) + 1;
  mjtNum* room = p->base + nbase;
  for (int i = 0; i < n; i++) {
    addParam(p, job->m, param + i, keep_constants, room);
    room += roomFor(job->m, param + i);
  }
  for (int i = 0; i < mjiNNUM; i++) p->moves[i] |= p->constants && mji_constWrites((mjiNumber)i);
  p->bounds &= !p->moves[mjiNUM_geom_rbound];  // they may be given
  p->moves[mjiNUM_geom_rbound] |= p->bounds != 0;
  raiseZeros(job, p);
  partFrames(job, p);
  return 0;
}

void mji_shareParams(sheafJob* job, int share) {
  if (job->params) job->params->share = share;
}

int mji_paramsVary(const sheafJob* job) { return job->params && job->params->vary; }

int mji_paramsMoveReset(const sheafJob* job) { return job->params && job->params->reset; }

// what `owns` of lane data may be
enum { NOTHING, EACH_LANE, FIRST_VIEW };

const mjiKernels* mji_groupKernels(const sheafJob* job, const mjData* d) {
  return mji_work(d)->owns == EACH_LANE ? mji_kernelsOwn(job->nlane) : mji_kernels(job->nlane);
}

const mjModel* mji_groupModel(const sheafJob* job, const mjData* d) {
  const mjiWork* work = mji_work(d);
  if (work->owns == FIRST_VIEW) return work->view;
  return work->owns == EACH_LANE && job->params->shares ? work->common : job->m;
}

// ---- lanes

static int sameShared(const Params* p, int a, int b) {
  for (int i = 0; i < p->n && a != b; i++) {
    const Param* of = p->of + i;
    if (mji_numberShared(of->number) && memcmp(rowOf(of, a), rowOf(of, b), of->size * sizeof(mjtNum))) {
      return 0;
    }
  }
  return 1;
}

int mji_paramsLanes(const sheafJob* job, int nlane, int nrow) {
  const Params* p = job->params;
  if (!p || !p->shares || !p->vary) return nlane;
  for (int row = 1; row < nrow && nlane > 1; row++) {
    while (nlane > 1 && row % nlane && !sameShared(p, row / p->share, (row - 1) / p->share))
      nlane = mji_fewerLanes(nlane);
  }
  return nlane;
}

// rows of parameters
static int sameRows(const Params* p, int a, int b) {
  for (int i = 0; i < p->n && a != b; i++) {
    const Param* of = p->of + i;
    if (memcmp(rowOf(of, a), rowOf(of, b), of->size * sizeof(mjtNum)) != 0) return 0;
  }
  return 1;
}

// ---- rows that are kept: whoever computes constants first keeps them for all workers

// the place of a row with these numbers, -1: none
static int findKept(const Params* p, int row) {
  int n = mjMIN(atomic_load(&p->taken), p->room);
  for (int i = 0; i < n; i++) {
    int kept = atomic_load_explicit(&p->row[i], memory_order_acquire) - 1;
    if (kept >= 0 && sameRows(p, kept, row)) return i;
  }
  return -1;
}

static void keepNumbers(Params* p, const mjData* d, int lane, int row) {
  if (atomic_load(&p->taken) >= p->room) return;
  int place = atomic_fetch_add(&p->taken, 1);
  if (place >= p->room) return;
  mjtNum* to = p->kept + (size_t)place * p->each;
  for (int i = 0; i < mjiNNUM; i++) {
    size_t n;
    if (!p->moves[i]) continue;
    const mjtNum* from = mji_ownNumber(d, lane, (mjiNumber)i, &n);
    memcpy(to, from, n * sizeof(mjtNum));
    to += n;
  }
  atomic_store_explicit(&p->row[place], row + 1, memory_order_release);
}

static void takeKept(const Params* p, mjData* d, int lane, int place) {
  const mjtNum* from = p->kept + (size_t)place * p->each;
  for (int i = 0; i < mjiNNUM; i++) {
    size_t n;
    if (!p->moves[i]) continue;
    mji_ownNumber(d, lane, (mjiNumber)i, &n);
    mji_setNumber(d, (mjiNumber)i, lane, from);
    from += n;
  }
}

// ---- numbers of a lane

static void copyNumbers(const Params* p, mjData* d, int to, int from) {
  for (int i = 0; i < mjiNNUM; i++) {
    if (p->moves[i]) mji_setNumber(d, (mjiNumber)i, to, mji_ownNumber(d, from, (mjiNumber)i, &(size_t){0}));
  }
}

// numbers of the model where the row before had its own, then those of the row
static void setNumbers(const Params* p, const mjModel* m, mjData* d, int lane, int row) {
  for (int i = 0; i < mjiNNUM; i++) {
    if (p->moves[i]) mji_setNumber(d, (mjiNumber)i, lane, mji_oldNumber(m, d, (mjiNumber)i, &(size_t){0}));
  }
  for (int i = 0; i < p->n; i++) {
    const Param* of = p->of + i;
    mji_setNumber(d, of->number, lane, rowOf(of, row));
  }
  if (p->bounds) mji_setLaneBounds(d, lane);
}

static int findLane(const Params* p, const mjiWork* work, int row) {
  for (int i = 0; i < work->nlane; i++) {
    if (work->number_row[i] >= 0 && sameRows(p, work->number_row[i], row)) return i;
  }
  return -1;
}

// lanes whose constants have to be computed, each for a row of its own, and lanes that copy one of these then
typedef struct {
  int n, lane[MJI_MAX_LANES], row[MJI_MAX_LANES];
  int ncopy, copy[MJI_MAX_LANES], from[MJI_MAX_LANES], copyrow[MJI_MAX_LANES];
} Waiting;

static int findWaiting(const Params* p, const Waiting* wait, int row) {
  for (int i = 0; i < wait->n; i++) {
    if (sameRows(p, wait->row[i], row)) return i;
  }
  return -1;
}

static void waitFor(Waiting* wait, const Params* p, int lane, int row) {
  int i = findWaiting(p, wait, row);
  if (i >= 0) {
    wait->from[wait->ncopy] = wait->lane[i];
    wait->copyrow[wait->ncopy] = row;
    wait->copy[wait->ncopy++] = lane;
    return;
  }
  wait->row[wait->n] = row;
  wait->lane[wait->n++] = lane;
}

// Nonzero if the lane had another row. Without constants that somebody has computed before the lane has to wait.
static int putRow(Params* p, mjData* d, int lane, int row, Waiting* wait) {
  mjiWork* work = mji_work(d);
  int other = work->number_row[lane] < 0 || !sameRows(p, work->number_row[lane], row);
  if (other) {
    int like = findLane(p, work, row), kept = like < 0 && p->constants ? findKept(p, row) : -1;
    work->number_row[lane] = -1;
    if (like >= 0) {
      copyNumbers(p, d, lane, like);
    } else if (kept >= 0) {
      takeKept(p, d, lane, kept);
    } else {
      waitFor(wait, p, lane, row);
      return 1;
    }
  }
  work->number_row[lane] = row;
  return other;
}

// ---- what comes next

enum { GROUPS_AHEAD = 256 };

static int rowOfItem(const sheafJob* job, int item) { return mji_groupFirst(job, item) / job->params->share; }

// Constants of several rows together take little longer than of one. So where one lane has the numbers for all of its
// group, let the other lanes have those of the groups that follow.
static void lookAhead(const sheafJob* job, mjData* d, int item, Waiting* wait) {
  const Params* p = job->params;
  mjiWork* work = mji_work(d);
  int end = mjMIN(job->nitem, item + GROUPS_AHEAD);
  for (int i = item + 1; i < end && wait->n < work->nlane; i++) {
    int row = rowOfItem(job, i);
    if (findWaiting(p, wait, row) < 0 && findLane(p, work, row) < 0 && findKept(p, row) < 0) {
      work->number_row[wait->n] = -1;
      waitFor(wait, p, wait->n, row);
    }
  }
}

static void computeWaiting(struct mjiWorker_* w, const sheafJob* job, mjData* d, const Waiting* wait) {
  Params* p = job->params;
  int* number_row = mji_work(d)->number_row;
  for (int i = 0; i < wait->n; i++) setNumbers(p, job->m, d, wait->lane[i], wait->row[i]);
  if (wait->n && p->constants) mji_setLaneConst(job->m, d, wait->lane, wait->n, mji_workerData(w, job->m, 1));
  for (int i = 0; i < wait->n; i++) {
    if (p->constants && findKept(p, wait->row[i]) < 0) keepNumbers(p, d, wait->lane[i], wait->row[i]);
    number_row[wait->lane[i]] = wait->row[i];
  }
  for (int i = 0; i < wait->ncopy; i++) {
    copyNumbers(p, d, wait->copy[i], wait->from[i]);
    number_row[wait->copy[i]] = wait->copyrow[i];
  }
}

int mji_putParams(struct mjiWorker_* w, const sheafJob* job, mjData* d, int item) {
  const Params* p = job->params;
  mjiWork* work = mji_work(d);
  int before = work->owns;
  if (!p) {
    mji_disownNumbers(d);
    return before != NOTHING;
  }
  if (work->number_owner != p->serial) {
    if (!mji_ownNumbers(job->m, d)) mju_error("out of memory for the parameters of %d lanes", work->nlane);
    work->number_owner = p->serial;
    for (int i = 0; i < work->nlane; i++) work->number_row[i] = -1;
  }
  int first = mji_groupFirst(job, item), count = mji_groupCount(job, item), same = 1;
  for (int lane = 1; lane < count && same; lane++) same = sameRows(p, first / p->share, (first + lane) / p->share);
  work->owns = same ? FIRST_VIEW : EACH_LANE;
  int other = work->owns != before;
  Waiting wait = {0};
  for (int lane = 0; lane < (same ? 1 : work->nlane); lane++) {
    other |= putRow(job->params, d, lane, (first + (lane < count ? lane : count - 1)) / p->share, &wait);
  }
  if (same && wait.n && p->constants && p->vary && !p->shares) lookAhead(job, d, item, &wait);
  computeWaiting(w, job, d, &wait);
  if (!same && p->shares) mji_commonModel(job->m, d);
  return other;
}
