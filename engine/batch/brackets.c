// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/brackets.h"

#include <ctype.h>
#include <string.h>

#include "pool/pool.h"

int mji_refuseBrackets(const char* name, const char* expected, const char* got, sheafStatus* status) {
  mji_status(status, SHEAF_INVALID_ARGUMENT, "output", "expected %s, got \"%.40s\" in \"%.40s\"", expected, got, name);
  return -1;
}

int mji_readIndex(const char* text, size_t n, int none, int most) {
  int value = 0;
  for (size_t i = 0; i < n; i++) {
    if (!isdigit((unsigned char)text[i]) || value > most) return -1;
    value = 10 * value + (text[i] - '0');
  }
  return !n ? none : value <= most ? value : -1;
}

char* mji_trim(char* text) {
  while (*text == ' ') text++;
  for (size_t n = strlen(text); n && text[n - 1] == ' '; n--) text[n - 1] = 0;
  return text;
}
