// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Meshes of one file are compiled once. Later meshes of that file with the same place, scale, kind of inertia and hull
// size copy the first, as in the reference. Programs can see that: polygons are those of the hull if the first mesh has
// one, and normals that a later mesh has for itself are ignored.

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compile/asset_file.h"
#include "compile/compile.h"
#include "compile/mesh_share.h"

enum { MAX_PATH = 4096 };

void mji_share_init(mjiSharedMeshes* s, int nmesh) {
  s->size = 2 * nmesh + 1;
  s->slot = mji_vec_alloc((size_t)s->size * sizeof *s->slot);
}

void mji_share_free(mjiSharedMeshes* s) {
  for (int i = 0; i < s->size; i++) mju_free(s->slot[i].path);
  free(s->slot);
}

// full path of the file of a mesh, or NULL: to be freed
static char* fullPath(const mjsMesh* mesh, const mjiAssetSource* source) {
  const char* name = mjs_getString(mesh->file);
  char inassets[MAX_PATH], full[MAX_PATH];
  if (!*name || !mji_pathAsset(inassets, sizeof inassets, source->assetdir, source->strippath, name) ||
      !mji_pathJoin(full, sizeof full, source->modeldir, inassets)) {
    return NULL;
  }
  char* path = mju_malloc(strlen(full) + 1);
  if (path) mji_pathSimplify(path, full);
  return path;
}

const mjiElem* mji_share_first(mjiSharedMeshes* s, const mjiElem* e, const mjiAssetSource* source) {
  char* path = fullPath(&e->as.mesh, source);
  if (!path) return e;
  int i = (int)(mji_vec_hash(path) % (unsigned)s->size);
  while (s->slot[i].path && strcmp(s->slot[i].path, path)) i = (i + 1) % s->size;
  if (s->slot[i].path) mju_free(path);
  else {
    s->slot[i].path = path;
    s->slot[i].mesh = e;
  }
  return s->slot[i].mesh;
}

int mji_share_serves(const mjiElem* first, const mjiElem* e, int needhull, int needtree) {
  const mjsMesh *a = &first->as.mesh, *b = &e->as.mesh;
  for (int i = 0; i < 3; i++)
    if (a->scale[i] != b->scale[i] || a->refpos[i] != b->refpos[i]) return 0;
  for (int i = 0; i < 4; i++)
    if (a->refquat[i] != b->refquat[i]) return 0;
  if (a->inertia != b->inertia || a->maxhullvert != b->maxhullvert) return 0;
  const mjiMesh* made = first->info;
  return (!needhull || made->graph) && (!needtree || made->noct);
}

// ---- copies

void mji_mesh_parts(mjiMesh* m, mjiMeshPart part[mjiMESH_PARTS]) {
  size_t noct = (size_t)m->noct;
  size_t nvert = (size_t)m->nvert, nface = (size_t)m->nface, npoly = (size_t)m->npoly;
  const mjiMeshPart parts[mjiMESH_PARTS] = {
      {(void**)&m->vert, 3 * nvert * sizeof *m->vert},
      {(void**)&m->place, 3 * nvert * sizeof *m->place},
      {(void**)&m->normal, 3 * (size_t)m->nnormal * sizeof *m->normal},
      {(void**)&m->texcoord, 2 * (size_t)m->ntexcoord * sizeof *m->texcoord},
      {(void**)&m->face, 3 * nface * sizeof *m->face},
      {(void**)&m->facenormal, 3 * nface * sizeof *m->facenormal},
      {(void**)&m->facetexcoord, 3 * nface * sizeof *m->facetexcoord},
      {(void**)&m->graph, (size_t)m->ngraph * sizeof *m->graph},
      {(void**)&m->polynormal, 3 * npoly * sizeof *m->polynormal},
      {(void**)&m->polyvertadr, npoly * sizeof *m->polyvertadr},
      {(void**)&m->polyvertnum, npoly * sizeof *m->polyvertnum},
      {(void**)&m->polyvert, (size_t)m->npolyvert * sizeof *m->polyvert},
      {(void**)&m->polymapadr, nvert * sizeof *m->polymapadr},
      {(void**)&m->polymapnum, nvert * sizeof *m->polymapnum},
      {(void**)&m->polymap, (size_t)m->npolymap * sizeof *m->polymap},
      {(void**)&m->octdepth, noct * sizeof *m->octdepth},
      {(void**)&m->octchild, 8 * noct * sizeof *m->octchild},
      {(void**)&m->octaabb, 6 * noct * sizeof *m->octaabb},
      {(void**)&m->octcoeff, 8 * noct * sizeof *m->octcoeff},
  };
  memcpy(part, parts, sizeof parts);
}

int mji_mesh_ownParts(mjiMesh* m) {
  mjiMeshPart part[mjiMESH_PARTS];
  mji_mesh_parts(m, part);
  int bad = 0;
  for (int i = 0; i < mjiMESH_PARTS; i++) {
    if (!*part[i].array) continue;
    void* copy = bad ? NULL : mji_tryMalloc(part[i].size + 1);
    *part[i].array = copy ? memcpy(copy, *part[i].array, part[i].size) : NULL;
    bad |= !copy;
  }
  if (bad) mji_mesh_free(m);
  return bad ? -1 : 0;
}

int mji_share_copy(mjiMesh* out, const mjiMesh* from, int needhull, int needtree) {
  mjiMesh m = *from;
  m.path = NULL;
  if (!needhull) {
    m.graph = NULL;
    m.ngraph = 0;
  }
  if (!needtree) {
    m.noct = 0;
    m.octdepth = m.octchild = NULL;
    m.octaabb = m.octcoeff = NULL;
  }
  int bad = mji_mesh_ownParts(&m);
  *out = m;
  return bad;
}
