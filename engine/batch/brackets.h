// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What stands between the brackets behind names of outputs, and what their readers share (choice.c, form.c).
#ifndef SHEAF_BATCH_BRACKETS_H_
#define SHEAF_BATCH_BRACKETS_H_

#include <stddef.h>

#include <sheaf/batch.h>

enum { MJI_MAXRANGE = 256, MJI_MAXPROBE = 256 };  // of the brackets of all outputs of a request

typedef struct {
  int first, count;
} mjiRowRange;

// A point, a ray or a pair of geoms.
typedef struct {
  int id[2];    // the body; the site or -1; the geoms
  mjtNum x[6];  // the point in the frame of its body; origin and unit direction of a ray; the largest distance
} mjiProbe;

// What is between the brackets of all outputs of a request.
typedef struct {
  int nrange, nprobe;
  mjiRowRange range[MJI_MAXRANGE];
  mjiProbe probe[MJI_MAXPROBE];
} mjiBrackets;

struct mjiForm_;

// An output, and ranges of the rows of its array or what its form computes.
typedef struct {
  int output;                   // of batch/output.h
  const struct mjiForm_* form;  // NULL: an array or a scalar
  int nrange;                   // 0: all rows
  const mjiRowRange* range;     // nrange of them
  int nprobe;
  const mjiProbe* probe;  // nprobe of them
  int count;              // rows that there is room for
  int columns;            // numbers in a row of the whole array
  int shape[2], size;     // for one state
  int nominal;            // the name begins with SHEAF_NOMINAL
} mjiChoice;

// Digits to a number from 0 to `most`, -1 if it is not one; no digits stand for `none`.
int mji_readIndex(const char* text, size_t n, int none, int most);

// Text without spaces at its ends, which are overwritten.
char* mji_trim(char* text);

// The reason why brackets are refused; returns -1.
int mji_refuseBrackets(const char* name, const char* expected, const char* got, sheafStatus* status);

#endif  // SHEAF_BATCH_BRACKETS_H_
