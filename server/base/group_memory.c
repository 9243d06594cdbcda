// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/group_memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 2048 };

// The two versions of control groups: the line of a process in its list of groups, the folder of all groups below the
// root, the file of the limit. Version 1 says "no limit" with a number that no machine has.
typedef struct {
  const char *controllers, *folder, *file;
} version;

static const version versions[] = {{"", "", "memory.max"}, {"memory", "/memory", "memory.limit_in_bytes"}};

static const uint64_t no_limit = UINT64_C(1) << 62;

// the limit of one group; 0 for none
static uint64_t read_limit(const version* v, const char* root, const char* group) {
  char path[2 * PATH_BYTES], text[32] = "";
  snprintf(path, sizeof path, "%s%s%s/%s", root, v->folder, group, v->file);
  FILE* file = fopen(path, "re");
  if (!file) return 0;
  bool got = fgets(text, sizeof text, file);
  fclose(file);
  uint64_t limit = got ? strtoull(text, NULL, 10) : 0;  // "max" is 0
  return limit < no_limit ? limit : 0;
}

// is `name` in the list "a,b,c"? The list of version 2 is empty
static bool is_listed(const char* list, const char* end, const char* name) {
  size_t n = strlen(name);
  while (list <= end) {
    size_t length = strcspn(list, ",:");
    if (length == n && !strncmp(list, name, n)) return true;
    list += length + 1;
  }
  return false;
}

// the group in a line "NUMBER:CONTROLLERS:/PATH" that has the controllers; NULL if it has not
static const char* group_of(const version* v, const char* line) {
  const char* list = strchr(line, ':');
  const char* end = list ? strchr(list + 1, ':') : NULL;
  return end && end[1] == '/' && is_listed(list + 1, end, v->controllers) ? end + 1 : NULL;
}

static bool find_group(const version* v, const char* membership, char group[PATH_BYTES]) {
  char line[PATH_BYTES];
  const char* found = NULL;
  FILE* file = fopen(membership, "re");
  if (!file) return false;
  while (!found && fgets(line, sizeof line, file)) found = group_of(v, line);
  fclose(file);
  if (found) snprintf(group, PATH_BYTES, "%s", found);
  group[strcspn(group, "\n")] = 0;
  return found;
}

// the smallest limit of a process's group and of those above it; 0 for none
static uint64_t least_limit(const version* v, const char* membership, const char* root) {
  char group[PATH_BYTES] = "";
  uint64_t least = 0;
  if (!find_group(v, membership, group)) return 0;
  for (char* end = group + strlen(group); end; end = strrchr(group, '/')) {
    *end = 0;
    uint64_t limit = read_limit(v, root, group);
    if (limit && (!least || limit < least)) least = limit;
  }
  return least;
}

uint64_t srv_group_memory(const char* membership, const char* root) {
  uint64_t least = 0;
  for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
    uint64_t limit = least_limit(&versions[i], membership, root);
    if (limit && (!least || limit < least)) least = limit;
  }
  return least;
}
