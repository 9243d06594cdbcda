// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Plugin instances. An element refers to its instance by the name of the instance, or, if that has none, by a pointer
// (mjsPlugin.element). Pointers are put right after elements were copied: an instance without a name belongs to one
// element, so each copy of the element gets its own.
#include "spec/plugin_use.h"

#include <string.h>

mjsPlugin* mji_plugin_of(mjiElem* e) {
  switch (e->head.elemtype) {
    case mjOBJ_BODY: return &e->as.body.plugin;
    case mjOBJ_GEOM: return &e->as.geom.plugin;
    case mjOBJ_MESH: return &e->as.mesh.plugin;
    case mjOBJ_ACTUATOR: return &e->as.actuator.plugin;
    case mjOBJ_SENSOR: return &e->as.sensor.plugin;
    default: return NULL;
  }
}

const char* mji_plugin_name(const mjiElem* instance) {
  const char* name = mji_elem_name(instance);
  return *name ? name : mjs_getString(instance->as.plugin.name);
}

// ---- references

static const mjtObj users[] = {mjOBJ_BODY, mjOBJ_GEOM, mjOBJ_MESH, mjOBJ_ACTUATOR, mjOBJ_SENSOR};
enum { NUSER = sizeof users / sizeof *users };

static int indexIn(const mjiVec* list, const void* e) {
  int i = 0;
  while (i < list->num && mji_vec_get(list, i) != e) i++;
  return i < list->num ? i : -1;
}

static int uses(const mjsPlugin* p, const mjiElem* instance) {
  const char* name = mji_plugin_name(instance);
  return p->element == &instance->head || (*name && !strcmp(mjs_getString(p->name), name));
}

// number of elements that point to an instance or name it
static int countUsers(mjiSpec* s, const mjiElem* instance) {
  int n = 0;
  for (int k = 0; k < NUSER; k++) {
    const mjiVec* list = s->list + users[k];
    for (int i = 0; i < list->num; i++) n += uses(mji_plugin_of(mji_elem_at(list, i)), instance);
  }
  return n;
}

static mjiElem* copyInstance(mjiSpec* s, const mjiElem* from) {
  mjiElem* to = mji_elem(mjs_addPlugin(&s->pub)->element);
  mji_elem_copyFields(to, from);
  return to;
}

// the instance that a pointer of a copied element means in this specification, NULL if there is none
static mjiElem* meant(mjiSpec* s, const mjiElem* e, const mjsElement* pointer) {
  const mjiVec* list = s->list + mjOBJ_PLUGIN;
  int here = indexIn(list, pointer);
  if (here >= 0) {
    mjiElem* instance = mji_elem_at(list, here);
    return e->source && !*mji_plugin_name(instance) ? copyInstance(s, instance) : instance;
  }
  for (int i = 0; i < list->num; i++) {
    mjiElem* instance = mji_elem_at(list, i);
    if (instance->source && &instance->source->head == pointer) return instance;
  }
  return NULL;
}

void mji_plugin_relink(mjiSpec* s) {
  if (!s->list[mjOBJ_PLUGIN].num) return;
  for (int k = 0; k < NUSER; k++) {
    for (int i = 0; i < s->list[users[k]].num; i++) {
      mjiElem* e = mji_elem_at(s->list + users[k], i);
      mjsPlugin* p = mji_plugin_of(e);
      if (!p->element) continue;
      mjiElem* instance = meant(s, e, p->element);
      p->element = instance ? &instance->head : NULL;
    }
  }
}

void mji_plugin_dropUnused(mjiSpec* s) {
  const mjiVec* list = s->list + mjOBJ_PLUGIN;
  for (int i = list->num - 1; i >= 0; i--) {
    mjiElem* instance = mji_elem_at(list, i);
    if (instance->source && !countUsers(s, instance)) mji_spec_remove(instance);
  }
}

void mji_plugin_release(mjiElem* e) {
  mjiSpec* s = e->spec;
  mjsPlugin* p = mji_plugin_of(e);
  int at = p && p->element ? indexIn(s->list + mjOBJ_PLUGIN, p->element) : -1;
  if (at >= 0) {
    mjiElem* instance = mji_elem_at(s->list + mjOBJ_PLUGIN, at);
    if (!*mji_plugin_name(instance) && countUsers(s, instance) == 1) mji_spec_remove(instance);
  }
  if (e->head.elemtype != mjOBJ_PLUGIN) return;
  for (int k = 0; k < NUSER; k++) {
    for (int i = 0; i < s->list[users[k]].num; i++) {
      p = mji_plugin_of(mji_elem_at(s->list + users[k], i));
      if (p->element == &e->head) p->element = NULL;
    }
  }
}

// ---- which plugins a specification may use

int mji_plugin_isActive(const mjiSpec* s, const char* name) {
  int i = 0;
  while (i < s->active.num && strcmp(mji_vec_textAt(&s->active, i), name)) i++;
  return i < s->active.num;
}

int mjs_activatePlugin(mjSpec* spec, const char* name) {
  if (!spec) return -1;
  mjiSpec* s = mji_spec(spec);
  if (!mjp_getPlugin(name, NULL)) return mji_spec_error(s, NULL, "plugin '%.200s' is not registered", name);
  if (!mji_plugin_isActive(s, name)) mjs_appendString(&s->active, name);
  return 0;
}

void mji_plugin_activateAll(mjiSpec* dst, const mjiSpec* src) {
  for (int i = 0; dst != src && i < src->active.num; i++)
    mjs_activatePlugin(&dst->pub, mji_vec_textAt(&src->active, i));
}

// ---- attributes: a list of texts, each attribute followed by its value

void mjs_setPluginAttributes(mjsPlugin* plugin, void* attributes) {
  const mjiVec* list = attributes;
  mjiElem* e = mji_elem(plugin->element);
  if (!e || e->head.elemtype != mjOBJ_PLUGIN) return;
  if (list && list->num % 2) {
    mji_spec_error(e->spec, e, "attributes of a plugin come with their values: %d texts are an odd number", list->num);
    return;
  }
  mji_vec_resize(&e->config, 0);
  for (int i = 0; list && i < list->num; i++) mjs_appendString(&e->config, mji_vec_textAt(list, i));
}

const void* mjs_getPluginAttributes(const mjsPlugin* plugin) {
  const mjiElem* e = plugin->element ? mji_elem(plugin->element) : NULL;
  return e && e->head.elemtype == mjOBJ_PLUGIN ? &e->config : NULL;
}
