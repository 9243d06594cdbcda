// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models in the wild were written for a forgiving parser. This turns what that parser forgives into
// well-formed XML, for expat: "--" in comments, "&" and "<" in values, attributes without space
// between them, declarations after empty lines, text anywhere, and what follows the root.
#ifndef SHEAF_MJCF_XML_FORGIVE_H_
#define SHEAF_MJCF_XML_FORGIVE_H_

#include <stddef.h>

// A copy of the text (free it) on the same lines, its size in *out; NULL when out of memory.
// Whatever is not forgiven is copied as it is, for the parser to refuse.
char* mji_forgive(const char* text, size_t size, size_t* out);

#endif  // SHEAF_MJCF_XML_FORGIVE_H_
