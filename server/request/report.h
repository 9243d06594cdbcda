// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The log's line about a finished request: who asked for what, how it ended, and where the time went.
#ifndef SHEAF_SERVER_REQUEST_REPORT_H_
#define SHEAF_SERVER_REQUEST_REPORT_H_

#include "net/conn.h"

// Log the request that ends with this code (0: none), once its last frame `out` was written or given up; at once if
// `out` is NULL. Requests that succeeded in less than limits->log_requests_ms are not logged.
void srv_report(const srv_call* call, const char* kind, srv_out* out, int code);

// Is this a traceparent of W3C's Trace Context, version 00? Others are ignored.
bool srv_report_is_trace(const char* text);

#endif  // SHEAF_SERVER_REQUEST_REPORT_H_
