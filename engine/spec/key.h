// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Keyframes of a specification whose structure changes.
//
// A keyframe holds numbers in the order of the joints, mocap bodies and actuators that there were
// when it was written. Because attaching and deleting change that order, keyframes remember these elements in
// their list; the compiler leaves out the numbers of those that have gone.
//
// As in the reference, a keyframe that came with an attached part, or that was there when a body was
// deleted, is pending until the next compilation: it is not copied within its specification, its
// numbers go to the first copies of their owners instead, and it loses those of actuators when a
// body is deleted.
#ifndef SHEAF_SPEC_KEY_H_
#define SHEAF_SPEC_KEY_H_

#include "spec/copy.h"
#include "spec/element.h"

// Remember what the numbers of keyframes belong to, where that is not known yet.
void mji_key_remember(mjiSpec* s);

// After a part was copied: the first nkey keyframes of the source come along, unless they are its own
// and pending.
void mji_key_attach(const mjiCopy* copy, int nkey);

// Before a body is deleted.
void mji_key_deleteBody(mjiSpec* s);

// After compilation.
void mji_key_settle(mjiSpec* s);

#endif  // SHEAF_SPEC_KEY_H_
