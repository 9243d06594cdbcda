// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What a step calls of plugins. Each function goes through the instances in their order.
#include "model/plugin.h"

// The stage after which its sensors are ready; without one, after all.
static int stageOf(const mjpPlugin* plugin) { return plugin->needstage ? plugin->needstage : mjSTAGE_ACC; }

void mji_plugin_compute(const mjModel* m, mjData* d, mjtPluginCapabilityBit capability, int stage) {
  for (int i = 0; i < d->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (!(plugin->capabilityflags & capability)) continue;
    if (capability == mjPLUGIN_SENSOR && stageOf(plugin) != stage) continue;
    plugin->compute(m, d, i, capability);
  }
}

void mji_plugin_actDot(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (plugin->capabilityflags & mjPLUGIN_ACTUATOR && plugin->actuator_act_dot) plugin->actuator_act_dot(m, d, i);
  }
}

void mji_plugin_advance(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (plugin->advance) plugin->advance(m, d, i);
  }
}
