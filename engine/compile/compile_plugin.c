// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Plugin instances: which plugin each is an instance of, its attributes, and the elements that use it. What a plugin
// says about sizes of states and sensors is asked last, when the rest of the model is there.
#include "spec/plugin_use.h"

#include <limits.h>
#include <string.h>

#include "compile/compile.h"

// ---- checks

static const struct {
  mjtObj type;
  int capability;
  const char* what;
} kUsers[] = {{mjOBJ_BODY, mjPLUGIN_PASSIVE, "passive forces"},
              {mjOBJ_GEOM, mjPLUGIN_SDF, "signed distances"},
              {mjOBJ_MESH, mjPLUGIN_SDF, "signed distances"},
              {mjOBJ_ACTUATOR, mjPLUGIN_ACTUATOR, "actuators"},
              {mjOBJ_SENSOR, mjPLUGIN_SENSOR, "sensors"}};

static const mjpPlugin* pluginOf(const mjiElem* instance) {
  return mjp_getPlugin(mjs_getString(instance->as.plugin.plugin_name), NULL);
}

// the instance that an element uses, NULL after an error
static mjiElem* findInstance(mjiCompile* c, mjiElem* e, const mjsPlugin* p) {
  const char *name = mjs_getString(p->name), *plugin = mjs_getString(p->plugin_name);
  if (p->element) return mji_elem(p->element);
  for (int i = 0; *name && i < mji_count(c, mjOBJ_PLUGIN); i++) {
    mjiElem* instance = mji_get(c, mjOBJ_PLUGIN, i);
    if (!strcmp(mji_plugin_name(instance), name)) return instance;
  }
  if (*name) mji_compile_error(c, e, "plugin instance '%.200s' not found", name);
  else if (*plugin) mji_compile_error(c, e, "there is no instance of plugin '%.200s'", plugin);
  else mji_compile_error(c, e, "neither a plugin nor an instance is given");
  return NULL;
}

// Either the instance or the element that uses it says of which plugin it is; both may, if they agree.
static int takePlugin(mjiCompile* c, mjiElem* e, const mjsPlugin* p, mjiElem* instance) {
  const char *here = mjs_getString(p->plugin_name), *there = mjs_getString(instance->as.plugin.plugin_name);
  if (*here && *there && strcmp(here, there)) {
    return mji_compile_error(c, e, "the instance is one of plugin '%.100s', not '%.100s'", there, here);
  }
  if (!*there) mjs_setString(instance->as.plugin.plugin_name, here);
  return 0;
}

static int checkUser(mjiCompile* c, mjiElem* e, int kind) {
  mjsPlugin* p = mji_plugin_of(e);
  if (!p->active) return 0;
  mjiElem* instance = findInstance(c, e, p);
  if (!instance || takePlugin(c, e, p, instance)) return -1;
  p->element = &instance->head;
  const mjpPlugin* plugin = pluginOf(instance);
  if (plugin && !(plugin->capabilityflags & kUsers[kind].capability)) {
    return mji_compile_error(c, e, "plugin '%.200s' does not compute %s", plugin->name, kUsers[kind].what);
  }
  return 0;
}

static int hasAttribute(const mjpPlugin* plugin, const char* name) {
  int i = 0;
  while (i < plugin->nattribute && strcmp(plugin->attributes[i], name)) i++;
  return i < plugin->nattribute;
}

static int checkInstance(mjiCompile* c, mjiElem* e) {
  const char* name = mjs_getString(e->as.plugin.plugin_name);
  const mjpPlugin* plugin = pluginOf(e);
  if (!*name) return mji_compile_error(c, e, "nothing says of which plugin it is an instance");
  if (!plugin) return mji_compile_error(c, e, "plugin '%.200s' is not registered", name);
  if (!mji_plugin_isActive(c->w, name)) {
    return mji_compile_error(c, e, "plugin '%.200s' is not declared as an extension of the model", name);
  }
  const char* lacks = !plugin->nstate                                                     ? "nstate"
                      : plugin->capabilityflags & mjPLUGIN_SENSOR && !plugin->nsensordata ? "nsensordata"
                      : plugin->capabilityflags & ~mjPLUGIN_SDF && !plugin->compute       ? "compute"
                      : plugin->capabilityflags & mjPLUGIN_SDF && !plugin->sdf_distance   ? "sdf_distance"
                      : plugin->capabilityflags & mjPLUGIN_SDF && !plugin->sdf_gradient   ? "sdf_gradient"
                                                                                          : NULL;
  if (lacks) return mji_compile_error(c, e, "plugin '%.200s' has no function %s", name, lacks);
  for (int i = 0; i + 1 < e->config.num; i += 2) {
    const char* key = mji_vec_textAt(&e->config, i);
    if (!hasAttribute(plugin, key)) {
      return mji_compile_error(c, e, "plugin '%.100s' has no attribute '%.100s'", name, key);
    }
  }
  return 0;
}

int mji_plugin_compile(mjiCompile* c) {
  for (size_t k = 0; k < sizeof kUsers / sizeof *kUsers; k++) {
    for (int i = 0; i < mji_count(c, kUsers[k].type); i++) {
      if (checkUser(c, mji_get(c, kUsers[k].type, i), (int)k)) return -1;
    }
  }
  for (int i = 0; i < mji_count(c, mjOBJ_PLUGIN); i++) {
    mjiElem* e = mji_get(c, mjOBJ_PLUGIN, i);
    if (!*mji_elem_name(e)) mji_vec_setText(&e->name, mjs_getString(e->as.plugin.name));
    if (checkInstance(c, e)) return -1;
  }
  return 0;
}

// ---- packing

int mji_plugin_id(const mjsPlugin* p) { return p->active && p->element ? mji_elem(p->element)->id : -1; }

const mjpPlugin* mji_plugin_used(const mjsPlugin* p) { return pluginOf(mji_elem(p->element)); }

const char* mji_plugin_value(const mjiElem* e, const char* attribute) {
  for (int i = 0; i + 1 < e->config.num; i += 2) {
    if (!strcmp(mji_vec_textAt(&e->config, i), attribute)) return mji_vec_textAt(&e->config, i + 1);
  }
  return "";
}

void mji_plugin_count(const mjiCompile* c, mjModel* sizes) {
  sizes->nplugin = mji_count(c, mjOBJ_PLUGIN);
  for (int i = 0; i < sizes->nplugin; i++) {
    const mjiElem* e = mji_get(c, mjOBJ_PLUGIN, i);
    const mjpPlugin* plugin = pluginOf(e);
    for (int k = 0; k < plugin->nattribute; k++) {
      mji_sizes_add(&sizes->npluginattr, (int64_t)strlen(mji_plugin_value(e, plugin->attributes[k])) + 1);
    }
  }
}

static void packInstance(mjModel* m, const mjiElem* e, int i, int* attradr) {
  const mjpPlugin* plugin = mjp_getPlugin(mjs_getString(e->as.plugin.plugin_name), m->plugin + i);
  m->plugin_attradr[i] = *attradr;
  for (int k = 0; k < plugin->nattribute; k++) {
    const char* value = mji_plugin_value(e, plugin->attributes[k]);
    strcpy(m->plugin_attr + *attradr, value);
    *attradr += (int)strlen(value) + 1;
  }
}

// ask for the sizes of states
static int sizeStates(mjiCompile* c, mjModel* m) {
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    int n = plugin->nstate(m, i);
    if (n < 0) return mji_compile_error(c, mji_get(c, mjOBJ_PLUGIN, i), "its state cannot have %d numbers", n);
    m->plugin_stateadr[i] = m->npluginstate;
    m->plugin_statenum[i] = n;
    mji_sizes_add(&m->npluginstate, n);
  }
  return 0;
}

// ask for the sizes of sensors; all sensors move up
static int sizeSensors(mjiCompile* c, mjModel* m) {
  int adr = 0;
  for (int i = 0; i < m->nsensor; i++) {
    int instance = m->sensor_plugin[i];
    if (instance >= 0) m->sensor_dim[i] = mjp_getPluginAtSlot(m->plugin[instance])->nsensordata(m, instance, i);
    int n = m->sensor_dim[i];
    if (n < 0) return mji_compile_error(c, mji_get(c, mjOBJ_SENSOR, i), "a sensor cannot have %d numbers", n);
    m->sensor_adr[i] = adr;
    mji_sizes_add(&adr, n);
  }
  m->nsensordata = adr;
  return 0;
}

// Plugins are asked here, and one may fail with an error.
static int askSizes(mjiCompile* c, mjModel* m) {
  mjiTrap trap;
  if (mji_tryBegin(&trap)) return mji_compile_error(c, NULL, "a plugin failed: %s", trap.text);
  int bad = sizeStates(c, m) || sizeSensors(c, m);
  mji_tryEnd(&trap);
  if (bad) return -1;
  double bytes = 8.0 * ((double)m->npluginstate + m->nsensordata);
  if (bytes <= MJI_MAXASKED) return 0;
  return mji_compile_error(c, NULL, "states and sensors of plugins take %.0f megabytes, at most %d are allowed",
                           bytes / (1 << 20), MJI_MAXASKED >> 20);
}

int mji_plugin_pack(mjiCompile* c) {
  int attradr = 0;
  for (int i = 0; i < c->m->nplugin; i++) packInstance(c->m, mji_get(c, mjOBJ_PLUGIN, i), i, &attradr);
  return c->m->nplugin ? askSizes(c, c->m) : 0;
}
