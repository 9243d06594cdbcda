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

// What the plugin is asked. The caller frees it, also after an error of the plugin.
typedef struct Field_ {
  const mjpPlugin* plugin;
  const char** text;  // names of its attributes, then their values
  double* attribute;  // as the plugin reads the texts
  mjiGrid grid;
} Field;

static int takeAttributes(Field* f, const mjiElem* instance) {
  const mjpPlugin* plugin = f->plugin;
  size_t n = (size_t)plugin->nattribute + 1;
  f->text = calloc(2 * n, sizeof *f->text);
  f->attribute = calloc(n, sizeof *f->attribute);
  if (!f->text || !f->attribute) return -1;
  for (int i = 0; i < plugin->nattribute; i++) {
    f->text[i] = plugin->attributes[i];
    f->text[n + (size_t)i] = mji_plugin_value(instance, plugin->attributes[i]);
  }
  plugin->sdf_attribute(f->attribute, f->text, f->text + n);
  return 0;
}

// the grid over a box; zero if the box has no volume
static int layGrid(mjiGrid* g, const mjtNum box[6]) {
  double total = box[3] + box[4] + box[5];
  for (int k = 0; k < 3; k++) {
    if (!(box[3 + k] > 0) || !isfinite(total) || !isfinite(box[k])) return 0;
  }
  for (int k = 0; k < 3; k++) {
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

static int fill(mjiCompile* c, const mjiElem* e, Field* f) {
  mjtNum box[6] = {0};
  mjiGrid* g = &f->grid;
  f->plugin->sdf_aabb(box, f->attribute);
  if (!layGrid(g, box)) {
    return mji_compile_error(c, e, "the box of plugin '%.200s' has half sizes %g %g %g: expected positive ones",
                             f->plugin->name, box[3], box[4], box[5]);
  }
  g->value = mju_malloc((size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2] * sizeof *g->value);
  if (!g->value) return mji_compile_error(c, e, "out of memory");
  sample(g, f->plugin, f->attribute);
  return 0;
}

// the plugin may fail with an error
static int ask(mjiCompile* c, const mjiElem* e, Field* f) {
  mjiTrap trap;
  if (mji_tryBegin(&trap)) return mji_compile_error(c, e, "plugin '%.100s' failed: %s", f->plugin->name, trap.text);
  int bad =
      takeAttributes(f, mji_elem(e->as.mesh.plugin.element)) ? mji_compile_error(c, e, "out of memory") : fill(c, e, f);
  mji_tryEnd(&trap);
  return bad;
}

int mji_mesh_askPlugin(mjiCompile* c, const mjiElem* e, mjiRawMesh* mesh) {
  const mjpPlugin* plugin = mji_plugin_used(&e->as.mesh.plugin);
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

  Field f = {.plugin = plugin};
  int bad = ask(c, e, &f);
  if (!bad && mji_cubes_make(mesh, &f.grid)) bad = mji_compile_error(c, e, "out of memory");
  free(f.text);
  free(f.attribute);
  mju_free(f.grid.value);
  return bad;
}
