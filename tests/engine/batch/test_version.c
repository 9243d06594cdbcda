// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include <sheaf/batch.h>

TEST(the_build_names_the_version_of_the_headers) {
  char text[64];
  snprintf(text, sizeof text, "sheaf %d.%d.%d,", SHEAF_VERSION_MAJOR, SHEAF_VERSION_MINOR, SHEAF_VERSION_PATCH);
  CHECK_EQ(strncmp(sheaf_buildInfo(), text, strlen(text)), 0);
}
