// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "mjcf/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/vfs.h"

enum { MAX_PATH = 4096 };
static const size_t max_file = (size_t)1 << 30;

// a drive or the scheme of an address makes a path absolute, too, as in the reference
static int isAbsolute(const char* path) { return path[0] == '/' || strstr(path, ":/"); }

int mji_pathJoin(char* out, size_t nout, const char* dir, const char* name) {
  size_t n = dir ? strlen(dir) : 0;
  const char* slash = n && dir[n - 1] != '/' ? "/" : "";
  if (isAbsolute(name)) n = 0;
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

// whole regular file into memory
static int readDisk(mjiBytes* out, const char* path) {
  FILE* f = fopen(path, "rb");
  if (!f) return 0;

  // directories and devices are not models; a size limit keeps a mistake from filling the memory
  struct stat st;
  int ok = !fstat(fileno(f), &st);
  if (ok && (!S_ISREG(st.st_mode) || (size_t)st.st_size > max_file)) {
    errno = S_ISREG(st.st_mode) ? EFBIG : EISDIR;
    ok = 0;
  }
  if (ok) {
    out->owned = malloc((size_t)st.st_size + 1);
    ok = out->owned != NULL;
  }
  if (ok) {
    out->size = fread(out->owned, 1, (size_t)st.st_size, f);
    out->data = out->owned;
    ((char*)out->owned)[out->size] = 0;
    ok = !ferror(f);
    if (!ok) mji_bytesFree(out);
  }
  int saved = errno;
  fclose(f);
  errno = saved;
  return ok;
}

int mji_contentIs(const char* content_type, const char* type) {
  size_t n = strcspn(content_type, "; \t");
  return n == strlen(type) && !strncasecmp(content_type, type, n);
}

int mji_fileExists(const mjVFS* vfs, const char* dir, const char* name) {
  char path[MAX_PATH];
  struct stat st;
  size_t size;
  if (!mji_pathJoin(path, sizeof path, dir, name)) return 0;
  if (vfs && (mji_vfsFind(vfs, path, &size) || mji_vfsFind(vfs, name, &size))) return 1;
  return !stat(path, &st) && S_ISREG(st.st_mode);
}

int mji_pathResolve(char* out, size_t size, const mjVFS* vfs, const char* dir, const char* folder, const char* document,
                    const char* file) {
  char path[MAX_PATH], beside[MAX_PATH], plain[MAX_PATH];
  if (strlen(file) >= mjMIN(size, sizeof path)) return 0;
  mji_pathSimplify(out, file);
  if (!document || mji_pathBase(document) == document || isAbsolute(file)) return 1;
  if (mji_pathJoin(path, sizeof path, folder, out) && mji_fileExists(vfs, dir, path)) return 1;

  mji_pathDir(path, sizeof path, document);
  if (!mji_pathJoin(beside, sizeof beside, path, file)) return 1;
  mji_pathSimplify(plain, beside);
  if (strlen(plain) >= size || !mji_pathJoin(path, sizeof path, folder, plain)) return 1;
  if (mji_fileExists(vfs, dir, path)) strcpy(out, plain);
  return 1;
}

int mji_bytesRead(mjiBytes* out, const mjVFS* vfs, const char* dir, const char* name) {
  *out = (mjiBytes){0};
  char path[MAX_PATH];
  if (!mji_pathJoin(path, sizeof path, dir, name)) {
    errno = ENAMETOOLONG;
    return 0;
  }
  // virtual files may be known by full path or by the name alone
  if (vfs) {
    out->data = mji_vfsFind(vfs, path, &out->size);
    if (!out->data) out->data = mji_vfsFind(vfs, name, &out->size);
    if (out->data) return 1;
  }
  return readDisk(out, path);
}

void mji_bytesFree(mjiBytes* bytes) {
  free(bytes->owned);
  *bytes = (mjiBytes){0};
}
