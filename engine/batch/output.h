// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Outputs of batch requests by name: every mjData array of numbers with a fixed size, a few scalars, the inertia matrix
// in the forms that users know, and what is no array of mjData (batch/form.h).
#ifndef SHEAF_BATCH_OUTPUT_H_
#define SHEAF_BATCH_OUTPUT_H_

#include <stddef.h>

#include <mujoco/mujoco.h>

// what an output needs beyond the stages that are always computed
enum {
  MJI_NEED_SENSOR = 1,    // sensors
  MJI_NEED_ENERGY = 2,    // mjENBL_ENERGY
  MJI_NEED_RNEPOST = 4,   // mj_rnePostConstraint
  MJI_NEED_SUBTREE = 8,   // mj_subtreeVel
  MJI_NEED_SCALAR = 16,   // no stage over lanes makes it: one state at a time
  MJI_NEED_INERTIA = 32,  // M, which inverse dynamics leave out
};

// where its numbers are
typedef enum {
  MJI_OUTPUT_ARRAY,
  MJI_OUTPUT_TIME,
  MJI_OUTPUT_ENERGY,
  MJI_OUTPUT_NCON,
  MJI_OUTPUT_NEFC,
  MJI_OUTPUT_NITER,
  MJI_OUTPUT_DENSE_M,
  MJI_OUTPUT_LEGACY_M,
} mjiSource;

typedef struct {
  const char* name;
  mjiSource source;
  size_t offset;  // ARRAY: of the pointer in mjData
} mjiOutput;

// Where an output is; NULL for a form.
const mjiOutput* mji_outputAt(int output);

struct mjiForm_;
const struct mjiForm_* mji_outputForm(int output);

// Index of a named output, -1 if there is none.
int mji_outputFind(const char* name);

// The two dimensions of an output without brackets, for one state. Zero for a form that has brackets always.
int mji_outputShape(const mjModel* m, int output, int shape[2]);

// The size of the model that says how many rows its array has ("nbody"), NULL if none does.
const char* mji_outputRows(int output);

// MJI_NEED_* of an output; MJI_NEED_SCALAR unless a stage over lanes is known to make it.
int mji_outputNeeds(int output);

// The mjtStage after which it is there.
int mji_outputStage(int output);

#endif  // SHEAF_BATCH_OUTPUT_H_
