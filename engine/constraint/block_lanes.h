// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of the model that a block holds, as kernels see them. Include lanes/lanes.h first.
#ifndef SHEAF_CONSTRAINT_BLOCK_LANES_H_
#define SHEAF_CONSTRAINT_BLOCK_LANES_H_

#include "model/block.h"
#include "model/number.h"

// friction of a contact (dim-1)
static inline const N* frictionOf(const mjiBlock* b) { return (const N*)(const void*)b->friction; }

// damping of row i of a block
static inline N dampingOf(const mjiBlock* b, int i) {
  return ((const N*)(const void*)b->damping)[b->type == mjCNSTR_CONTACT_ELLIPTIC && i > 0];
}

#endif  // SHEAF_CONSTRAINT_BLOCK_LANES_H_
