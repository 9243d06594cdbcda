// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Automatic limits: with autolimits a range that is given turns the limit on.

#include "compile/compile.h"

int mji_limit_resolve(mjiCompile* c, const mjiElem* e, int limited, const double range[2], const char* what) {
  int given = range[0] != 0 || range[1] != 0;
  if (limited == mjLIMITED_AUTO && given && !mji_elem_compiler(e)->autolimits) {
    return mji_compile_error(c, e, "%srange is given without %slimited; say which, or use autolimits", what, what);
  }
  int on = limited == mjLIMITED_TRUE || (limited == mjLIMITED_AUTO && range[0] < range[1]);
  if (on && range[0] >= range[1]) {
    return mji_compile_error(c, e, "%srange: the first number must be smaller than the second", what);
  }
  return on;
}
