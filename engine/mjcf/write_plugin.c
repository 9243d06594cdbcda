// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Plugins: declarations with named instances, and what elements say. An instance without a name is written where it is
// used.

#include <string.h>

#include "mjcf/write.h"
#include "spec/plugin_use.h"

static void writeConfig(mjiWriter* w, const mjiElem* instance) {
  for (int i = 0; i + 1 < instance->config.num; i += 2) {
    mji_writeOpen(w, "config");
    mji_writeText(w, "key", mji_vec_textAt(&instance->config, i));
    mji_writeText(w, "value", mji_vec_textAt(&instance->config, i + 1));
    mji_writeClose(w, "config");
  }
}

static int isOf(const mjiElem* instance, const char* plugin) {
  return *mji_plugin_name(instance) && !strcmp(mjs_getString(instance->as.plugin.plugin_name), plugin);
}

void mji_writeExtension(mjiWriter* w) {
  size_t start = mji_writeOpen(w, "extension");
  const mjiVec* list = w->spec->list + mjOBJ_PLUGIN;
  for (int k = 0; k < w->spec->active.num; k++) {
    const char* plugin = mji_vec_textAt(&w->spec->active, k);
    mji_writeOpen(w, "plugin");
    mji_writeText(w, "plugin", plugin);
    for (int i = 0; i < list->num; i++) {
      const mjiElem* instance = mji_elem_at(list, i);
      if (!isOf(instance, plugin)) continue;
      mji_writeOpen(w, "instance");
      mji_writeText(w, "name", mji_plugin_name(instance));
      writeConfig(w, instance);
      mji_writeClose(w, "instance");
    }
    mji_writeClose(w, "plugin");
  }
  mji_writeCloseUsed(w, "extension", start);
}

void mji_writePluginUse(mjiWriter* w, const mjsPlugin* p) {
  const mjiElem* instance = mji_elem(p->element);
  const char* name = mji_plugin_name(instance);
  mji_writeText(w, "plugin", mjs_getString(instance->as.plugin.plugin_name));
  if (*name) mji_writeText(w, "instance", name);
  else writeConfig(w, instance);
}

void mji_writePlugin(mjiWriter* w, const mjsPlugin* p) {
  if (!p->active) return;
  mji_writeOpen(w, "plugin");
  mji_writePluginUse(w, p);
  mji_writeClose(w, "plugin");
}
