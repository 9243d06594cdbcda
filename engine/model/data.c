// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mjData: one buffer for what has a fixed size, one arena for contacts and constraints (from the
// bottom) and scratch (from the top, stack.c). With nlane > 1 every mjtNum array is nlane times as long.
#include <stdint.h>
#include <string.h>

#include <mujoco/mujoco.h>
#include <mujoco/mjxmacro.h>

#include "base/memory.h"
#include "model/active.h"
#include "model/block.h"
#include "model/head.h"
#include "model/model.h"
#include "model/plugin.h"
#include "model/stack.h"
#include "model/work.h"

// ---- make and delete

// more does not fit beside the scratch in any address space
static const uint64_t MAX_ARENA = (uint64_t)1 << 46;

static size_t sizeBuffer(const mjModel* m, int nlane) {
  MJDATA_POINTERS_PREAMBLE(m)
  (void)nv;
  size_t total = 0;
#define X(type, name, nr, nc) total += MJI_ARRAY_BYTES(type, (size_t)m->nr * (size_t)(nc), nlane);
  MJDATA_POINTERS
#undef X
  return total;
}

static void setPointers(const mjModel* m, mjData* d, int nlane) {
  MJDATA_POINTERS_PREAMBLE(m)
  (void)nv;
  char* p = d->buffer;
#define X(type, name, nr, nc) \
  d->name = (type*)(void*)p;  \
  p += MJI_ARRAY_BYTES(type, (size_t)m->nr * (size_t)(nc), nlane);
  MJDATA_POINTERS
#undef X
}

// Bytes of the work area and of what follows it in its block: time, energy, masks of equalities, masks and codes of bad
// lanes, counters of trees; spans, at most one more than there are trees, as each sleeping tree ends one; lists; data
// of plugins.
static size_t sizeWork(const mjModel* m, int nlane) {
  size_t perlane = 3 * sizeof(mjtNum) + (size_t)(m->neq + 1) * sizeof(int64_t) + (size_t)(m->ntree + 1) * sizeof(int);
  size_t size = (size_t)nlane * perlane + ((size_t)m->ntree + 2) * sizeof(mjiSpan);
  for (int k = 0; k < MJI_NLIST; k++) size += (size_t)mji_countOf(m, k) * sizeof(int);
  size += ((size_t)m->nplugin + 1) * sizeof(uintptr_t);  // one for alignment
  return mji_alignUp(sizeof(mjiWork), MJI_ALIGN) + mji_alignUp(size, MJI_ALIGN);
}

static void initWork(const mjModel* m, mjiWork* w, int nlane) {
  char* p = (char*)w + mji_alignUp(sizeof(mjiWork), MJI_ALIGN);
  *w = (mjiWork){.nlane = nlane};
  mjtNum* num = (mjtNum*)(void*)p;
  if (nlane > 1) {
    w->time = num;
    w->energy = num + nlane;
    w->eq_on = (lane_mask_t*)(void*)(num + 3 * nlane);
  }
  w->bad = (lane_mask_t*)(void*)(num + (3 + m->neq) * nlane);
  w->badcode = (int*)(void*)(w->bad + nlane);
  w->asleep = w->badcode + nlane;
  w->span = (mjiSpan*)(void*)(w->asleep + m->ntree * nlane);
  int* list = (int*)(void*)(w->span + m->ntree + 2);
  for (int k = 0; k < MJI_NLIST; k++) {
    w->list[k] = list;
    list += mji_countOf(m, k);
  }
  w->plugin_data = (uintptr_t*)mji_alignUp((size_t)list, sizeof(uintptr_t));
}

size_t mji_dataBytes(const mjModel* m, int nlane) {
  size_t narena = m->narena > 0 ? (size_t)m->narena * (size_t)nlane : 0;
  return sizeof(mjData) + sizeWork(m, nlane) + sizeof(mjiHead) + sizeBuffer(m, nlane) + narena;
}

static mjData* allocData(const mjModel* m, int nlane) {
  if (m->narena < 0 || (uint64_t)m->narena > MAX_ARENA / (uint64_t)nlane) return NULL;

  // one block: work area, head, arrays
  size_t nwork = sizeWork(m, nlane), nbuffer = sizeBuffer(m, nlane);

  // Contacts and constraints have the arena that the model asks for. Scratch has as much again: this engine needs other
  // amounts of scratch than the one for which models choose the size of the arena. Unused pages cost nothing.
  size_t narena = (size_t)m->narena * (size_t)nlane, nscratch = narena + ((size_t)nlane << 20);
  mjData* d = mji_tryCalloc(sizeof(mjData));
  char* block = mji_tryCalloc(nwork + sizeof(mjiHead) + nbuffer);
  int mapped;
  void* arena = mji_tryArena(narena + nscratch, nlane, &mapped);
  if (!d || !block || !arena) {
    mju_free(d);
    mju_free(block);
    mji_freeArena(arena, narena + nscratch, mapped);
    return NULL;
  }

  mjiHead* head = (mjiHead*)(void*)(block + nwork);
  *head = (mjiHead){.block = block, .work = (mjiWork*)(void*)block};
  d->buffer = head + 1;
  d->arena = arena;
  d->nbuffer = (mjtSize)nbuffer;
  d->narena = (mjtSize)narena;
  setPointers(m, d, nlane);
  initWork(m, head->work, nlane);
  head->work->nscratch = nscratch;
  head->work->mapped = mapped;
  return d;
}

mjData* mji_makeLaneData(const mjModel* m, int nlane) {
  mjData* d = allocData(m, nlane);
  if (!d) return NULL;
  mji_initData(m, d, 0, 0);
  char why[300];
  if (nlane > 1 || !m->nplugin || !mji_plugin_create(m, d, why, sizeof why)) return d;
  mj_deleteData(d);
  mju_error("%s", why);
  return NULL;
}

size_t mji_heldBytes(const mjData* d) {
  const mjiWork* work = mji_work(d);
  size_t n = sizeof *d + (size_t)d->nbuffer + (size_t)d->maxuse_arena + (size_t)d->maxuse_stack;
  n += work->numbers_bytes;
  for (int i = 0; i < work->nlane && work->nlane > 1; i++) n += work->apart[i] ? mji_heldBytes(work->apart[i]) : 0;
  for (int i = 0; i < 2; i++) n += work->lanes[i] ? mji_heldBytes(work->lanes[i]) : 0;
  return n;
}

void mji_deleteLanes(mjData* d) {
  mjiWork* w = mji_work(d);
  for (int i = 0; i < 2; i++) {
    mj_deleteData(w->lanes[i]);
    w->lanes[i] = NULL;
  }
}

// all but the struct
static void freeContent(mjData* d) {
  const mjiWork* w = mji_work(d);
  mji_plugin_destroy(d);
  mji_deleteLanes(d);
  mj_deleteData(w->one);
  for (int i = 0; i < w->nlane && w->nlane > 1; i++) mj_deleteData(w->apart[i]);
  mji_unpoisonArena(d);
  mju_free(w->numbers);
  mji_freeArena(d->arena, (size_t)d->narena + w->nscratch, w->mapped);
  mju_free(mji_head(d->buffer)->block);
}

void mj_deleteData(mjData* d) {
  if (!d) return;
  freeContent(d);
  mju_free(d);
}

void mji_moveData(mjData* dest, mjData* src) {
  uintptr_t threadpool = dest->threadpool;
  freeContent(dest);
  *dest = *src;
  dest->threadpool = threadpool;
  mju_free(src);
}

// ---- copy

// address of an arena array in the copy; NULL stays NULL
static void* moved(const mjData* dest, const mjData* src, const void* p) {
  return p ? (char*)dest->arena + ((const char*)p - (const char*)src->arena) : NULL;
}

static int inArena(const mjData* d, const void* p) {
  uintptr_t address = (uintptr_t)p, start = (uintptr_t)d->arena;
  return address >= start && address < start + (uintptr_t)d->narena;
}

// the arena below parena: contacts, constraint rows and blocks
static void copyArena(const mjModel* m, mjData* dest, const mjData* src) {
  if (!mji_arenaReserve(dest, src->parena)) return;
  memcpy(dest->arena, src->arena, src->parena);
#define X(type, name, nr, nc) dest->name = moved(dest, src, src->name);
  MJDATA_ARENA_POINTERS
#undef X

  mjiWork* to = mji_work(dest);
  const mjiWork* from = mji_work(src);
  to->block = moved(dest, src, from->block);
  to->nblock = from->nblock;
  to->ndropped = from->ndropped;
  to->quiet = from->quiet;
  for (int i = 0; i < to->nblock; i++) {
    mjiBlock* b = to->block + i;
    if (inArena(src, b->J)) b->J = moved(dest, src, b->J);
    if (inArena(src, b->col)) b->col = moved(dest, src, b->col);
    if (inArena(src, b->friction)) b->friction = moved(dest, src, b->friction);
    if (inArena(src, b->on)) b->on = moved(dest, src, b->on);
    if (inArena(src, b->damping)) b->damping = moved(dest, src, b->damping);
    if (inArena(src, b->bias)) b->bias = moved(dest, src, b->bias);
  }
}

mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  if (src->pstack) {
    mju_error("mj_copyData: the stack of the source is in use");
    return NULL;
  }
  const mjiWork* from = mji_work(src);
  if (!dest) dest = mji_makeLaneData(m, from->nlane);
  if (!dest) {
    mju_error("mj_copyData: out of memory");
    return NULL;
  }
  mjiWork* to = mji_work(dest);
  if (dest->nbuffer != src->nbuffer || dest->narena != src->narena || to->nlane != from->nlane) {
    mju_error("mj_copyData: the data differ in size");
    return NULL;
  }

  // everything but the addresses
  mji_plugin_save(dest, to->plugin_data);
  mjData keep = *dest;
  *dest = *src;
  dest->buffer = keep.buffer;
  dest->arena = keep.arena;
  dest->threadpool = keep.threadpool;
  setPointers(m, dest, to->nlane);
  memcpy(dest->buffer, src->buffer, (size_t)src->nbuffer);
  dest->nplugin = keep.nplugin;
  mji_plugin_restore(m, dest, to->plugin_data);
  copyArena(m, dest, src);
  if (to->nlane > 1) {
    memcpy(to->time, from->time, (size_t)to->nlane * sizeof(mjtNum));
    memcpy(to->energy, from->energy, 2 * (size_t)to->nlane * sizeof(mjtNum));
    memcpy(to->eq_on, from->eq_on, (size_t)m->neq * (size_t)to->nlane * sizeof(int64_t));
  }
  memcpy(to->bad, from->bad, (size_t)to->nlane * sizeof(int64_t));
  memcpy(to->badcode, from->badcode, (size_t)to->nlane * sizeof(int));
  memcpy(to->span, from->span, (size_t)from->nspan * sizeof(mjiSpan));
  to->nspan = from->nspan;
  for (int k = 0; k < MJI_NLIST; k++) {
    memcpy(to->list[k], from->list[k], (size_t)from->nlist[k] * sizeof(int));
    to->nlist[k] = from->nlist[k];
  }
  mji_plugin_copy(dest, m, src);
  return dest;
}

mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src) { return mj_copyData(dest, m, src); }
