// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The rows of tables/equality_table.h, to be asked by type.
#ifndef SHEAF_MODEL_EQUALITY_ROW_H_
#define SHEAF_MODEL_EQUALITY_ROW_H_

#include <mujoco/mujoco.h>

typedef enum { mjiENDS_POINTS, mjiENDS_JOINTS, mjiENDS_TENDONS, mjiENDS_FLEXES } mjiEnds;

typedef struct mjiEqualityRow_ {
  const char* word;  // element name in MJCF
  mjiEnds ends;      // what it ties together
  int dim;           // constraint rows; 0 if the type is refused
  int nemax;         // rows that mjModel.nemax counts
} mjiEqualityRow;

// Row of a type of equality (mjtEq, which may come from a file); NULL if it has none.
const mjiEqualityRow* mji_equalityRow(int type);

// Type of the equality that is written as this element in MJCF; -1 if there is none.
int mji_equalityType(const char* word);

// Type of the objects that an equality ties together. An equality of points ties sites if objtype is mjOBJ_SITE, else
// bodies.
mjtObj mji_equalityObject(int type, int objtype);

// Body of one end (0 or 1) of equality i of a model, whose ends are points.
int mji_equalityBody(const mjModel* m, int i, int end);

// Nonzero if equality i of a model ties points.
int mji_equalityOfPoints(const mjModel* m, int i);

#endif  // SHEAF_MODEL_EQUALITY_ROW_H_
