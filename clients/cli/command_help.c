// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "command_help.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <sheaf/batch.h>

typedef struct {
  char* text;
  size_t size, length;
} writer;

__attribute__((format(printf, 2, 3))) static void add(writer* w, const char* format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(w->text + w->length, w->size - w->length, format, args);
  va_end(args);
  w->length += n < 0 ? 0 : (size_t)n;
  if (w->length >= w->size) w->length = w->size - 1;
}

// "(nbatch, nstep, nstate)" of "B nstep nstate"
static void add_shape(writer* w, const char* shape) {
  char list[160] = "(nbatch";
  size_t n = strlen(list);
  for (const char* p = shape; n + 3 < sizeof list && *p; p++) {
    if (p == shape && *p == 'B' && (p[1] == ' ' || !p[1])) continue;
    if (*p == ' ') list[n++] = ',';
    list[n++] = *p;
  }
  list[n++] = ')';
  list[n] = 0;
  add(w, "%s", list);
}

// add the words of a text, broken into indented lines
static void add_words(writer* w, const char* text, const char* more) {
  enum { INDENT = 6, WIDTH = 78 };
  char all[400];
  snprintf(all, sizeof all, "%s%s", text, more);
  size_t line = WIDTH;
  for (char *rest = NULL, *word = strtok_r(all, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    bool wrap = line + 1 + strlen(word) > WIDTH;
    if (wrap) line = INDENT - 1;
    add(w, wrap ? "\n%*s%s" : "%*s%s", wrap ? INDENT : 1, "", word);
    line += 1 + strlen(word);
  }
  add(w, "\n");
}

static void add_field(writer* w, const sheafField* f) {
  add(w, "  %s ", f->name);
  add_shape(w, f->shape);
  add_words(w, f->doc,
            f->when == SHEAF_WHEN_REQUIRED ? "; the reset state, or --key"
            : f->when == SHEAF_WHEN_ASKED  ? "; with --output"
                                           : "");
}

// the names that a function returns for the numbers from 0 on
static void add_names(writer* w, const char* title, int count, const char* (*name_of)(int)) {
  size_t line = 0;
  add(w, "\n%s:\n", title);
  for (int i = 0; i < count; i++) {
    const char* name = name_of(i);
    size_t n = strlen(name) + 1;
    if (line + n > 76) add(w, "\n");
    if (!line || line + n > 76) line = 1, add(w, " ");
    add(w, " %s", name);
    line += n;
  }
  add(w, "\n");
}

// a line for each option whose numbers have words
static void add_option_words(writer* w, const sheafRequest* request) {
  const char* option = NULL;
  for (const sheafField* f = request->fields; f->name; f++) {
    if (f->role != SHEAF_ROLE_WORD) continue;
    if (!option) add(w, "\nWords for numbers:");
    if (!option || strcmp(option, f->name) != 0) add(w, "\n  --%s", f->name);
    add(w, " %s", f->text);
    option = f->name;
  }
  if (option) add(w, "\n");
}

void cli_describe(char* text, size_t size, const char* about, const sheafRequest* request) {
  writer w = {text, size, 0};
  add(&w, "%s", about);
  if (!request) return;
  add(&w, "\v");
  add_option_words(&w, request);
  add(&w, "\nInputs, --input NAME=FILE.npy (doubles; nbatch rows, or 1 for all):\n");
  for (const sheafField* f = request->fields; f->name; f++) {
    if (f->role == SHEAF_ROLE_INPUT) add_field(&w, f);
  }
  add(&w, "\nOutputs:\n");
  for (const sheafField* f = request->fields; f->name; f++) {
    if (f->role == SHEAF_ROLE_OUTPUT) add_field(&w, f);
    if (f->role == SHEAF_ROLE_NAMED && f->text[0]) {
      add(&w, "  %s\n      where no --output is given\n", f->text);
    }
  }
  for (const sheafField* f = request->fields; f->name; f++) {
    if (f->role == SHEAF_ROLE_NAMED) {
      add(&w, "\nOutputs by name ");
      add_shape(&w, f->shape);
      add_words(&w, f->doc, "");
      add_names(&w, "More outputs, --output NAME, or rows of one, --output NAME[ELEMENT,NUMBER,FIRST:END]",
                sheaf_outputCount(), sheaf_outputName);
    }
    if (f->role == SHEAF_ROLE_COLUMNS) {
      add(&w, "\nColumns, --column NAME or NAME[ELEMENT,NUMBER,FIRST:END], of\n  %s", f->text);
      add_words(&w, f->doc, "");
    }
    if (f->role == SHEAF_ROLE_PARAMS) {
      add_names(&w, "Numbers of the model, --param NAME=FILE.npy (doubles; nbatch rows, or 1 for all)",
                sheaf_paramCount(), sheaf_paramName);
    }
  }
}
