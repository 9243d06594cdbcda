// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Keyframes of a specification whose structure changes.
//
// A keyframe holds numbers in the order of the joints, mocap bodies and actuators that there are. As in the
// reference, one that is given in part ends with the model as it is written.
//
// A keyframe that came with an attached part, or that was there when a body was deleted, is pending until the
// next compilation: it remembers in its list what its numbers belong to, because the order changes; the compiler
// leaves out the numbers of what has gone. It is not copied within its specification, its numbers go to the first
// copies of their owners instead, and it loses those of actuators when a body is deleted.
#ifndef SHEAF_SPEC_KEY_H_
#define SHEAF_SPEC_KEY_H_

#include "spec/copy.h"
#include "spec/element.h"

// Remember what the numbers of keyframes belong to, where that is not known yet, for as long as they are copied.
void mji_key_remember(mjiSpec* s);
void mji_key_forget(mjiSpec* s);

// What is given in part ends with the model as it is written: before angles and frames are looked at.
void mji_key_extend(mjiSpec* s);

// After a part was copied: the first nkey keyframes of the source come along, unless they are its own
// and pending.
void mji_key_attach(const mjiCopy* copy, int nkey);

// The keyframe is pending: what it remembers says so, too, until a copy takes its place.
void mji_key_setPending(mjiElem* key);

// Before a body is deleted.
void mji_key_deleteBody(mjiSpec* s);

// Before compilation: the keyframes that the specification has of its own, filled up with empty ones to as
// many as it asks for, then the pending ones. -1: more would have to be filled up than mjiMAX_KEYFILL.
enum { mjiMAX_KEYFILL = 10000 };
int mji_key_fill(mjiSpec* s);

// After compilation.
void mji_key_settle(mjiSpec* s);

#endif  // SHEAF_SPEC_KEY_H_
