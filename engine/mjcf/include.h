// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// <include file="..."/> is replaced by the children of the root of that file.
#ifndef SHEAF_MJCF_INCLUDE_H_
#define SHEAF_MJCF_INCLUDE_H_

#include <mujoco/mujoco.h>

#include "mjcf/xml.h"

enum { mjiMAX_INCLUDES = 1000 };

// A function that is told the path of each file that was included.
typedef struct mjiListener_ {
  void (*opened)(void* arg, const char* path);
  void* arg;
} mjiListener;

// Expand all includes below root, which came from a file in directory dir. Returns 1, or 0 with
// `file:line: element: reason` in error.
int mji_includeExpand(mjiTree* tree, mjiXML* root, const mjVFS* vfs, const char* dir, char* error, int nerror);

// The same, telling the listener of each file unless it is NULL.
int mji_includeListen(mjiTree* tree, mjiXML* root, const mjVFS* vfs, const char* dir, const mjiListener* listener,
                      char* error, int nerror);

#endif  // SHEAF_MJCF_INCLUDE_H_
