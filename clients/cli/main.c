// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// sheaf COMMAND ...: finds the command and runs it.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "models/compile.h"

static const struct {
  const char* name;
  int (*run)(int argc, char** argv);
  const char* help;
} commands[] = {
    {"serve", cli_serve, "run a server"},
    {"info", cli_info, "say how a server is; exit status 0 when it is well"},
    {"rollout", cli_rollout, "simulate a batch of rollouts on a server"},
    {"forward", cli_forward, "forward dynamics at given states"},
    {"inverse", cli_inverse, "inverse dynamics"},
    {"fd", cli_fd, "derivatives of a step by finite differences"},
    {"bench", cli_bench, "measure a server"},
};

enum { NCOMMAND = sizeof commands / sizeof commands[0] };

static int usage(FILE* out) {
  fprintf(out, "usage: sheaf COMMAND ...\n\n");
  for (int i = 0; i < NCOMMAND; i++) fprintf(out, "  %-10s%s\n", commands[i].name, commands[i].help);
  fprintf(out, "\nsheaf COMMAND --help tells more; sheaf --version the version.\n");
  return out == stderr ? 2 : 0;
}

int main(int argc, char** argv) {
  if (argc < 2) return usage(stderr);
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) return usage(stdout);
  if (!strcmp(argv[1], "--version")) return puts("sheaf " SHEAF_VERSION) < 0;

  // started by the server for itself; see models/compile.h
  if (!strcmp(argv[1], "compile-model") && argc == 4) return srv_compile_helper(argv[2], argv[3]);

  for (int i = 0; i < NCOMMAND; i++) {
    if (!strcmp(argv[1], commands[i].name)) return commands[i].run(argc - 1, argv + 1);
  }
  fprintf(stderr, "sheaf: no command \"%s\"\n", argv[1]);
  return usage(stderr);
}
