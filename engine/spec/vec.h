// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The one container behind mjString, mjStringVec, mjDoubleVec and their siblings.
//
// A vector holds `num` items of `size` bytes. Text is a vector of char that keeps a terminating zero
// beyond its items. The items of a nested vector are vectors themselves. All zero is not a valid
// vector: mji_vec_init gives it its kind. Running out of memory is reported by mju_error.
#ifndef SHEAF_SPEC_VEC_H_
#define SHEAF_SPEC_VEC_H_

#include <stddef.h>

typedef enum mjiKind_ {
  MJI_STRING,      // mjString
  MJI_STRINGS,     // mjStringVec
  MJI_INTS,        // mjIntVec
  MJI_INTLISTS,    // mjIntVecVec
  MJI_FLOATS,      // mjFloatVec
  MJI_FLOATLISTS,  // mjFloatVecVec
  MJI_DOUBLES,     // mjDoubleVec
  MJI_BYTES,       // mjByteVec
  MJI_POINTERS,    // internal lists
} mjiKind;

typedef struct mjiVec_ {
  void* data;
  int num;
  int cap;
  mjiKind kind;
} mjiVec;

// Allocate zeroed memory; on failure mju_error is called and NULL returned if that returns.
void* mji_vec_alloc(size_t bytes);

void mji_vec_init(mjiVec* v, mjiKind kind);
void mji_vec_free(mjiVec* v);                       // leaves an empty vector of the same kind
void mji_vec_copy(mjiVec* dst, const mjiVec* src);  // deep; dst takes the kind of src
int mji_vec_equal(const mjiVec* a, const mjiVec* b);

// Replace all items, or add items at the end.
void mji_vec_set(mjiVec* v, const void* items, int num);
void mji_vec_append(mjiVec* v, const void* items, int num);

// Number of items set to zero (new) or kept (old).
void mji_vec_resize(mjiVec* v, int num);

// Text: never NULL, "" if empty.
const char* mji_vec_text(const mjiVec* v);
void mji_vec_setText(mjiVec* v, const char* text);
void mji_vec_setFormat(mjiVec* v, const char* format, ...) __attribute__((format(printf, 2, 3)));

// A number for a text, for hash tables.
unsigned mji_vec_hash(const char* text);

// Text i of a vector of texts.
const char* mji_vec_textAt(const mjiVec* v, int i);
mjiVec* mji_vec_at(const mjiVec* v, int i);  // vector i of a nested vector

// Lists of pointers.
void mji_vec_push(mjiVec* v, void* pointer);
void* mji_vec_get(const mjiVec* v, int i);
int mji_vec_remove(mjiVec* v, const void* pointer);  // 1 if it was there; order is kept

#endif  // SHEAF_SPEC_VEC_H_
