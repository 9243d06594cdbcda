// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE  // memmem
#include "mjcf/xml_forgive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *at, *end;
  char* out;
  int begun;  // there was more than space and declarations
  enum { BEFORE, JUST_OPENED, OPENED } root;
  mjiForgiven* result;
} Copy;

enum { LONGEST = 7 };  // "&#266;" and a line end for one character

static int isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

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

static int digit(char c, int base) {
  static const char digits[] = "0123456789abcdef0123456789ABCDEF";
  const char* found = c ? strchr(digits, c) : NULL;
  int value = found ? (int)(found - digits) % 16 : base;
  return value < base ? value : -1;
}

// length of "&#65;" or "&#x41;" and the character that it means, or 0
static size_t numbered(const Copy* c, unsigned long* code) {
  int base = startsWith(c, "&#x") ? 16 : 10;
  const char* s = c->at + (base == 16 ? 3 : 2);
  for (*code = 0; s < c->end && digit(*s, base) >= 0; s++) {
    if (*code <= MJI_MAXCODE) *code = *code * (unsigned)base + (unsigned)digit(*s, base);
  }
  return s < c->end && *s == ';' && *code <= MJI_MAXCODE ? (size_t)(s + 1 - c->at) : 0;
}

static void putByte(Copy* c, unsigned long byte) { *c->out++ = (char)byte; }

static void putUtf8(Copy* c, unsigned long code) {
  if (code >= 0x10000) {
    putByte(c, 0xF0 | code >> 18);
    putByte(c, 0x80 | (code >> 12 & 0x3F));
  } else if (code >= 0x800) {
    putByte(c, 0xE0 | code >> 12);
  }
  if (code >= 0x800) putByte(c, 0x80 | (code >> 6 & 0x3F));
  else putByte(c, 0xC0 | code >> 6);
  putByte(c, 0x80 | (code & 0x3F));
}

static void putControl(Copy* c, int code) { c->out += sprintf(c->out, "&#%d;", MJI_CONTROL + code); }

// what starts with "&": names stay, numbers become bytes, anything else is itself; 0 for the number zero
static int copyReference(Copy* c) {
  static const char* const names[] = {"&quot;", "&amp;", "&apos;", "&lt;", "&gt;"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (startsWith(c, names[i])) return keep(c, c->at + strlen(names[i])), 1;
  }
  unsigned long code;
  size_t n = startsWith(c, "&#") ? numbered(c, &code) : 0;
  if (!n) {
    put(c, "&amp;");
  } else if (!code) {
    return 0;
  } else if (code >= 0x80) {
    putUtf8(c, code);
  } else if (code < ' ') {
    putControl(c, (int)code);
  } else {
    keep(c, c->at + n);
    return 1;
  }
  c->at += n ? n : 1;
  return 1;
}

// one line end, however it is written
static void copyLineEnd(Copy* c) {
  char other = *c->at == '\n' ? '\r' : '\n';
  putControl(c, '\n');
  c->at += 1 + (c->at[1] == other);
}

// A value in quotes; what would end it early is written as a reference, and so is what the parser
// would not keep. It ends at a character zero.
static void copyValue(Copy* c) {
  char quote = *c->at;
  const char *start = c->at, *close = memchr(c->at + 1, quote, (size_t)(c->end - c->at - 1));
  keep(c, c->at + 1);
  if (!close) return;
  while (c->at < close) {
    if (*c->at == '<') {
      put(c, "&lt;");
      c->at++;
    } else if (*c->at == '&') {
      if (!copyReference(c)) c->at = close;
    } else if (*c->at == '\n' || *c->at == '\r') {
      copyLineEnd(c);
    } else if ((unsigned char)*c->at < ' ') {
      putControl(c, *c->at++);
    } else {
      *c->out++ = *c->at++;
    }
  }
  keep(c, close + 1);

  // lines are still counted, and the next attribute may follow at once
  for (; start < close; start++) {
    if (*start == '\n') *c->out++ = '\n';
  }
  if (c->at < c->end && !isSpace(*c->at) && !strchr("/>?", *c->at)) *c->out++ = ' ';
}

static void copyTag(Copy* c) {
  const char* start = c->at;
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
  int opens = start[1] != '/' && c->at[-1] != '/';
  c->root = c->root == BEFORE && opens ? JUST_OPENED : OPENED;
  c->begun = 1;
  if (c->at < c->end) keep(c, c->at + 1);
}

static void endStart(Copy* c) {
  c->begun = 1;
  if (c->root == JUST_OPENED) c->root = OPENED;
}

// a piece between tags: models have nothing to say there
static void copyText(Copy* c) {
  const char* next = memchr(c->at, '<', (size_t)(c->end - c->at));
  for (const char* s = c->at; next && s < next; s++) {
    if (!isSpace(*s)) endStart(c);
  }
  if (next) {
    blank(c, next);
  } else {
    endStart(c);
    keep(c, c->end);
  }
}

// the one that comes first within the first element belongs to the model
static void copyComment(Copy* c) {
  const char* start = c->at + 4;
  blankPast(c, 4, "-->");
  if (c->root == JUST_OPENED && c->at - start >= 3) {
    c->result->comment = start;
    c->result->ncomment = (size_t)(c->at - start - 3);
  }
  endStart(c);
}

// declarations say nothing that matters before the first element; later ones are mistakes
static void copyNext(Copy* c) {
  if (*c->at != '<') {
    copyText(c);
  } else if (startsWith(c, "<!--")) {
    copyComment(c);
  } else if (startsWith(c, "<![CDATA[")) {
    blankPast(c, 9, "]]>");
    endStart(c);
  } else if (startsWith(c, "<?") && !c->begun) {
    blankPast(c, 2, "?>");
  } else {
    copyTag(c);
  }
}

int mji_forgive(const char* text, size_t size, mjiForgiven* result) {
  *result = (mjiForgiven){0};
  size = strnlen(text, size);
  size_t room = size + 1;
  for (size_t i = 0; i < size; i++) {
    if ((unsigned char)text[i] < ' ' || strchr("&<\"'", text[i])) room += LONGEST - 1;
  }
  result->text = malloc(room);
  if (!result->text) return 0;
  Copy c = {.at = text, .end = text + size, .out = result->text, .result = result};
  if (startsWith(&c, "\xEF\xBB\xBF")) c.at += 3;
  while (c.at < c.end) copyNext(&c);
  result->size = (size_t)(c.out - result->text);
  *c.out = 0;
  return 1;
}
