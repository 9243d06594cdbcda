// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fuzz target: binary models. The first byte of the input chooses a model, the rest are changes of eight
// bytes each to its saved form, whose checksum is made right again: so inputs survive changes of the format.
// With RAW as the first byte the rest is the file itself. What is accepted must be safe to use.
#include <stdlib.h>
#include <string.h>

#include <mujoco/mjxmacro.h>
#include <sheaf/batch.h>

#include "mjb_models.h"
#include "use_model.h"

enum { RAW = 255, STEPS = 10 };
enum { HEAD_NBYTE = 24, HEAD_CHECKSUM = 32, HEAD_BYTES = 40 };  // see engine/model/model_file.c

typedef struct {
  unsigned char* data;
  size_t size;
  uint32_t* integer;  // where the integers are: sizes, then arrays of int
  size_t ninteger;
} Saved;

// one change: what, where, by how much
typedef struct {
  uint8_t kind;  // SET_INTEGER and so on
  uint8_t where[3];
  int32_t value;
} Change;

enum { SET_INTEGER, ADD_INTEGER, SET_BYTE, SET_NUMBER, KINDS };

// numbers that matter more than others
static const double special[] = {0, -0.0, 1, -1, 1e-300, 1e300, -1e300, 1e10, 1e-10};

static void* allocate(size_t n) {
  void* p = malloc(n);
  if (!p) abort();
  return p;
}

// the arrays stand at the end of the file, in the order of the table
static void findIntegers(Saved* s, const mjModel* m) {
  MJMODEL_POINTERS_PREAMBLE(m)
  size_t at = s->size, count = 0;
#define X(type, name, nr, nc) at -= sizeof(type) * (size_t)m->nr * (size_t)(nc);
  MJMODEL_POINTERS
#undef X
  s->integer = allocate(s->size);
#define X(name) s->integer[count] = (uint32_t)(HEAD_BYTES + 8 * count), count++;
  MJMODEL_INTS
#undef X
#define X(type, name, nr, nc)                                                          \
  for (size_t i = 0; i < (size_t)m->nr * (size_t)(nc); i++, at += sizeof(type)) {      \
    if (_Generic((type*)0, int* : 1, default : 0)) s->integer[count++] = (uint32_t)at; \
  }
  MJMODEL_POINTERS
#undef X
  s->ninteger = count;
}

static void save(Saved* s, const char* mjcf) {
  mjModel* m = fuzz_compile(mjcf, "unused", NULL, 0);
  if (!m) abort();
  s->size = (size_t)mj_sizeModel(m);
  s->data = allocate(s->size);
  mj_saveModel(m, NULL, s->data, (int)s->size);
  findIntegers(s, m);
  mj_deleteModel(m);
}

static const Saved* choose(int byte) {
  static Saved saved[FUZZ_MODELS];
  for (int i = 0; i < FUZZ_MODELS && !saved[i].data; i++) save(&saved[i], fuzz_models[i]);
  return &saved[byte % FUZZ_MODELS];
}

size_t fuzz_mjb_integers(int model) { return choose(model)->ninteger; }

static void apply(unsigned char* data, const Saved* s, const Change* c) {
  size_t where = (size_t)c->where[0] | (size_t)c->where[1] << 8 | (size_t)c->where[2] << 16;
  size_t body = s->size - HEAD_BYTES, at;
  int32_t old;
  switch (c->kind % KINDS) {
    case SET_INTEGER: memcpy(data + s->integer[where % s->ninteger], &c->value, sizeof c->value); break;
    case ADD_INTEGER:
      at = s->integer[where % s->ninteger];
      memcpy(&old, data + at, sizeof old);
      old = (int32_t)((uint32_t)old + (uint32_t)c->value);
      memcpy(data + at, &old, sizeof old);
      break;
    case SET_BYTE: data[HEAD_BYTES + where % body] = (unsigned char)c->value; break;
    default:
      at = HEAD_BYTES + where % (body / 8) * 8;
      memcpy(data + at, &special[(uint32_t)c->value % (sizeof special / sizeof *special)], 8);
  }
}

// FNV-1a, as the file says
static void signFile(unsigned char* data, size_t size) {
  uint64_t h = 0xcbf29ce484222325u, n = size;
  for (size_t i = HEAD_BYTES; i < size; i++) h = (h ^ data[i]) * 0x100000001b3u;
  memcpy(data + HEAD_NBYTE, &n, sizeof n);
  memcpy(data + HEAD_CHECKSUM, &h, sizeof h);
}

static mjModel* load(const void* data, size_t size) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  if (mj_addBufferVFS(&vfs, "m.mjb", data, (int)size)) abort();
  // as the server loads it: a plugin that cannot be initialized is no error of the data then
  mjModel* m =
      sheaf_isCompiledModel(data, size) ? sheaf_loadModel("m.mjb", &vfs, NULL, 0) : mj_loadModel("m.mjb", &vfs);
  mj_deleteVFS(&vfs);
  return m;
}

// a copy saves to the same bytes as the model
static void compareCopy(const mjModel* m) {
  size_t size = (size_t)mj_sizeModel(m);
  mjModel* copy = mj_copyModel(NULL, m);
  unsigned char *a = allocate(size), *b = allocate(size);
  mj_saveModel(m, NULL, a, (int)size);
  mj_saveModel(copy, NULL, b, (int)size);
  if (memcmp(a, b, size)) abort();
  free(a);
  free(b);
  mj_deleteModel(copy);
}

// every name leads to an element of that name
static void lookUp(const mjModel* m) {
  for (int type = 0; type < mjNOBJECT; type++) {
    const char* name;
    for (int id = 0; id < m->nnames && (name = mj_id2name(m, type, id)); id++) {
      int found = mj_name2id(m, type, name);
      if (found < 0 || strcmp(mj_id2name(m, type, found), name)) abort();
    }
  }
}

static void use(const unsigned char* data, size_t size) {
  mjModel* m = load(data, size);
  if (!m) return;
  compareCopy(m);
  lookUp(m);
  fuzz_useModel(m, STEPS);
  mj_deleteModel(m);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n) {
  fuzz_setHandlers();
  if (!n) return 0;
  if (bytes[0] == RAW) return use(bytes + 1, n - 1), 0;
  const Saved* s = choose(bytes[0]);
  unsigned char* data = allocate(s->size);
  memcpy(data, s->data, s->size);
  for (size_t at = 1; at + sizeof(Change) <= n; at += sizeof(Change)) {
    Change change;
    memcpy(&change, bytes + at, sizeof change);
    apply(data, s, &change);
  }
  signFile(data, s->size);
  use(data, s->size);
  free(data);
  return 0;
}
