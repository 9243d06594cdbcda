// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The server's metrics in Prometheus' text format.
#ifndef SHEAF_SERVER_WATCH_METRICS_H_
#define SHEAF_SERVER_WATCH_METRICS_H_

#include "request/service.h"
#include "watch/exposition.h"
#include "watch/watchdog.h"

// All of them, from the loop's thread. The text is the caller's to free; without memory it is NULL.
srv_exposition srv_metrics(const srv_service* service, const srv_watchdog* watchdog);

#endif  // SHEAF_SERVER_WATCH_METRICS_H_
