// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A server for one command, so that the command works where no server runs.
#ifndef SHEAF_CLI_PRIVATE_SERVER_H_
#define SHEAF_CLI_PRIVATE_SERVER_H_

// Start a server with this many threads behind a Unix socket that only this user may open. Its address, or NULL after
// a message. The server ends with this process.
const char* cli_private_server(int threads);

#endif  // SHEAF_CLI_PRIVATE_SERVER_H_
