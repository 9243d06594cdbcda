// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Public entry points: text to spec.

#include <stdio.h>
#include <string.h>

#include "mjcf/include.h"
#include "mjcf/read.h"
#include "mjcf/source.h"

// a caller may not want the reason
static void clear(char** error, int* nerror, char* own, int nown) {
  if (!*error || *nerror <= 0) {
    *error = own;
    *nerror = nown;
  }
  (*error)[0] = 0;
}

static int isNamed(const char* filename, char* error, int nerror) {
  if (!filename) snprintf(error, (size_t)nerror, "the name of the file is missing");
  return filename != NULL;
}

mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  char own[16];
  clear(&error, &error_sz, own, sizeof own);
  if (!isNamed(filename, error, error_sz)) return NULL;
  return mji_parseFile(filename, vfs, NULL, error, error_sz);
}

mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz) {
  char own[16];
  clear(&error, &error_sz, own, sizeof own);
  return mji_parseText("string", "", xml, strlen(xml), vfs, NULL, error, error_sz);
}

int mji_saysXML(const char* filename, const char* content_type) {
  const char* dot = strrchr(filename, '.');
  return (dot && !strcmp(dot, ".xml")) || (content_type && mji_contentIs(content_type, "text/xml"));
}

mjSpec* mj_parse(const char* filename, const char* content_type, const mjVFS* vfs, char* error, int error_sz) {
  char own[16];
  clear(&error, &error_sz, own, sizeof own);
  if (!isNamed(filename, error, error_sz)) return NULL;
  if (!mji_saysXML(filename, content_type)) return mji_decodeFile(filename, content_type, vfs, error, error_sz);
  return mji_parseFile(filename, vfs, NULL, error, error_sz);
}
