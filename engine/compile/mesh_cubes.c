// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Marching cubes. Each edge of the grid with one end inside has a vertex, where the distance is zero if it is linear
// between the ends; each cell has the triangles of its row in a table. Vertices and triangles come in the order of
// cells. All is computed in floats and in units of the grid, as in the reference.

#include "compile/mesh_cubes.h"

#include <math.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "compile/mesh_cubes_table.h"

typedef struct Cubes_ {
  const mjiGrid* grid;
  int* vertex;  // for each point, of the edges that end there, along x, y and z, if they have one
  float* place;
  int nvert, nface;
} Cubes;

static size_t pointAt(const mjiGrid* g, const int at[3]) {
  return ((size_t)at[2] * (size_t)g->n[1] + (size_t)at[1]) * (size_t)g->n[0] + (size_t)at[0];
}

static size_t count(const mjiGrid* g) { return (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2]; }

// ---- vertices

// how far from the lower end the distance is zero
static float crossing(double lower, double upper) {
  float a = (float)lower, b = (float)upper;
  return a / (a - b);
}

// the vertex on the edge that ends at a point
static void edgeInto(Cubes* c, const int at[3], int axis) {
  const mjiGrid* g = c->grid;
  int from[3] = {at[0], at[1], at[2]};
  from[axis]--;
  size_t upper = pointAt(g, at);
  double a = g->value[pointAt(g, from)], b = g->value[upper];
  if ((a < 0) == (b < 0)) return;
  int vertex = c->vertex[3 * upper + (size_t)axis] = c->nvert++;
  if (!c->place) return;
  float* place = c->place + 3 * (size_t)vertex;
  for (int k = 0; k < 3; k++) place[k] = (float)from[k];
  place[axis] += crossing(a, b);
}

// edges of a cell along an axis that no cell before it has: the last one, and those in sides of the grid
static void newEdges(Cubes* c, const int cell[3], int axis) {
  int x = axis == 0, y = axis == 2 ? 1 : 2;
  for (int j = 0; j < 4; j++) {
    int end[3] = {cell[0], cell[1], cell[2]}, dx = j & 1, dy = j >> 1;
    if ((!dx && cell[x] > 0) || (!dy && cell[y] > 0)) continue;
    end[axis]++;
    end[x] += dx;
    end[y] += dy;
    edgeInto(c, end, axis);
  }
}

// number the vertices, and place them if there is room for them
static void makeVertices(Cubes* c) {
  const int* n = c->grid->n;
  int cell[3];
  c->nvert = 0;
  for (cell[2] = 0; cell[2] + 1 < n[2]; cell[2]++) {
    for (cell[1] = 0; cell[1] + 1 < n[1]; cell[1]++) {
      for (cell[0] = 0; cell[0] + 1 < n[0]; cell[0]++) {
        for (int axis = 0; axis < 3; axis++) newEdges(c, cell, axis);
      }
    }
  }
}

// ---- triangles

// the vertex on an edge of a cell
static int vertexOn(const Cubes* c, const int cell[3], char letter) {
  int edge = letter - 'a', axis = edge / 4, x = axis == 0, y = axis == 2 ? 1 : 2;
  int end[3] = {cell[0], cell[1], cell[2]};
  end[axis]++;
  end[x] += edge & 1;
  end[y] += edge >> 1 & 1;
  return c->vertex[3 * pointAt(c->grid, end) + (size_t)axis];
}

static int insideAt(const Cubes* c, const int cell[3]) {
  int inside = 0;
  for (int j = 0; j < 8; j++) {
    int corner[3] = {cell[0] + (j & 1), cell[1] + (j >> 1 & 1), cell[2] + (j >> 2 & 1)};
    inside |= (c->grid->value[pointAt(c->grid, corner)] < 0) << j;
  }
  return inside;
}

// count the corners of triangles, and write them if there is room
static void makeFaces(Cubes* c, int* face) {
  const int* n = c->grid->n;
  size_t corners = 0;
  int cell[3];
  for (cell[2] = 0; cell[2] + 1 < n[2]; cell[2]++) {
    for (cell[1] = 0; cell[1] + 1 < n[1]; cell[1]++) {
      for (cell[0] = 0; cell[0] + 1 < n[0]; cell[0]++) {
        const char* row = kCubes[insideAt(c, cell)];
        for (int i = 0; i < 16 && row[i]; i++, corners++) {
          if (face) face[corners] = vertexOn(c, cell, row[i]);
        }
      }
    }
  }
  c->nface = (int)(corners / 3);
}

// ---- normals

static void sub(float r[3], const float a[3], const float b[3]) {
  for (int k = 0; k < 3; k++) r[k] = a[k] - b[k];
}

// sums of the faces' normals, by area
static void makeNormals(float* normal, const Cubes* c, const int* face) {
  memset(normal, 0, 3 * (size_t)c->nvert * sizeof *normal);
  for (int f = 0; f < c->nface; f++) {
    const int* v = face + 3 * (size_t)f;
    float a[3], b[3];
    sub(a, c->place + 3 * (size_t)v[1], c->place + 3 * (size_t)v[0]);
    sub(b, c->place + 3 * (size_t)v[2], c->place + 3 * (size_t)v[1]);
    float cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) normal[3 * (size_t)v[i] + (size_t)k] += cross[k];
    }
  }
  for (size_t i = 0; i < (size_t)c->nvert; i++) {
    float* n = normal + 3 * i;
    float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3 && length > 0; k++) n[k] /= length;
  }
}

// ---- the whole

static int makeArrays(mjiRawMesh* mesh, Cubes* c) {
  makeVertices(c);
  makeFaces(c, NULL);
  size_t nvert = 3 * (size_t)c->nvert, nface = 3 * (size_t)c->nface;
  mesh->vert = mju_malloc(nvert * sizeof *mesh->vert + 1);
  mesh->normal = mju_malloc(nvert * sizeof *mesh->normal + 1);
  mesh->face = mju_malloc(nface * sizeof *mesh->face + 1);
  c->place = mju_malloc(nvert * sizeof *c->place + 1);
  if (!mesh->vert || !mesh->normal || !mesh->face || !c->place) return -1;
  makeVertices(c);
  makeFaces(c, mesh->face);
  makeNormals(mesh->normal, c, mesh->face);
  mesh->nvert = mesh->nnormal = c->nvert;
  mesh->nface = c->nface;
  const mjiGrid* g = c->grid;
  for (size_t i = 0; i < nvert; i++) {
    int k = (int)(i % 3);
    mesh->vert[i] = (float)(g->lo[k] + g->size[k] * (double)c->place[i] / (g->n[k] - 1));
  }
  return 0;
}

int mji_cubes_make(mjiRawMesh* mesh, const mjiGrid* grid) {
  Cubes c = {.grid = grid, .vertex = mju_malloc(3 * count(grid) * sizeof(int))};
  int bad = !c.vertex || makeArrays(mesh, &c);
  mju_free(c.vertex);
  mju_free(c.place);
  return bad ? -1 : 0;
}
