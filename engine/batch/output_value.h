// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of named outputs.
#ifndef SHEAF_BATCH_OUTPUT_VALUE_H_
#define SHEAF_BATCH_OUTPUT_VALUE_H_

#include "batch/choice.h"

// Copy what was chosen of an output, of one lane.
void mji_outputCopy(const mjModel* m, const mjData* d, const mjiChoice* choice, int lane, mjtNum* dst);

#endif  // SHEAF_BATCH_OUTPUT_VALUE_H_
