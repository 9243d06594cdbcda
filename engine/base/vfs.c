// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/vfs.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

// results of the functions that add and delete
enum { OK = 0, REPEATED = 2, FAILED = -1 };

typedef struct {
  char* name;
  void* data;
  size_t size;
} File;

typedef struct {
  File* file;
  int nfile;
  int capacity;
} Files;

void mj_defaultVFS(mjVFS* vfs) { vfs->impl_ = mji_tryCalloc(sizeof(Files)); }

void mj_deleteVFS(mjVFS* vfs) {
  Files* files = vfs ? vfs->impl_ : NULL;
  if (!files) return;
  for (int i = 0; i < files->nfile; i++) {
    mju_free(files->file[i].name);
    mju_free(files->file[i].data);
  }
  mju_free(files->file);
  mju_free(files);
  vfs->impl_ = NULL;
}

// ---- names

// length of the path segment at p
static size_t segment(const char* p) { return strcspn(p, "/\\"); }

static int isSegment(const char* p, size_t n, const char* text) { return n == strlen(text) && !strncmp(p, text, n); }

// add a segment to a path of length n; its new length
static size_t push(char* path, size_t n, const char* text, size_t len) {
  if (n && path[n - 1] != '/') path[n++] = '/';
  memcpy(path + n, text, len);
  return n + len;
}

// remove the last segment of a path of length n; -1 if there is none that could be removed
static long pop(const char* path, size_t n) {
  size_t start = n;
  while (start && path[start - 1] != '/') start--;
  if (start == n || isSegment(path + start, n - start, "..")) return -1;
  return (long)(start > 1 ? start - 1 : start);
}

// path with forward slashes and without "." and "..", except leading ones; NULL if out of memory
static char* normalize(const char* name) {
  char* path = mji_tryMalloc(strlen(name) + 2);
  if (!path) return NULL;
  size_t n = 0;
  const char* p = name;
  if (segment(p) == 0 && *p) {
    path[n++] = '/';
    p++;
  }
  while (*p) {
    size_t len = segment(p);
    long shorter = isSegment(p, len, "..") ? pop(path, n) : -1;
    if (shorter >= 0) {
      n = (size_t)shorter;
    } else if (len && !isSegment(p, len, ".")) {
      n = push(path, n, p, len);
    }
    p += len + (p[len] != 0);
  }
  path[n] = 0;
  return path;
}

// in place: no directory, lower case
static void strip(char* path) {
  char* base = strrchr(path, '/');
  if (base) memmove(path, base + 1, strlen(base));
  for (char* p = path; *p; p++) *p = (char)tolower((unsigned char)*p);
}

static int findName(const Files* files, const char* name) {
  for (int i = 0; i < files->nfile; i++) {
    if (!strcmp(files->file[i].name, name)) return i;
  }
  return -1;
}

const void* mji_vfsFind(const mjVFS* vfs, const char* name, size_t* size) {
  const Files* files = vfs ? vfs->impl_ : NULL;
  char* path = files && name ? normalize(name) : NULL;
  if (!path) return NULL;
  int i = findName(files, path);
  if (i < 0) {
    strip(path);
    i = findName(files, path);
  }
  mju_free(path);
  if (i < 0) return NULL;
  *size = files->file[i].size;
  return files->file[i].data;
}

// ---- add and delete

static int grow(Files* files) {
  if (files->nfile < files->capacity) return 1;
  int capacity = files->capacity ? 2 * files->capacity : 16;
  File* file = mji_tryMalloc((size_t)capacity * sizeof(File));
  if (!file) return 0;
  if (files->nfile) memcpy(file, files->file, (size_t)files->nfile * sizeof(File));
  mju_free(files->file);
  files->file = file;
  files->capacity = capacity;
  return 1;
}

// takes name and data, also when it fails
static int add(Files* files, char* name, void* data, size_t size) {
  int result = FAILED;
  if (files && name && data) {
    if (findName(files, name) >= 0) {
      result = REPEATED;
    } else if (grow(files)) {
      files->file[files->nfile++] = (File){name, data, size};
      return OK;
    }
  }
  mju_free(name);
  mju_free(data);
  return result;
}

int mj_addBufferVFS(mjVFS* vfs, const char* name, const void* buffer, int nbuffer) {
  if (!name || nbuffer < 0 || (nbuffer && !buffer)) return FAILED;
  size_t size = (size_t)nbuffer;
  void* copy = mji_tryMalloc(size + 1);
  if (copy && size) memcpy(copy, buffer, size);
  return add(vfs->impl_, normalize(name), copy, size);
}

int mj_addFileVFS(mjVFS* vfs, const char* directory, const char* filename) {
  if (!filename) return FAILED;

  // directory/filename
  size_t ndir = directory ? strlen(directory) : 0, size = 0;
  char* path = mji_tryMalloc(ndir + strlen(filename) + 2);
  if (!path) return FAILED;
  int slash = ndir && !strchr("/\\", directory[ndir - 1]);
  sprintf(path, "%s%s%s", ndir ? directory : "", slash ? "/" : "", filename);

  // The file gets its bare name. If that name exists already, the result is REPEATED, whether or not the disk has the
  // file.
  char* name = normalize(filename);
  if (name) strip(name);
  int repeated = vfs->impl_ && name && findName(vfs->impl_, name) >= 0;
  void* data = repeated ? NULL : mji_readFile(path, &size);
  if (!size) {
    // an empty file counts as missing
    mju_free(data);
    data = NULL;
  }
  mju_free(path);
  if (repeated) {
    mju_free(name);
    return REPEATED;
  }
  return add(vfs->impl_, name, data, size);
}

int mj_deleteFileVFS(mjVFS* vfs, const char* filename) {
  Files* files = vfs->impl_;
  char* path = files && filename ? normalize(filename) : NULL;
  char* bare = path ? normalize(path) : NULL;
  int i = -1;
  if (bare) {
    strip(bare);
    i = findName(files, bare);
    if (i < 0) i = findName(files, path);
  }
  mju_free(path);
  mju_free(bare);
  if (i < 0) return FAILED;

  mju_free(files->file[i].name);
  mju_free(files->file[i].data);
  files->file[i] = files->file[--files->nfile];
  return OK;
}
