// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A solution from which other solves at the same positions start: the center of a grid of controls or velocities.
//
// M, J, D and the Hessian H = M + J'WJ of the center are numbers of positions, so they are the same in all lanes and
// are kept once, as plain numbers. A force of a row is piecewise linear in its residual: force = shift - weight *
// residual, with a law (weight, shift) that depends on the side on which the residual lies. Where all rows keep the
// laws that they have at the center, the solution is linear in the inputs: one solution with H. Each row that changes
// its law adds a force that moves the solution by H^-1 J', a column that is computed when a row of the grid first asks
// for it (solve/center_solve.c).
//
// All memory is in the arena, beside the constraint rows that it belongs to.
#ifndef SHEAF_SOLVE_CENTER_H_
#define SHEAF_SOLVE_CENTER_H_

#include <mujoco/mujoco.h>

// rows of a sparse matrix
typedef struct {
  int* adr;       // (n+1) start of each row
  int* col;       // columns, ascending
  mjtNum* value;  // entries
} mjiSparse;

typedef struct mjiCenter_ {
  int nv, nefc;
  int nleft;       // lanes that were left to the solver
  mjtNum* qacc;    // (nv) the solution
  mjtNum* smooth;  // (nv) qfrc_smooth
  mjtNum* qfrc;    // (nv) qfrc_constraint
  mjtNum* rest;    // (nv) qfrc_constraint - M qacc
  mjtNum* aref;    // (nefc)
  mjtNum* Ja;      // (nefc) J qacc
  mjtNum* weight;  // (nefc) the laws of its rows
  mjtNum* shift;   // (nefc)

  mjiSparse M;  // all entries, also those above the diagonal
  mjtNum* J;    // base rows of all blocks, one block after the other
  int* Jadr;    // (nblock) start of each block
  int* block;   // (nefc) block of each row

  // H = L' D L, with ones on the diagonal of L
  mjiSparse below;  // L without its diagonal, by rows
  mjiSparse after;  // the same by columns: the rows of L'
  mjtNum* dinv;     // (nv) 1 / D

  // what a unit force on a row does: computed on demand
  mjtByte* known;    // (nefc)
  mjtNum* response;  // (nefc x nv) H^-1 J_i'
  mjtNum* gain;      // (nefc x nefc) J H^-1 J_i'
} mjiCenter;

// Allocate a center in the arena for nv dofs and the rows of d, for a factor with nnz entries.
// NULL if the arena has no room.
mjiCenter* mji_centerAlloc(const mjModel* m, mjData* d, int nnz);

// Fill in `after`, the columns of `below`.
void mji_centerColumns(mjiCenter* c);

// Make response and gain of a row known.
void mji_centerRespond(mjiCenter* c, const mjData* d, int row);

#endif  // SHEAF_SOLVE_CENTER_H_
