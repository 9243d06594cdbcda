// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One function per subcommand; argv[0] is its name. They return the exit status.
#ifndef SHEAF_CLI_COMMANDS_H_
#define SHEAF_CLI_COMMANDS_H_

int cli_serve(int argc, char** argv);
int cli_token(int argc, char** argv);
int cli_info(int argc, char** argv);
int cli_models(int argc, char** argv);
int cli_top(int argc, char** argv);
int cli_bench(int argc, char** argv);
int cli_check(int argc, char** argv);
int cli_describe_model(int argc, char** argv);

// A request of a kind (sheafKind).
int cli_compute(int kind, int argc, char** argv);

#endif  // SHEAF_CLI_COMMANDS_H_
