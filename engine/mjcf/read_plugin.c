// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Plugins: those that the document declares, with their instances, and those that elements use. An element that names
// no instance gets one of its own, without a name.

#include <string.h>

#include "mjcf/read.h"
#include "spec/element.h"

static void readConfig(mjiReader* r, const mjiXML* elem, mjiElem* instance) {
  for (const mjiXML* c = elem->first; c; c = c->next) {
    if (strcmp(c->name, "config")) continue;
    const char* key = mji_readText(r, c, "key", 1);
    const char* value = mji_xmlAttr(c, "value");
    if (!value) mji_readFail(r, c, "value must be given");
    for (int i = 0; i < instance->config.num; i += 2) {
      if (!strcmp(mji_vec_textAt(&instance->config, i), key)) mji_readFail(r, c, "key '%s' is given twice", key);
    }
    mjs_appendString(&instance->config, key);
    mjs_appendString(&instance->config, value);
  }
}

static mjsPlugin* addInstance(mjiReader* r, const mjiXML* elem, const char* plugin) {
  mjsPlugin* p = mjs_addPlugin(r->spec);
  mji_readLine(r, elem, p->info);
  mjs_setString(p->plugin_name, plugin);
  readConfig(r, elem, mji_elem(p->element));
  return p;
}

static mjsPlugin* readInstance(mjiReader* r, const mjiXML* elem, const char* plugin, const char* name) {
  mjsPlugin* p = addInstance(r, elem, plugin);
  if (mjs_setName(p->element, name)) mji_readFailSpec(r, elem);
  mjs_setString(p->name, name);
  return p;
}

void mji_readPlugin(mjiReader* r, const mjiXML* elem, mjsPlugin* dest) {
  const char* plugin = mji_xmlAttr(elem, "plugin");
  const char* instance = mji_xmlAttr(elem, "instance");
  dest->active = 1;
  mjs_setString(dest->plugin_name, plugin ? plugin : "");
  mjs_setString(dest->name, instance ? instance : "");
  if (instance && *instance) return;  // configured where it is declared
  if (!plugin || !*plugin) mji_readFail(r, elem, "either plugin or instance must be given");
  dest->element = addInstance(r, elem, plugin)->element;
  r->spec->hasImplicitPluginElem = 1;
}

const mjsPlugin* mji_readSharedPlugin(mjiReader* r, const mjiXML* elem, const char* own) {
  const char* name = mji_xmlAttr(elem, "instance");
  if (!name || !*name) return readInstance(r, elem, mji_readText(r, elem, "plugin", 1), own);
  mjsElement* instance = mjs_findElement(r->spec, mjOBJ_PLUGIN, name);
  if (!instance) mji_readFail(r, elem, "plugin instance '%s' not found", name);
  return mjs_asPlugin(instance);
}

void mji_usePlugin(mjsBody* body, const mjsPlugin* shared) {
  if (!shared) return;
  body->plugin.active = 1;
  body->plugin.element = shared->element;
  mjs_setString(body->plugin.plugin_name, mjs_getString(shared->plugin_name));
  mjs_setString(body->plugin.name, mjs_getString(shared->name));
}

void mji_readExtension(mjiReader* r, const mjiXML* section) {
  for (const mjiXML* c = section->first; c; c = c->next) {
    const char* plugin = mji_readText(r, c, "plugin", 1);
    if (mjs_activatePlugin(r->spec, plugin)) mji_readFail(r, c, "plugin '%s' is not registered", plugin);
    for (const mjiXML* i = c->first; i; i = i->next) readInstance(r, i, plugin, mji_readText(r, i, "name", 1));
  }
}
