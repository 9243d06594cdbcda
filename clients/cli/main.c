// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// sheaf COMMAND ...: finds the command and runs it.
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <sheaf/version.h>

#include "commands.h"
#include "models/spawner.h"
#include "sheaf_client.h"

static const struct {
  const char* name;
  int (*run)(int argc, char** argv);
  const char* help;
} commands[] = {
    {"serve", cli_serve, "run a server"},
    {"token", cli_token, "make a token for a client of a server"},
    {"info", cli_info, "print state and counters of a server, or sizes and memory of a model"},
    {"models", cli_models, "list the models of a server, or unload some"},
    {"top", cli_top, "print state and rates of a server, again and again"},
    {"bench", cli_bench, "measure throughput and latency of a server"},
    {"check", cli_check, "compile a model without a server, and try its first steps"},
};

enum { NCOMMAND = sizeof commands / sizeof commands[0], WIDTH = 24 };

static int usage(FILE* out) {
  fprintf(out, "usage: sheaf COMMAND ...\n\n");
  for (int i = 0; i < NCOMMAND; i++) fprintf(out, "  %-*s%s\n", WIDTH, commands[i].name, commands[i].help);
  for (int i = 0; i < SHEAF_NKIND; i++) {
    fprintf(out, "  %-*s%s\n", WIDTH, sheafc_request_info(i)->name, sheafc_request_info(i)->doc);
  }
  fprintf(out, "\n\"sheaf COMMAND --help\" tells more about a command, \"sheaf --version\" prints the version.\n");
  return out == stderr ? 2 : 0;
}

// the request of this name, -1 if there is none; "fd" is short for transition_fd and, with --inverse, inverse_fd
static int find_request(int argc, char** argv) {
  const char* name = argv[1];
  if (!strcmp(name, "fd")) {
    name = "transition_fd";
    for (int i = 2; i < argc; i++) {
      if (!strcmp(argv[i], "--inverse")) name = "inverse_fd";
    }
  }
  for (int i = 0; i < SHEAF_NKIND; i++) {
    if (!strcmp(sheafc_request_info(i)->name, name)) return i;
  }
  return -1;
}

static int run(int argc, char** argv) {
  argp_err_exit_status = 2;
  if (argc < 2) return usage(stderr);
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) return usage(stdout);
  if (!strcmp(argv[1], "--version")) return puts("sheaf " SHEAF_VERSION) < 0;

  // the server starts itself with this command
  if (!strcmp(argv[1], "spawn-compilers") && argc == 2) return srv_spawner_main();

  for (int i = 0; i < NCOMMAND; i++) {
    if (!strcmp(argv[1], commands[i].name)) return commands[i].run(argc - 1, argv + 1);
  }
  int kind = find_request(argc, argv);
  if (kind >= 0) return cli_compute(kind, argc - 1, argv + 1);
  fprintf(stderr, "sheaf: no command \"%s\"\n", argv[1]);
  return usage(stderr);
}

// A command whose output was lost has failed.
int main(int argc, char** argv) {
  int status = run(argc, argv);
  if (!fflush(stdout) && !ferror(stdout)) return status;
  fprintf(stderr, "sheaf: standard output: %s\n", strerror(errno));
  return status ? status : 1;
}
