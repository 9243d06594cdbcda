// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Mesh files: Wavefront OBJ, binary STL, and the binary MSH format of earlier versions.

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

// ---- OBJ

// growing array of 4-byte items
typedef struct {
  void* data;
  int num, cap;
} List;

static int grow(List* list, const void* items, int n) {
  if (list->num > INT32_MAX / 8 - n) return -1;
  if (list->num + n > list->cap) {
    int cap = 2 * list->cap + n + 64;
    void* data = mju_malloc((size_t)cap * 4);
    if (!data) return -1;
    if (list->num) memcpy(data, list->data, (size_t)list->num * 4);
    mju_free(list->data);
    list->data = data;
    list->cap = cap;
  }
  memcpy((char*)list->data + (size_t)list->num * 4, items, (size_t)n * 4);
  list->num += n;
  return 0;
}

typedef struct {
  List vert, normal, texcoord;               // floats
  List corner[3];  // vertex, texcoord, normal of each corner of a triangle; -1 if none
  int shapes;      // groups and objects that have faces, the first is used
  int open;                                  // the current one has faces
} OBJ;

static const char* skipBlank(const char* s) {
  while (*s == ' ' || *s == '\t') s++;
  return s;
}

static int isEnd(char c) {
  return c == 0 || c == '\n' || c == '\r';
}

// n floats after a keyword; missing ones are zero
static int readFloats(List* list, const char* s, int n) {
  float x[3] = {0};
  for (int i = 0; i < n; i++) {
    s = skipBlank(s);
    if (isEnd(*s)) break;
    char* end;
    x[i] = strtof(s, &end);
    if (end == s) break;
    s = end;
  }
  return grow(list, x, n);
}

// one index of a corner: from one, or negative from the end of what has been read; 0 if it is wrong
static int readIndex(const char** s, int num, int* out) {
  char* end;
  long id = strtol(*s, &end, 10);
  if (end == *s || id == 0 || id > INT32_MAX || id < -INT32_MAX) return 0;
  *s = end;
  *out = (int)(id > 0 ? id - 1 : num + id);
  return *out >= 0;
}

// v, v/t, v//n or v/t/n
static int readCorner(OBJ* o, const char** s, int corner[3]) {
  corner[1] = corner[2] = -1;
  if (!readIndex(s, o->vert.num / 3, corner)) return 0;
  if (**s != '/') return 1;
  (*s)++;
  if (**s != '/' && !readIndex(s, o->texcoord.num / 2, corner + 1)) return 0;
  if (**s != '/') return 1;
  (*s)++;
  return readIndex(s, o->normal.num / 3, corner + 2);
}

static int addTriangle(OBJ* o, const int a[3], const int b[3], const int c[3]) {
  int ok = 1;
  for (int k = 0; k < 3; k++) {
    int ids[3] = {a[k], b[k], c[k]};
    ok = ok && !grow(o->corner + k, ids, 3);
  }
  return ok ? 0 : -1;
}

// a polygon becomes a fan; lines and points are not faces
static int readFace(OBJ* o, const char* s) {
  int first[3], last[3], corner[3];
  for (int n = 0;; n++) {
    s = skipBlank(s);
    if (isEnd(*s)) break;
    if (!readCorner(o, &s, corner)) return -1;
    if (n >= 2 && o->shapes == 0 && addTriangle(o, first, last, corner)) return -1;
    if (n >= 2) o->open = 1;
    memcpy(n ? last : first, corner, sizeof corner);
  }
  return 0;
}

static int readLine(OBJ* o, const char* s) {
  s = skipBlank(s);
  int blank1 = s[0] && (s[1] == ' ' || s[1] == '\t');
  int blank2 = s[0] && s[1] && (s[2] == ' ' || s[2] == '\t');
  if (s[0] == 'v' && blank1) return readFloats(&o->vert, s + 2, 3);
  if (s[0] == 'v' && s[1] == 'n' && blank2) return readFloats(&o->normal, s + 3, 3);
  if (s[0] == 'v' && s[1] == 't' && blank2) return readFloats(&o->texcoord, s + 3, 2);
  if (s[0] == 'f' && blank1) return readFace(o, s + 2);
  if ((s[0] == 'o' || s[0] == 'g') && (blank1 || isEnd(s[1])) && o->open) {
    o->shapes++;
    o->open = 0;
  }
  return 0;
}

static float* takeFloats(List* list) {
  float* data = list->data;
  list->data = NULL;
  return data;
}

static int finishOBJ(mjiRawMesh* m, OBJ* o) {
  m->nvert = o->vert.num / 3;
  m->vert = mju_malloc((size_t)(o->vert.num + 1) * sizeof *m->vert);
  if (!m->vert) return -1;
  for (int i = 0; i < o->vert.num; i++) m->vert[i] = ((float*)o->vert.data)[i];

  m->nnormal = o->normal.num / 3;
  m->normal = takeFloats(&o->normal);
  m->ntexcoord = o->texcoord.num / 2;
  m->texcoord = takeFloats(&o->texcoord);
  for (int i = 0; i < m->ntexcoord; i++) m->texcoord[2 * i + 1] = 1 - m->texcoord[2 * i + 1];

  m->nface = o->corner[0].num / 3;
  m->face = o->corner[0].data;
  o->corner[0].data = NULL;
  if (m->ntexcoord) {
    m->facetexcoord = o->corner[1].data;
    o->corner[1].data = NULL;
  }
  if (m->nnormal) {
    m->facenormal = o->corner[2].data;
    o->corner[2].data = NULL;
  }
  return 0;
}

int mji_mesh_readOBJ(mjiRawMesh* m, const char* text, size_t size, char error[500]) {
  OBJ o = {0};
  char* copy = mju_malloc(size + 1);   // ended by a zero
  if (!copy) return fail(error, "out of memory");
  memcpy(copy, text, size);
  copy[size] = 0;
  int bad = 0;
  for (char* s = copy; *s && !bad;) {
    bad = readLine(&o, s);
    s += strcspn(s, "\n");
    s += *s == '\n';
  }
  mju_free(copy);
  bad = bad || finishOBJ(m, &o);
  List* lists[] = {&o.vert, &o.normal, &o.texcoord, o.corner, o.corner + 1, o.corner + 2};
  for (int i = 0; i < 6; i++) mju_free(lists[i]->data);
  return bad ? fail(error, "this is not an OBJ file, or a broken one") : 0;
}

// ---- STL: triangles without shared vertices; equal vertices are joined

static uint32_t hashVertex(const float v[3]) {
  uint32_t h = 2166136261u;
  for (int i = 0; i < 3; i++) {
    float x = v[i] + 0.0f;   // both zeros are the same
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
  int32_t n[4];   // vertices, normals, texture coordinates, faces
  if (size < sizeof n) return fail(error, "header missing in MSH file");
  memcpy(n, data, sizeof n);
  if (n[0] < 4 || n[3] < 0 || n[1] < 0 || n[2] < 0 || (n[1] && n[1] != n[0]) ||
      (n[2] && n[2] != n[0]))
    return fail(error, "the MSH file claims impossible sizes");
  size_t want =
      sizeof n + 4 * (3 * (size_t)n[0] + 3 * (size_t)n[1] + 2 * (size_t)n[2] + 3 * (size_t)n[3]);
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
  if (n[3]) memcpy(m->face, p, 12 * (size_t)n[3]);
  return 0;
}
