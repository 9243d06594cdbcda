// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "admin/reload.h"

#include "base/log.h"

static void on_kept(const srv_setting* setting) {
  srv_log(SRV_LOG_WARN, "reload_kept", "setting=%s reason=\"it changes when the server is started again\"",
          setting->name);
}

int srv_reload(srv_config* config, const srv_setting_source* source) {
  srv_settings fresh;
  srv_error error;
  char text[400];
  int err = srv_settings_read(&fresh, source, &error);
  if (err) {
    srv_log(SRV_LOG_ERROR, "reload_failed", "message=%s", srv_log_quote(text, sizeof text, error.message));
  } else {
    srv_settings_take_live(config, &fresh.config, on_kept);
    srv_log(SRV_LOG_INFO, "reloaded", "file=%s", srv_log_quote(text, sizeof text, source->file ? source->file : ""));
  }
  srv_settings_close(&fresh);
  return err;
}
