// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <mujoco/mujoco.h>

#include "base/assert.h"

void (*mju_user_error)(const char*) = NULL;
void (*mju_user_warning)(const char*) = NULL;

static _Thread_local mjiTrap* innermost;
static _Thread_local char* heard;  // where the first warning goes, or NULL

// ---- traps

void mji_pushTrap(mjiTrap* trap) {
  trap->outer = innermost;
  trap->text[0] = 0;
  innermost = trap;
}

void mji_tryEnd(mjiTrap* trap) {
  MJ_ASSERT(innermost == trap);
  innermost = trap->outer;
}

// ---- errors

void mju_clearHandlers(void) {
  mju_user_error = NULL;
  mju_user_warning = NULL;
  mju_user_malloc = NULL;
  mju_user_free = NULL;
}

void mju_writeLog(const char* type, const char* msg) {
  FILE* file = fopen("MUJOCO_LOG.TXT", "a+");
  if (!file) return;

  // a date, the kind of message and its text; an empty line ends the entry
  char date[64];
  time_t now = time(NULL);
  struct tm local;
  localtime_r(&now, &local);
  strftime(date, sizeof date, "%a %b %e %H:%M:%S %Y", &local);
  fprintf(file, "%s\n%s: %s\n\n", date, type, msg);
  fclose(file);
}

static void raise(const char* text) {
  heard = NULL;

  // to the innermost trap of this thread
  mjiTrap* trap = innermost;
  if (trap) {
    innermost = trap->outer;
    snprintf(trap->text, sizeof trap->text, "%s", text);
    longjmp(trap->jump, 1);
  }

  // to the user's handler, which should leave by a long jump, an exception or the end of the process
  if (mju_user_error) {
    mju_user_error(text);
    return;
  }

  // the documented default: log, print and end the process
  mju_writeLog("ERROR", text);
  printf("ERROR: %s\n\nPress Enter to exit ...", text);
  getchar();
  exit(EXIT_FAILURE);
}

void mju_error(const char* msg, ...) {
  char text[MJI_ERROR_TEXT];
  va_list args;
  va_start(args, msg);
  vsnprintf(text, sizeof text, msg, args);
  va_end(args);
  raise(text);
}

void mju_error_i(const char* msg, int i) {
  char text[MJI_ERROR_TEXT];
  snprintf(text, sizeof text, msg, i);
  raise(text);
}

void mju_error_s(const char* msg, const char* s) {
  char text[MJI_ERROR_TEXT];
  snprintf(text, sizeof text, msg, s);
  raise(text);
}

// ---- warnings

void mji_hearWarning(char* text) {
  if (text) *text = 0;
  heard = text;
}

static void warn(const char* text) {
  if (heard && !*heard) {
    snprintf(heard, MJI_ERROR_TEXT, "%s", text);
    return;
  }
  if (mju_user_warning) {
    mju_user_warning(text);
    return;
  }
  mju_writeLog("WARNING", text);
  printf("WARNING: %s\n\n", text);
}

void mju_warning(const char* msg, ...) {
  char text[MJI_ERROR_TEXT];
  va_list args;
  va_start(args, msg);
  vsnprintf(text, sizeof text, msg, args);
  va_end(args);
  warn(text);
}

void mju_warning_i(const char* msg, int i) {
  char text[MJI_ERROR_TEXT];
  snprintf(text, sizeof text, msg, i);
  warn(text);
}

void mju_warning_s(const char* msg, const char* s) {
  char text[MJI_ERROR_TEXT];
  snprintf(text, sizeof text, msg, s);
  warn(text);
}
