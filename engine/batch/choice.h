// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which rows of an output are wanted: "xpos[head]", "sensordata[gyro, 0:3]", "qacc".
#ifndef SHEAF_BATCH_CHOICE_H_
#define SHEAF_BATCH_CHOICE_H_

#include <sheaf/batch.h>

enum { MJI_MAXRANGE = 256 };  // of the brackets of all outputs of a request

typedef struct {
  int first, count;
} mjiRowRange;

// An output, and ranges of the rows of its array.
typedef struct {
  int output;                // of batch/output.h
  int nrange;                // 0: all rows
  const mjiRowRange* range;  // nrange of them
  int columns;               // numbers in a row of the whole array
  int shape[2], size;        // for one state
} mjiChoice;

// Read the name of an output with what is behind it. Ranges go to `range`, which has room for `room` of them. Returns
// how many, -1 with the reason in status.
int mji_choose(const mjModel* m, const char* text, mjiChoice* choice, mjiRowRange* range, int room,
               sheafStatus* status);

// Where row i of the whole array goes, -1 if it is not wanted.
static inline int mji_chosenRow(const mjiChoice* c, int i) {
  int n = 0;
  if (!c->nrange) return i;
  for (int k = 0; k < c->nrange; k++) {
    if (i >= c->range[k].first && i < c->range[k].first + c->range[k].count) return n + i - c->range[k].first;
    n += c->range[k].count;
  }
  return -1;
}

#endif  // SHEAF_BATCH_CHOICE_H_
