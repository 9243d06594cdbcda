// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The arena: allocations that live until the next collision grow from the bottom (parena), scratch
// grows from the top (pstack bytes). mj_markStack pushes a frame that remembers where scratch
// stood; mj_freeStack goes back there. With the address sanitizer everything that is not allocated
// is poisoned.
#include "model/stack.h"

#include <stdint.h>
#include <sys/mman.h>

#include <string.h>

#include <mujoco/mjxmacro.h>

#include "base/assert.h"
#include "base/memory.h"
#include "model/head.h"
#include "model/work.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif

#ifdef HAS_ASAN
#include <sanitizer/asan_interface.h>
enum { REDZONE = 64 };  // poisoned bytes between neighbours
#else
enum { REDZONE = 0 };
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

// where scratch stood at mj_markStack
typedef struct {
  size_t pbase;
  size_t pstack;
} Frame;

// ---- both ends

// all of the arena: what arrays may use, and the part for scratch alone
static inline size_t arenaBytes(const mjData* d) { return (size_t)d->narena + mji_work(d)->nscratch; }

// bytes that arrays may use
static inline size_t arrayRoom(const mjData* d) {
  size_t room = arenaBytes(d) - d->pstack;
  return room < (size_t)d->narena ? room : (size_t)d->narena;
}

// Give the system back what the pages of a block hold, if it may lie where others' numbers were before: the heap of a
// program that keeps freed memory.
static void discard(char* p, size_t bytes) {
  enum { PAGES = 1 << 16 };
  size_t before = -(uintptr_t)p % PAGES;
  if (bytes < before + PAGES) return;
  madvise(p + before, (bytes - before) / PAGES * PAGES, MADV_DONTNEED);
}

void* mji_tryArena(size_t bytes, int nlane, int* mapped) {
  // not zeroed: pages that are never used cost nothing
  *mapped = nlane > 1 && !mju_user_malloc;
  if (bytes > PTRDIFF_MAX) return NULL;
  if (!*mapped) {
    void* p = mji_tryMalloc(bytes);
    if (p && !mju_user_malloc) discard(p, bytes);
    return p;
  }
  void* p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

void mji_freeArena(void* arena, size_t bytes, int mapped) {
  if (!mapped) mju_free(arena);
  else if (arena) munmap(arena, bytes);
}

void mji_unpoisonArena(const mjData* d) { ASAN_UNPOISON_MEMORY_REGION(d->arena, arenaBytes(d)); }

void mji_resetArena(mjData* d) {
  ASAN_POISON_MEMORY_REGION(d->arena, arenaBytes(d));
  d->pstack = d->pbase = 0;
  mji_clearArena(d);
}

// Scratch grows until its frame ends, so it is enough to call this where arrays grow and where frames end.
static inline void countUse(mjData* d) {
  mjtSize use = (mjtSize)(d->parena + d->pstack);
  if (use > d->maxuse_arena) d->maxuse_arena = use;
  if ((mjtSize)d->pstack > d->maxuse_stack) d->maxuse_stack = (mjtSize)d->pstack;
}

// ---- bottom: contacts and constraints

int mji_arenaReserve(mjData* d, size_t bytes) {
  if (bytes > arrayRoom(d)) return 0;
  ASAN_POISON_MEMORY_REGION(d->arena, arenaBytes(d) - d->pstack);
  ASAN_UNPOISON_MEMORY_REGION(d->arena, bytes);
  d->parena = bytes;
  countUse(d);
  return 1;
}

void* mji_arenaAlloc(mjData* d, size_t bytes, size_t align) {
  size_t start = mji_alignUp(d->parena, align);
  size_t room = arrayRoom(d);
  if (start > room || bytes > room - start) return NULL;
  char* p = (char*)d->arena + start;

  // unpoison the gap before it, too, because copyArena copies across the gap
  ASAN_UNPOISON_MEMORY_REGION((char*)d->arena + d->parena, start - d->parena + bytes);
  d->parena = start + bytes;
  countUse(d);
  return p;
}

mjtNum* mji_arenaNum(mjData* d, size_t n) {
  size_t nlane = (size_t)mji_work(d)->nlane;
  return mji_arenaAlloc(d, n * nlane * sizeof(mjtNum), MJI_ALIGN);
}

void mji_clearArena(mjData* d) {
  ASAN_POISON_MEMORY_REGION(d->arena, d->parena);
  d->parena = 0;
  d->ncon = d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = d->nisland = d->nidof = 0;
#define X(type, name, nr, nc) d->name = NULL;
  MJDATA_ARENA_POINTERS
#undef X
  d->contact = d->arena;
  mjiWork* w = mji_work(d);
  w->block = NULL;
  w->nblock = 0;
  w->hessian = NULL;
  w->center = NULL;
}

// ---- top: scratch

static inline void* allocScratch(mjData* d, size_t bytes, size_t align) {
  // down from the current top to an aligned address
  uintptr_t arena = (uintptr_t)d->arena;
  uintptr_t end = arena + arenaBytes(d), top = end - d->pstack;
  uintptr_t floor = arena + d->parena;
  if (bytes > top - floor) return NULL;
  uintptr_t p = top - bytes;
  p -= align & (align - 1) ? p % align : p & (align - 1);  // powers of two without a division
  if (p < floor + REDZONE) return NULL;
  ASAN_UNPOISON_MEMORY_REGION((void*)p, bytes);
  d->pstack = end - p + REDZONE;
  return (void*)p;
}

static void outOfScratch(const mjData* d, size_t bytes) {
  mju_error(
      "mj_stackAlloc: insufficient memory: %zu bytes requested, arena of %zu bytes has "
      "%zu in arrays and %zu in scratch",
      bytes, arenaBytes(d), d->parena, d->pstack);
}

void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment) {
  if (!bytes) return NULL;
  void* p = allocScratch(d, bytes, alignment);
  if (!p) outOfScratch(d, bytes);
  return p;
}

static size_t product(size_t n, size_t size) {
  size_t bytes;
  return __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes;
}

mjtNum* mj_stackAllocNum(mjData* d, size_t size) {
  return mj_stackAllocByte(d, product(size, sizeof(mjtNum)), _Alignof(mjtNum));
}

int* mj_stackAllocInt(mjData* d, size_t size) {
  return mj_stackAllocByte(d, product(size, sizeof(int)), _Alignof(int));
}

mjtNum* mji_stackNum(mjData* d, size_t n) {
  size_t bytes = n * (size_t)mji_work(d)->nlane * sizeof(mjtNum);
  if (!bytes) return NULL;
  void* p = allocScratch(d, bytes, MJI_ALIGN);
  if (!p) outOfScratch(d, bytes);
  return p;
}

void mj_markStack(mjData* d) {
  size_t pstack = d->pstack;
  Frame* frame = allocScratch(d, sizeof(Frame), _Alignof(Frame));
  if (!frame) {
    mju_error(
        "mj_markStack: insufficient memory: arena of %zu bytes has %zu in arrays and "
        "%zu in scratch",
        arenaBytes(d), d->parena, d->pstack);
    return;
  }
  *frame = (Frame){.pbase = d->pbase, .pstack = pstack};
  d->pbase = (uintptr_t)frame - (uintptr_t)d->arena;
}

void mj_freeStack(mjData* d) {
  if (!d->pbase) return;  // no frame is open
  countUse(d);
  Frame frame = *(Frame*)(void*)((char*)d->arena + d->pbase);
  size_t freed = d->pstack - frame.pstack;
  char* top = (char*)d->arena + arenaBytes(d) - d->pstack;
  d->pbase = frame.pbase;
  d->pstack = frame.pstack;
  ASAN_POISON_MEMORY_REGION(top, freed);  // the memory below is poisoned already
}

void mji_stackBack(mjData* d, size_t top) {
  MJ_ASSERT(top <= d->pstack);
  countUse(d);
  ASAN_POISON_MEMORY_REGION((char*)d->arena + arenaBytes(d) - d->pstack, d->pstack - top);
  d->pstack = top;
}
