// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Lists of texts for functions that fill an mjStringVec, such as mju_getXMLDependencies: the
// documented interface has no way to make one of its own, or to read one in C.
#ifndef SHEAF_STRINGS_H_
#define SHEAF_STRINGS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// Make an empty list.
MJAPI mjStringVec* sheaf_makeStrings(void);

// Delete a list that sheaf_makeStrings made; NULL is allowed.
MJAPI void sheaf_deleteStrings(mjStringVec* strings);

// Number of texts in a list, also in one that belongs to an element.
MJAPI int sheaf_stringsSize(const mjStringVec* strings);

// Text i of a list; NULL if there is none.
MJAPI const char* sheaf_stringsGet(const mjStringVec* strings, int i);

#ifdef __cplusplus
}
#endif

#endif  // SHEAF_STRINGS_H_
