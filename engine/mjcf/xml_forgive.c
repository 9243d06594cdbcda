// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE  // memmem
#include "mjcf/xml_forgive.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *at, *end;
  char* out;
} Copy;

enum { LONGEST = 5 };               // "&amp;" for one character

static int isSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static int startsWith(const Copy* c, const char* text) {
  size_t n = strlen(text);
  return (size_t)(c->end - c->at) >= n && !memcmp(c->at, text, n);
}

static void put(Copy* c, const char* text) {
  size_t n = strlen(text);
  memcpy(c->out, text, n);
  c->out += n;
}

// as it is, up to a place
static void keep(Copy* c, const char* to) {
  memcpy(c->out, c->at, (size_t)(to - c->at));
  c->out += to - c->at;
  c->at = to;
}

// nothing but the line ends, up to a place
static void blank(Copy* c, const char* to) {
  for (; c->at < to; c->at++) *c->out++ = *c->at == '\n' ? '\n' : ' ';
}

// nothing but the line ends, through a mark; as it is, for the parser to complain, if there is no mark
static void blankPast(Copy* c, size_t start, const char* mark) {
  size_t n = strlen(mark), left = (size_t)(c->end - c->at);
  const char* found = start < left ? memmem(c->at + start, left - start, mark, n) : NULL;
  if (found) {
    blank(c, found + n);
  } else {
    keep(c, c->end);
  }
}

// length of "&#65;" or "&#x41;" and the character that it means, or 0
static size_t numbered(const Copy* c, unsigned long* code) {
  char digits[10] = "";
  int hex = startsWith(c, "&#x");
  const char* s = c->at + (hex ? 3 : 2);
  size_t n = 0;
  while (n < sizeof digits - 1 && s + n < c->end && isxdigit((unsigned char)s[n])) digits[n] = s[n], n++;
  char* rest;
  *code = strtoul(digits, &rest, hex ? 16 : 10);
  if (!n || *rest || s + n == c->end || s[n] != ';' || *code > 0x10FFFF) return 0;
  return (size_t)(s + n + 1 - c->at);
}

// what starts with "&": references stay, unless they mean a byte above 127; anything else is itself
static void copyReference(Copy* c) {
  static const char* const names[] = {"&quot;", "&amp;", "&apos;", "&lt;", "&gt;"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (startsWith(c, names[i])) return keep(c, c->at + strlen(names[i]));
  }
  unsigned long code;
  size_t n = startsWith(c, "&#") ? numbered(c, &code) : 0;
  if (n && code >= 0x80 && code <= 0xFF) {
    *c->out++ = (char)(0xC0 | code >> 6);
    *c->out++ = (char)(0x80 | (code & 0x3F));
    c->at += n;
  } else if (n) {
    keep(c, c->at + n);
  } else {
    put(c, "&amp;");
    c->at++;
  }
}

// a value in quotes; what would end it early is written as a reference
static void copyValue(Copy* c) {
  char quote = *c->at;
  const char* close = memchr(c->at + 1, quote, (size_t)(c->end - c->at - 1));
  keep(c, c->at + 1);
  if (!close) return;
  while (c->at < close) {
    if (*c->at == '<') {
      put(c, "&lt;");
      c->at++;
    } else if (*c->at == '&') {
      copyReference(c);
    } else {
      *c->out++ = *c->at++;
    }
  }
  keep(c, close + 1);

  // the next attribute may follow at once
  if (c->at < c->end && !isSpace(*c->at) && !strchr("/>?", *c->at)) *c->out++ = ' ';
}

static void copyTag(Copy* c) {
  keep(c, c->at + 1);
  while (c->at < c->end && *c->at != '>') {
    if (*c->at == '"' || *c->at == '\'') {
      copyValue(c);
    } else if (*c->at == '\v' || *c->at == '\f') {
      blank(c, c->at + 1);
    } else {
      keep(c, c->at + 1);
    }
  }
  if (c->at < c->end) keep(c, c->at + 1);
}

// a piece between tags: models have nothing to say there
static void copyText(Copy* c) {
  const char* next = memchr(c->at, '<', (size_t)(c->end - c->at));
  if (next) {
    blank(c, next);
  } else {
    keep(c, c->end);
  }
}

// declarations say nothing that matters before the first element; later ones are mistakes
static void copyNext(Copy* c, int begun) {
  if (*c->at != '<') {
    copyText(c);
  } else if (startsWith(c, "<!--")) {
    blankPast(c, 4, "-->");
  } else if (startsWith(c, "<![CDATA[")) {
    blankPast(c, 9, "]]>");
  } else if (startsWith(c, "<?") && !begun) {
    blankPast(c, 2, "?>");
  } else {
    copyTag(c);
  }
}

char* mji_forgive(const char* text, size_t size, size_t* out) {
  size = strnlen(text, size);
  size_t room = size + 1;
  for (size_t i = 0; i < size; i++) {
    if (strchr("&<\"'", text[i])) room += LONGEST - 1;
  }
  char* copy = malloc(room);
  if (!copy) return NULL;
  Copy c = {text, text + size, copy};
  if (startsWith(&c, "\xEF\xBB\xBF")) c.at += 3;
  int begun = 0;
  while (c.at < c.end) {
    int space = isSpace(*c.at), declaration = startsWith(&c, "<?");
    copyNext(&c, begun);
    begun |= !space && !declaration;
  }
  *out = (size_t)(c.out - copy);
  *c.out = 0;
  return copy;
}
