// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/model.h"

#include <string.h>

#include <mujoco/mjxmacro.h>

#include "base/memory.h"
#include "model/head.h"
#include "model/names.h"
#include "model/plan.h"
#include "single/single.h"

// alignment of arrays within the buffer: a larger one would spread a small model over more cache lines
enum { ARRAY_ALIGN = 16 };

// Functions that are called in a line per array are not inline: four hundred copies of their code take compilers
// seconds.
static __attribute__((noinline)) size_t addAligned(size_t total, int nr, int nc, size_t size) {
  return mji_alignUp(mji_addArray(total, nr, nc, size), ARRAY_ALIGN);
}

static __attribute__((noinline)) void copyArray(void* dest, const void* src, int nr, int nc, size_t size) {
  if (nr) memcpy(dest, src, (size_t)nr * (size_t)nc * size);
}

// sum of all array sizes; 0 if a size is negative or the sum does not fit
static size_t sizeBuffer(const mjModel* m) {
  // only the legacy limits may be -1
  int negative = 0;
#define X(name) negative += m->name < 0;
  MJMODEL_INTS
#undef X
  if (negative > (m->nemax < 0) + (m->njmax < 0) + (m->nconmax < 0)) return 0;

  MJMODEL_POINTERS_PREAMBLE(m)
  size_t total = 0;
#define X(type, name, nr, nc) total = addAligned(total, m->nr, nc, sizeof(type));
  MJMODEL_POINTERS
#undef X
  return total < PTRDIFF_MAX ? mji_alignUp(total + 1, MJI_ALIGN) : 0;
}

// addresses of the arrays in the buffer, in the order of the table
static void setPointers(mjModel* m) {
  MJMODEL_POINTERS_PREAMBLE(m)
  char* start = m->buffer;
  size_t at = 0;
#define X(type, name, nr, nc)           \
  m->name = (type*)(void*)(start + at); \
  at = addAligned(at, m->nr, nc, sizeof(type));
  MJMODEL_POINTERS
#undef X
}

static void copySizes(mjModel* dest, const mjModel* src) {
#define X(name) dest->name = src->name;
  MJMODEL_INTS
#undef X
}

static int sameSizes(const mjModel* a, const mjModel* b) {
  int differ = 0;
#define X(name) differ += a->name != b->name;
  MJMODEL_INTS
#undef X
  // nbuffer includes padding, which depends on the library that made the model, so it may differ
  return differ == (a->nbuffer != b->nbuffer);
}

mjModel* mji_allocModel(const mjModel* sizes) {
  size_t nbuffer = sizeBuffer(sizes);
  if (!nbuffer) return NULL;
  mjModel* m = mji_tryCalloc(sizeof(mjModel));
  char* block = mji_tryCalloc(sizeof(mjiHead) + nbuffer);
  if (!m || !block) {
    mju_free(m);
    mju_free(block);
    return NULL;
  }

  copySizes(m, sizes);
  m->nbuffer = (mjtSize)nbuffer;
  m->buffer = block + sizeof(mjiHead);
  *mji_head(m->buffer) = (mjiHead){.block = block};
  setPointers(m);
  mj_defaultOption(&m->opt);
  mj_defaultVisual(&m->vis);
  return m;
}

int mji_finishModel(mjModel* m) {
  mji_buildNamesMap(m);
  mjiPlan* plan = mji_makePlan(m);
  if (!plan) return -1;
  mjiHead* head = mji_head(m->buffer);
  mju_free(head->plan);
  head->plan = plan;
  return 0;
}

// Copies public fields only: src may come from another library with the same layout, whose model has no head.
static void copyContent(mjModel* dest, const mjModel* src) {
  MJMODEL_POINTERS_PREAMBLE(src)
#define X(type, name, nr, nc) copyArray(dest->name, src->name, src->nr, nc, sizeof(type));
  MJMODEL_POINTERS
#undef X
  dest->opt = src->opt;
  dest->vis = src->vis;
  dest->stat = src->stat;
  dest->signature = src->signature;
}

mjModel* mj_copyModel(mjModel* dest, const mjModel* src) {
  if (dest && !sameSizes(dest, src)) {
    mju_error("mj_copyModel: the models differ in size");
    return NULL;
  }
  mjModel* m = dest ? dest : mji_allocModel(src);
  if (m) copyContent(m, src);
  if (!m || mji_finishModel(m)) {
    if (!dest) mj_deleteModel(m);
    mju_error("mj_copyModel: out of memory");
    return NULL;
  }
  return m;
}

// frees everything but the struct
static void freeContent(mjModel* m) {
  mjiHead* head = mji_head(m->buffer);
  mju_free(head->plan);
#ifndef MJI_SINGLE
  if (head->twin) mji_dropTwin(head->twin);
#endif
  mju_free(head->block);
}

void mj_deleteModel(mjModel* m) {
  if (!m) return;
  freeContent(m);
  mju_free(m);
}

void mji_moveModel(mjModel* dest, mjModel* src) {
  freeContent(dest);
  *dest = *src;
  mju_free(src);
}
