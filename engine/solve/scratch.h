// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Scratch of the solvers. Include lanes/lanes.h first.
#ifndef SHEAF_SOLVE_SCRATCH_H_
#define SHEAF_SOLVE_SCRATCH_H_

#include "model/work.h"

static inline V* stackV(mjData* d, size_t n) { return LANES(mji_stackNum(d, n ? n : 1)); }

// the next n of an allocation that holds several arrays
static inline V* takeV(V** next, size_t n) {
  V* p = *next;
  *next = p + n;
  return p;
}

#endif  // SHEAF_SOLVE_SCRATCH_H_
