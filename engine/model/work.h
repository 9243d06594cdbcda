// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the engine keeps beside the public structures.
//
// Both mjModel.buffer and mjData.buffer are preceded by a 64-byte head of our own, so struct copies
// made by users keep working. The model's head points to the execution plan (model/plan.h), the
// data's to mjiWork.
//
// Lane data. mji_makeLaneData makes an mjData whose double arrays, in the buffer and in the arena,
// hold nlane numbers per element, lane innermost: qpos[i*nlane + lane]. Integer and byte arrays are
// not widened; a kernel with more than one lane may use them only for what is equal in all lanes.
// Scalars of mjData that differ between lanes (time) live in mjiWork. ncon and nefc count
// contacts and rows of the union over lanes; contact points to records of model/contact_lanes.h.
#ifndef SHEAF_MODEL_WORK_H_
#define SHEAF_MODEL_WORK_H_

#include <mujoco/mujoco.h>

#include "lanes/lane_types.h"
#include "model/head.h"
#include "model/plan.h"
#include "model/span.h"

struct mjiBlock_;        // model/block.h
struct mjiKeptHessian_;  // solve/kept_hessian.h
struct mjiCenter_;       // solve/center.h

typedef struct mjiWork_ {
  int nlane;         // numbers per element
  mjtNum* time;      // (nlane) simulation time; NULL with one lane, see mji_time
  mjtNum* energy;    // (2 x nlane) potential, kinetic; NULL with one lane, see mji_energy
  lane_mask_t* bad;  // (nlane) lane mask: nonzero where a bad number was met (nlane > 1)
  int* badcode;      // (nlane) mjtWarning of the first bad number

  lane_mask_t* eq_on;  // (neq x nlane) lane masks of active equalities; NULL with one lane. d->eq_active: in any lane

  // constraint blocks of the current position, in row order (in the arena)
  struct mjiBlock_* block;
  int nblock;
  int ndropped;  // rows that were left out for having no nonzeros
  int mixed;     // a solref mixes its two formats

  int repeats;                      // set if several solves at these positions follow: keep the Hessian for them
  struct mjiKeptHessian_* hessian;  // (in the arena) the Hessian that was kept, or NULL
  struct mjiCenter_* center;        // (in the arena) the solution from which solves at these positions start, or NULL
  int niter[MJI_MAX_LANES];         // (nlane) iterations of the last solve, the most of its islands

  // numbers of the model that the lanes own, by mjiNumber, nlane per element: model/number.h
  mjtNum** number;        // of the copies
  size_t* number_size;    // how many numbers one lane has
  mjModel* view;          // (nlane) the model with the numbers of a lane
  mjModel* common;        // the model with the numbers that all lanes share
  void* numbers;          // the memory behind them
  size_t numbers_bytes;   // of it
  unsigned char* moved;   // by mjiNumber: some lane may differ from the model
  int owns;               // 0: the model's serve all lanes, whatever the copies hold; 2: those of the first view do
  uint64_t number_owner;  // the request whose numbers they are, and the row of each lane (batch/params.c)
  int number_row[MJI_MAX_LANES];

  size_t nscratch;  // bytes of the arena beyond d->narena, for scratch alone
  int mapped;       // how the arena was allocated: mji_tryArena
  // what takes part in a step (model/span.h)
  mjiSpan* span;
  int nspan;
  int* list[MJI_NLIST];  // (model/active.h), filled in only while some trees sleep
  int nlist[MJI_NLIST];

  // how trees of lanes come to rest (model/sleep_lanes.h); with one lane d->tree_asleep counts
  int* asleep;  // (ntree x nlane) counters
  int watches;  // nonzero: count, and stop before a tree falls asleep
  int stopped;  // nonzero: the last step was left, and the state is the one before it

  // the lanes as states of their own (batch/apart.h), made on first use
  mjData* apart[MJI_MAX_LANES];
  int isapart;  // nonzero: these states are computed, not the group

  uintptr_t* plugin_data;  // (nplugin) d->plugin_data while its array is overwritten (model/plugin.h)

  int quiet;  // nonzero: warnings are counted and not reported (data of a batch worker)

  mjData* one;  // one of the lanes as one state, made on first use (model/one_lane.h)

  // data of four and of eight lanes in which derivatives of this data's state are computed (pipeline/fd_group.c): made
  // on first use, freed with this data
  mjData* lanes[2];
  uint64_t lanes_serial;  // plan of the model they were made for
} mjiWork;

// Work area of a data; never NULL for data made by this library.
static inline mjiWork* mji_work(const mjData* d) { return mji_head(d->buffer)->work; }

// Time, and energies: nlane numbers each. With one lane they are in the public structure, because a program may copy
// that structure: the copy shares the work area but has a time and an energy of its own.
static inline mjtNum* mji_time(mjData* d) {
  mjtNum* time = mji_work(d)->time;
  return time ? time : &d->time;
}
static inline mjtNum* mji_energy(mjData* d) {
  mjtNum* energy = mji_work(d)->energy;
  return energy ? energy : d->energy;
}

// Execution plan of a model; never NULL for a model made by this library.
static inline const mjiPlan* mji_plan(const mjModel* m) { return mji_head(m->buffer)->plan; }

// Make data for nlane states side by side, as mji_initData initializes it. NULL if out of memory.
mjData* mji_makeLaneData(const mjModel* m, int nlane);

// Bytes that such data may use: its buffer and all of its arena, without the scratch.
size_t mji_dataBytes(const mjModel* m, int nlane);

// Bytes that a data occupies, with the data that it owns; of arenas the part that was used.
size_t mji_heldBytes(const mjData* d);

// Free the lane data that d owns.
void mji_deleteLanes(mjData* d);

// Copy state between one state's data and a lane: spec is a combination of mjtState.
void mji_putLane(const mjModel* m, mjData* lanes, int lane, const mjtNum* state, unsigned int spec);
// the same for all lanes
void mji_putLanes(const mjModel* m, mjData* lanes, const mjtNum* state, unsigned int spec);
void mji_getLane(const mjModel* m, const mjData* lanes, int lane, mjtNum* state, unsigned int spec);

// Lane of one element-major array: dst[i] = src[i*nlane + lane] and back.
void mji_gatherLane(mjtNum* dst, const mjtNum* src, int n, int nlane, int lane);
void mji_scatterLane(mjtNum* dst, const mjtNum* src, int n, int nlane, int lane);

// The same from states to numbers of requests, which are doubles in either precision, and from these to states.
void mji_toRequest(double* dst, const mjtNum* src, int n, int nlane, int lane);
void mji_fromRequest(mjtNum* dst, const double* src, int n, int nlane, int lane);

// Bytes from the arena that live until the next step's collision (contacts, constraint rows);
// n numbers hold nlane lanes each. NULL if the arena is full.
void* mji_arenaAlloc(mjData* d, size_t bytes, size_t align);
mjtNum* mji_arenaNum(mjData* d, size_t n);

// Set a data to the initial state of the model, with all trees awake. All bytes of the other arrays become `value`.
// With keepscratch, callers keep the scratch that they hold. (init_data.c)
void mji_initData(const mjModel* m, mjData* d, unsigned char value, int keepscratch);

// Only the inputs of a step, time among them, which are all that a batch reads of data before it computes: as
// mji_initData leaves them, but for the state of plugins, which is zero. (init_data.c)
void mji_initInputs(const mjModel* m, mjData* d);

// Set the poses of mocap bodies to those of the model.
void mji_setMocap(const mjModel* m, mjData* d);

// The same n numbers in every lane: dst[i*nlane + lane] = src[i].
void mji_fillLanes(mjtNum* dst, const mjtNum* src, int n, int nlane);

// Forget contacts and constraints, and give their memory back to the arena.
void mji_clearArena(mjData* d);

// Scratch numbers on the stack of d, nlane each, 64-byte aligned. Use between mj_markStack and
// mj_freeStack.
mjtNum* mji_stackNum(mjData* d, size_t n);

// Scratch without a frame, for kernels that every step calls: ask for the top of the stack, and go back to it at the
// end. Functions called in between must give back the scratch that they take.
static inline size_t mji_stackTop(const mjData* d) { return d->pstack; }
void mji_stackBack(mjData* d, size_t top);

// Record a warning: counts it in d->warning and, with one lane and unless the data is quiet, calls the warning handler
// the first time.
void mji_warn(mjData* d, int warning, int info);

#endif  // SHEAF_MODEL_WORK_H_
