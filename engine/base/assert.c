// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void mji_assertFailed(const char* file, int line, const char* text) {
  fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, text);
  abort();
}
