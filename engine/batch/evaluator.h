// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Shared by the kinds of batch requests: requests by their rows, lane groups, rows of arrays.
#ifndef SHEAF_BATCH_EVALUATOR_H_
#define SHEAF_BATCH_EVALUATOR_H_

#include <sheaf/batch.h>

#include "lanes/lane_types.h"
#include "batch/choice.h"
#include "pool/pool.h"
#include "pool/queue.h"

struct mjiWorker_;
struct mjiKernels_;

// ---- requests by their rows

enum { MJI_MAXOUTPUT = 64 };  // named outputs

// How every request begins.
typedef struct {
  size_t size;
  int nbatch;
} mjiAnyRequest;

// Check a request; of one that was taken `before`, only the numbers in its arrays. Returns a copy in the layout of this
// version, with defaults filled in for options that were left out, which owns its list of named outputs; free it with
// free. NULL with the reason in status.
void* mji_takeRequest(const mjModel* m, int kind, const void* request, int before, sheafStatus* status);

// Take the parameters of a job's request into the job. Returns 0, or a code with the reason in status.
int mji_takeRequestParams(sheafJob* job, sheafStatus* status);

// Replace options of a request that are 0 by their defaults.
void mji_resolveOptions(int kind, void* request);

// The cost of a request `sample`, as sheaf_requestSize returns it. Its options must have their defaults filled in.
void mji_sampleSize(const mjModel* m, const sheafSample* r, double* units, double* bytes);

// The same of a rollout: the bytes, for each row.
double mji_rolloutBytes(const mjModel* m, const sheafRollout* r);

// Names of outputs are those of numbers of the model in requests of derivatives by them, and of arrays in all others;
// those that begin with SHEAF_NOMINAL are of arrays, in requests for derivatives. 0, or the code of `status`.
int mji_checkKindOfOutput(int kind, const char* name, const mjiChoice* choice, sheafStatus* status);

// Bytes that a job of such a request holds.
double mji_regressorBytes(const mjModel* m, int kind, const void* request);

// The progress function of a request, and its argument.
void mji_takeControl(int kind, const void* request, sheafProgress* progress, void** user);

// Size of one row of a field's array, in numbers.
size_t mji_rowSize(const mjModel* m, int kind, const void* request, const sheafField* field);

// The rows of an input of a job's request, and their number; NULL if it was not given, or if there is no such input.
const double* mji_inputOf(const sheafJob* job, const char* name, int* count);

// The list of columns of a job's request; n is 0 for all.
const int32_t* mji_columnsOf(const sheafJob* job, int* n);

// Named outputs of a job's request.
typedef struct {
  int n;
  int needs;  // MJI_NEED_* of all
  int stage;  // mjtStage that the last of them needs
  mjiChoice choice[MJI_MAXOUTPUT];
  mjiBrackets brackets;       // of all choices
  size_t row[MJI_MAXOUTPUT];  // numbers for one row of the batch
  void* data[MJI_MAXOUTPUT];
} mjiNamed;

// A struct of them must not be copied: choices point into it. The first finds those without SHEAF_NOMINAL, the second
// those with it. The third takes any list that was checked, without SHEAF_NOMINAL; each row of the batch has `rows`
// times the numbers of one state.
void mji_findNamed(const sheafJob* job, mjiNamed* named);
void mji_findNominal(const sheafJob* job, mjiNamed* named);
void mji_readNamed(const mjModel* m, const sheafOutput* list, int n, size_t rows, mjiNamed* named);

// Results of type num are doubles or floats, of `bytes` each. mji_slot: where to write numbers that belong from index
// `at` of an array on; mji_settle, afterwards: makes the other kind of them if need be.
static inline mjtNum* mji_slot(void* data, size_t at, int bytes, mjtNum* scratch) {
  return bytes == sizeof(mjtNum) ? (mjtNum*)data + at : scratch;
}
static inline void mji_settle(void* data, size_t at, size_t n, int bytes, const mjtNum* scratch) {
  if (bytes == sizeof(mjtNum)) return;
  for (size_t i = 0; i < n && bytes == sizeof(float); i++) ((float*)data)[at + i] = (float)scratch[i];
  for (size_t i = 0; i < n && bytes == sizeof(double); i++) ((double*)data)[at + i] = scratch[i];
}

// Numbers of a request, which are doubles in either precision, as numbers of states: themselves, or copies in `room`,
// which has MJI_ROOM(n) numbers.
#ifdef MJI_SINGLE
#define MJI_ROOM(n) ((size_t)(n))
static inline const mjtNum* mji_given(const double* x, mjtNum* room, size_t n) {
  for (size_t i = 0; i < n; i++) room[i] = (mjtNum)x[i];
  return room;
}
#else
#define MJI_ROOM(n) ((void)(n), (size_t)0)
static inline const mjtNum* mji_given(const double* x, mjtNum* room, size_t n) { return (void)room, (void)n, x; }
#endif

// NaN in n numbers of an array from index `at` on.
void mji_undefine(void* data, size_t at, size_t n, int bytes);

// Fill in the results of rows that were not computed: their status, NaN in numbers, 0 in other integers.
void mji_fillRows(sheafJob* job, int first, int count, int status);

// ---- lane groups

// The next smaller number of lanes.
static inline int mji_fewerLanes(int nlane) { return nlane == MJI_MAX_LANES ? nlane / 2 : 1; }

// Lanes per group for a job: as many as model, outputs and CPU allow, but fewer if threads would be left without a
// group.
int mji_groupLanes(const sheafPool* pool, const sheafJob* job, int needs);

// The same for a job that computes each state from the default one and does not step: one where states of the model do
// not start side by side.
int mji_stateLanes(const sheafPool* pool, const sheafJob* job, int needs);

// Enable options that the request needs, in the job's own copy of the model struct; arrays stay shared.
void mji_jobOptions(sheafJob* job, int needs, int enableflags);

// The functions `fail` and `skip` of kinds whose rows are NaN where they were not computed.
void mji_failRows(struct mjiWorker_* w, sheafJob* job, int item);
void mji_skipRows(struct mjiWorker_* w, sheafJob* job, int item);

// Set up the items of a job: groups of nlane rows.
void mji_jobGroups(sheafJob* job, const sheafPool* pool, int nlane, int64_t total);

// The items of a job compute so many columns, with a checkpoint after each or after some: if that may take longer than
// a piece they are strands (pool/strand.h).
void mji_jobColumns(sheafJob* job, const sheafPool* pool, int ncolumn);

// The same for items that work on so many bytes.
void mji_jobStrands(sheafJob* job, const sheafPool* pool, double bytes);

// Number of lane groups that the rows of a round make.
int mji_jobItems(const sheafJob* job);

// Rows of item i: the first, and their number, which is less than the lanes in the last group of a request.
int mji_groupFirst(const sheafJob* job, int item);
int mji_groupCount(const sheafJob* job, int item);

// Row i of an array with nbatch rows or one.
static inline const double* mji_row(const double* data, int count, int i, size_t n) {
  return data + (count == 1 ? 0 : (size_t)i * n);
}

// Data of the worker for an item: every lane has the parameters of its row, and the default state of the model that
// has them (as after mj_resetData). `partial` says that some stages will not be run: then all arrays are set to zero,
// so that none has results of an earlier request.
mjData* mji_freshLanes(struct mjiWorker_* w, const sheafJob* job, int item, int partial);

// Compute the stages of forward dynamics from the first to the last, or all of inverse dynamics from the first on, and
// what outputs with these MJI_NEED_* want beyond them.
void mji_computeOutputs(const struct mjiKernels_* k, const mjModel* m, mjData* d, int needs, int inverse, int first,
                        int last);
void mji_computeMore(const struct mjiKernels_* k, const mjModel* m, mjData* d, int needs);

// What kernels have to compute beyond the next state, MJI_WANT_*, for MJI_NEED_*.
int mji_wants(int needs);

// Put `data` (rows of n numbers, or NULL to leave the default) into an array of lane data; lanes
// without a row of their own repeat the last.
void mji_putRows(mjtNum* dst, const double* data, int count, int first, int ngroup, int n, int nlane);

// The same for whole states: mjSTATE_FULLPHYSICS.
void mji_putStates(const mjModel* m, mjData* d, const double* state, int count, int first, int ngroup, int nlane);

// The same for one lane.
void mji_putGiven(const mjModel* m, mjData* d, int lane, const double* state);

// Nonzero if all n numbers are finite and of sensible size (|x| <= mjMAXVAL); all n numbers of a lane.
int mji_allGood(const mjtNum* x, size_t n);
int mji_laneGood(const mjtNum* x, int n, int nlane, int lane);

// Nonzero if the positions (nq) that a caller gave for a lane are such numbers, and no quaternion among them is zero:
// it names no orientation.
int mji_laneGoodStart(const mjModel* m, const mjtNum* qpos, int nlane, int lane);

// The status of a lane: a bad number in what a row starts from; one that came up within a step.
int mji_inputStatus(const mjModel* m, mjData* d, int nlane, int lane);
int mji_stepStatus(const mjData* d, int nlane, int lane);

// Make the rows of a job rollouts of r, a checked request of job->nrow rows. The arrays of r must stay until the job is
// over or this is called again. Each `share` rows have one row of cost terms and one of targets in common. `needs`
// receives MJI_NEED_*. Returns 0, or the code of `status`.
int mji_makeRollouts(sheafJob* job, const sheafRollout* r, int share, int* needs, sheafStatus* status);

// Fill in a job whose request was checked: numbers of its rows, and what its kind does. 0, or the code of `status`.
int mji_prepareJob(sheafJob* job, const sheafPool* pool, sheafStatus* status);

// ---- kinds of requests: mji_prepareRollout, ... look at the job's request and fill in the job
#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc) \
  int mji_prepare##Type(sheafJob* job, const sheafPool* pool, sheafStatus* status);
#include <sheaf/request_table.h>

#endif  // SHEAF_BATCH_EVALUATOR_H_
