// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Names of outputs with what is behind them: which rows of an array are wanted ("xpos[head]", "sensordata[gyro, 0:3]",
// "qacc"), or what a form computes ("contact[16]", batch/form.h).
#ifndef SHEAF_BATCH_CHOICE_H_
#define SHEAF_BATCH_CHOICE_H_

#include "batch/brackets.h"

enum { MJI_CHOSE_NUMBER = 1024 };  // added to numbers of the model (model/number.h) in mjiChoice.output

// Read the name of an output, or of a number of the model for derivatives by it, with what is behind it, which goes to
// `store`. Returns 0, or -1 with the reason in status.
int mji_choose(const mjModel* m, const char* text, mjiChoice* choice, mjiBrackets* store, sheafStatus* status);

// The rows that the brackets in `text` choose of an array of nrow rows, whose elements have the names that `rows` says
// ("nq"; NULL: none); all without brackets. They must lie side by side: returns how many, -1 with the reason in status.
int mji_chooseRows(const mjModel* m, const char* text, const char* rows, int nrow, int* first, sheafStatus* status);

// The same of rows that need not lie side by side: returns how many ranges there are, at most `room`.
int mji_listRows(const mjModel* m, const char* text, const char* rows, int nrow, mjiRowRange* range, int room,
                 sheafStatus* status);

// Does the name begin with SHEAF_NOMINAL?
int mji_isNominal(const char* name);

// Say that there is no such output, and which there are; returns the code.
int mji_refuseOutput(const char* name, sheafStatus* status);

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
