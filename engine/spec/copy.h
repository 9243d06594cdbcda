// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Copying elements from one specification to another, for mj_copySpec and mjs_attach.
#ifndef SHEAF_SPEC_COPY_H_
#define SHEAF_SPEC_COPY_H_

#include "spec/element.h"

typedef struct mjiCopy_ {
  const mjiSpec* src;
  mjiSpec* dst;
  mjiVec classes;         // for each class of src the one of dst
  mjiVec origins;         // for each mjiOrigin of src the one of dst
  const mjiOrigin* base;  // settings of elements that had none of their own
  // called for each new element; changes its name and the names it refers to
  void (*rename)(const struct mjiCopy_* copy, mjiElem* e);
  const char* prefix;
  const char* suffix;
} mjiCopy;

// mj_copySpec, which also copies a specification in which names are used twice.
mjSpec* mji_copy_spec(const mjiSpec* src);

mjiElem* mji_copy_class(const mjiCopy* copy, const mjiElem* dclass);
const mjiOrigin* mji_copy_origin(const mjiCopy* copy, const mjiOrigin* origin);
mjiOrigin* mji_copy_addOrigin(mjiSpec* dst, const mjsCompiler* compiler, const mjiVec* modelfiledir,
                              const mjiVec* document);
void mji_copy_origins(mjiCopy* copy);
void mji_copy_close(mjiCopy* copy);

// Copy an element that stands beside the tree: a tendon with its wraps, a keyframe without its shares.
mjiElem* mji_copy_listed(const mjiCopy* copy, const mjiElem* src);

// Copy an element that a body holds, a body with everything below it. The copy is in no frame.
mjiElem* mji_copy_kid(const mjiCopy* copy, const mjiElem* src, mjiElem* parent);

// Copy everything that a body holds into another one.
void mji_copy_kids(const mjiCopy* copy, const mjiElem* src, mjiElem* dst);

// ---- class.c
void mji_class_copyValues(mjiElem* dst, const mjiElem* src);

#endif  // SHEAF_SPEC_COPY_H_
