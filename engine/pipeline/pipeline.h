// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Parts of the pipeline that its files share.
#ifndef SHEAF_PIPELINE_PIPELINE_H_
#define SHEAF_PIPELINE_PIPELINE_H_

#include <mujoco/mujoco.h>

#ifdef SHEAF_LANES_LANES_H_
// Contacts, and what they and equalities wake.
void LANE(fwdCollision)(const mjModel* m, mjData* d);

// Add the forces of xfrc_applied to qfrc.
void LANE(addApplied)(const mjModel* m, mjData* d, V* qfrc);

// Checks before and after forward dynamics: bad numbers end in a warning and a reset of their
// state.
void LANE(checkState)(const mjModel* m, mjData* d);
void LANE(checkAcc)(const mjModel* m, mjData* d);
#endif

#endif  // SHEAF_PIPELINE_PIPELINE_H_
