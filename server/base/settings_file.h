// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Files of `name = value` lines, with [sections] and comments from `;` or `#` on: the configuration and the tokens.
#ifndef SHEAF_SERVER_BASE_SETTINGS_FILE_H_
#define SHEAF_SERVER_BASE_SETTINGS_FILE_H_

#include "base/failure.h"

enum { SRV_SETTINGS_LINE = 190 };  // bytes; inih's buffer has 200

// One line. The origin is "FILE:LINE"; a failure ends the reading.
typedef int (*srv_settings_line)(void* user, const char* section, const char* name, const char* value,
                                 const char* origin, srv_error* error);

// Read a file. A name may occur once in each section.
int srv_settings_file_read(const char* path, srv_settings_line line, void* user, srv_error* error);

#endif  // SHEAF_SERVER_BASE_SETTINGS_FILE_H_
