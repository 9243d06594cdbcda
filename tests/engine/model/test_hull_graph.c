// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/hull_graph.h"

#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/work.h"

// a large hull, a small one, and one whose tip has 20 neighbours
static mjModel* makeModel(void) {
  char cone[2000] = "", text[4000];
  for (int i = 0; i < 20; i++) {
    sprintf(cone + strlen(cone), "%.9g %.9g 0 ", .1 * cos(i * mjPI / 10), .1 * sin(i * mjPI / 10));
  }
  snprintf(text, sizeof text,
           "<mujoco><asset><mesh name='ball' builtin='sphere' params='3' scale='.1 .2 .3'/>"
           "<mesh name='round' builtin='sphere' params='0' scale='.1 .1 .1'/><mesh name='cone' vertex='%s 0 0 .2'/>"
           "<mesh name='seen' builtin='sphere' params='2' scale='.1 .1 .1'/></asset><worldbody>"
           "<geom type='mesh' mesh='ball'/><geom type='mesh' mesh='seen' contype='0' conaffinity='0'/>"
           "<body pos='1 0 0'><freejoint/><geom type='mesh' mesh='round'/></body>"
           "<body pos='2 0 0'><freejoint/><geom type='mesh' mesh='cone'/></body></worldbody></mujoco>",
           cone);
  return test_model(text);
}

static mjtNum farthest(const mjModel* m, int mesh, const mjtNum dir[3]) {
  mjtNum most = -mjMAXVAL;
  for (int i = 0; i < m->mesh_vertnum[mesh]; i++) {
    const float* v = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + i);
    most = fmax(most, dir[0] * (mjtNum)v[0] + dir[1] * (mjtNum)v[1] + dir[2] * (mjtNum)v[2]);
  }
  return most;
}

static mjtNum noise(unsigned* state) { return 2 * (rand_r(state) / (mjtNum)RAND_MAX) - 1; }

// from the table, and from any node; directions between the axes and along them
TEST(climbs_end_at_the_farthest_vertex) {
  mjModel* m = makeModel();
  if (!m) return;
  CHECK(m->mesh_graph[m->mesh_graphadr[0]] >= LARGE_HULL);
  unsigned state = 1;
  const int mesh[3] = {0, 1, 2};
  for (int i = 0; i < 3; i++) {
    const mjiHull* h = mji_planHulls(mji_plan(m)) + mesh[i];
    CHECK(h->nblock > 0 && !h->start == (i > 0));
    for (int k = 0; k < 2000; k++) {
      mjtNum dir[3] = {noise(&state), noise(&state), noise(&state)};
      if (k < 54) {
        for (int j = 0, n = k; j < 3; j++, n /= 3) dir[j] = n % 3 - 1;
      }
      int cell = mji_hull_cell(dir), from = h->start ? h->start[cell] : 0;
      if (from < 0) from = mji_hull_ofCell(h, cell, dir);
      for (int other = 0; other < 2; other++) {
        const mjiHullBlock* b = h->block + mji_hull_climb(h->block, from, dir);
        CHECK_NEAR(dir[0] * b->x[0] + dir[1] * b->y[0] + dir[2] * b->z[0], farthest(m, mesh[i], dir), 1e-7);
        int node = h->node[rand_r(&state) % (unsigned)h->nblock];
        for (from = 0; h->node[from] != node;) from++;
      }
    }
  }
  CHECK_EQ(mji_planHulls(mji_plan(m))[3].nblock, 0);  // nothing collides with it
  mj_deleteModel(m);
}

// Most cells of a large hull have a block of what may be farthest, and need no climb: in their corners, too.
TEST(blocks_of_cells_have_the_farthest_vertex) {
  mjModel* m = makeModel();
  if (!m) return;
  unsigned state = 1;
  const mjiHull* h = mji_planHulls(mji_plan(m));
  int blocks = 0;
  for (int cell = 0; cell < HULL_CELLS; cell++) {
    if (h->start[cell] >= 0) continue;
    blocks++;
    int face = cell / (HULL_SIDE * HULL_SIDE), axis = face / 2;
    for (int k = 0; k < 30; k++) {
      mjtNum dir[3], at[2] = {k < 4 ? k % 2 : .5 + .5 * noise(&state), k < 4 ? k / 2 : .5 + .5 * noise(&state)};
      dir[axis] = face % 2 ? -1 : 1;
      dir[axis == 0] = 2 * (cell / HULL_SIDE % HULL_SIDE + at[0]) / HULL_SIDE - 1;
      dir[axis == 2 ? 1 : 2] = 2 * (cell % HULL_SIDE + at[1]) / HULL_SIDE - 1;
      const mjiHullBlock* b = h->block + mji_hull_ofCell(h, cell, dir);
      mjtNum along = dir[0] * (mjtNum)b->x[0] + dir[1] * (mjtNum)b->y[0] + dir[2] * (mjtNum)b->z[0];
      CHECK_NEAR(along, farthest(m, 0, dir), 1e-15);
    }
  }
  CHECK(blocks > HULL_CELLS / 2);
  const mjtNum odd[2][3] = {{NAN, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < 2; i++) CHECK_EQ(mji_hull_farthestOf(h->block, odd[i]), 0);
  mj_deleteModel(m);
}

// a small hull has one farthest node, or two that tie
TEST(nodes_of_small_hulls_are_compared) {
  mjModel* m = makeModel();
  if (!m) return;
  unsigned state = 1;
  const mjiHull* large = mji_planHulls(mji_plan(m));
  CHECK(!large->place && large->start);
  for (int mesh = 1; mesh < 3; mesh++) {
    const mjiHull* h = large + mesh;
    int tied = 0, stride = mji_hull_stride(h);
    for (int k = 0; k < 2000; k++) {
      mjtNum dir[3] = {noise(&state), noise(&state), noise(&state)};
      int node = mji_hull_farthest(h, dir);
      tied += node < 0;
      if (node < 0) continue;
      const mjtNum* p = h->place + node;
      CHECK_NEAR(dir[0] * p[0] + dir[1] * p[stride] + dir[2] * p[2 * stride], farthest(m, mesh, dir), 1e-15);
      CHECK_EQ(h->node[h->first[node]], node);
      CHECK_EQ(h->node[mji_hull_climb(h->block, h->first[k % h->nnode], dir)], node);
    }
    CHECK(tied < 10);
  }

  // the tip of the cone; its rim, and no direction at all
  const mjtNum dir[4][3] = {{0, 0, 1}, {0, 0, -1}, {0, 0, 0}, {NAN, 0, 0}};
  for (int i = 0; i < 4; i++) CHECK_EQ(mji_hull_farthest(large + 2, dir[i]) >= 0, i == 0);
  mj_deleteModel(m);
}

TEST(directions_that_are_not_finite_have_a_cell) {
  const mjtNum odd[] = {NAN, INFINITY, -INFINITY, 0, 1e-300, -1, 1};
  int n = sizeof odd / sizeof *odd;
  for (int i = 0; i < n * n * n; i++) {
    mjtNum dir[3] = {odd[i % n], odd[i / n % n], odd[i / n / n]};
    int cell = mji_hull_cell(dir);
    CHECK(cell >= 0 && cell < HULL_CELLS);
  }
}

// lay out the hulls of a model, in memory of its own
static mjiHull* layOut(const mjModel* m) {
  size_t bytes = mji_hull_bytes(m);
  mjiHull* hull = aligned_alloc(HULL_ALIGN, (bytes + HULL_ALIGN - 1) / HULL_ALIGN * HULL_ALIGN);
  memset(hull, 0, bytes);
  mji_hull_layOut(m, hull);
  return hull;
}

// Vertices that are no hull: a climb ends anywhere, and no cell may have a block of nothing.
TEST(cells_of_damaged_hulls_have_nodes) {
  mjModel* m = makeModel();
  if (!m) return;
  unsigned state = 5;
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < 3 * m->mesh_vertnum[0]; i++) m->mesh_vert[3 * m->mesh_vertadr[0] + i] = (float)noise(&state);
    mjiHull* h = layOut(m);
    int wrong = 0;
    for (int cell = 0; cell < HULL_CELLS; cell++) {
      for (int i = 0; i < HULL_BLOCK && h->start[cell] < 0; i++) {
        const mjiHullBlock *b = h->cell + cell, *node = h->block + b->first[i];
        wrong += b->first[i] < 0 || b->first[i] >= h->nblock || b->x[i] != node->x[0] || b->z[i] != node->z[0];
      }
    }
    CHECK_EQ(wrong, 0);
    free(h);
  }
  mj_deleteModel(m);
}

// However many hulls a file has, the memory beside it is bounded.
TEST(blocks_of_cells_are_for_the_first_hulls) {
  enum { MESHES = 140 };
  char* text = malloc(MESHES * 200);
  size_t n = (size_t)sprintf(text, "<mujoco><asset>");
  for (int i = 0; i < MESHES; i++) n += (size_t)sprintf(text + n, "<mesh name='m%d' builtin='sphere' params='2'/>", i);
  n += (size_t)sprintf(text + n, "</asset><worldbody>");
  for (int i = 0; i < MESHES; i++) n += (size_t)sprintf(text + n, "<geom type='mesh' mesh='m%d'/>", i);
  sprintf(text + n, "</worldbody></mujoco>");
  mjModel* m = test_model(text);
  free(text);
  if (!m) return;
  const mjiHull* h = mji_planHulls(mji_plan(m));
  int celled = 0, started = 0;
  for (int i = 0; i < MESHES; i++) {
    celled += h[i].cell != NULL;
    for (int cell = 0; cell < HULL_CELLS && !h[i].cell; cell++) started += h[i].start[cell] >= 0;
  }
  CHECK_EQ(celled, 128);
  CHECK_EQ(started, (MESHES - 128) * HULL_CELLS);
  mj_deleteModel(m);
}

// lists that overlap could need any memory
TEST(damaged_graphs_have_no_layout) {
  mjModel* m = makeModel();
  if (!m) return;
  size_t whole = mji_hull_bytes(m);
  int* graph = m->mesh_graph + m->mesh_graphadr[0];
  for (int i = 0; i < graph[0]; i++) graph[2 + i] = 0;
  CHECK(mji_hull_bytes(m) < whole);
  mjiHull* hull = layOut(m);
  CHECK_EQ(hull[0].nblock, 0);
  CHECK(hull[1].nblock > 0);
  free(hull);
  mj_deleteModel(m);
}

// a program makes its meshes larger after they were compiled
TEST(vertices_that_changed_are_used) {
  mjModel* m = makeModel();
  if (!m) return;
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 3 * m->nmeshvert; i++) m->mesh_vert[i] *= 2;
  for (int i = 0; i < m->ngeom; i++) m->geom_rbound[i] *= 2;
  mj_kinematics(m, d);
  d->geom_xpos[0] = d->geom_xpos[1] = d->geom_xpos[2] = 0;
  for (int k = 0; k < 2; k++) {
    mju_copy3(d->geom_xpos + 6, d->geom_xpos);
    d->geom_xpos[6] += k ? .45 : .35;
    mjtNum dist = mj_geomDistance(m, d, 0, 2, 1, NULL);
    CHECK(k ? dist > 0.01 : dist < -0.01);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}
