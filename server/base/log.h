// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One line per event on standard error, as key=value pairs: ts=... level=info event=listening address=...
#ifndef SHEAF_SERVER_BASE_LOG_H_
#define SHEAF_SERVER_BASE_LOG_H_

typedef enum { SRV_LOG_ERROR, SRV_LOG_WARN, SRV_LOG_INFO, SRV_LOG_DEBUG } srv_log_level;

// Lines above this level are dropped.
void srv_log_set_level(srv_log_level level);

// The level of a name ("error", "warn", "info", "debug"), or -1.
int srv_log_find_level(const char* name);

// Write one line. The format makes the key=value pairs; put untrusted text through srv_log_quote.
void srv_log(srv_log_level level, const char* event, const char* format, ...) __attribute__((format(printf, 3, 4)));

// Quote text for a value, escaped and shortened: returns out.
const char* srv_log_quote(char* out, int size, const char* text);

#endif  // SHEAF_SERVER_BASE_LOG_H_
