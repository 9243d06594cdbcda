// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The instances of one data: initialized when it is made, destroyed with it. d->nplugin counts the initialized ones; it
// is zero in data of several lanes, as models with plugins are computed one state at a time.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/plugin.h"

// The sizes that the plugin wants now must be those that the model has: a model from a file may have others.
static const char* sizesOk(const mjModel* m, int i, const mjpPlugin* plugin) {
  if (plugin->nstate(m, i) != m->plugin_statenum[i]) return "its state has another size in the model";
  for (int s = 0; s < m->nsensor; s++) {
    if (m->sensor_plugin[s] != i) continue;
    if (!plugin->nsensordata) return "it has no function nsensordata";
    if (plugin->nsensordata(m, i, s) != m->sensor_dim[s]) return "its sensor has another size in the model";
  }
  return NULL;
}

// What is wrong with an instance, NULL if nothing. A plugin that fails warns of the reason.
static const char* initialize(const mjModel* m, mjData* d, int i, const mjpPlugin* plugin, char* warning) {
  *warning = 0;
  if (!plugin) return "it is not registered";
  const char* wrong = sizesOk(m, i, plugin);
  if (wrong || !plugin->init) return wrong;
  mji_hearWarning(warning);
  const int failed = plugin->init(m, d, i) < 0;
  mji_hearWarning(NULL);
  if (failed) return *warning ? "it cannot be initialized: " : "it cannot be initialized";
  if (*warning) mju_warning("%s", warning);
  return NULL;
}

static int createAll(const mjModel* m, mjData* d, char* why, size_t nwhy) {
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    char warning[MJI_ERROR_TEXT];
    const char* wrong = initialize(m, d, i, plugin, warning);
    if (wrong) {
      snprintf(why, nwhy, "plugin instance %d ('%.200s'): %s%s", i, plugin ? plugin->name : "", wrong, warning);
      return -1;
    }
    d->nplugin = i + 1;
  }
  mji_plugin_reset(m, d);
  return 0;
}

int mji_plugin_create(const mjModel* m, mjData* d, char* why, size_t nwhy) {
  memcpy(d->plugin, m->plugin, (size_t)m->nplugin * sizeof(int));
  mjiTrap trap;
  if (mji_tryBegin(&trap)) {
    snprintf(why, nwhy, "a plugin failed: %.200s", trap.text);
    mji_plugin_destroy(d);
    return -1;
  }
  const int failed = createAll(m, d, why, nwhy);
  mji_tryEnd(&trap);
  if (failed) mji_plugin_destroy(d);
  return failed;
}

void mji_plugin_destroy(mjData* d) {
  for (int i = 0; i < d->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(d->plugin[i]);
    if (plugin && plugin->destroy) plugin->destroy(d, i);
    d->plugin_data[i] = 0;
  }
  d->nplugin = 0;
}

void mji_plugin_save(const mjData* d, uintptr_t* keep) {
  if (d->nplugin) memcpy(keep, d->plugin_data, (size_t)d->nplugin * sizeof *keep);
}

void mji_plugin_restore(const mjModel* m, mjData* d, const uintptr_t* keep) {
  if (!d->nplugin) return;
  memcpy(d->plugin, m->plugin, (size_t)d->nplugin * sizeof(int));
  memcpy(d->plugin_data, keep, (size_t)d->nplugin * sizeof *keep);
}

void mji_plugin_reset(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    mjtNum* state = m->plugin_statenum[i] ? d->plugin_state + m->plugin_stateadr[i] : NULL;
    if (plugin->reset) plugin->reset(m, state, (void*)d->plugin_data[i], i);  // NOLINT: the interface wants a pointer
  }
}

void mji_plugin_copy(mjData* dest, const mjModel* m, const mjData* src) {
  for (int i = 0; i < dest->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (plugin->copy) plugin->copy(dest, m, src, i);
  }
}
