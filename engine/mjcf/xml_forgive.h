// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models in the wild were written for a forgiving parser. This turns what that parser forgives into
// well-formed XML, for expat: "--" in comments, "&" and "<" in values, attributes without space
// between them, declarations after empty lines, text anywhere, and what follows the root.
#ifndef SHEAF_MJCF_XML_FORGIVE_H_
#define SHEAF_MJCF_XML_FORGIVE_H_

#include <stddef.h>

enum {
  MJI_MAXCODE = 0x10FFFF,  // last code of Unicode
  MJI_CONTROL = 0x100,     // control characters in values are written this much higher
};

typedef struct mjiForgiven_ {
  char* text;  // on the same lines; to be freed
  size_t size;
  const char* comment;  // at the start of the first element, in the original text; NULL if there is none
  size_t ncomment;
} mjiForgiven;

// Text that is not forgiven is copied as it is, and expat refuses it. Characters that expat would not keep in values
// (line ends, tabs, other control characters) become references. Returns 0 when out of memory.
int mji_forgive(const char* text, size_t size, mjiForgiven* result);

#endif  // SHEAF_MJCF_XML_FORGIVE_H_
