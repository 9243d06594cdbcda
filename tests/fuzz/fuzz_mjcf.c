// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fuzz target: a text that claims to be MJCF, through the reader and the compiler, and a few steps of what
// comes out. The text may include itself by the name of its file.
#include <stdlib.h>
#include <string.h>

#include "use_model.h"

enum { TEXT_BYTES = 1 << 16, STEPS = 3 };

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n) {
  static char text[TEXT_BYTES];
  if (n >= sizeof text) return 0;
  memcpy(text, bytes, n);
  text[n] = 0;
  fuzz_setHandlers();
  mjModel* m = fuzz_compile(text, "self.xml", bytes, n);
  if (m) fuzz_useModel(m, STEPS);
  mj_deleteModel(m);
  return 0;
}
