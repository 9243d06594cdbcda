// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A table from texts to numbers, of a size known beforehand. Documents of many links or meshes would otherwise take
// the square of their number in steps.
#ifndef SHEAF_MJCF_URDF_NAMES_H_
#define SHEAF_MJCF_URDF_NAMES_H_

#include "mjcf/read.h"

typedef struct mjiNames_ {
  struct mjiNamed_ {
    const char* text;  // NULL: free
    int value;
  } * slot;
  int size;
} mjiNameTable;

// Room for this many texts, in memory of the tree.
void mji_namesMake(mjiNameTable* names, mjiReader* r, const mjiXML* elem, int most);

// Number of a text; NULL if it is not there.
int* mji_namesFind(const mjiNameTable* names, const char* text);

// Enter a text that is not there; it must live as long as the table.
void mji_namesAdd(mjiNameTable* names, const char* text, int value);

#endif  // SHEAF_MJCF_URDF_NAMES_H_
