// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The text that --help prints around the options: what a command does, its inputs and outputs.
#ifndef SHEAF_CLI_COMMAND_HELP_H_
#define SHEAF_CLI_COMMAND_HELP_H_

#include <stddef.h>

#include <sheaf/request_rows.h>

enum { CLI_HELP_TEXT = 16384 };

// Write a documentation text of argp: `about` before the options, and the inputs and outputs of the request (may be
// NULL) after them. A text that is too long is cut.
void cli_describe(char* text, size_t size, const char* about, const sheafRequest* request);

#endif  // SHEAF_CLI_COMMAND_HELP_H_
