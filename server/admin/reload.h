// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Settings that change while the server runs.
#ifndef SHEAF_SERVER_ADMIN_RELOAD_H_
#define SHEAF_SERVER_ADMIN_RELOAD_H_

#include "base/settings.h"

// Read the settings again and take over those that may change. If they cannot be read, nothing changes, the log says
// why, and the result is negative.
int srv_reload(srv_config* config, const srv_setting_source* source);

#endif  // SHEAF_SERVER_ADMIN_RELOAD_H_
