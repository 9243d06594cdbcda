// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which columns of derivatives a request wants (SHEAF_COLUMNS).
#ifndef SHEAF_BATCH_COLUMNS_H_
#define SHEAF_BATCH_COLUMNS_H_

#include <sheaf/batch.h>

#include "pool/queue.h"

// Kinds of columns: positions, velocities, activations and controls of a step; positions, velocities and accelerations
// of inverse dynamics.
enum { MJI_COLUMN_KINDS = 4 };

// The columns of a request in ascending order. A result has those of one kind or of some side by side, in the order in
// which the request names them.
typedef struct {
  int whole;                        // all columns of the model, in their order
  int n;                            // of number, index and place
  int begin[MJI_COLUMN_KINDS + 1];  // columns of kind k are those from begin[k] to before begin[k + 1]
  int* number;                      // of the column
  int* index;                       // the same, counted from the first column of its kind
  int* place;                       // in a result: among the columns of its kind, those of a state being one kind
} mjiChosen;

// Find the columns of a job's request. `room` is for mji_columnRoom(m) integers.
size_t mji_columnRoom(const mjModel* m);
void mji_findChosen(const sheafJob* job, int* room, mjiChosen* c);

// Does each of these numbers stand for a column of this kind of request, each once? 0, or the code of `status`.
int mji_checkColumns(const mjModel* m, int kind, const int32_t* column, int n, sheafStatus* status);

#endif  // SHEAF_BATCH_COLUMNS_H_
