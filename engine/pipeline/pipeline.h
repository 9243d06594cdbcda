// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Parts of the pipeline that its files share.
#ifndef SHEAF_PIPELINE_PIPELINE_H_
#define SHEAF_PIPELINE_PIPELINE_H_

#include <mujoco/mujoco.h>

// What only programs that look at mjData read of the position stage: qM, the constraint Jacobian and, of forward
// dynamics, islands. (export.c)
void mji_exportPosition(const mjModel* m, mjData* d, int islands);

// A bad number in the state: warn, and reset the state unless that is switched off; nonzero if it was reset.
int mji_rejectState(const mjModel* m, mjData* d, int warning, int index);

// mj_makeData without a warning: NULL if out of memory. (reset.c)
mjData* mji_tryMakeData(const mjModel* m);

// mj_resetData for a state that diverged within a step: scratch that callers hold stays theirs.
void mji_resetInStep(const mjModel* m, mjData* d);

// Nonzero if the user has set callbacks or replaced pair functions, which must get one state at a time. (user_code.c)
int mji_hasUserCode(void);

// Nonzero if all evaluations of a step except the last may leave out what only users read: the integrator has several
// evaluations, and no code of the user sees the others or can end the step before the last.
int mji_hidesStages(const mjModel* m);

// Inputs of one kind that differences move: n of them, by their numbers in ascending order; NULL: from 0 on.
typedef struct mjiInputs_ {
  int n;
  const int* index;
} mjiInputs;

// mjd_transitionFD by some inputs: positions, velocities, activations, controls. A and C have a column for each of the
// first three kinds, B and D one for each control, side by side in this order. (transition_fd.c)
void mji_transitionFD(const mjModel* m, mjData* d, mjtNum eps, int centered, const mjiInputs input[4], mjtNum* A,
                      mjtNum* B, mjtNum* C, mjtNum* D);

// The forces of mjd_inverseFD by some inputs: positions, velocities, accelerations. Each matrix has a row for each of
// its inputs. (inverse_fd.c)
void mji_inverseFD(const mjModel* m, mjData* d, mjtNum eps, int actuation, const mjiInputs input[3], mjtNum* DfDq,
                   mjtNum* DfDv, mjtNum* DfDa);

#ifdef SHEAF_LANES_LANES_H_
// Compute the next state: activations by act_dot, velocities by qacc, positions by qvel (NULL: the new velocities), and
// time. Saves the acceleration for the warm start. If trees fall asleep, stages that depend on velocities are computed
// once more, as `want` says. (integrators.c)
void LANE(advance)(const mjModel* m, mjData* d, const mjtNum* act_dot, const mjtNum* qacc, const mjtNum* qvel,
                   int want);

// Stages of the tables in forward.c that have no public function.

// invAcceleration replaces accelerations of a discrete step by continuous ones with the same effect; invForces computes
// the forces that go with accelerations.
void LANE(invAcceleration)(const mjModel* m, mjData* d, int want);
void LANE(invForces)(const mjModel* m, mjData* d, int want);

// Checks before and after forward dynamics: a state with bad numbers gets a warning and is reset. checkAcc returns
// nonzero if forward dynamics have to run again.
void LANE(checkState)(const mjModel* m, mjData* d);
int LANE(checkAcc)(const mjModel* m, mjData* d);
#endif

#endif  // SHEAF_PIPELINE_PIPELINE_H_
