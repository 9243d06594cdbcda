// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// For a server under valgrind: /proc/self/exe is valgrind there when the kernel follows it, and the server when the
// program asks for its name. So the server's processes are started by name. It also makes the errors that
// test_valgrind.py wants to see found.
#include <dlfcn.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* files,
                const posix_spawnattr_t* attributes, char* const args[], char* const environment[]) {
  static int (*next)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const[],
                     char* const[]);
  char name[PATH_MAX];
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "posix_spawn");
  ssize_t n = strcmp(path, "/proc/self/exe") ? -1 : readlink(path, name, sizeof name - 1);
  if (n > 0) name[n] = 0;
  return next(pid, n > 0 ? name : path, files, attributes, args, environment);
}

__attribute__((constructor)) static void begin(void) {
  static volatile char seen;
  const char* wanted = getenv("SHEAF_KNOWN_ERROR");
  char* volatile block = wanted ? malloc(8) : NULL;
  if (!block) return;
  if (!strcmp(wanted, "read")) {
    free(block);
    seen = *block;
  }
  (void)seen;
}
