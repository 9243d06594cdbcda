// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Keyframes of a specification to which parts are attached.
//
// A keyframe holds numbers in the order of the joints, mocap bodies and actuators that there were
// when it was written. Because attaching changes that order, keyframes remember these elements in
// their list; the compiler leaves out the numbers of those that have gone.
#ifndef SHEAF_SPEC_KEY_H_
#define SHEAF_SPEC_KEY_H_

#include "spec/copy.h"
#include "spec/element.h"

// Remember what the numbers of keyframes belong to, where that is not known yet.
void mji_key_remember(mjiSpec* s);

// After a part was copied: keyframes of another specification, of which there were nkey, come along;
// within one specification the numbers of a part go to its first copy.
void mji_key_attach(const mjiCopy* copy, int nkey);

// Copies of one part follow. If nothing was attached before, each brings a copy of every keyframe, with
// the numbers of the part, and without controls and activations; at the end the originals stand after
// the copies.
void mji_key_beginCopies(mjiSpec* s);
void mji_key_endCopies(mjiSpec* s);

#endif  // SHEAF_SPEC_KEY_H_
