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

#ifdef SHEAF_LANES_LANES_H_
// Stages of the tables in forward.c that no public function has the name of.

// Accelerations of a discrete step are replaced by continuous ones with the same effect; the forces that go with them.
void LANE(invAcceleration)(const mjModel* m, mjData* d, int want);
void LANE(invForces)(const mjModel* m, mjData* d, int want);

// Checks before and after forward dynamics: bad numbers end in a warning and a reset of their state; nonzero if
// forward dynamics has to run again.
void LANE(checkState)(const mjModel* m, mjData* d);
int LANE(checkAcc)(const mjModel* m, mjData* d);
#endif

#endif  // SHEAF_PIPELINE_PIPELINE_H_
