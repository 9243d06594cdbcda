// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char* const names[] = {"error", "warn", "info", "debug"};
static srv_log_level highest = SRV_LOG_INFO;

void srv_log_set_level(srv_log_level level) { highest = level; }

int srv_log_find_level(const char* name) {
  for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++) {
    if (!strcmp(name, names[i])) return i;
  }
  return -1;
}

void srv_log(srv_log_level level, const char* event, const char* format, ...) {
  if (level > highest) return;
  struct timespec now;
  struct tm utc;
  char stamp[32], line[1024];
  clock_gettime(CLOCK_REALTIME, &now);
  gmtime_r(&now.tv_sec, &utc);
  strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S", &utc);
  int n =
      snprintf(line, sizeof line, "ts=%s.%03ldZ level=%s event=%s ", stamp, now.tv_nsec / 1000000, names[level], event);
  va_list args;
  va_start(args, format);
  vsnprintf(line + n, sizeof line - (size_t)n, format, args);
  va_end(args);

  // one call, so that lines of several processes do not mix
  fprintf(stderr, "%s\n", line);
}

const char* srv_log_quote(char* out, int size, const char* text) {
  int n = 0;
  out[n++] = '"';
  for (const unsigned char* s = (const unsigned char*)text; *s && n < size - 6; s++) {
    if (*s == '"' || *s == '\\') {
      out[n++] = '\\';
      out[n++] = (char)*s;
    } else if (*s < 0x20 || *s == 0x7f) {
      n += snprintf(out + n, 5, "\\x%02x", *s);
    } else {
      out[n++] = (char)*s;
    }
  }
  out[n++] = '"';
  out[n] = 0;
  return out;
}
