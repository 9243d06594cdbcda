// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// XML text: tags, indentation, escapes, numbers. The caller has set the C locale for this thread.

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/write.h"

void mji_writeFail(mjiWriter* w, const char* format, ...) {
  if (*w->error) return;
  char reason[400];
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof reason, format, args);
  va_end(args);

  const mjiElem* e = w->elem;
  const char* tag = w->tag ? w->tag : "mujoco";
  if (!e) snprintf(w->error, sizeof w->error, "%s: %s", tag, reason);
  else if (*mji_elem_name(e)) snprintf(w->error, sizeof w->error, "%s '%.150s': %s", tag, mji_elem_name(e), reason);
  else snprintf(w->error, sizeof w->error, "%s %d: %s", tag, e->id, reason);
}

// ---- bytes

static void append(mjiWriter* w, const char* text, size_t n) {
  if (*w->error) return;
  if (w->size + n + 1 > w->cap) {
    size_t cap = 2 * (w->size + n + 1) + 4096;
    char* grown = realloc(w->text, cap);
    if (!grown) {
      mji_writeFail(w, "out of memory");
      return;
    }
    w->text = grown;
    w->cap = cap;
  }
  memcpy(w->text + w->size, text, n);
  w->size += n;
  w->text[w->size] = 0;
}

static void appendText(mjiWriter* w, const char* text) { append(w, text, strlen(text)); }

static void indent(mjiWriter* w) {
  for (int i = 0; i < w->depth; i++) append(w, "  ", 2);
}

// ---- tags

static void endTag(mjiWriter* w) {
  if (w->intag) append(w, ">\n", 2);
  w->intag = 0;
}

size_t mji_writeOpen(mjiWriter* w, const char* tag) {
  size_t start = w->size;
  endTag(w);
  indent(w);
  append(w, "<", 1);
  appendText(w, tag);
  w->depth++;
  w->intag = 1;
  w->tag = tag;
  return start;
}

void mji_writeClose(mjiWriter* w, const char* tag) {
  w->depth--;
  if (w->intag) {
    append(w, "/>\n", 3);
    w->intag = 0;
    return;
  }
  indent(w);
  append(w, "</", 2);
  appendText(w, tag);
  append(w, ">\n", 2);
}

void mji_writeCloseUsed(mjiWriter* w, const char* tag, size_t start) {
  if (*w->error) return;
  int ended = w->text[start] == '>';  // the start tag around it, when this one began
  size_t empty = start + (ended ? 2 : 0) + 2 * (size_t)(w->depth - 1) + 1 + strlen(tag);
  if (!w->intag || w->size > empty) {
    mji_writeClose(w, tag);
    return;
  }
  w->depth--;
  w->intag = ended;
  w->size = start;
  w->text[start] = 0;
}

void mji_writeGap(mjiWriter* w) {
  endTag(w);
  append(w, "\n", 1);
}

void mji_writeComment(mjiWriter* w, const char* text) {
  endTag(w);
  indent(w);
  appendText(w, "<!--");
  for (; *text; text++) {
    append(w, text, 1);
    // as it is, but for what would end it
    if (!strncmp(text, "-->", 3)) append(w, " ", 1);
  }
  appendText(w, "-->\n");
}

// ---- attributes

static const char* escapeOf(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    default: return NULL;
  }
}

// bytes above 127 stay as they are: readers keep them, whatever they mean
static void escape(mjiWriter* w, const char* text) {
  for (; *text; text++) {
    char control[8];
    const char* code = escapeOf(*text);
    snprintf(control, sizeof control, "&#%d;", *text);
    if (code) appendText(w, code);
    else if ((unsigned char)*text < ' ') appendText(w, control);
    else append(w, text, 1);
  }
}

static void beginAttr(mjiWriter* w, const char* name) {
  append(w, " ", 1);
  appendText(w, name);
  append(w, "=\"", 2);
}

void mji_writeText(mjiWriter* w, const char* name, const char* text) {
  beginAttr(w, name);
  escape(w, text);
  append(w, "\"", 1);
}

void mji_writeWord(mjiWriter* w, const char* name, const mjiWord* words, int value) {
  for (; words->text; words++) {
    if (words->value != value) continue;
    mji_writeText(w, name, words->text);
    return;
  }
  mji_writeFail(w, "attribute '%s' has no word for the value %d", name, value);
}

// ---- numbers

void mji_writeDouble(char* out, double x) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(out, 32, "%.*g", digits, x);
    if (digits == 17 || strtod(out, NULL) == x) return;
  }
}

void mji_writeFloat(char* out, float x) {
  for (int digits = 6; digits <= 9; digits++) {
    snprintf(out, 32, "%.*g", digits, x);
    if (digits == 9 || strtof(out, NULL) == x) return;
  }
}

static void appendNumber(mjiWriter* w, const char* name, int i, double x, const char* number) {
  if (isnan(x)) {
    mji_writeFail(w, "attribute '%s' is not a number", name);
    return;
  }
  if (i) append(w, " ", 1);
  appendText(w, number);
}

void mji_writeNums(mjiWriter* w, const char* name, const double* x, int n) {
  char number[32];
  beginAttr(w, name);
  for (int i = 0; i < n; i++) {
    mji_writeDouble(number, x[i]);
    appendNumber(w, name, i, x[i], number);
  }
  append(w, "\"", 1);
}

void mji_writeFlts(mjiWriter* w, const char* name, const float* x, int n) {
  char number[32];
  beginAttr(w, name);
  for (int i = 0; i < n; i++) {
    mji_writeFloat(number, x[i]);
    appendNumber(w, name, i, x[i], number);
  }
  append(w, "\"", 1);
}

void mji_writeInts(mjiWriter* w, const char* name, const int* x, int n) {
  char number[32];
  beginAttr(w, name);
  for (int i = 0; i < n; i++) {
    snprintf(number, sizeof number, "%d", x[i]);
    appendNumber(w, name, i, x[i], number);
  }
  append(w, "\"", 1);
}
