// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Binary mesh files: STL, and the MSH format of earlier versions.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/mesh.h"

enum { MAX_FACES = 200000, STL_HEADER = 84, STL_FACE = 50 };

static int fail(char error[500], const char* reason) {
  snprintf(error, 500, "%s", reason);
  return -1;
}

// ---- STL: triangles without shared vertices; equal vertices are joined

static uint32_t hashVertex(const float v[3]) {
  uint32_t h = 2166136261u;
  for (int i = 0; i < 3; i++) {
    float x = v[i] + 0.0f;  // both zeros are the same
    uint32_t bits;
    memcpy(&bits, &x, 4);
    h = (h ^ bits) * 16777619u;
    h ^= h >> 15;
  }
  return h;
}

// id of a vertex among those found so far, added if it is new
static int joinVertex(mjiRawMesh* m, int* table, uint32_t mask, const float v[3]) {
  for (uint32_t h = hashVertex(v) & mask;; h = (h + 1) & mask) {
    int id = table[h];
    if (id < 0) {
      for (int i = 0; i < 3; i++) m->vert[3 * m->nvert + i] = v[i];
      return table[h] = m->nvert++;
    }
    const double* w = m->vert + 3 * id;
    if (w[0] == v[0] && w[1] == v[1] && w[2] == v[2]) return id;
  }
}

int mji_mesh_readSTL(mjiRawMesh* m, const void* data, size_t size, char error[500]) {
  if (size < STL_HEADER) return fail(error, "the STL file ends within its header");
  uint32_t nface;
  memcpy(&nface, (const char*)data + 80, 4);
  if (nface < 1 || nface > MAX_FACES) {
    snprintf(error, 500,
             "an STL file has 1 to %d triangles, this one claims %u; text files are not "
             "read",
             MAX_FACES, nface);
    return -1;
  }
  if (size != STL_HEADER + (size_t)STL_FACE * nface)
    return fail(error, "the STL file is not as long as its triangles; text files are not read");

  uint32_t slots = 64;
  while (slots < 6 * nface) slots *= 2;
  int* table = mju_malloc(slots * sizeof *table);
  m->vert = mju_malloc((size_t)nface * 9 * sizeof *m->vert);
  m->face = mju_malloc((size_t)nface * 3 * sizeof *m->face);
  if (!table || !m->vert || !m->face) return mju_free(table), fail(error, "out of memory");
  memset(table, -1, slots * sizeof *table);
  m->nface = (int)nface;
  for (int f = 0; f < m->nface; f++) {
    float v[9];
    memcpy(v, (const char*)data + STL_HEADER + (size_t)STL_FACE * f + 12, sizeof v);
    for (int j = 0; j < 9; j++)
      if (!isfinite(v[j]) || fabsf(v[j]) > 0x1p30f) {
        mju_free(table);
        return fail(error, "STL file has vertices that are not finite or too far");
      }
    for (int j = 0; j < 3; j++) m->face[3 * f + j] = joinVertex(m, table, slots - 1, v + 3 * j);
  }
  mju_free(table);
  return 0;
}

// ---- MSH: four counts, then the arrays

int mji_mesh_readMSH(mjiRawMesh* m, const void* data, size_t size, char error[500]) {
  int32_t n[4];  // vertices, normals, texture coordinates, faces
  if (size < sizeof n) return fail(error, "header missing in MSH file");
  memcpy(n, data, sizeof n);
  if (n[0] < 4 || n[3] < 0 || n[1] < 0 || n[2] < 0 || (n[1] && n[1] != n[0]) || (n[2] && n[2] != n[0]))
    return fail(error, "the MSH file claims impossible sizes");
  size_t want = sizeof n + 4 * (3 * (size_t)n[0] + 3 * (size_t)n[1] + 2 * (size_t)n[2] + 3 * (size_t)n[3]);
  if (size != want) return fail(error, "the MSH file is not as long as it claims");

  const char* p = (const char*)data + sizeof n;
  m->vert = mju_malloc(3 * (size_t)n[0] * sizeof *m->vert);
  m->normal = n[1] ? mju_malloc(12 * (size_t)n[1]) : NULL;
  m->texcoord = n[2] ? mju_malloc(8 * (size_t)n[2]) : NULL;
  m->face = n[3] ? mju_malloc(12 * (size_t)n[3]) : NULL;
  if (!m->vert || (n[1] && !m->normal) || (n[2] && !m->texcoord) || (n[3] && !m->face))
    return fail(error, "out of memory");
  m->nvert = n[0];
  m->nnormal = n[1];
  m->ntexcoord = n[2];
  m->nface = n[3];
  for (int i = 0; i < 3 * n[0]; i++, p += 4) {
    float x;
    memcpy(&x, p, 4);
    m->vert[i] = x;
  }
  if (n[1]) memcpy(m->normal, p, 12 * (size_t)n[1]);
  p += 12 * (size_t)n[1];
  if (n[2]) memcpy(m->texcoord, p, 8 * (size_t)n[2]);
  p += 8 * (size_t)n[2];
  if (!n[3]) return 0;
  memcpy(m->face, p, 12 * (size_t)n[3]);

  // normals and texture coordinates of vertices belong to corners in the order of the file, mirrored or not
  int** corners[] = {n[1] ? &m->facenormal : NULL, n[2] ? &m->facetexcoord : NULL};
  for (int k = 0; k < 2; k++) {
    if (!corners[k]) continue;
    *corners[k] = mju_malloc(12 * (size_t)n[3]);
    if (!*corners[k]) return fail(error, "out of memory");
    memcpy(*corners[k], p, 12 * (size_t)n[3]);
  }
  return 0;
}
