// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Keyframes of a specification whose structure changes.
//
// The lists of a keyframe (qpos, qvel, ...) are in the order of the joints, mocap bodies and actuators of the model.
// Before attaching or deleting changes that order, the lists are divided: each element gets a share with its numbers,
// the keyframe keeps the shares, and its lists are empty. The compiler puts the shares where their elements
// are in the model and fills the lists again. The share of a deleted element is dropped. What is attached
// brings copies of its keyframes, whose shares belong to the copied elements. Elements without a share
// have their reference values. What a program writes into a list before it compiles is used instead of shares.
//
// Lists that are longer than the model are not divided: they may fit once the program has added more elements.
#ifndef SHEAF_SPEC_KEYFRAME_H_
#define SHEAF_SPEC_KEYFRAME_H_

#include "spec/element.h"

// the lists of a keyframe, two for each type of element that has numbers there
typedef enum mjiKeyList_ {
  MJI_KEY_QPOS,
  MJI_KEY_QVEL,  // joints
  MJI_KEY_MPOS,
  MJI_KEY_MQUAT,  // mocap bodies
  MJI_KEY_ACT,
  MJI_KEY_CTRL,  // actuators
  MJI_NKEYLIST
} mjiKeyList;

// numbers of one element in two lists: n[0] in `first`, then n[1] in the list after it; 0: not given
typedef struct mjiKeyShare_ {
  mjiElem* owner;
  mjiKeyList first;
  int n[2];
  double number[];
} mjiKeyShare;

mjiVec* mji_key_list(mjiElem* key, mjiKeyList list);

// Do elements of this type have numbers in keyframes?
int mji_key_hasNumbers(mjtObj type);

// Before the structure changes: divide all lists that are no longer than the model.
void mji_key_divide(mjiSpec* s);

// Drop the shares of elements that are about to go: those that are marked.
void mji_key_dropMarked(mjiSpec* s);

// -1, with the error of the host, if a keyframe of the guest has more numbers than its model.
int mji_key_checkGuest(mjiSpec* guest, mjiSpec* host);

// After the attached elements and their keyframes were copied: shares of the new keyframes belong to the copies. Within
// one specification, a keyframe that came with attached elements is not copied again: its shares go to the copies, so
// that the first replica of those elements has their keyframes.
void mji_key_attach(mjiSpec* dst, const mjiSpec* src);

// After a whole specification was copied: shares of its keyframes for their copies.
void mji_key_copy(mjiSpec* dst);

// Numbers that the keyframes of s remember for elements, or would if they were divided.
int64_t mji_key_countShares(const mjiSpec* s);

// After a compilation: lists that were divided, or were shorter than the model, are those of the model.
void mji_key_settle(mjiSpec* s, const mjModel* m);

#endif  // SHEAF_SPEC_KEYFRAME_H_
