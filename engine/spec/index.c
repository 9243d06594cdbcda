// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Elements by name: one hash table per type, made when it is first asked for and thrown away when names
// change in a way that it does not follow. Without it, reading a model with n names would take n^2 steps.

#include <stdlib.h>
#include <string.h>

#include "spec/element.h"

// slot of a name, or the free slot where it would go
static mjiElem** findSlot(const mjiIndex* index, const char* name) {
  unsigned i = mji_vec_hash(name) % (unsigned)index->size;
  while (index->slot[i] && strcmp(mji_elem_name(index->slot[i]), name)) {
    i = (i + 1) % (unsigned)index->size;
  }
  return index->slot + i;
}

void mji_index_drop(mjiSpec* s, mjtObj type) {
  if (type <= mjOBJ_UNKNOWN || type >= mjNOBJECT) return;
  free(s->index[type].slot);
  s->index[type] = (mjiIndex){0};
}

// the first of several elements with one name is the one that is found
void mji_index_add(mjiElem* e) {
  mjtObj type = e->head.elemtype;
  if (type <= mjOBJ_UNKNOWN || type >= mjNOBJECT || !*mji_elem_name(e)) return;
  mjiIndex* index = e->spec->index + type;
  if (!index->slot) return;
  if (2 * index->num >= index->size) {
    mji_index_drop(e->spec, type);
    return;
  }
  mjiElem** slot = findSlot(index, mji_elem_name(e));
  if (*slot) return;
  *slot = e;
  index->num++;
}

static void build(mjiSpec* s, mjtObj type) {
  const mjiVec* list = s->list + type;
  mjiIndex* index = s->index + type;
  index->size = 4 * list->num + 16;
  index->slot = mji_vec_alloc((size_t)index->size * sizeof(mjiElem*));
  for (int i = 0; i < list->num; i++) mji_index_add(mji_elem_at(list, i));
}

mjiElem* mji_index_find(mjiSpec* s, mjtObj type, const char* name) {
  if (!s->index[type].slot) build(s, type);
  return *findSlot(s->index + type, name);
}
