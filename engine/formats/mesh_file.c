// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Binary mesh files: STL, and the MSH format of earlier versions.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "formats/raw_mesh.h"

enum { MAX_FACES = 200000, STL_HEADER = 84, STL_FACE = 50 };

static int fail(char error[500], const char* reason) {
  snprintf(error, 500, "%s", reason);
  return -1;
}

// ---- STL: triangles without shared vertices; equal vertices are joined

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

  m->vert = mju_malloc((size_t)nface * 9 * sizeof *m->vert);
  m->face = mju_malloc((size_t)nface * 3 * sizeof *m->face);
  if (!m->vert || !m->face) return fail(error, "out of memory");
  m->nface = (int)nface;
  m->nvert = 3 * m->nface;
  for (int i = 0; i < m->nvert; i++) {
    float v[3];
    memcpy(v, (const char*)data + STL_HEADER + (size_t)STL_FACE * (i / 3) + 12 + sizeof v * (size_t)(i % 3), sizeof v);
    for (int k = 0; k < 3; k++) {
      if (!isfinite(v[k]) || fabsf(v[k]) > 0x1p30f) {
        return fail(error, "STL file has vertices that are not finite or too far");
      }
      m->vert[3 * i + k] = v[k];
    }
    m->face[i] = i;
  }
  return mji_mesh_joinVertices(m) ? fail(error, "out of memory") : 0;
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
