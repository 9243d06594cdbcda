// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "watch/exposition.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_ROOM = 16 << 10, BOUND_TEXT = 32 };

static bool reserve(srv_exposition* e, size_t n) {
  if (e->room - e->len > n) return true;
  size_t room = e->room ? 2 * e->room : FIRST_ROOM;
  while (room - e->len <= n) room *= 2;
  char* text = e->failed ? NULL : realloc(e->text, room);
  if (!text) {
    e->failed = true;
    return false;
  }
  e->text = text;
  e->room = room;
  return true;
}

static void __attribute__((format(printf, 2, 3))) add(srv_exposition* e, const char* format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  if (n > 0 && reserve(e, (size_t)n + 1)) {
    vsnprintf(e->text + e->len, e->room - e->len, format, again);
    e->len += (size_t)n;
  }
  va_end(again);
  va_end(args);
}

// the value of a label: three characters get a backslash, and bytes that are not ASCII become '?'
static void add_quoted(srv_exposition* e, const char* text) {
  add(e, "\"");
  for (const char* c = text; *c; c++) {
    if (*c == '\n') {
      add(e, "\\n");
    } else if (*c == '"' || *c == '\\') {
      add(e, "\\%c", *c);
    } else {
      add(e, "%c", *c < ' ' || *c > '~' ? '?' : *c);
    }
  }
  add(e, "\"");
}

void srv_family(srv_exposition* e, const char* name, const char* type, const char* help) {
  add(e, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

void srv_sample(srv_exposition* e, const char* name, const char* label, const char* text, double value) {
  add(e, "%s", name);
  if (label) {
    add(e, "{%s=", label);
    add_quoted(e, text);
    add(e, "}");
  }
  add(e, " %.15g\n", value);
}

static void add_bucket(srv_exposition* e, const char* name, const char* label, const char* text, const char* bound,
                       uint64_t count) {
  add(e, "%s_bucket{", name);
  if (label) {
    add(e, "%s=", label);
    add_quoted(e, text);
    add(e, ",");
  }
  add(e, "le=\"%s\"} %llu\n", bound, (unsigned long long)count);
}

void srv_samples(srv_exposition* e, const char* name, const char* label, const char* text, const srv_histogram* h) {
  char part[128], bound[BOUND_TEXT];
  uint64_t count = 0;
  for (int i = 0; i < SRV_BUCKETS; i++) {
    count += h->count[i];
    snprintf(bound, sizeof bound, "%g", (double)srv_bucket_us[i] * 1e-6);
    add_bucket(e, name, label, text, bound, count);
  }
  count += h->count[SRV_BUCKETS];
  add_bucket(e, name, label, text, "+Inf", count);
  snprintf(part, sizeof part, "%s_sum", name);
  srv_sample(e, part, label, text, (double)h->sum_us * 1e-6);
  snprintf(part, sizeof part, "%s_count", name);
  srv_sample(e, part, label, text, (double)count);
}
