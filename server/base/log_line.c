// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/log_line.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/failure.h"

// ---- values

// bytes of the character at s that may be shown as it is, 0 if it has to be escaped
static int shown_length(const char* s) {
  const unsigned char* u = (const unsigned char*)s;
  int n = srv_character_length(s);
  bool control = *u == '\n' || (*u == 0xc2 && u[1] < 0xa0);  // also the control characters of 8 bits (C1)
  return control ? 0 : n;
}

const char* srv_log_quote(char* out, int size, const char* text) {
  int n = 0;
  out[n++] = '"';
  while (*text) {
    int length = shown_length(text);
    int need = length > 1 ? length : !length ? 4 : *text == '"' || *text == '\\' ? 2 : 1;
    if (n + need > size - 5) {
      memcpy(out + n, "...", 3);
      n += 3;
      break;
    }
    if (length == 1 && need == 2) out[n++] = '\\';
    if (length) {
      memcpy(out + n, text, (size_t)length);
      n += length;
    } else {
      n += snprintf(out + n, 5, "\\x%02x", (unsigned char)*text);
    }
    text += length ? length : 1;
  }
  out[n++] = '"';
  out[n] = 0;
  return out;
}

// ---- JSON

typedef struct {
  char* out;
  size_t size, n;
} sink;

static void put(sink* s, const char* format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(s->out + s->n, s->size - s->n, format, args);
  va_end(args);
  s->n += n < 0 ? 0 : (size_t)n;
  if (s->n >= s->size) s->n = s->size - 1;
}

static bool is_number(const char* s, size_t n) {
  size_t i = n && s[0] == '-';
  size_t digits = 0, points = 0;
  if (n - i > 1 && s[i] == '0' && s[i + 1] != '.') return false;
  for (; i < n; i++) {
    digits += isdigit((unsigned char)s[i]) != 0;
    points += s[i] == '.';
    if (!isdigit((unsigned char)s[i]) && s[i] != '.') return false;
  }
  return digits && points <= 1 && s[n - 1] != '.' && s[0] != '.' && !(s[0] == '-' && s[1] == '.');
}

// Write a quoted value, whose escapes are those of srv_log_quote. `at` is behind its first quote; returns what follows
// the value.
static const char* put_quoted(sink* s, const char* at) {
  put(s, "\"");
  for (; *at && *at != '"'; at++) {
    unsigned byte;
    if (at[0] == '\\' && at[1] == 'x' && sscanf(at + 2, "%2x", &byte) == 1) {
      put(s, "\\u%04x", byte);
      at += 3;
    } else if (at[0] == '\\' && at[1]) {
      put(s, "\\%c", at[1]);
      at++;
    } else {
      put(s, "%c", *at);
    }
  }
  put(s, "\"");
  return *at ? at + 1 : at;
}

static const char* put_value(sink* s, const char* at) {
  if (*at == '"') return put_quoted(s, at + 1);
  size_t n = strcspn(at, " ");
  bool number = is_number(at, n);
  if (!number) put(s, "\"");
  for (size_t i = 0; i < n; i++) put(s, at[i] == '"' || at[i] == '\\' ? "\\%c" : "%c", at[i]);
  if (!number) put(s, "\"");
  return at + n;
}

size_t srv_log_line_json(char* out, size_t size, const char* line) {
  sink s = {out, size, 0};
  put(&s, "{");
  while (*line) {
    size_t key = strcspn(line, "= ");
    if (line[key] == '=') {
      put(&s, "%s\"%.*s\":", s.n > 1 ? "," : "", (int)key, line);
      line = put_value(&s, line + key + 1);
    } else {
      line += key;
    }
    line += strspn(line, " ");
  }
  put(&s, "}");
  return s.n;
}
