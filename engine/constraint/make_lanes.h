// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Row makers over lanes, called by makeConstraint in this order. Include lanes/lanes.h first.
#ifndef SHEAF_CONSTRAINT_MAKE_LANES_H_
#define SHEAF_CONSTRAINT_MAKE_LANES_H_

#include "constraint/rows.h"

// Count what contacts need, and return where the memory of contacts ends. (contact_rows.c)
const void* LANE(contactCount)(const mjModel* m, const mjData* d, mjiRowCount* count);

// equality.c
void LANE(equalityRows)(mjiRows* rows);

// joint_rows.c
void LANE(jointFrictionRows)(mjiRows* rows);
void LANE(jointLimitRows)(mjiRows* rows);

// tendon_rows.c
void LANE(tendonFrictionRows)(mjiRows* rows);
void LANE(tendonLimitRows)(mjiRows* rows);

// contact_rows.c
void LANE(contactRows)(mjiRows* rows);

#endif  // SHEAF_CONSTRAINT_MAKE_LANES_H_
