// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The whole server: puts its parts together, runs the loop, and ends in good order.
//
// SIGTERM or SIGINT: tell clients, finish what runs, send the answers, exit (admin/drain.h). A second signal ends the
// process at once.
// SIGHUP: read the settings again (admin/reload.h).
#ifndef SHEAF_SERVER_ADMIN_SERVER_H_
#define SHEAF_SERVER_ADMIN_SERVER_H_

#include "base/settings.h"

// Check settings as far as that is possible without starting a server. 0, or a negative code.
int srv_check(const srv_config* config, srv_error* error);

// Serve until a signal. 0 after a drain, or a negative code when it could not start. The settings were read from
// `source`, which SIGHUP reads again; both live until the return.
int srv_run(const srv_settings* settings, const srv_setting_source* source, srv_error* error);

#endif  // SHEAF_SERVER_ADMIN_SERVER_H_
