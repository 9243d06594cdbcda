// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include <sheaf/strings.h>
#include <stdlib.h>

#include "spec/vec.h"

mjStringVec* sheaf_makeStrings(void) {
  mjiVec* v = mji_vec_alloc(sizeof(mjiVec));
  if (v) mji_vec_init(v, MJI_STRINGS);
  return v;
}

void sheaf_deleteStrings(mjStringVec* strings) {
  if (!strings) return;
  mji_vec_free(strings);
  free(strings);
}

int sheaf_stringsSize(const mjStringVec* strings) { return ((const mjiVec*)strings)->num; }

const char* sheaf_stringsGet(const mjStringVec* strings, int i) {
  const mjiVec* v = strings;
  return i < 0 || i >= v->num ? NULL : mji_vec_textAt(v, i);
}
