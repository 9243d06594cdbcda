// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the reference would take of `size memory` in a first step. arena.c has the stages and the verdict,
// arena_rows.c the stages of constraints, arena_count.c the numbers that their arrays have.
#ifndef SHEAF_COMPILE_ARENA_H_
#define SHEAF_COMPILE_ARENA_H_

#include <mujoco/mujoco.h>

enum {
  MJI_ARENA_STAGES = 4,                     // of the Runge-Kutta integrator
  MJI_ARENA_NODES = 1 << MJI_ARENA_STAGES
};

// An arena, as counts of bytes: arrays that are kept grow from its start, scratch from its end.
typedef struct {
  mjtSize kept;     // where the next array may begin
  mjtSize top;      // where scratch begins
  int full;         // scratch did not fit: an error there
} mjiArena;

// One problem of the solver: an island, or everything.
typedef struct {
  int nv, nefc;
  mjtSize hessian, factor;    // numbers of a sparse Hessian before and after it is factorized
  int moved, changed;         // does the solver move, do rows change state when it does?
} mjiArenaPart;

// Rows of constraints of one state.
typedef struct {
  int loose, close;           // rounding decides: do joints move the same; limits that are next to having a row
  int counted;                // rows that arrays are made for; those that move nothing go away later
  int nefc, nJ, nA, nisland, nidof;
  int nedge;                  // edges between trees, each in both directions
  mjtSize projected;          // numbers of J M^-1/2
  int npart, split;           // problems of the solver; are they islands?
  mjiArenaPart* part;         // (npart)
} mjiArenaRows;

// Scratch: a frame is opened, taken from and closed again with what mji_arena_open returned.
mjtSize mji_arena_open(mjiArena* a);
void mji_arena_close(mjiArena* a, mjtSize before);
void mji_arena_reals(mjiArena* a, mjtSize n);
void mji_arena_ints(mjiArena* a, mjtSize n);

// An array that is kept: 0 if it does not fit, which is no error there.
int mji_arena_keep(mjiArena* a, size_t size, mjtSize n);

// Stages that make rows, find islands, make the matrix of the dual problem, and solve. The first three drop
// all rows if arrays do not fit; each returns whether there are rows after it.
int mji_arena_makeRows(mjiArena* a, const mjModel* m, const mjiArenaRows* rows);
int mji_arena_findIslands(mjiArena* a, const mjModel* m, const mjiArenaRows* rows);
int mji_arena_project(mjiArena* a, const mjModel* m, const mjiArenaRows* rows);
void mji_arena_solve(mjiArena* a, const mjModel* m, const mjiArenaRows* rows);

// How rows are counted.
typedef struct {
  int follow;    // is the solver followed? Else it counts as if it moved and rows changed state, which takes most
  int inward;    // limits that are close in a later stage have rows if 1, none if -1; 0: what rounding gives
  int still;     // later stages have the state of the first
} mjiArenaCase;

// Rows of the states of a step that begins with that of d, which has room for them. node[1] is that state; the stage
// of the Runge-Kutta integrator that comes after that of node[k] has node[2k] if rows were kept, node[2k + 1] if they were
// dropped, which moves the state otherwise. Parts are allocated. 0 if they cannot be counted.
int mji_arena_count(mjModel* m, mjData* d, mjiArenaRows* node, const mjiArenaCase* how);

// Are there too many edges between trees for the reference, which has room for as many as numbers in J?
static inline int mji_arena_hasTooManyEdges(const mjiArenaRows* rows) {
  return rows->nisland > 0 && rows->nedge > rows->nJ;
}

#endif  // SHEAF_COMPILE_ARENA_H_
