// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mj_printSchema: the table of the language as text or HTML, attributes in alphabetical order.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/schema.h"

enum { COLUMN = 30, MAX_SCHEMA_ATTRS = 128 };

typedef struct {
  char* text;
  size_t size, cap;
  int html, pad;
} Output;

static void append(Output* o, const char* text) {
  size_t n = strlen(text);
  if (o->size + n + 1 > o->cap) {
    size_t cap = 2 * (o->size + n + 1);
    char* grown = realloc(o->text, cap);
    if (!grown) return;
    o->text = grown;
    o->cap = cap;
  }
  memcpy(o->text + o->size, text, n + 1);
  o->size += n;
}

// ---- one element

static int compareNames(const void* a, const void* b) { return strcmp(*(const char* const*)a, *(const char* const*)b); }

static int collect(const mjiAttrRow* rows, int indefault, const char** names, int n) {
  for (; rows->name && n < MAX_SCHEMA_ATTRS; rows++) {
    if (rows->kind == mjiGROUP) n = collect(rows->group, indefault, names, n);
    else if (!(indefault && rows->flags & mjiINMODEL)) names[n++] = rows->name;
  }
  return n;
}

// a line is full once it is longer than a column
static void printText(Output* o, const char* name, char times, int depth, const char** attr, int n) {
  char head[128];
  snprintf(head, sizeof head, "%*s%s (%c)", 3 * depth, "", name, times);
  snprintf(head + strlen(head), 2, " ");
  char column[COLUMN + 128];
  snprintf(column, sizeof column, "%-*s", COLUMN, head);
  append(o, column);
  size_t length = 0;
  for (int i = 0; i < n; i++) {
    append(o, attr[i]);
    append(o, " ");
    length += strlen(attr[i]) + 1;
    if (length <= COLUMN || i == n - 1) continue;
    snprintf(column, sizeof column, "\n%*s", COLUMN, "");
    append(o, column);
    length = 0;
  }
  append(o, "\n");
}

static void printHTML(Output* o, const char* name, char times, int depth, const char** attr, int n) {
  char cell[128];
  append(o, "<tr>\n\t<td ");
  if (o->pad) {
    snprintf(cell, sizeof cell, "style=\"padding-left:%d\" ", 5 + 15 * depth);
    append(o, cell);
  }
  append(o, "bgcolor=\"#EEEEEE\" class=\"el\">");
  for (int i = 0; !o->pad && i < 4 * depth; i++) append(o, "&nbsp;");
  snprintf(cell, sizeof cell, "%s</td>\n\t<td class=\"ty\">%c</td>\n\t<td class=\"at\">", name, times);
  append(o, cell);
  if (!n) append(o, "<i>none</i>");
  for (int i = 0; i < n; i++) {
    append(o, attr[i]);
    append(o, " ");
  }
  append(o, "</td>\n</tr>\n");
}

static void printElem(Output* o, const mjiElemRow* row, int depth, int indefault) {
  // the world is described as a body, whose attributes are those of bodies inside it
  int world = depth == 1 && !strcmp(row->name, "worldbody");
  const char* names[MAX_SCHEMA_ATTRS];
  int n = collect(row->attr, indefault, names, 0);
  qsort(names, (size_t)n, sizeof *names, compareNames);
  const char* name = world ? "(world)body" : row->name;
  char times = world ? 'R' : row->times;
  if (o->html) printHTML(o, name, times, depth, names, n);
  else printText(o, name, times, depth, names, n);

  int within = indefault || !strcmp(row->name, "default");
  for (const mjiElemRow* c = row->child; c && c->name; c++) {
    // an element that nests in itself has been described above, except for the classes at the top
    int top = !depth && !strcmp(c->name, "default");
    if (c->times != 'R' || top) printElem(o, c, depth + 1, within);
  }
}

// ---- all of them

int mj_printSchema(const char* filename, char* buffer, int buffer_sz, int flg_html, int flg_pad) {
  static const mjiAttrRow model[] = {{"model", mjiOTHER}, {0}};
  static const mjiElemRow root = {"mujoco", '!', model, mji_elemsRoot};
  Output o = {.html = flg_html, .pad = flg_pad};
  if (o.html) append(&o, "<table border=\"1\">\n");
  printElem(&o, &root, 0, 0);
  if (o.html) append(&o, "</table>\n");

  FILE* file = filename ? fopen(filename, "wb") : NULL;
  if (file) {
    fwrite(o.text, 1, o.size, file);
    fclose(file);
  }
  if (buffer && buffer_sz > 0) snprintf(buffer, (size_t)buffer_sz, "%s", o.text ? o.text : "");
  free(o.text);
  return (int)o.size;
}
