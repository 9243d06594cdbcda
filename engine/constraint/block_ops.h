// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Products with the Jacobian of all constraints, block by block.
#ifndef SHEAF_CONSTRAINT_BLOCK_OPS_H_
#define SHEAF_CONSTRAINT_BLOCK_OPS_H_

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "model/block.h"
#include "model/work.h"

// res (nefc) = J x, x (nv); rows in the order of the constraints, pyramid edges combined.
void LANE(blockMulJ)(const mjModel* m, const mjData* d, V* res, const V* x);

// res (nv) = J' force, force (nefc).
void LANE(blockMulJT)(const mjModel* m, const mjData* d, V* res, const V* force);

// base (dim) = base rows of one block times x.
void LANE(blockMulBase)(const mjiBlock* b, V base[6], const V* x);

// res += base rows transposed times f (dim).
void LANE(blockAddBase)(const mjiBlock* b, V* res, const V* f);

// Forces along the base rows of a pyramidal contact, from those of its edges.
void LANE(blockBaseForce)(const mjiBlock* b, V base[6], const V* force);

#endif  // SHEAF_CONSTRAINT_BLOCK_OPS_H_
