// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "spec/vec.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

void* mji_vec_alloc(size_t bytes) {
  void* p = calloc(1, bytes ? bytes : 1);
  if (!p) mju_error("specification: out of memory");
  return p;
}

static size_t itemSize(mjiKind kind) {
  switch (kind) {
    case MJI_STRING:
    case MJI_BYTES: return 1;
    case MJI_INTS: return sizeof(int);
    case MJI_FLOATS: return sizeof(float);
    case MJI_DOUBLES: return sizeof(double);
    case MJI_POINTERS: return sizeof(void*);
    default: return sizeof(mjiVec);
  }
}

// kind of the items of a nested vector
static mjiKind itemKind(mjiKind kind) {
  return kind == MJI_STRINGS ? MJI_STRING : kind == MJI_INTLISTS ? MJI_INTS : MJI_FLOATS;
}

static int isNested(mjiKind kind) { return kind == MJI_STRINGS || kind == MJI_INTLISTS || kind == MJI_FLOATLISTS; }

void mji_vec_init(mjiVec* v, mjiKind kind) { *v = (mjiVec){.kind = kind}; }

void mji_vec_free(mjiVec* v) {
  if (isNested(v->kind)) {
    for (int i = 0; i < v->num; i++) mji_vec_free(mji_vec_at(v, i));
  }
  free(v->data);
  mji_vec_init(v, v->kind);
}

// room for num items and, for text, the zero after them
static void reserve(mjiVec* v, int num) {
  if (num < v->cap) return;
  size_t size = itemSize(v->kind);
  size_t cap = num < 8 ? 8 : (size_t)num + (size_t)num / 2 + 1;
  if (cap > INT_MAX) mju_error("specification: a list is too long");
  void* data = realloc(v->data, cap * size);
  if (!data) mju_error("specification: out of memory");
  memset((char*)data + (size_t)v->num * size, 0, (cap - (size_t)v->num) * size);
  v->data = data;
  v->cap = (int)cap;
}

void mji_vec_resize(mjiVec* v, int num) {
  size_t size = itemSize(v->kind);
  if (num < v->num) {
    if (isNested(v->kind)) {
      for (int i = num; i < v->num; i++) mji_vec_free(mji_vec_at(v, i));
    }
    memset((char*)v->data + (size_t)num * size, 0, (size_t)(v->num - num) * size);
    v->num = num;
    return;
  }
  reserve(v, num);
  int old = v->num;
  v->num = num;
  if (isNested(v->kind)) {
    for (int i = old; i < num; i++) mji_vec_init(mji_vec_at(v, i), itemKind(v->kind));
  }
}

void mji_vec_append(mjiVec* v, const void* items, int num) {
  if (num <= 0) return;
  if (num > INT_MAX / 2 - v->num) mju_error("specification: a list is too long");
  size_t size = itemSize(v->kind);
  int old = v->num;
  reserve(v, old + num);
  memcpy((char*)v->data + (size_t)old * size, items, (size_t)num * size);
  v->num = old + num;
}

void mji_vec_set(mjiVec* v, const void* items, int num) {
  // the items may be our own
  size_t size = itemSize(v->kind), had = (size_t)v->num * size;
  if (num > 0 && had && (const char*)items >= (const char*)v->data && (const char*)items < (const char*)v->data + had) {
    memmove(v->data, items, (size_t)num * size);
    mji_vec_resize(v, num);
    return;
  }
  mji_vec_resize(v, 0);
  mji_vec_append(v, items, num);
}

void mji_vec_copy(mjiVec* dst, const mjiVec* src) {
  mji_vec_free(dst);
  mji_vec_init(dst, src->kind);
  if (!isNested(src->kind)) {
    mji_vec_append(dst, src->data, src->num);
    return;
  }
  mji_vec_resize(dst, src->num);
  for (int i = 0; i < src->num; i++) mji_vec_copy(mji_vec_at(dst, i), mji_vec_at(src, i));
}

int mji_vec_equal(const mjiVec* a, const mjiVec* b) {
  if (a->num != b->num || a->kind != b->kind) return 0;
  if (!isNested(a->kind)) return !a->num || !memcmp(a->data, b->data, itemSize(a->kind) * (size_t)a->num);
  for (int i = 0; i < a->num; i++) {
    if (!mji_vec_equal(mji_vec_at(a, i), mji_vec_at(b, i))) return 0;
  }
  return 1;
}

const char* mji_vec_text(const mjiVec* v) { return v && v->num ? v->data : ""; }

void mji_vec_setText(mjiVec* v, const char* text) {
  size_t n = text ? strlen(text) : 0;
  if (n > INT_MAX / 4) mju_error("specification: a text is too long");
  // the text may be our own
  char* copy = mji_vec_alloc(n + 1);
  memcpy(copy, text ? text : "", n);
  mji_vec_set(v, copy, (int)n);
  free(copy);
}

void mji_vec_setFormat(mjiVec* v, const char* format, ...) {
  char none[1];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(none, sizeof none, format, args);
  va_end(args);
  char* text = mji_vec_alloc((size_t)n + 1);
  if (!text) return;
  va_start(args, format);
  vsnprintf(text, (size_t)n + 1, format, args);
  va_end(args);
  mji_vec_setText(v, text);
  free(text);
}

mjiVec* mji_vec_at(const mjiVec* v, int i) { return (mjiVec*)v->data + i; }

unsigned mji_vec_hash(const char* text) {
  unsigned h = 2166136261u;
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 16777619u;
  return h;
}

const char* mji_vec_textAt(const mjiVec* v, int i) { return mji_vec_text(mji_vec_at(v, i)); }

void mji_vec_push(mjiVec* v, void* pointer) { mji_vec_append(v, &pointer, 1); }

void* mji_vec_get(const mjiVec* v, int i) { return ((void**)v->data)[i]; }

int mji_vec_remove(mjiVec* v, const void* pointer) {
  void** list = v->data;
  for (int i = 0; i < v->num; i++) {
    if (list[i] != pointer) continue;
    memmove(list + i, list + i + 1, (size_t)(v->num - i - 1) * sizeof(void*));
    v->num--;
    return 1;
  }
  return 0;
}
