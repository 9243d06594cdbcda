// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Registers the plugins of this library when it is loaded, so that their slots come first and in this order.
#include "plugins/plugins.h"

__attribute__((constructor)) static void registerAll(void) {
  mjp_registerPlugin(&mji_plugin_pid);
  mjp_registerPlugin(&mji_plugin_cable);
  mjp_registerPlugin(&mji_plugin_touchGrid);
  mjp_registerPlugin(&mji_plugin_bolt);
  mjp_registerPlugin(&mji_plugin_bowl);
  mjp_registerPlugin(&mji_plugin_gear);
  mjp_registerPlugin(&mji_plugin_nut);
  mjp_registerPlugin(&mji_plugin_torus);
}
