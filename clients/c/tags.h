// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The tags of an XML text. The compiler's reader accepts some text that XML parsers refuse ("--" in comments, "&" and
// "<" in values, attributes without space between them), so this scanner looks for tags only and leaves errors to the
// compiler.
#ifndef SHEAF_CLIENT_TAGS_H_
#define SHEAF_CLIENT_TAGS_H_

#include <stddef.h>

// An element begins. Attributes: name, value, name, value, ..., NULL.
typedef void (*tag_func)(void* user, const char* element, const char** attributes);

// Call back for each element in the order of the text. Nonzero without memory.
int tags_scan(const char* text, size_t size, tag_func on_tag, void* user);

#endif  // SHEAF_CLIENT_TAGS_H_
