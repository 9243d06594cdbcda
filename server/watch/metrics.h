// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The server's metrics in Prometheus' text format.
#ifndef SHEAF_SERVER_WATCH_METRICS_H_
#define SHEAF_SERVER_WATCH_METRICS_H_

#include "request/service.h"
#include "watch/exposition.h"
#include "watch/watchdog.h"

// All metrics; called in the loop's thread. The caller frees the text, which is NULL without memory.
srv_exposition srv_metrics(const srv_service* service, const srv_watchdog* watchdog);

#endif  // SHEAF_SERVER_WATCH_METRICS_H_
