// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Instances of plugins: what a model says about them is checked, and each data has its own plugin_data.
#ifndef SHEAF_MODEL_PLUGIN_H_
#define SHEAF_MODEL_PLUGIN_H_

#include <mujoco/mujoco.h>

// Are the instances of a model from outside right: slots that are registered, ranges of the state, texts that end?
// NULL, or what is wrong (mji_checkModel). The table of references must have been checked before.
const char* mji_plugin_check(const mjModel* m);

// ---- plugin_instance.c: the life of the instances of one data

// Initialize all instances and set their states. 0, or -1 with the reason in `why`; then none is initialized.
int mji_plugin_create(const mjModel* m, mjData* d, char* why, size_t nwhy);

// Destroy the instances of a data, if it has any.
void mji_plugin_destroy(mjData* d);

// Resetting and copying overwrite the arrays of a data with bytes. `keep` (nplugin) holds plugin_data meanwhile.
void mji_plugin_save(const mjData* d, uintptr_t* keep);
void mji_plugin_restore(const mjModel* m, mjData* d, const uintptr_t* keep);

// The states of instances as at the start.
void mji_plugin_reset(const mjModel* m, mjData* d);

// After the states were copied: what the instances keep beside them.
void mji_plugin_copy(mjData* dest, const mjModel* m, const mjData* src);

// ---- plugin_stage.c: calls within a step

// Compute what instances with this capability compute. Sensors: those that are ready after this stage (mjtStage).
void mji_plugin_compute(const mjModel* m, mjData* d, mjtPluginCapabilityBit capability, int stage);

// Rates of the activations of actuators.
void mji_plugin_actDot(const mjModel* m, mjData* d);

// After the state has moved to the next one: the states of instances.
void mji_plugin_advance(const mjModel* m, mjData* d);

#endif  // SHEAF_MODEL_PLUGIN_H_
