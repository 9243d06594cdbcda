// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The plugins that are part of this library, and how they read their attributes.
#ifndef SHEAF_PLUGINS_PLUGINS_H_
#define SHEAF_PLUGINS_PLUGINS_H_

#include <mujoco/mujoco.h>

// ---- definitions, one per file
extern const mjpPlugin mji_plugin_cable;
extern const mjpPlugin mji_plugin_pid;
extern const mjpPlugin mji_plugin_touchGrid;
extern const mjpPlugin mji_plugin_bolt;
extern const mjpPlugin mji_plugin_bowl;
extern const mjpPlugin mji_plugin_gear;
extern const mjpPlugin mji_plugin_nut;
extern const mjpPlugin mji_plugin_torus;

// ---- plugin_attributes.c
// The first number of an attribute; 0 with *given = 0 if it is empty or no finite number. `given` may be NULL.
mjtNum mji_config_num(const mjModel* m, int instance, const char* attribute, int* given);

// Read at most n numbers; how many there are, n + 1 if there are more, -1 if a text is no finite number.
int mji_config_nums(const mjModel* m, int instance, const char* attribute, mjtNum* out, int n);

// Does the attribute have this text?
int mji_config_is(const mjModel* m, int instance, const char* attribute, const char* text);

#endif  // SHEAF_PLUGINS_PLUGINS_H_
