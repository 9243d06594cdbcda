// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constraint rows, grouped in blocks that share their columns.
//
// A block is what the solver works with: the three rows of a connect constraint, one limit, the
// normal and tangent rows of a contact. Base rows J (dim x ncol, lane innermost) are stored without
// the combination into pyramid edges; a pyramidal contact of dimension dim has dim base rows and
// nrow = 2*(dim-1) constraint rows, row 2*(k-1)+s of which is J_0 +- mu_k J_k (+ for s = 0). Every
// other block has nrow = dim.
//
// A contact has no columns for dofs that move both of its bodies: they would hold exact zeros.
//
// Per-row quantities (efc_D, efc_R, efc_aref, efc_pos, efc_vel, efc_force, ...) are the arrays of
// mjData, with lanes. In lanes where a row does not exist efc_D, efc_aref and efc_force are exactly
// zero, and so are the base rows of a contact.
#ifndef SHEAF_MODEL_BLOCK_H_
#define SHEAF_MODEL_BLOCK_H_

#include <mujoco/mujoco.h>

struct mjiBlock_ {
  int type;                // mjtConstraint of the rows
  int id;                  // equality, dof, joint, tendon or contact id
  int dim;                 // base rows
  int nrow;                // constraint rows
  int efcadr;              // first constraint row
  int ncol;                // columns of the base rows
  const int* col;          // (ncol) dof of each column, ascending
  const mjtNum* J;         // (dim x ncol) base rows, nlane numbers per element
  const mjtNum* friction;  // (dim-1) friction of a contact, numbers of the model (N); else NULL
  const void* on;          // lane mask (M) of a contact or limit; NULL: present in all lanes

  // reference acceleration: aref = -damping * velocity - bias
  const mjtNum* damping;  // (2) of all rows; [1] of the friction rows of an elliptic contact; numbers of the model (N)
  const mjtNum* bias;     // K*I*(P-margin), with lanes: one number, dim of an equality; NULL: zero.
                          // The friction rows of an elliptic contact have none
};
typedef struct mjiBlock_ mjiBlock;

#endif  // SHEAF_MODEL_BLOCK_H_
