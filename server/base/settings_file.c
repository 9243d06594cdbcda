// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/settings_file.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

#include "sheaf.pb-c.h"

enum { NAME = 64 };

typedef struct {
  const char* path;
  FILE* file;
  int line;
  bool too_long;  // a line did not fit the library's buffer
  srv_settings_line take;
  void* user;
  int err;
  srv_error* error;
  char section[NAME], name[NAME];  // of the line before
} reading;

static int fail(reading* r, const char* expected) {
  r->err =
      srv_error_set(r->error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s:%d: expected %s", r->path, r->line, expected);
  return 0;
}

static int fail_long(reading* r) {
  char expected[64];
  snprintf(expected, sizeof expected, "a line of at most %d bytes", SRV_SETTINGS_LINE);
  return fail(r, expected);
}

// inih does not tell which line it reads, and would read a line that is too long as two, so lines are read here.
static char* next_line(char* out, int size, void* user) {
  reading* r = user;
  if (r->err || !fgets(out, size, r->file)) return NULL;
  r->line++;
  if (!strchr(out, '\n') && !feof(r->file)) {
    fail_long(r);
    return NULL;
  }
  return out;
}

static int on_line(void* user, const char* section, const char* name, const char* value) {
  reading* r = user;
  char origin[320];
  if (r->err) return 0;

  // inih takes an indented line as a continuation and repeats the name of the line above
  if (!strcmp(r->section, section) && !strcmp(r->name, name)) {
    return fail(r, "each name once, and no line that begins with a blank");
  }
  // as --check-config prints it
  if (strlen(name) + strlen(" = ") + strlen(value) > SRV_SETTINGS_LINE) return fail_long(r);

  // behind a blank it would be a comment, also where --check-config prints it
  if (value[0] == ';') return fail(r, "a value that does not begin with a semicolon");
  snprintf(r->section, sizeof r->section, "%s", section);
  snprintf(r->name, sizeof r->name, "%s", name);
  snprintf(origin, sizeof origin, "%.300s:%d", r->path, r->line);
  r->err = r->take(r->user, section, name, value, origin, r->error);
  return !r->err;
}

int srv_settings_file_read(const char* path, srv_settings_line line, void* user, srv_error* error) {
  reading r = {.path = path, .file = fopen(path, "re"), .take = line, .user = user, .error = error};
  if (!r.file) return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s: %s", path, strerror(errno));
  int bad = ini_parse_stream(next_line, &r, on_line, &r);
  if (bad && !r.err) {
    r.line = bad;
    fail(&r, "NAME = VALUE");
  }
  if (ferror(r.file) && !r.err) {
    r.err = srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s: cannot be read", path);
  }
  fclose(r.file);
  return r.err;
}
