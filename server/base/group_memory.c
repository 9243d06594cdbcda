// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/group_memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 2048 };

// the limit of one group; 0 for none
static uint64_t read_limit(const char* root, const char* group) {
  char path[PATH_BYTES + 256], text[32] = "";
  snprintf(path, sizeof path, "%s%s/memory.max", root, group);
  FILE* file = fopen(path, "re");
  if (!file) return 0;
  bool got = fgets(text, sizeof text, file);
  fclose(file);
  return got ? strtoull(text, NULL, 10) : 0;  // "max" is 0
}

// the group of version 2: a line "0::/path"
static bool find_group(const char* membership, char group[PATH_BYTES]) {
  char line[PATH_BYTES];
  FILE* file = fopen(membership, "re");
  if (!file) return false;
  bool found = false;
  while (!found && fgets(line, sizeof line, file)) {
    found = !strncmp(line, "0::/", 4);
    if (found) snprintf(group, PATH_BYTES, "%s", line + 3);
  }
  fclose(file);
  group[strcspn(group, "\n")] = 0;
  return found;
}

uint64_t srv_group_memory(const char* membership, const char* root) {
  char group[PATH_BYTES] = "";
  uint64_t least = 0;
  if (!find_group(membership, group)) return 0;
  for (char* end = group + strlen(group); end; end = strrchr(group, '/')) {
    *end = 0;
    uint64_t limit = read_limit(root, group);
    if (limit && (!least || limit < least)) least = limit;
  }
  return least;
}
