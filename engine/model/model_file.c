// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Compiled models in binary files: a head, the sizes, the fixed structs and the arrays, in the byte
// order of the machine. The head says what wrote it and carries a checksum of the rest.
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>
#include <mujoco/mjxmacro.h>

#include "base/file.h"
#include "base/vfs.h"
#include "model/check.h"
#include "model/head.h"
#include "model/model.h"

enum { FORMAT = 1, BYTE_ORDER_MARK = 0x01020304 };

typedef struct {
  char magic[8];
  uint32_t format;
  uint32_t byteorder;
  uint32_t nsize;     // number of sizes
  uint32_t nfixed;    // bytes of the fixed structs
  uint64_t nbyte;     // of the whole file
  uint64_t checksum;  // of all that follows the head
} Head;

static const char MAGIC[8] = "SHEAFMDL";

#define X(name) +1
enum { NSIZE = 0 MJMODEL_INTS };
#undef X

typedef struct {
  mjOption opt;
  mjVisual vis;
  mjStatistic stat;
  uint64_t signature;
} Fixed;

// FNV-1a
static uint64_t hashBytes(const unsigned char* p, size_t n) {
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 0x100000001b3u;
  return h;
}

// bytes of the file, from the sizes alone; SIZE_MAX if they make no sense
static size_t sizeFile(const mjModel* m) {
  MJMODEL_POINTERS_PREAMBLE(m)
  size_t size = sizeof(Head) + NSIZE * sizeof(int64_t) + sizeof(Fixed);
#define X(type, name, nr, nc) size = mji_addArray(size, m->nr, nc, sizeof(type));
  MJMODEL_POINTERS
#undef X
  return size;
}

mjtSize mj_sizeModel(const mjModel* m) { return (mjtSize)sizeFile(m); }

// ---- write

static unsigned char* put(unsigned char* p, const void* data, size_t n) {
  if (n) memcpy(p, data, n);
  return p + n;
}

// the whole file into mj_sizeModel bytes
static void writeModel(const mjModel* m, unsigned char* start) {
  unsigned char* p = start + sizeof(Head);
#define X(name) p = put(p, &(int64_t){m->name}, sizeof(int64_t));
  MJMODEL_INTS
#undef X

  // padding between the members is written as zeros
  Fixed fixed;
  memset(&fixed, 0, sizeof fixed);
  fixed.opt = m->opt;
  fixed.vis = m->vis;
  fixed.stat = m->stat;
  fixed.signature = m->signature;
  p = put(p, &fixed, sizeof fixed);

  MJMODEL_POINTERS_PREAMBLE(m)
#define X(type, name, nr, nc) p = put(p, m->name, sizeof(type) * (size_t)m->nr * (size_t)(nc));
  MJMODEL_POINTERS
#undef X

  Head head = {
      .format = FORMAT,
      .byteorder = BYTE_ORDER_MARK,
      .nsize = NSIZE,
      .nfixed = sizeof(Fixed),
  };
  memcpy(head.magic, MAGIC, sizeof MAGIC);
  head.nbyte = (uint64_t)(p - start);
  head.checksum = hashBytes(start + sizeof(Head), (size_t)(p - start) - sizeof(Head));
  put(start, &head, sizeof head);
}

static void writeFile(const char* filename, const void* data, size_t size) {
  FILE* file = fopen(filename, "wb");
  size_t written = file ? fwrite(data, 1, size, file) : 0;
  if (!file || fclose(file) || written != size) {
    mju_warning("mj_saveModel: could not write '%s'", filename);
  }
}

void mj_saveModel(const mjModel* m, const char* filename, void* buffer, int buffer_sz) {
  size_t size = (size_t)mj_sizeModel(m);
  if (buffer) {
    if (buffer_sz < 0 || (size_t)buffer_sz < size) {
      mju_error("mj_saveModel: the model needs %zu bytes, the buffer has %d", size, buffer_sz);
    }
    writeModel(m, buffer);
  } else if (filename) {
    void* data = mju_malloc(size);
    if (!data) return;
    writeModel(m, data);
    writeFile(filename, data, size);
    mju_free(data);
  }
}

// ---- read

// what is wrong with the head; NULL if nothing
static const char* checkHead(const unsigned char* data, size_t size) {
  Head head;
  if (size < sizeof head) return "too short";
  memcpy(&head, data, sizeof head);
  if (memcmp(head.magic, MAGIC, sizeof MAGIC)) return "not a compiled model";
  if (head.byteorder != BYTE_ORDER_MARK) return "written on a machine with another byte order";
  if (head.format != FORMAT || head.nsize != NSIZE || head.nfixed != sizeof(Fixed)) {
    return "of another version";
  }
  size_t least = sizeof head + NSIZE * sizeof(int64_t) + sizeof(Fixed);
  if (head.nbyte != size || size < least) return "not complete";
  if (head.checksum != hashBytes(data + sizeof head, size - sizeof head)) return "damaged";
  return NULL;
}

static const unsigned char* get(void* dst, const unsigned char* p, size_t n) {
  if (n) memcpy(dst, p, n);
  return p + n;
}

// sizes of the model; 0 if one is out of range
static int readSizes(mjModel* sizes, const unsigned char* p) {
  int64_t value;
#define X(name)                                 \
  p = get(&value, p, sizeof value);             \
  if (value < -1) return 0;                     \
  sizes->name = (__typeof__(sizes->name))value; \
  if (sizes->name != value) return 0;
  MJMODEL_INTS
#undef X
  return sizes->nmocap <= INT32_MAX / 4;  // rows of keyframes have several numbers for each
}

static void readContent(mjModel* m, const unsigned char* p) {
  Fixed fixed;
  p = get(&fixed, p, sizeof fixed);
  m->opt = fixed.opt;
  m->vis = fixed.vis;
  m->stat = fixed.stat;
  m->signature = fixed.signature;
  MJMODEL_POINTERS_PREAMBLE(m)
#define X(type, name, nr, nc) p = get(m->name, p, sizeof(type) * (size_t)m->nr * (size_t)(nc));
  MJMODEL_POINTERS
#undef X
}

// model from the bytes of a file; NULL and why not
static mjModel* readModel(const unsigned char* data, size_t size, const char** why) {
  *why = checkHead(data, size);
  if (*why) return NULL;
  mjModel sizes = {0};
  const unsigned char* p = data + sizeof(Head);
  if (!readSizes(&sizes, p) || sizeFile(&sizes) != size) {
    *why = "of a size that does not fit its content";
    return NULL;
  }
  mjModel* m = mji_allocModel(&sizes);
  if (!m) {
    *why = "too large for the memory";
    return NULL;
  }
  readContent(m, p + NSIZE * sizeof(int64_t));
  *why = mji_checkModel(m);
  if (!*why && mji_finishModel(m)) *why = "too large for the memory";
  if (!*why) return m;
  mj_deleteModel(m);
  return NULL;
}

mjModel* mj_loadModel(const char* filename, const mjVFS* vfs) {
  size_t size;
  const unsigned char* found = mji_vfsFind(vfs, filename, &size);
  unsigned char* data = found ? NULL : mji_readFile(filename, &size);
  if (!found && !data) {
    mju_warning("mj_loadModel: could not open '%s'", filename);
    return NULL;
  }
  const char* why;
  mjModel* m = readModel(found ? found : data, size, &why);
  if (!m) mju_warning("mj_loadModel: '%s' is wrong: %s", filename, why);
  mju_free(data);
  return m;
}
