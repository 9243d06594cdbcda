// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The format of log lines: quoting, and JSON.
#ifndef SHEAF_SERVER_BASE_LOG_LINE_H_
#define SHEAF_SERVER_BASE_LOG_LINE_H_

#include <stddef.h>

enum { SRV_LOG_LINE = 2048 };

// Turn a line of key=value pairs into one JSON object, numbers as numbers. Returns its length, at most size - 1.
size_t srv_log_line_json(char* out, size_t size, const char* line);

// Quote text for a value: what is not plain UTF-8 is escaped, and what does not fit is cut and ends in "...".
// Returns out, which has at least 8 bytes.
const char* srv_log_quote(char* out, int size, const char* text);

#endif  // SHEAF_SERVER_BASE_LOG_LINE_H_
