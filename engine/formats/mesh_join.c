// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Vertices of a mesh at the same place become one.

#include <string.h>
#include <mujoco/mujoco.h>

#include "formats/raw_mesh.h"

// places of vertices, by open addressing: -1 is free
typedef struct {
  int* slot;
  uint32_t mask;
} Table;

static uint32_t hashVertex(const double v[3]) {
  uint32_t h = 2166136261u;
  for (int i = 0; i < 3; i++) {
    const float x = (float)v[i] + 0.0f;  // both zeros are the same
    uint32_t bits;
    memcpy(&bits, &x, 4);
    h = (h ^ bits) * 16777619u;
    h ^= h >> 15;
  }
  return h;
}

// id of a vertex among the first n, added behind them if it is new
static int joinVertex(mjiRawMesh* m, const Table* t, int* n, const double v[3]) {
  for (uint32_t h = hashVertex(v) & t->mask;; h = (h + 1) & t->mask) {
    const int id = t->slot[h];
    if (id < 0) {
      mju_copy3(m->vert + 3 * *n, v);
      return t->slot[h] = (*n)++;
    }
    const double* w = m->vert + 3 * id;
    if (w[0] == v[0] && w[1] == v[1] && w[2] == v[2]) return id;
  }
}

int mji_mesh_joinVertices(mjiRawMesh* m) {
  uint32_t slots = 64;
  while (slots < 2 * (uint32_t)m->nvert) slots *= 2;
  const Table t = {mju_malloc(slots * sizeof(int)), slots - 1};
  int *id = mju_malloc((size_t)(m->nvert + 1) * sizeof *id), n = 0;
  if (t.slot && id) {
    memset(t.slot, -1, slots * sizeof(int));
    for (int i = 0; i < m->nvert; i++)
      id[i] = joinVertex(m, &t, &n, (double[3]){m->vert[3 * i], m->vert[3 * i + 1], m->vert[3 * i + 2]});
    for (int i = 0; i < 3 * m->nface; i++) m->face[i] = id[m->face[i]];
    m->nvert = n;
  }
  const int bad = !t.slot || !id;
  mju_free(t.slot);
  mju_free(id);
  return bad ? -1 : 0;
}

void mji_mesh_freeRaw(mjiRawMesh* m) {
  void* parts[] = {m->vert, m->normal, m->texcoord, m->face, m->facenormal, m->facetexcoord};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) mju_free(parts[i]);
  *m = (mjiRawMesh){0};
}
