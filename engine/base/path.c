// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/path.h"

#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

// a drive or the scheme of an address makes a path absolute, too, as in the reference
int mji_pathIsAbsolute(const char* path) {
  return path[0] == '/' || strstr(path, ":/") || mjp_getResourceProvider(path);
}

int mji_pathJoin(char* out, size_t nout, const char* dir, const char* name) {
  size_t n = dir ? strlen(dir) : 0;
  const char* slash = n && dir[n - 1] != '/' ? "/" : "";
  if (mji_pathIsAbsolute(name)) n = 0;
  int len = n ? snprintf(out, nout, "%s%s%s", dir, slash, name) : snprintf(out, nout, "%s", name);
  return len >= 0 && (size_t)len < nout;
}

void mji_pathDir(char* out, size_t nout, const char* path) {
  size_t n = (size_t)(mji_pathBase(path) - path);
  if (n >= nout) n = 0;
  memcpy(out, path, n);
  out[n] = 0;
}

const char* mji_pathBase(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void mji_pathSimplify(char* out, const char* path) {
  // a scheme is no folder that ".." could leave
  if (mjp_getResourceProvider(path)) {
    while (*path != ':') *out++ = *path++;
    *out++ = *path++;
  }
  char* end = out;
  while (*path) {
    size_t n = strcspn(path, "/\\");
    int last = path[n] == 0;
    int up = n == 2 && !last && path[0] == '.' && path[1] == '.';
    int stuck = end == out || (end - out == 1 && *out == '/') || (end - out >= 3 && !memcmp(end - 3, "../", 3));
    if (up && !stuck) {
      for (end--; end > out && end[-1] != '/';) end--;
    } else if (last || n != 1 || path[0] != '.') {
      memcpy(end, path, n);
      end += n;
      if (!last) *end++ = '/';
    }
    path += n + !last;
  }
  *end = 0;
}
