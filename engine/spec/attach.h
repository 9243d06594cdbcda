// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What mjs_attach (attach.c) needs of names (attach_names.c).
#ifndef SHEAF_SPEC_ATTACH_H_
#define SHEAF_SPEC_ATTACH_H_

#include "spec/copy.h"
#include "spec/element.h"

// Are elements attached to their own specification? Then the copy shares what stands beside the tree.
int mji_attach_isWithin(const mjiCopy* copy);

int mji_attach_isAsset(mjtObj type);

// Put prefix and suffix around a text that is not empty.
void mji_attach_renameText(const mjiCopy* copy, mjiVec* text);

// Is there an element whose name is this one with prefix and suffix?
int mji_attach_hasCopy(const mjiCopy* copy, mjtObj type, const mjiVec* text);

// attach_flex.c: copy the flexes whose bodies are copied, of the first n in the list. Those in the world of another
// specification get a body in body `place`, in its frame (may be NULL). Returns 0, or -1 if a name is used already.
int mji_attach_flexes(const mjiCopy* copy, int n, mjiElem* place, mjiElem* frame);

// Rename a fresh copy, and the names that it refers to: the `rename` of its mjiCopy.
void mji_attach_rename(const mjiCopy* copy, mjiElem* e);

#endif  // SHEAF_SPEC_ATTACH_H_
