// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/bytes.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/path.h"
#include "base/vfs.h"

// ---- disk

// whole regular file into memory; 0 with errno
static int readDisk(mjiBytes* out, const char* path, size_t most) {
  FILE* f = fopen(path, "rb");
  if (!f) return 0;

  // directories and devices are not models; a size limit keeps a mistake from filling the memory
  struct stat st;
  int ok = !fstat(fileno(f), &st);
  if (ok && (!S_ISREG(st.st_mode) || (size_t)st.st_size > most)) {
    errno = S_ISREG(st.st_mode) ? EFBIG : S_ISDIR(st.st_mode) ? EISDIR : ENOTSUP;
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

// ---- providers

// Open and, if asked, read. A provider closes also what it could not open, because programs that were written for the
// reference expect that call.
static const char* openResource(mjiBytes* out, const mjpResourceProvider* provider, const char* path, int read) {
  mjResource* r = mji_tryCalloc(sizeof *r + strlen(path) + 1);
  if (!r) return "out of memory";
  r->name = (char*)(r + 1);
  r->provider = provider;
  mji_pathSimplify(r->name, path);
  out->resource = r;
  if (!provider->open(r)) return "its resource provider cannot open it";
  if (!read) return NULL;
  const void* data = NULL;
  int n = provider->read(r, &data);
  if (n < 0 || (n && !data)) return "its resource provider cannot read it";
  out->data = n ? data : "";
  out->size = (size_t)n;
  return NULL;
}

static int fail(mjiBytes* out, const char* why) {
  mji_bytesFree(out);
  out->why = why;
  return 0;
}

// ---- all of them

static int openBytes(mjiBytes* out, const mjVFS* vfs, const char* path, size_t most, int read) {
  *out = (mjiBytes){0};
  out->data = mji_vfsFind(vfs, path, &out->size);
  if (out->data) return 1;
  const mjpResourceProvider* provider = mjp_getResourceProvider(path);
  if (!provider) return readDisk(out, path, most) || fail(out, strerror(errno));
  const char* why = openResource(out, provider, path, read);
  return !why || fail(out, why);
}

int mji_bytesOpen(mjiBytes* out, const mjVFS* vfs, const char* path, size_t most) {
  return openBytes(out, vfs, path, most, 1);
}

int mji_bytesOpenUnread(mjiBytes* out, const mjVFS* vfs, const char* path) {
  return openBytes(out, vfs, path, SIZE_MAX, 0);
}

int mji_bytesExist(const mjVFS* vfs, const char* path) {
  size_t size;
  struct stat st;
  if (mji_vfsFind(vfs, path, &size)) return 1;
  const mjpResourceProvider* provider = mjp_getResourceProvider(path);
  if (!provider) return !stat(path, &st) && S_ISREG(st.st_mode);
  mjiBytes bytes = {0};
  int found = !openResource(&bytes, provider, path, 0);
  mji_bytesFree(&bytes);
  return found;
}

void mji_bytesDir(char* out, size_t nout, const mjiBytes* bytes, const char* path) {
  mjResource* r = bytes->resource;
  if (!r) {
    mji_pathDir(out, nout, path);
    return;
  }
  const char* dir = NULL;
  int n = 0;
  if (r->provider->getdir) r->provider->getdir(r, &dir, &n);
  if (!dir || n < 0 || (size_t)n >= nout) n = 0;
  if (n) memcpy(out, dir, (size_t)n);
  out[n] = 0;
}

void mji_bytesFree(mjiBytes* bytes) {
  free(bytes->owned);
  if (bytes->resource) bytes->resource->provider->close(bytes->resource);
  mju_free(bytes->resource);
  *bytes = (mjiBytes){0};
}
