// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "mjcf/urdf_names.h"

#include <string.h>

#include "spec/vec.h"

void mji_namesMake(mjiNameTable* names, mjiReader* r, const mjiXML* elem, int most) {
  names->size = 2 * most + 1;
  names->slot = mji_readAlloc(r, elem, (size_t)names->size * sizeof *names->slot);
}

// slot of a text, or the free one where it would go
static struct mjiNamed_* findSlot(const mjiNameTable* names, const char* text) {
  unsigned size = (unsigned)names->size, i = mji_vec_hash(text) % size;
  while (names->slot[i].text && strcmp(names->slot[i].text, text)) i = (i + 1) % size;
  return names->slot + i;
}

int* mji_namesFind(const mjiNameTable* names, const char* text) {
  struct mjiNamed_* slot = findSlot(names, text);
  return slot->text ? &slot->value : NULL;
}

void mji_namesAdd(mjiNameTable* names, const char* text, int value) {
  *findSlot(names, text) = (struct mjiNamed_){text, value};
}
