// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The plugins that are registered in this process, by slot. A slot is never given back: models keep its number.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "base/memory.h"
#include "model/plugin.h"

enum { MAX_PLUGIN = 1024 };  // more are an error; so the table never moves, and readers need no lock

static mjpPlugin* table[MAX_PLUGIN];
static atomic_int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void mjp_defaultPlugin(mjpPlugin* plugin) { memset(plugin, 0, sizeof *plugin); }

int mjp_pluginCount(void) { return atomic_load_explicit(&count, memory_order_acquire); }

const mjpPlugin* mjp_getPluginAtSlot(int slot) { return slot < 0 || slot >= mjp_pluginCount() ? NULL : table[slot]; }

const mjpPlugin* mjp_getPlugin(const char* name, int* slot) {
  int n = mjp_pluginCount();
  for (int i = 0; name && *name && i < n; i++) {
    if (strcmp(table[i]->name, name)) continue;
    if (slot) *slot = i;
    return table[i];
  }
  if (slot) *slot = -1;
  return NULL;
}

// ---- register

// everything but the two pointers to texts is compared as bytes: numbers and functions without padding between
static int same(const mjpPlugin* a, const mjpPlugin* b) {
  mjpPlugin x = *a, y = *b;
  if (strcmp(x.name, y.name) || x.nattribute != y.nattribute) return 0;
  for (int i = 0; i < x.nattribute; i++) {
    if (strcmp(x.attributes[i], y.attributes[i])) return 0;
  }
  x.name = y.name = NULL;
  x.attributes = y.attributes = NULL;
#define F(field) x.field == y.field
  return F(capabilityflags) && F(needstage) && F(nstate) && F(nsensordata) && F(init) && F(destroy) && F(copy) &&
         F(reset) && F(compute) && F(advance) && F(visualize) && F(actuator_act_dot) && F(sdf_distance) &&
         F(sdf_gradient) && F(sdf_staticdistance) && F(sdf_attribute) && F(sdf_aabb);
#undef F
}

// a copy with its own texts, in one block; NULL if memory is out
static mjpPlugin* copyPlugin(const mjpPlugin* plugin) {
  size_t size = sizeof *plugin + (size_t)plugin->nattribute * sizeof(char*) + strlen(plugin->name) + 1;
  for (int i = 0; i < plugin->nattribute; i++) size += strlen(plugin->attributes[i]) + 1;
  mjpPlugin* copy = mji_tryCalloc(size);
  if (!copy) return NULL;
  *copy = *plugin;
  char** attributes = (char**)(void*)(copy + 1);
  char* text = (char*)(attributes + plugin->nattribute);
  copy->attributes = (const char* const*)attributes;
  for (int i = 0; i < plugin->nattribute; i++) {
    attributes[i] = strcpy(text, plugin->attributes[i]);
    text += strlen(text) + 1;
  }
  copy->name = strcpy(text, plugin->name);
  return copy;
}

// what is wrong with a definition; NULL if nothing
static const char* wrongWith(const mjpPlugin* plugin) {
  if (!plugin->name || !*plugin->name) return "it has no name";
  if (plugin->nattribute < 0 || (plugin->nattribute && !plugin->attributes)) return "it has no list of attributes";
  for (int i = 0; i < plugin->nattribute; i++) {
    if (!plugin->attributes[i] || !*plugin->attributes[i]) return "one of its attributes has no name";
    for (int k = 0; k < i; k++) {
      if (!strcmp(plugin->attributes[i], plugin->attributes[k])) return "two of its attributes have the same name";
    }
  }
  return NULL;
}

// slot of the plugin, or -1 with the reason
static int addLocked(const mjpPlugin* plugin, const char** why) {
  int n = mjp_pluginCount(), slot;
  const mjpPlugin* other = mjp_getPlugin(plugin->name, &slot);
  if (other) {
    *why = "another plugin has the same name";
    return same(other, plugin) ? slot : -1;
  }
  *why = "there are too many plugins";
  if (n == MAX_PLUGIN) return -1;
  *why = "out of memory";
  if (!(table[n] = copyPlugin(plugin))) return -1;
  atomic_store_explicit(&count, n + 1, memory_order_release);
  return n;
}

int mjp_registerPlugin(const mjpPlugin* plugin) {
  const char* why = wrongWith(plugin);
  if (why) {
    mju_error("plugin '%.200s' cannot be registered: %s", plugin->name ? plugin->name : "", why);
    return -1;
  }
  pthread_mutex_lock(&lock);
  int slot = addLocked(plugin, &why);
  pthread_mutex_unlock(&lock);
  if (slot < 0) mju_error("plugin '%.200s' cannot be registered: %s", plugin->name, why);
  return slot;
}

// ---- attributes of an instance

const char* mj_getPluginConfig(const mjModel* m, int plugin_id, const char* attrib) {
  if (plugin_id < 0 || plugin_id >= m->nplugin || !attrib) return NULL;
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[plugin_id]);
  if (!plugin) return NULL;
  const char* value = m->plugin_attr + m->plugin_attradr[plugin_id];
  for (int i = 0; i < plugin->nattribute; i++, value += strlen(value) + 1) {
    if (!strcmp(plugin->attributes[i], attrib)) return value;
  }
  return NULL;
}

// Do the texts of all attributes of an instance end where the model has text?
static int textsOk(const mjModel* m, int instance, const mjpPlugin* plugin) {
  int at = m->plugin_attradr[instance], end = m->npluginattr;
  if (at < 0) return 0;
  for (int k = 0; k < plugin->nattribute; k++) {
    const char* zero = at < end ? memchr(m->plugin_attr + at, 0, (size_t)(end - at)) : NULL;
    if (!zero) return 0;
    at = (int)(zero - m->plugin_attr) + 1;
  }
  return 1;
}

const char* mji_plugin_check(const mjModel* m) {
  int next = 0;
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (!plugin) return "The model needs a plugin that is not registered";
    if (!plugin->nstate) return "A plugin has no function nstate";
    // states lie in the order of instances
    int n = m->plugin_statenum[i];
    if (n < 0 || m->plugin_stateadr[i] != next || n > m->npluginstate - next) return "plugin_stateadr";
    next += n;
    if (!textsOk(m, i, plugin)) return "plugin_attr";
  }
  if (next != m->npluginstate) return "npluginstate";
  for (int i = 0; i < m->nsensor; i++) {
    if ((m->sensor_type[i] == mjSENS_PLUGIN) != (m->sensor_plugin[i] >= 0)) return "sensor_plugin";
  }
  return NULL;
}
