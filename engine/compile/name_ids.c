// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Ids by name, one hash table per type of element.

#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"

// slot of a name, or the free slot where it would go
static int* findSlot(const mjiCompile* c, mjtObj type, const char* name) {
  const mjiNames* names = c->names + type;
  int i = (int)(mji_vec_hash(name) % (unsigned)names->size);
  while (names->slot[i] >= 0 && strcmp(mji_elem_name(mji_get(c, type, names->slot[i])), name)) {
    i = (i + 1) % names->size;
  }
  return names->slot + i;
}

static int buildType(mjiCompile* c, mjtObj type) {
  mjiNames* names = c->names + type;
  free(names->slot);
  names->size = 2 * mji_count(c, type) + 1;
  names->slot = mji_vec_alloc((size_t)names->size * sizeof(int));
  memset(names->slot, -1, (size_t)names->size * sizeof(int));

  for (int id = 0; id < mji_count(c, type); id++) {
    mjiElem* e = mji_get(c, type, id);
    if (!*mji_elem_name(e)) continue;
    int* slot = findSlot(c, type, mji_elem_name(e));
    if (*slot >= 0) return mji_compile_error(c, e, "the name is used twice");
    *slot = id;
  }
  return 0;
}

int mji_names_assets(mjiCompile* c) {
  static const mjtObj types[] = {mjOBJ_MESH, mjOBJ_HFIELD, mjOBJ_TEXTURE, mjOBJ_SKIN, mjOBJ_MATERIAL};
  for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
    for (int i = 0; i < mji_count(c, types[k]); i++) {
      mjiElem* e = mji_get(c, types[k], i);
      mji_elem_nameAfterFile(e);
      // only skins and skyboxes need no name: nothing refers to them
      int free = types[k] == mjOBJ_SKIN || (types[k] == mjOBJ_TEXTURE && e->as.texture.type == mjTEXTURE_SKYBOX);
      if (!*mji_elem_name(e) && !free) return mji_compile_error(c, e, "there is no name");
    }
  }
  return 0;
}

int mji_names_build(mjiCompile* c) {
  const mjiElem* frame = mji_index_repeated(c->w, mjOBJ_FRAME);
  if (frame) return mji_compile_error(c, frame, "the name is used twice");
  for (int type = 1; type < mjNOBJECT; type++) {
    if (buildType(c, type)) return -1;
  }
  return 0;
}

int mji_names_find(const mjiCompile* c, mjtObj type, const char* name) {
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  if (type <= mjOBJ_UNKNOWN || type >= mjNOBJECT || !*name) return -1;
  return *findSlot(c, type, name);
}

int mji_names_resolve(mjiCompile* c, const mjiElem* e, mjtObj type, const mjString* name) {
  const char* text = mjs_getString(name);
  int id = mji_names_find(c, type, text);
  if (id < 0) {
    mji_compile_error(c, e, "there is no %s named '%.200s'", mji_elem_typeName(type), text);
  }
  return id;
}

mjiElem* mji_names_get(const mjiCompile* c, mjtObj type, const mjString* name) {
  int id = mji_names_find(c, type, mjs_getString(name));
  return id < 0 ? NULL : mji_get(c, type, id);
}
