// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A folder of files, for tests of what is looked for beside a model.
#ifndef SHEAF_TESTS_SUPPORT_FOLDER_H_
#define SHEAF_TESTS_SUPPORT_FOLDER_H_

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/test.h"

static char folder_path[100];

// Path of a file in the folder; good for three more calls.
static inline const char* folder_in(const char* name) {
  static char path[4][600];
  static int next;
  char* out = path[next++ % 4];
  snprintf(out, sizeof path[0], "%s/%s", folder_path, name);
  return out;
}

// An empty folder, which replaces the one before.
static inline void folder_make(void) {
  snprintf(folder_path, sizeof folder_path, "/tmp/sheaf_test_XXXXXX");
  CHECK(mkdtemp(folder_path) != NULL);
}

// Write a file; folders in its name are made.
static inline void folder_put(const char* name, const char* text) {
  for (const char* slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
    char part[100];
    snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
    mkdir(folder_in(part), 0700);
  }
  FILE* file = fopen(folder_in(name), "w");
  CHECK(file != NULL);
  if (!file) return;
  fputs(text, file);
  fclose(file);
}

static inline void folder_removeAll(const char* path) {
  DIR* dir = opendir(path);
  for (struct dirent* e; dir && (e = readdir(dir));) {
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
    char inside[800];
    if (snprintf(inside, sizeof inside, "%s/%s", path, e->d_name) >= (int)sizeof inside) continue;
    if (unlink(inside)) folder_removeAll(inside);
  }
  if (dir) closedir(dir);
  CHECK_EQ(rmdir(path), 0);
}

// Remove the folder with all that is in it.
static inline void folder_remove(void) { folder_removeAll(folder_path); }

#endif  // SHEAF_TESTS_SUPPORT_FOLDER_H_
