// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Plugin instances in a specification, and the elements that use them.
#ifndef SHEAF_SPEC_PLUGIN_USE_H_
#define SHEAF_SPEC_PLUGIN_USE_H_

#include "spec/element.h"

// What an element says about its plugin; NULL for types that have none.
mjsPlugin* mji_plugin_of(mjiElem* e);

// Name of an instance, "" if it has none.
const char* mji_plugin_name(const mjiElem* instance);

// After elements were copied into a specification, while `source` tells from where: point them at their instances.
void mji_plugin_relink(mjiSpec* s);

// Remove copied instances that no element uses.
void mji_plugin_dropUnused(mjiSpec* s);

// Before an element is removed: its unnamed instance goes with it, and nothing points to a removed instance.
void mji_plugin_release(mjiElem* e);

// Was the plugin activated in the specification?
int mji_plugin_isActive(const mjiSpec* s, const char* name);

// What is active in src is active in dst.
void mji_plugin_activateAll(mjiSpec* dst, const mjiSpec* src);

#endif  // SHEAF_SPEC_PLUGIN_USE_H_
