// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Wavefront OBJ files. Only the first group of faces is read; polygons are cut into triangles.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "formats/raw_mesh.h"

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
  List vert, normal, texcoord;  // floats
  List corner[3];               // vertex, texcoord, normal of each corner of a polygon; -1 if none
  List count;                   // corners of each polygon
  int shapes;                   // groups and objects that have faces, the first is used
  int open;                     // the current one has faces
} OBJ;

static const char* skipBlank(const char* s) {
  while (*s == ' ' || *s == '\t') s++;
  return s;
}

static int isEnd(char c) { return c == 0 || c == '\n' || c == '\r'; }

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

// lines and points are not faces
static int readFace(OBJ* o, const char* s) {
  int n = 0, corner[3];
  for (;; n++) {
    s = skipBlank(s);
    if (isEnd(*s)) break;
    if (!readCorner(o, &s, corner)) return -1;
    for (int k = 0; o->shapes == 0 && k < 3; k++)
      if (grow(o->corner + k, corner + k, 1)) return -1;
  }
  if (n >= 3) o->open = 1;
  return o->shapes == 0 ? grow(&o->count, &n, 1) : 0;
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

// ---- triangles, once all vertices are known

static int addTriangle(OBJ* o, List out[3], int first, const int at[3]) {
  int bad = 0;
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 3; k++) bad = bad || grow(out + c, (int*)o->corner[c].data + first + at[k], 1);
  return bad;
}

// Does each corner name a vertex? If not, mesh.c refuses the mesh later, and until then any triangles will do.
static int namesVertices(const OBJ* o, int first, int n) {
  const int* vertex = (const int*)o->corner[0].data + first;
  for (int i = 0; i < n; i++)
    if (vertex[i] >= o->vert.num / 3) return 0;
  return 1;
}

static int addPolygon(OBJ* o, List out[3], int first, int n, int64_t* budget) {
  if (n > 3 && namesVertices(o, first, n)) {
    int* triangle = mju_malloc(3 * (size_t)n * sizeof *triangle);
    if (!triangle) return -1;
    int num = mji_mesh_cutEars(triangle, o->vert.data, (int*)o->corner[0].data + first, n, budget);
    int bad = num < 0;
    for (int i = 0; i < num && !bad; i++) bad = addTriangle(o, out, first, triangle + 3 * i);
    mju_free(triangle);
    return bad;
  }
  int bad = 0;
  for (int i = 2; i < n && !bad; i++) bad = addTriangle(o, out, first, (int[]){0, i - 1, i});
  return bad;
}

// triangles in place of polygons
static int cutPolygons(OBJ* o) {
  // a file with convex polygons of thousands of corners needs less
  int64_t budget = 200000000;
  List out[3] = {0};
  int first = 0, bad = 0;
  for (int p = 0; p < o->count.num && !bad; p++) {
    int n = ((int*)o->count.data)[p];
    bad = addPolygon(o, out, first, n, &budget);
    first += n;
  }
  for (int c = 0; c < 3; c++) {
    mju_free(o->corner[c].data);
    o->corner[c] = out[c];
  }
  return bad;
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
  char* copy = mju_malloc(size + 1);  // ended by a zero
  if (!copy) return snprintf(error, 500, "out of memory"), -1;
  memcpy(copy, text, size);
  copy[size] = 0;
  int bad = 0;
  for (char* s = copy; *s && !bad;) {
    bad = readLine(&o, s);
    s += strcspn(s, "\n");
    s += *s == '\n';
  }
  mju_free(copy);
  bad = bad || cutPolygons(&o) || finishOBJ(m, &o);
  List* lists[] = {&o.vert, &o.normal, &o.texcoord, &o.count, o.corner, o.corner + 1, o.corner + 2};
  for (int i = 0; i < 7; i++) mju_free(lists[i]->data);
  if (bad) snprintf(error, 500, "this is not an OBJ file, or a broken one");
  return bad ? -1 : 0;
}
