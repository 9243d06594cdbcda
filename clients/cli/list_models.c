// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// sheaf models: which models a server has for this client, and, with --unload, forget some.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "options.h"

enum { MOST = 256, HEX = 64 };

static void write_hex(char text[HEX + 1], const uint8_t* hash) {
  for (int i = 0; i < HEX / 2; i++) snprintf(text + 2 * i, 3, "%02x", hash[i]);
}

static void print_json_name(const char* name) {
  putchar('"');
  for (; *name; name++) {
    if ((unsigned char)*name < 0x20) printf("\\u%04x", *name);
    else printf(*name == '"' || *name == '\\' ? "\\%c" : "%c", *name);
  }
  putchar('"');
}

static void print_model(const sheafc_listed_model* m, bool json, bool first) {
  char hex[HEX + 1];
  write_hex(hex, m->hash);
  if (!json) {
    printf("%.16s  %8.1f KiB  %8.1f KiB  %6d  %12llu  %s%s\n", hex, (double)m->bytes / 1024,
           (double)m->worker_bytes / 1024, m->inflight, (unsigned long long)m->steps, m->name,
           m->shared ? " (shared)" : "");
    return;
  }
  printf("%s{\"hash\": \"%s\", \"name\": ", first ? "" : ", ", hex);
  print_json_name(m->name);
  printf(
      ", \"bytes\": %llu, \"worker_bytes\": %llu, \"inflight\": %d, \"rows\": %llu, \"steps\": %llu, \"shared\": %s}",
      (unsigned long long)m->bytes, (unsigned long long)m->worker_bytes, m->inflight, (unsigned long long)m->rows,
      (unsigned long long)m->steps, m->shared ? "true" : "false");
}

// those whose hash begins like that are forgotten; exit status
static int unload(sheafc* c, const sheafc_listed_model* list, int n, const char* prefix) {
  int done = 0;
  for (int i = 0; i < n; i++) {
    char hex[HEX + 1];
    sheafc_status st;
    write_hex(hex, list[i].hash);
    if (strncmp(hex, prefix, strlen(prefix))) continue;
    if (sheafc_unload(c, list[i].hash, &st)) return cli_fail(&st);
    printf("unloaded %.16s %s\n", hex, list[i].name);
    done++;
  }
  if (!done) fprintf(stderr, "sheaf: no model's hash begins with \"%s\"\n", prefix);
  return !done;
}

static void print_list(const sheafc_listed_model* list, int n, int total, bool json) {
  if (json) printf("[");
  else if (n) printf("%-16s  %12s  %12s  %6s  %12s  name\n", "hash", "model", "workers", "in use", "steps");
  for (int i = 0; i < n; i++) print_model(&list[i], json, i == 0);
  if (json) printf("]\n");
  else if (total > n) printf("... and %d more\n", total - n);
}

int cli_models(int argc, char** argv) {
  cli_options o = cli_read_options(argc, argv, "List the models of this client's identity on a server, or unload some.",
                                   CLI_MODELS, NULL);
  sheafc_status st;
  sheafc* c = cli_connect(&o);
  sheafc_listed_model* list = calloc(MOST, sizeof *list);
  if (!c || !list) return 1;
  int total = sheafc_list_models(c, list, MOST, &st), n = total < MOST ? total : MOST, status = 0;
  if (total < 0) status = cli_fail(&st);
  else if (o.unload) status = unload(c, list, n, o.unload);
  else print_list(list, n, total, o.json);
  free(list);
  sheafc_close(c);
  return status;
}
