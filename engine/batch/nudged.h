// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models in which one number is a little less or a little more, for derivatives by numbers of the model, with what
// mj_setConst derives from it.
#ifndef SHEAF_BATCH_NUDGED_H_
#define SHEAF_BATCH_NUDGED_H_

#include "derive/regressor.h"

// Bytes of memory that both models of a column, and what follows from it, take.
size_t mji_nudgedBytes(const mjModel* m, const mjiColumn* column, int keep_constants);

// Make both models of a column in memory of so many bytes, aligned to 64. They share other arrays with m, which must
// stay. Fills in side, span and weights; a column whose derived constants have no formula loses its own. scratch: data
// of one state of m, whose state is lost.
void mji_makeNudged(const mjModel* m, mjiColumn* column, int keep_constants, char* memory, mjData* scratch);

#endif  // SHEAF_BATCH_NUDGED_H_
