// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The whole server: puts its parts together, runs the loop, and ends in good order.
//
// SIGTERM or SIGINT: stop listening, refuse new work, finish what runs (at most drain_ms, then cancel it), send the
// answers, exit. A second signal ends the process at once.
#ifndef SHEAF_SERVER_ADMIN_SERVER_H_
#define SHEAF_SERVER_ADMIN_SERVER_H_

#include "base/failure.h"
#include "base/limits.h"

typedef struct {
  const char* listen;     // "HOST:PORT", or NULL
  const char* unix_path;  // or NULL
  int threads;            // 0: CPUs that this process may use
  const char* token;      // that clients must show, or NULL
  const char* helper;     // executable that compiles models
  uint32_t drain_ms;
  srv_limits limits;
} srv_config;

srv_config srv_config_default(void);

// Serve until a signal. 0 after a drain, or a negative code when it could not start.
int srv_run(const srv_config* config, srv_error* error);

#endif  // SHEAF_SERVER_ADMIN_SERVER_H_
