// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the files of rollouts share: rollout.c runs groups, rollout_control.c gives them controls, record.c writes their
// results.
#ifndef SHEAF_BATCH_ROLLOUT_H_
#define SHEAF_BATCH_ROLLOUT_H_

#include "lanes/lane_types.h"
#include "batch/apart.h"
#include "batch/evaluator.h"
#include "batch/rollout_cost.h"

// a job
typedef struct {
  sheafRollout r;
  int nx, ncontrol, nrecord;  // sizes of a state and of a control row; rows of results
  int bytes;                  // of a number in them
  int needs;
  int share;             // rows that have a row of warmstart in common, if there are several
  int whole;             // the data of a group is more than its integration state: batch/kept.h
  size_t nscratch;       // numbers of the largest row of results
  int feeds;             // controls depend on the state, or on a step size
  const double* evenly;  // times of knots, in steps, where none are given
  int nslot;             // of pending controls of each row; 0: controls are computed when they are applied
  mjtNum* pending;       // (rows x nslot x ncontrol)
  mjiCost cost;
  mjiNamed named;  // 22 KB of room for choices, so it does not begin as zeros: mji_readNamed sets what it holds
  mjiTerm term[];  // of the cost
} mjiRollout;

// How far a row of a group is.
enum {
  MJI_ROW_OVER = 0,
  MJI_ROW_OPEN,
  MJI_ROW_LAST,     // its steps are done; outputs of its last state are still to be made (aligned)
  MJI_ROW_STOPPED,  // its controls are not valid; outputs of the state before them are still to be made (aligned)
};

// one group while it runs
typedef struct {
  const mjModel* m;
  const mjiRollout* p;
  mjData* d;
  int nlane, first, count;
  int from;                 // the step of this piece's begin
  int open[MJI_MAX_LANES];  // MJI_ROW_* of each row of the group
  mjtNum* keep;             // qpos, qvel, act, warm start and time before the step, lanes as in d
  mjtNum* row;              // one state
  mjtNum* control;          // one control row
  mjtNum* state;            // what feedback needs
  mjtNum* scratch;          // one row of results
} mjiGroup;

static inline int mji_stepsOf(const mjiRollout* p, int row) { return p->r.length ? p->r.length[row] : p->r.nstep; }

// The row of results of step t, -1 if it has none; and the first one at or after it.
static inline int mji_recordOf(const mjiRollout* p, int t) {
  if (p->r.every < 0) return t == p->r.nstep - 1 ? 0 : -1;
  return (t + 1) % p->r.every ? -1 : (t + 1) / p->r.every - 1;
}
static inline int mji_recordFrom(const mjiRollout* p, int t) {
  return p->r.every < 0 ? 0 : (t + p->r.every) / p->r.every - 1;
}

// Write the state, or sensors and named outputs, of a lane to row `record` of its results.
void mji_recordState(const mjiGroup* g, int lane, int record);
void mji_recordOutputs(const mjiGroup* g, int lane, int record);

// Both of all rows of a group whose lanes are computed together, if results are numbers as in states.
void mji_recordGroup(const mjiGroup* g, int record);

// Fill the rows of row i of the batch from `record` on: with this state, or with what the row before has; zeros in
// front of the first row.
void mji_restState(const mjiRollout* p, int i, int record, const mjtNum* state);
void mji_restGiven(const mjiRollout* p, int i, int record, const double* state);
void mji_restOutputs(const mjModel* m, const mjiRollout* p, int i, int record);

// Write what the solver found in step t to row t of `solution`, of a lane or of all rows of the group; zeros from row t
// of row i of the batch on.
void mji_recordSolution(const mjiGroup* g, int lane, int t);
void mji_recordSolutions(const mjiGroup* g, int t);
void mji_clearSolutions(const mjModel* m, const mjiRollout* p, int i, int t);

// Numbers of scratch for a row of results: those of the largest, if they become floats.
size_t mji_recordSize(const mjModel* m, const mjiRollout* p);

// Look at the controls of a request with nrow rows; `numbers` has room for mji_controlNumbers. 0, or the code that is
// in status. (A double, so that no size is too large to be told.)
int mji_controlTake(mjiRollout* p, double* numbers, sheafStatus* status);
double mji_controlNumbers(const mjModel* m, const sheafRollout* r, int nrow);

// Do controls change in step t, or are some computed that change later?
int mji_controlDue(const mjiRollout* p, int t);

// The controls of a lane whose row goes on, for step t: in the request, or computed to `u`. The caller checks
// that they are numbers.
const mjtNum* mji_controlOf(const mjiGroup* g, int lane, int t, mjtNum* u);

// The controls of all lanes in step t, if they are those that the request has for this step; 0 if they are not. Lanes
// without a row have those of the last.
int mji_controlRows(const mjiGroup* g, int t, const double* row[MJI_MAX_LANES]);

// Numbers of `state` in a group.
size_t mji_controlSize(const mjModel* m, const mjiRollout* p);

#endif  // SHEAF_BATCH_ROLLOUT_H_
