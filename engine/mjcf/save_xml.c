// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Public functions that write MJCF.

#include "mjcf/save_xml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/write.h"

// a caller may not want the reason
static void clear(char** error, int* nerror, char* own, int nown) {
  if (!*error || *nerror <= 0) {
    *error = own;
    *nerror = nown;
  }
  (*error)[0] = 0;
}

// ---- to memory

int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz) {
  char own[16];
  clear(&error, &error_sz, own, sizeof own);
  size_t size;
  char* text = mji_writeDocument(s, &size, error, error_sz);
  if (!text) return -1;

  // all of it or nothing
  int result = 0;
  if (size > 0x7ffffffe) {
    snprintf(error, (size_t)error_sz, "the document is too long for a buffer");
    result = -1;
  } else if ((long long)size >= xml_sz || !xml) {
    snprintf(error, (size_t)error_sz, "the buffer is too small: the document needs %zu bytes", size + 1);
    result = (int)size;
  } else {
    memcpy(xml, text, size + 1);
  }
  free(text);
  return result;
}

// ---- to a file

// the file of that name, or standard output if there is none
static int writeFile(const char* filename, const char* text, size_t size, char* error, int nerror) {
  FILE* file = filename ? fopen(filename, "wb") : stdout;
  int ok = file && fwrite(text, 1, size, file) == size && !fflush(file);
  int reason = errno;
  if (file && file != stdout) ok &= !fclose(file);
  if (ok) return 0;
  snprintf(error, (size_t)nerror, "%s: cannot write: %s", filename ? filename : "standard output", strerror(reason));
  return -1;
}

int mji_saveFile(const mjSpec* s, const char* filename, char* error, int nerror) {
  size_t size;
  char* text = mji_writeDocument(s, &size, error, nerror);
  if (!text) return -1;
  int result = writeFile(filename, text, size, error, nerror);
  free(text);
  return result;
}

int mj_saveXML(const mjSpec* s, const char* filename, char* error, int error_sz) {
  char own[16];
  clear(&error, &error_sz, own, sizeof own);
  if (filename) return mji_saveFile(s, filename, error, error_sz);
  snprintf(error, (size_t)error_sz, "there is no file name");
  return -1;
}
