// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Libraries with plugins. Loading one runs its initializers, and those register its plugins (mjPLUGIN_LIB_INIT). A
// library is never unloaded: the functions of its plugins are in use for as long as the process lives.
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

// NULL, or why the library cannot be loaded
static const char* load(const char* path) {
  if (dlopen(path, RTLD_NOW | RTLD_LOCAL)) return NULL;
  const char* why = dlerror();
  return why ? why : "it cannot be opened";
}

void mj_loadPluginLibrary(const char* path) {
  const char* why = load(path);
  if (why) mju_error("plugin library '%.500s': %s", path, why);
}

static int isLibrary(const struct dirent* entry) {
  size_t n = strlen(entry->d_name);
  return n > 3 && !strcmp(entry->d_name + n - 3, ".so");
}

// Many programs call this at start for a folder that may not exist: then nothing is missing. In alphabetical order, so
// that slots do not depend on the order of a folder. A file that is no library is passed over with a warning.
void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback) {
  struct dirent** entry;
  int n = scandir(directory, &entry, isLibrary, alphasort);
  for (int i = 0; i < n; i++) {
    char path[4096];
    int size = snprintf(path, sizeof path, "%s/%s", directory, entry[i]->d_name);
    int before = mjp_pluginCount();
    const char* why = size < (int)sizeof path ? load(path) : "its path is too long";
    int added = mjp_pluginCount() - before;
    if (why) mju_warning("plugin library '%.300s' is not loaded: %.500s", entry[i]->d_name, why);
    if (added && callback) callback(entry[i]->d_name, before, added);
    free(entry[i]);
  }
  if (n >= 0) free(entry);
}
