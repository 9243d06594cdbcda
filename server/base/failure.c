// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sheaf.pb-c.h"

int srv_character_length(const char* text) {
  const unsigned char* s = (const unsigned char*)text;
  if (s[0] < 0x80) return s[0] >= 0x20 || s[0] == '\n' ? s[0] != 0x7f : 0;
  int n = s[0] >= 0xc2 && s[0] <= 0xdf ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4 : 0;
  for (int i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
  }
  // not UTF-8: overlong forms, surrogates and numbers beyond the last plane
  if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f))) return 0;
  if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))) return 0;
  return n;
}

void srv_error_clean(char* text) {
  for (char* s = text; *s;) {
    int n = srv_character_length(s);
    if (!n) *s = '?';
    s += n ? n : 1;
  }
}

int srv_error_set(srv_error* e, int code, const char* format, ...) {
  va_list args;
  memset(e, 0, sizeof *e);
  e->code = code;
  va_start(args, format);
  vsnprintf(e->message, sizeof e->message, format, args);
  va_end(args);
  srv_error_clean(e->message);
  return -code;
}

int srv_error_field(srv_error* e, const char* field, const char* expected, const char* got_format, ...) {
  va_list args;
  memset(e, 0, sizeof *e);
  e->code = SHEAF__CODE__CODE_INVALID_ARGUMENT;
  va_start(args, got_format);
  vsnprintf(e->got, sizeof e->got, got_format, args);
  va_end(args);
  snprintf(e->field, sizeof e->field, "%s", field);
  snprintf(e->expected, sizeof e->expected, "%s", expected);
  srv_error_clean(e->field);
  srv_error_clean(e->expected);
  srv_error_clean(e->got);
  snprintf(e->message, sizeof e->message, "%s: expected %s, got %s", e->field, e->expected, e->got);
  return -e->code;
}

int srv_error_busy(srv_error* e, int code, uint64_t retry_after_us, const char* message) {
  srv_error_set(e, code, "%s", message);
  e->retriable = true;
  e->retry_after_us = retry_after_us;
  return -code;
}
