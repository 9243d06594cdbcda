// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Compiled models in binary files: a head, the sizes, the fixed structs and the arrays, in the byte
// order of the machine. The head says what wrote it and carries a checksum of the rest.
//
// Files of the reference's 3.4.0 are read, too. They have the same structs and arrays in the same order, behind a head
// of five integers and sizes of 4 or 8 bytes, without padding, signature and checksum.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>
#include <mujoco/mjxmacro.h>

#include "base/bytes.h"
#include "model/check.h"
#include "model/head.h"
#include "model/model.h"
#include "model/model_file.h"

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

// Functions that are called in a line per array are not inline: four hundred copies of their code take compilers
// seconds.

static __attribute__((noinline)) size_t addArray(size_t total, int nr, int nc, size_t size) {
  return mji_addArray(total, nr, nc, size);
}

// bytes of a file whose arrays begin at `size`, computed from the sizes of the model; SIZE_MAX if one is out of range
static size_t sizeArrays(const mjModel* m, size_t size) {
  MJMODEL_POINTERS_PREAMBLE(m)
#define X(type, name, nr, nc) size = addArray(size, m->nr, nc, sizeof(type));
  MJMODEL_POINTERS
#undef X
  return size;
}

static size_t sizeFile(const mjModel* m) {
  return sizeArrays(m, sizeof(Head) + NSIZE * sizeof(int64_t) + sizeof(Fixed));
}

mjtSize mj_sizeModel(const mjModel* m) { return (mjtSize)sizeFile(m); }

// ---- write

static __attribute__((noinline)) unsigned char* put(unsigned char* p, const void* data, size_t n) {
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

static __attribute__((noinline)) const unsigned char* get(void* dst, const unsigned char* p, size_t n) {
  if (n) memcpy(dst, p, n);
  return p + n;
}

// ---- Sheaf's files and those of the reference

// where the parts of a file are, and how wide its sizes are
typedef struct {
  const unsigned char *sizes, *fixed, *arrays;
  int narrow;  // sizes have the width of their members
} Parts;

// the head of the reference's files
typedef struct {
  int32_t id, scalar;  // bytes of a number
  int32_t nint, nlong, narray;
} ReferenceHead;

#define X(name) +(sizeof(((mjModel*)0)->name) == sizeof(int32_t))
enum { NINT = 0 MJMODEL_INTS, NLONG = NSIZE - NINT };
#undef X
#define X(type, name, nr, nc) +1
enum { NARRAY = 0 MJMODEL_POINTERS };
#undef X

static int isReference(const unsigned char* data, size_t size) {
  static const int32_t id = 54321;
  return size >= sizeof(ReferenceHead) && !memcmp(data, &id, sizeof id);
}

int mji_isModelFile(const void* data, size_t size) {
  return size >= sizeof MAGIC && (!memcmp(data, MAGIC, sizeof MAGIC) || isReference(data, size));
}

static const char* findParts(const unsigned char* data, size_t size, Parts* parts) {
  const size_t fixed = sizeof(mjOption) + sizeof(mjVisual) + sizeof(mjStatistic);
  if (!isReference(data, size)) {
    const unsigned char* sizes = data + sizeof(Head);
    *parts = (Parts){sizes, sizes + NSIZE * sizeof(int64_t), sizes + NSIZE * sizeof(int64_t) + sizeof(Fixed), 0};
    return checkHead(data, size);
  }
  ReferenceHead head;
  memcpy(&head, data, sizeof head);
  if (head.scalar != sizeof(mjtNum)) return "not of doubles";
  if (head.nint != NINT || head.nlong != NLONG || head.narray != NARRAY) return "not of release 3.4.0";
  const unsigned char* sizes = data + sizeof head;
  const size_t nsizes = NINT * sizeof(int32_t) + NLONG * sizeof(int64_t);
  *parts = (Parts){sizes, sizes + nsizes, sizes + nsizes + fixed, 1};
  return size < sizeof head + nsizes + fixed ? "not complete" : NULL;
}

// a size of 4 bytes, or of 8
static __attribute__((noinline)) const unsigned char* getSize(int64_t* value, const unsigned char* p, int narrow) {
  int32_t small;
  if (!narrow) return get(value, p, sizeof *value);
  p = get(&small, p, sizeof small);
  *value = small;
  return p;
}

// sizes of the model; 0 if one is out of range
static int readSizes(mjModel* sizes, const Parts* parts) {
  const unsigned char* p = parts->sizes;
  int64_t value = 0;
  int bad = 0;
#define X(name)                                                                   \
  p = getSize(&value, p, parts->narrow && sizeof sizes->name == sizeof(int32_t)); \
  sizes->name = (__typeof__(sizes->name))value;                                   \
  bad |= value < -1 || sizes->name != value;
  MJMODEL_INTS
#undef X
  if (bad) return 0;
  return sizes->nmocap <= INT32_MAX / 4;  // rows of keyframes have several numbers for each
}

static void readContent(mjModel* m, const Parts* parts) {
  const unsigned char* p = parts->fixed;
  p = get(&m->opt, p, sizeof m->opt);
  p = get(&m->vis, p, sizeof m->vis);
  p = get(&m->stat, p, sizeof m->stat);
  if (!parts->narrow) get(&m->signature, parts->fixed + offsetof(Fixed, signature), sizeof m->signature);
  p = parts->arrays;
  MJMODEL_POINTERS_PREAMBLE(m)
#define X(type, name, nr, nc) p = get(m->name, p, sizeof(type) * (size_t)m->nr * (size_t)(nc));
  MJMODEL_POINTERS
#undef X
}

mjModel* mji_readModel(const void* bytes, size_t size, const char** why) {
  const unsigned char* data = bytes;
  Parts parts;
  *why = findParts(data, size, &parts);
  if (*why) return NULL;
  mjModel sizes = {0};
  const size_t head = (size_t)(parts.arrays - data);
  if (!readSizes(&sizes, &parts) || sizeArrays(&sizes, head) != size) {
    *why = "of a size that does not fit its content";
    return NULL;
  }
  mjModel* m = mji_allocModel(&sizes);
  if (!m) {
    *why = "too large for the memory";
    return NULL;
  }
  readContent(m, &parts);
  *why = mji_checkModel(m);
  if (!*why && mji_finishModel(m)) *why = "too large for the memory";
  if (!*why) return m;
  mj_deleteModel(m);
  return NULL;
}

mjModel* mj_loadModel(const char* filename, const mjVFS* vfs) {
  mjiBytes bytes;
  if (!mji_bytesOpen(&bytes, vfs, filename, SIZE_MAX)) {
    mju_warning("mj_loadModel: could not open '%s': %s", filename, bytes.why);
    return NULL;
  }
  const char* why;
  mjModel* m = mji_readModel(bytes.data, bytes.size, &why);
  if (!m) mju_warning("mj_loadModel: '%s' is wrong: %s", filename, why);
  mji_bytesFree(&bytes);
  return m;
}
