// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Assets from files may be known by the name of the file alone.

#include <string.h>

#include "spec/element.h"

static const mjString* fileOf(const mjiElem* e) {
  switch (e->head.elemtype) {
    case mjOBJ_MESH: return e->as.mesh.file;
    case mjOBJ_HFIELD: return e->as.hfield.file;
    case mjOBJ_TEXTURE: return e->as.texture.file;
    case mjOBJ_SKIN: return e->as.skin.file;
    default: return NULL;
  }
}

void mji_elem_nameAfterFile(mjiElem* e) {
  const mjString* file = fileOf(e);
  const char* text = file ? mjs_getString(file) : "";
  if (*mji_elem_name(e) || !*text) return;

  // without folders and the last extension
  const char* start = text + strlen(text);
  while (start > text && start[-1] != '/' && start[-1] != '\\') start--;
  const char* dot = strrchr(start, '.');
  int n = dot ? (int)(dot - start) : (int)strlen(start);
  mji_vec_setFormat(&e->name, "%.*s", n, start);
}
