// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Meshes of plugins that compute signed distances: the plugin is asked on a grid over its box, and the surface is where
// the distance is zero.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compile/compile.h"
#include "compile/mesh_cubes.h"

enum { POINTS = 300 };  // of the grid, along the three axes together

// Attributes of an instance, as the plugin reads its texts. NULL without memory.
static double* attributesOf(const mjpPlugin* plugin, const mjiElem* instance) {
  size_t n = (size_t)plugin->nattribute + 1;
  const char** text = calloc(2 * n, sizeof *text);
  double* attribute = calloc(n, sizeof *attribute);
  if (text && attribute) {
    for (int i = 0; i < plugin->nattribute; i++) {
      text[i] = plugin->attributes[i];
      text[n + (size_t)i] = mji_plugin_value(instance, plugin->attributes[i]);
    }
    plugin->sdf_attribute(attribute, text, text + n);
  }
  free(text);
  return attribute;
}

// the grid over a box; zero if the box has no volume
static int layGrid(mjiGrid* g, const mjtNum box[6]) {
  double total = box[3] + box[4] + box[5];
  for (int k = 0; k < 3; k++) {
    if (!(box[3 + k] > 0) || !isfinite(total) || !isfinite(box[k])) return 0;
    int n = (int)(POINTS * box[3 + k] / total) + 1;
    g->n[k] = n < 2 ? 2 : n;
    g->lo[k] = box[k] - box[3 + k];
    g->size[k] = 2 * box[3 + k];
  }
  return 1;
}

static void sample(const mjiGrid* g, const mjpPlugin* plugin, const double* attribute) {
  double* value = g->value;
  for (int z = 0; z < g->n[2]; z++) {
    for (int y = 0; y < g->n[1]; y++) {
      for (int x = 0; x < g->n[0]; x++) {
        int at[3] = {x, y, z};
        mjtNum point[3];
        for (int k = 0; k < 3; k++) point[k] = g->lo[k] + g->size[k] * at[k] / (g->n[k] - 1);
        *value++ = plugin->sdf_staticdistance(point, attribute);
      }
    }
  }
}

static int fill(mjiCompile* c, const mjiElem* e, mjiGrid* g, const mjpPlugin* plugin, const double* attribute) {
  mjtNum box[6] = {0};
  plugin->sdf_aabb(box, attribute);
  if (!layGrid(g, box)) {
    return mji_compile_error(c, e, "the box of plugin '%.200s' has half sizes %g %g %g: expected positive ones",
                             plugin->name, box[3], box[4], box[5]);
  }
  g->value = mju_malloc((size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2] * sizeof *g->value);
  if (!g->value) return mji_compile_error(c, e, "out of memory");
  sample(g, plugin, attribute);
  return 0;
}

int mji_mesh_askPlugin(mjiCompile* c, const mjiElem* e, mjiRawMesh* mesh) {
  const mjsPlugin* use = &e->as.mesh.plugin;
  const mjpPlugin* plugin = mji_plugin_used(use);
  if (!plugin->sdf_attribute || !plugin->sdf_aabb || !plugin->sdf_staticdistance) {
    return mji_compile_error(c, e,
                             "plugin '%.200s' has no functions for meshes: sdf_attribute, sdf_aabb and "
                             "sdf_staticdistance",
                             plugin->name);
  }
  for (int k = 0; k < 3; k++) {
    if (e->as.mesh.scale[k] != 1) return mji_compile_error(c, e, "a mesh of a plugin cannot have a scale");
  }
  if (*mjs_getString(e->as.mesh.file)) return mji_compile_error(c, e, "a mesh has a file or a plugin, not both");

  // the plugin may fail with an error
  mjiGrid grid = {0};
  mjiTrap trap;
  if (mji_tryBegin(&trap)) return mji_compile_error(c, e, "plugin '%.100s' failed: %s", plugin->name, trap.text);
  double* attribute = attributesOf(plugin, mji_elem(use->element));
  int bad = attribute ? fill(c, e, &grid, plugin, attribute) : mji_compile_error(c, e, "out of memory");
  mji_tryEnd(&trap);
  if (!bad && mji_cubes_make(mesh, &grid)) bad = mji_compile_error(c, e, "out of memory");
  free(attribute);
  mju_free(grid.value);
  return bad;
}
