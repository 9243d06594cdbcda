// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Elements by name: one hash table per type. A table is made when a name is first looked up. It learns names of new
// elements, and is thrown away when other names change. Without it, reading a model with n names would take n^2 steps.

#include <stdlib.h>
#include <string.h>

#include "spec/element.h"

// the index of a type; frames come after the types that models have
static mjiIndex* indexOf(mjiSpec* s, mjtObj type) {
  if (type == mjOBJ_FRAME) return s->index + mjNOBJECT;
  return type > mjOBJ_UNKNOWN && type < mjNOBJECT ? s->index + type : NULL;
}

// slot of a name, or the free slot where it would go
static mjiElem** findSlot(const mjiIndex* index, const char* name) {
  unsigned i = mji_vec_hash(name) % (unsigned)index->size;
  while (index->slot[i] && strcmp(mji_elem_name(index->slot[i]), name)) {
    i = (i + 1) % (unsigned)index->size;
  }
  return index->slot + i;
}

void mji_index_drop(mjiSpec* s, mjtObj type) {
  mjiIndex* index = indexOf(s, type);
  if (!index) return;
  free(index->slot);
  *index = (mjiIndex){0};
}

void mji_index_dropAll(mjiSpec* s) {
  for (int type = 0; type < mjNOBJECT; type++) mji_index_drop(s, type);
  mji_index_drop(s, mjOBJ_FRAME);
}

// the first of several elements with one name is the one that is found
void mji_index_add(mjiElem* e) {
  mjiIndex* index = indexOf(e->spec, e->head.elemtype);
  if (!index || !index->slot || !*mji_elem_name(e)) return;
  if (2 * index->num >= index->size) {
    mji_index_drop(e->spec, e->head.elemtype);
    return;
  }
  mjiElem** slot = findSlot(index, mji_elem_name(e));
  if (*slot && *slot != e) index->repeated = e;
  if (*slot) return;
  *slot = e;
  index->num++;
}

static mjiIndex* build(mjiSpec* s, mjtObj type) {
  mjiIndex* index = indexOf(s, type);
  if (index->slot) return index;
  const mjiVec* list = mji_spec_list(s, type);
  index->size = 4 * list->num + 16;
  index->slot = mji_vec_alloc((size_t)index->size * sizeof(mjiElem*));
  for (int i = 0; i < list->num; i++) mji_index_add(mji_elem_at(list, i));
  return index;
}

mjiElem* mji_index_find(mjiSpec* s, mjtObj type, const char* name) {
  return indexOf(s, type) ? *findSlot(build(s, type), name) : NULL;
}

mjiElem* mji_index_repeated(mjiSpec* s, mjtObj type) { return indexOf(s, type) ? build(s, type)->repeated : NULL; }
