// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of named outputs.
#ifndef SHEAF_BATCH_OUTPUT_VALUE_H_
#define SHEAF_BATCH_OUTPUT_VALUE_H_

#include "batch/evaluator.h"

// Write all named outputs of one lane to row `row` of their arrays, which have numbers of `bytes`. scratch has room for
// the largest of them.
void mji_giveNamed(const mjiNamed* named, const mjModel* m, mjData* d, int lane, size_t row, int bytes,
                   mjtNum* scratch);

// Numbers of the largest output, for one row.
size_t mji_largestNamed(const mjiNamed* named);

#endif  // SHEAF_BATCH_OUTPUT_VALUE_H_
