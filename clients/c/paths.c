// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void path_join(char out[PATH_ROOM], const char* folder, const char* name) {
  size_t n = strlen(folder);
  const char* slash = n && folder[n - 1] != '/' ? "/" : "";
  int wrote =
      name[0] == '/' ? snprintf(out, PATH_ROOM, "%s", name) : snprintf(out, PATH_ROOM, "%s%s%s", folder, slash, name);
  if (wrote >= PATH_ROOM) out[0] = 0;
}

void path_simplify(char out[PATH_ROOM], const char* path, char* top) {
  size_t n = 0;
  for (const char* p = path; *p;) {
    size_t part = strcspn(p, "/\\");
    if (part == 2 && !memcmp(p, "..", 2)) {
      while (n && out[--n] != '/') {
      }
      out[n] = 0;
      if (top) path_widen(top, n ? out : "/");
    } else if (part && !(part == 1 && *p == '.') && n + part + 1 < PATH_ROOM) {
      out[n++] = '/';
      memcpy(out + n, p, part);
      n += part;
    }
    p += part + (p[part] != 0);
  }
  out[n] = 0;
}

void path_folder(char out[PATH_ROOM], const char* path) {
  int n = (int)(path_base(path) - path) - 1;
  snprintf(out, PATH_ROOM, "%.*s", n > 1 ? n : 1, n > 0 ? path : "/");
}

void path_widen(char top[PATH_ROOM], const char* folder) {
  if (!top[0]) {
    snprintf(top, PATH_ROOM, "%s", folder);
    return;
  }
  size_t same = 0;  // of the parts that are equal, up to the end of the last
  for (size_t i = 0;; i++) {
    bool ends = !top[i] || top[i] == '/', other_ends = !folder[i] || folder[i] == '/';
    if (ends && other_ends) same = i;
    if (top[i] != folder[i] || !top[i]) break;
  }
  if (!same) top[same++] = '/';
  top[same] = 0;
}

const char* path_base(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

bool path_is_file(const char* path) {
  struct stat s;
  return !stat(path, &s) && S_ISREG(s.st_mode);
}

void* path_read(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  char* data = NULL;
  size_t room = 1 << 16, n = 0;
  do {
    room *= 2;
    char* larger = realloc(data, room);
    if (!larger) break;
    data = larger;
    n += fread(data + n, 1, room - n, file);
  } while (n == room);
  bool ok = !ferror(file) && n < room;
  fclose(file);
  if (!ok) {
    free(data);
    return NULL;
  }
  *size = n;
  return data;
}
