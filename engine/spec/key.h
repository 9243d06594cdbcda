// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Keyframes of a specification whose structure changes.
//
// A keyframe holds numbers in the order of the joints, mocap bodies and actuators. Attaching adds to these, and
// deleting a body takes some away. As in the reference, a keyframe then waits, outside of the list, until
// the next compilation: its numbers are kept by the elements that they belong to, under its name, and
// are put together again in the model that is made. Those that wait are the keyframes of attached parts, and all
// that there are when a body is deleted. What is kept goes along with the first copy of its owner
// that is attached; unnamed keyframes share what is kept, and the last of them gets it.
//
// The other keyframes stay in the list and are made longer, at the end, with the reference
// configuration as it was written.
#ifndef SHEAF_SPEC_KEY_H_
#define SHEAF_SPEC_KEY_H_

#include "spec/copy.h"
#include "spec/element.h"

// parts of a keyframe, two for each kind of owner
typedef enum mjiKeyPart_ {
  MJI_KEY_QPOS, MJI_KEY_QVEL,     // joints
  MJI_KEY_MPOS, MJI_KEY_MQUAT,    // mocap bodies
  MJI_KEY_ACT, MJI_KEY_CTRL,      // actuators
  MJI_NKEYPART
} mjiKeyPart;

// type of the owner of parts 2 k and 2 k + 1
enum { MJI_NKEYOWNER = MJI_NKEYPART / 2 };
extern const mjtObj mji_keyOwner[MJI_NKEYOWNER];

// numbers of one keyframe that belong to one element
typedef struct mjiKeptKey_ {
  unsigned hash;         // of the name
  mjiVec name;
  mjiVec part[2];
} mjiKeptKey;

enum { MJI_MAXKEPT = 4096 };
struct mjiKept_ {
  mjiKeptKey* key;
  int num, cap;
};

// where in a keyframe an element has its numbers: n[i] of them from at[i] on in part first + i
typedef struct mjiKeyOwner_ {
  mjiElem* e;
  mjiKeyPart first;
  int at[2], n[2];
} mjiKeyOwner;

typedef struct mjiKeyOwners_ {
  mjiKeyOwner* owner;
  int num, cap;
  int size[MJI_NKEYPART];
} mjiKeyOwners;

// ---- key_owner.c

// Owners of numbers as the specification is now; those of the compiled model, unless something was attached or a
// body deleted since.
void mji_key_owners(mjiSpec* s, mjiKeyOwners* owners);
void mji_key_ownersMade(mjiSpec* s, mjiKeyOwners* owners);
void mji_key_freeOwners(mjiKeyOwners* owners);

mjiVec* mji_key_part(mjiElem* key, mjiKeyPart part);

// Numbers are put to, or added to, what e keeps under this name. isNew: it has no part 0 under this name.
void mji_kept_put(mjiElem* e, const char* name, int isNew, int i, const double* numbers, int n);

// Visit what is kept of the parts that keyframes have waited with.
typedef void (*mjiKeptVisitor)(void* arg, mjiElem* key, mjiElem* owner, mjiKeyPart part, const mjiVec* numbers);
void mji_kept_visit(mjiSpec* s, mjiKeptVisitor visit, void* arg);
void mji_kept_copy(mjiElem* dst, const mjiElem* src);
void mji_kept_move(mjiElem* dst, mjiElem* src);
void mji_kept_free(mjiElem* e);

// ---- key.c

// Before a part of src is attached to dst: the keyframes of src wait in dst, under their new names. An error if one
// has another size than src; those before it wait all the same, as in the reference.
int mji_key_offer(const mjiCopy* copy, mjiKeyOwners* owners);

// After a part was attached: copies keep the numbers of the keyframes that were offered; other keyframes of dst are
// made longer.
void mji_key_attach(const mjiCopy* copy, const mjiKeyOwners* owners);

// Before a body is deleted: all keyframes wait. An error if one has the wrong size.
int mji_key_deleteBody(mjiSpec* s);

// Before a compilation: keyframes that waited are in the list, from the returned place on, after as many as the
// specification asks for; e->waited has a bit for each part that they have. -1: more empty ones would have to be added
// than mjiMAX_KEYFILL.
enum { mjiMAX_KEYFILL = 10000 };
int mji_key_publish(mjiSpec* s);

// While s is compiled, once its joints are known to be valid: the others are made longer, there and in the working copy.
void mji_key_lengthen(mjiSpec* s, const mjiSpec* w);

// After it, with the model: nothing is kept any more. Without one: they wait again.
void mji_key_settle(mjiSpec* s, int first, const mjModel* m);

#endif  // SHEAF_SPEC_KEY_H_
