// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "mjcf/source.h"

#include <string.h>
#include <strings.h>

#include "base/vfs.h"

enum { MAX_PATH = 4096 };
static const size_t max_file = (size_t)1 << 30;

int mji_contentIs(const char* content_type, const char* type) {
  size_t n = strcspn(content_type, "; \t");
  return n == strlen(type) && !strncasecmp(content_type, type, n);
}

int mji_fileExists(const mjVFS* vfs, const char* dir, const char* name) {
  char path[MAX_PATH];
  size_t size;
  if (!mji_pathJoin(path, sizeof path, dir, name)) return 0;
  return mji_vfsFind(vfs, name, &size) || mji_bytesExist(vfs, path);
}

int mji_pathResolve(char* out, size_t size, const mjVFS* vfs, const char* dir, const char* folder, const char* beside,
                    const char* file) {
  char path[MAX_PATH], joined[MAX_PATH], plain[MAX_PATH];
  if (strlen(file) >= mjMIN(size, sizeof path)) return 0;
  mji_pathSimplify(out, file);
  if (!beside || !*beside || mji_pathIsAbsolute(file)) return 1;
  if (mji_pathJoin(path, sizeof path, folder, out) && mji_fileExists(vfs, dir, path)) return 1;

  if (!mji_pathJoin(joined, sizeof joined, beside, file)) return 1;
  mji_pathSimplify(plain, joined);
  if (strlen(plain) >= size || !mji_pathJoin(path, sizeof path, folder, plain)) return 1;
  if (mji_fileExists(vfs, dir, path)) strcpy(out, plain);
  return 1;
}

int mji_pathAsset(char* out, size_t size, const char* folder, int strippath, const char* name) {
  char path[MAX_PATH];
  if (!mji_pathJoin(path, mjMIN(size, sizeof path), folder, strippath ? mji_pathBase(name) : name)) return 0;
  mji_pathSimplify(out, path);
  return 1;
}

int mji_bytesRead(mjiBytes* out, const mjVFS* vfs, const char* dir, const char* name) {
  *out = (mjiBytes){.why = "the path is too long"};
  char path[MAX_PATH];
  size_t size;
  if (!mji_pathJoin(path, sizeof path, dir, name)) return 0;
  // virtual files may be known by full path or by the name alone
  int alone = !mji_vfsFind(vfs, path, &size) && mji_vfsFind(vfs, name, &size);
  return mji_bytesOpen(out, vfs, alone ? name : path, max_file);
}
