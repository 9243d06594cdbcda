// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fewer elements: discardvisual and fusestatic.

#include "compile/compile.h"

int mji_reduce_visual(mjiCompile* c) {
  return c->w->pub.compiler.discardvisual ? mji_compile_error(c, NULL, "discardvisual is not supported") : 0;
}

int mji_reduce_static(mjiCompile* c) {
  return c->w->pub.compiler.fusestatic ? mji_compile_error(c, NULL, "fusestatic is not supported") : 0;
}
