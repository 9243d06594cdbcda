// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The settings of a server as values. base/settings.h reads them.
#ifndef SHEAF_SERVER_BASE_CONFIG_H_
#define SHEAF_SERVER_BASE_CONFIG_H_

#include <stdbool.h>

#include "base/limits.h"

// Texts are borrowed; NULL where nothing is set.
typedef enum { SRV_DOUBLE, SRV_SINGLE } srv_precision;

typedef struct {
  const char* listen;  // "HOST:PORT"
  bool no_tcp;
  const char* unix_path;
  uint32_t threads;  // 0: CPUs that this process may use
  int precision;     // SRV_DOUBLE or SRV_SINGLE
  const char* unix_users;
  const char* plugin_library;
  const char* tokens;
  const char* token_file;
  const char *tls_certificate, *tls_key, *tls_client_ca, *tls_client_crl;
  bool tls_require_certificate;
  bool insecure_no_token, insecure_no_tls;
  int log_level;   // srv_log_level
  int log_format;  // srv_log_format
  uint32_t log_rate;
  const char* metrics;
  uint32_t watchdog_ms;
  uint32_t stuck_worker_ms;
  uint32_t lame_duck_ms;
  uint32_t drain_ms;
  srv_limits limits;

  const char* helper;  // executable that compiles models; not a setting
} srv_config;

// The defaults of base/setting_table.h.
srv_config srv_config_default(void);

#endif  // SHEAF_SERVER_BASE_CONFIG_H_
