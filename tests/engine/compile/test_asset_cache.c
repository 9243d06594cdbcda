// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The asset cache: a mesh of a file is compiled once, and taken again only for the same bytes and the same attributes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"

static const char solid[] = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
static const char other[] = "v 0 0 0\nv 9 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

// a geom of a mesh with attributes, whose file holds a text
static mjModel* load(const char* text, const char* attributes) {
  mjVFS vfs;
  char xml[500], error[300] = "";
  snprintf(xml, sizeof xml,
           "<mujoco><asset><mesh name='m' file='m.obj' %s/></asset><worldbody><body><geom type='mesh' mesh='m'/></body>"
           "</worldbody></mujoco>",
           attributes);
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.obj", text, (int)strlen(text));
  mj_addBufferVFS(&vfs, "x.xml", xml, (int)strlen(xml));
  mjModel* m = mj_loadXML("x.xml", &vfs, error, sizeof error);
  CHECK_TEXT(error, "");
  mj_deleteVFS(&vfs);
  return m;
}

static size_t size(void) { return mj_getCacheSize(mj_getCache()); }

// Are the meshes of two models the same?
static int same(const mjModel* a, const mjModel* b) {
  return a->nmeshvert == b->nmeshvert && a->nmeshgraph == b->nmeshgraph && a->nmeshpoly == b->nmeshpoly &&
         !memcmp(a->mesh_vert, b->mesh_vert, 3 * (size_t)a->nmeshvert * sizeof *a->mesh_vert) &&
         !memcmp(a->mesh_graph, b->mesh_graph, (size_t)a->nmeshgraph * sizeof *a->mesh_graph) &&
         !memcmp(a->mesh_polynormal, b->mesh_polynormal, 3 * (size_t)a->nmeshpoly * sizeof *a->mesh_polynormal) &&
         !memcmp(a->body_inertia, b->body_inertia, 3 * (size_t)a->nbody * sizeof *a->body_inertia) &&
         a->npaths == b->npaths && !memcmp(a->paths, b->paths, (size_t)a->npaths);
}

TEST(a_mesh_of_the_cache_is_the_mesh_of_the_file) {
  mj_clearCache(mj_getCache());
  CHECK(!size());
  mjModel* first = load(solid, "");
  size_t one = size();
  mjModel* second = load(solid, "");
  CHECK(one > sizeof solid && size() == one);
  CHECK(same(first, second));
  mj_clearCache(mj_getCache());
  mjModel* third = load(solid, "");
  CHECK(same(first, third));
  mj_deleteModel(first);
  mj_deleteModel(second);
  mj_deleteModel(third);
}

TEST(other_bytes_and_other_attributes_are_other_meshes) {
  static const char* const attributes[] = {"",
                                           "scale='1 1 2'",
                                           "refpos='1 0 0'",
                                           "refquat='1 1 0 0'",
                                           "inertia='shell'",
                                           "smoothnormal='true'",
                                           "maxhullvert='4'",
                                           "inertia='convex'"};
  mj_clearCache(mj_getCache());
  size_t before = size();
  for (int i = 0; i < 8; i++) {
    mj_deleteModel(load(solid, attributes[i]));
    CHECK(size() > before);
    before = size();
  }
  mjModel* m = load(other, "");
  CHECK(size() > before && m->mesh_pos[0] != 0 && fabs(m->body_ipos[3] - 9.0 / 4) < 1e-6);
  mj_deleteModel(m);

  // lists of the specification beside the file are not remembered
  before = size();
  mj_deleteModel(load(solid, "normal='1 0 0 0 1 0 0 0 1 1 0 0'"));
  CHECK(size() == before);
}

TEST(room_is_made_for_the_meshes_used_last) {
  mjCache* cache = mj_getCache();
  size_t capacity = mj_getCacheCapacity(cache);
  CHECK(capacity == (size_t)500 << 20);
  mj_clearCache(cache);
  mj_deleteModel(load(solid, ""));
  size_t one = size();
  CHECK(mj_setCacheCapacity(cache, 2 * one) == 2 * one && size() == one);
  mj_deleteModel(load(other, ""));
  CHECK(size() == 2 * one);
  mj_deleteModel(load(solid, ""));               // used again
  mj_deleteModel(load(solid, "scale='2 2 2'"));  // so the other one goes
  CHECK(size() == 2 * one);
  CHECK(mj_setCacheCapacity(cache, one) == one && size() == one);
  CHECK(mj_setCacheCapacity(cache, one - 1) == one - 1 && !size());
  mj_deleteModel(load(solid, ""));
  CHECK(!size());
  CHECK(mj_setCacheCapacity(cache, 0) == 0 && mj_getCacheCapacity(cache) == 0);
  CHECK(mj_setCacheCapacity(cache, capacity) == capacity);
  CHECK(!mj_getCacheSize(NULL) && !mj_getCacheCapacity(NULL) && !mj_setCacheCapacity(NULL, 5));
}
