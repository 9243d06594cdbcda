// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// sheaf info: prints state and counters of a server, or sizes and memory of a model.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "options.h"

static void print_text(const cli_options* o, const sheafc_server_info* i) {
  printf("%s: %s, %s\n", o->address, i->server, i->state);
  printf("  build        %s\n", i->build);
  printf("  up           %.0f s, %d threads\n", i->uptime, i->threads);
  printf("  now          %d connections, %d jobs (%d waiting), %llu bytes held\n", i->connections, i->inflight,
         i->waiting, (unsigned long long)i->queued_bytes);
  printf("  models       %d, %llu bytes\n", i->models, (unsigned long long)i->model_bytes);
  printf("  compiler     %d models compiled now (%d waiting), %.3g s each\n", i->compiling, i->compile_waiting,
         i->compile_mean);
  printf("  sandbox      %s; missing: %s\n", i->sandbox[0] ? i->sandbox : "not known yet",
         i->sandbox_missing[0] ? i->sandbox_missing : "none");
  printf("  since start  %llu requests (%llu failed, %llu cancelled), %llu rows, %llu steps\n",
         (unsigned long long)i->requests, (unsigned long long)i->errors, (unsigned long long)i->cancelled,
         (unsigned long long)i->rows, (unsigned long long)i->steps);
}

// print a text in JSON; the server's lines have no control characters, so only quotes and backslashes need an escape
static void print_string(const char* name, const char* text) {
  printf("\"%s\": \"", name);
  for (; *text; text++) printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
  printf("\", ");
}

static void print_json(const cli_options* o, const sheafc_server_info* i) {
  printf("{");
  print_string("address", o->address);
  print_string("server", i->server);
  print_string("state", i->state);
  print_string("build", i->build);
  print_string("sandbox", i->sandbox);
  print_string("sandbox_missing", i->sandbox_missing);
  printf(
      "\"uptime\": %.3f, \"threads\": %d, \"connections\": %d, \"inflight\": %d, \"waiting\": %d, "
      "\"compiling\": %d, \"compile_waiting\": %d, \"compile_mean\": %.6f, \"models\": %d, \"model_bytes\": %llu, "
      "\"queued_bytes\": %llu, \"requests\": %llu, \"errors\": %llu, "
      "\"cancelled\": %llu, \"rows\": %llu, \"steps\": %llu, \"bytes_in\": %llu, \"bytes_out\": %llu}\n",
      i->uptime, i->threads, i->connections, i->inflight, i->waiting, i->compiling, i->compile_waiting, i->compile_mean,
      i->models, (unsigned long long)i->model_bytes, (unsigned long long)i->queued_bytes,
      (unsigned long long)i->requests, (unsigned long long)i->errors, (unsigned long long)i->cancelled,
      (unsigned long long)i->rows, (unsigned long long)i->steps, (unsigned long long)i->bytes_in,
      (unsigned long long)i->bytes_out);
}

// Whether an argument is the file of a model: addresses have a scheme, and other files (certificates, tokens) belong to
// options of a connection.
static int names_model(int argc, char** argv) {
  static const char* const endings[] = {".xml", ".urdf", ".mjb"};
  for (int i = 1; i < argc; i++) {
    const char* ending = strrchr(argv[i], '.');
    for (int k = 0; k < 3; k++) {
      if (ending && argv[i][0] != '-' && !strstr(argv[i], "://") && !strcmp(ending, endings[k])) return 1;
    }
  }
  return 0;
}

int cli_info(int argc, char** argv) {
  if (names_model(argc, argv)) return cli_describe_model(argc, argv);
  cli_options o =
      cli_read_options(argc, argv,
                       "Print state and counters of a server. Exit status 0: it answered. With the file of a "
                       "model instead of an address: sizes, lanes and memory of that model, without a server.",
                       CLI_INFO, NULL);
  sheafc_status st;
  sheafc_server_info info = sheafc_server_info_default();
  sheafc* c = cli_connect(&o);
  if (!c) return 1;
  int err = sheafc_info(c, &info, &st);
  if (err) {
    cli_fail(&st);
  } else if (o.json) {
    print_json(&o, &info);
  } else {
    print_text(&o, &info);
  }
  sheafc_close(c);
  return err || strcmp(info.state, "serving") ? 1 : 0;
}
