// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "tags.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ATTRIBUTES = 64 };

static int is_name(char c) { return isalnum((unsigned char)c) || (c && strchr("_:.-", c)) || (unsigned char)c >= 0x80; }

// where a quoted value ends, or NULL
static char* skip_value(char* p, const char* end) { return memchr(p + 1, *p, (size_t)(end - p - 1)); }

// the '>' that ends a tag, or NULL; values may hold one
static char* tag_end(char* p, const char* end) {
  for (; p < end && *p != '>'; p++) {
    if (*p != '"' && *p != '\'') continue;
    char* close = skip_value(p, end);
    if (!close) return NULL;
    p = close;
  }
  return p < end ? p : NULL;
}

// one UTF-8 character; returns its bytes
static int put_character(char* out, unsigned long code) {
  if (code < 0x80) return *out = (char)code, 1;
  int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
  out[0] = (char)(lead[more] | code >> 6 * more);
  for (int i = 1; i <= more; i++) out[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3F));
  return more + 1;
}

// the character that "&...;" at p stands for, and its end; NULL if it stands for none
static char* reference(char* p, unsigned long* code) {
  static const struct {
    const char* text;
    char c;
  } named[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
    size_t n = strlen(named[i].text);
    if (!strncmp(p, named[i].text, n)) return *code = (unsigned char)named[i].c, p + n;
  }
  if (p[1] != '#' || !isxdigit((unsigned char)p[2 + (p[2] == 'x')])) return NULL;
  char* end;
  *code = p[2] == 'x' ? strtoul(p + 3, &end, 16) : strtoul(p + 2, &end, 10);
  return *end == ';' && *code && *code <= 0x10FFFF ? end + 1 : NULL;
}

// replace references by the characters they stand for; in place, because no reference is shorter than its character
static void decode(char* value) {
  char* out = value;
  for (char* p = value; *p;) {
    unsigned long code;
    char* after = *p == '&' ? reference(p, &code) : NULL;
    if (after) {
      out += put_character(out, code);
      p = after;
    } else {
      *out++ = *p++;
    }
  }
  *out = 0;
}

static char* skip_space(char* p, const char* end) {
  while (p < end && isspace((unsigned char)*p)) p++;
  return p;
}

// cut the text between an element's name and its '>' into names and values; other text is skipped
static void read_attributes(char* p, char* end, const char** list) {
  int n = 0;
  while (p < end && n < 2 * (MAX_ATTRIBUTES - 1)) {
    char* name = p;
    while (p < end && is_name(*p)) p++;
    char* name_end = p;
    if (name == name_end) {
      p++;
      continue;
    }
    char* equals = skip_space(p, end);
    char* value = equals < end && *equals == '=' ? skip_space(equals + 1, end) : end;
    char* close = value < end && (*value == '"' || *value == '\'') ? skip_value(value, end) : NULL;
    if (!close) continue;
    *name_end = *close = 0;
    decode(value + 1);
    list[n++] = name;
    list[n++] = value + 1;
    p = close + 1;
  }
  list[n] = NULL;
}

// where to go on after the '<' at p that does not begin an element
static char* skip_other(char* p, const char* end) {
  char* found = NULL;
  if (!strncmp(p, "<!--", 4)) {
    found = memmem(p + 4, (size_t)(end - p - 4), "-->", 3);
    return found ? found + 3 : (char*)end;
  }
  if (p[1] == '!' || p[1] == '?') found = memchr(p, '>', (size_t)(end - p));
  return found ? found : p + 1;
}

int tags_scan(const char* text, size_t size, tag_func on_tag, void* user) {
  char* copy = malloc(size + 1);
  if (!copy) return -1;
  memcpy(copy, text, size);
  copy[size] = 0;
  char* end = copy + size;
  for (char* p = memchr(copy, '<', size); p; p = memchr(p, '<', (size_t)(end - p))) {
    char* name = p + 1;
    char* close = is_name(*name) ? tag_end(name, end) : NULL;
    if (!close) {
      p = skip_other(p, end);
      continue;
    }
    const char* list[2 * MAX_ATTRIBUTES];
    for (p = name; is_name(*p);) p++;
    char* rest = p < close ? p + 1 : p;
    *p = 0;
    read_attributes(rest, close, list);
    on_tag(user, name, list);
    p = close + 1;
  }
  free(copy);
  return 0;
}
