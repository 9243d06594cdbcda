// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// sheaf serve: a server in this process. Its options are the rows of server/base/setting_table.h.
#include <argp.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "admin/server.h"
#include "base/settings.h"
#include "commands.h"
#include "models/sandbox.h"

// KEY_SETTING + i: row i of the table
enum { KEY_CONFIG = 256, KEY_CHECK, KEY_SETTING = 512, HELP_TEXT = 240 };

typedef struct {
  srv_setting_source source;
  bool check;
} arguments;

static const char about[] =
    "Run a server until SIGTERM. An option wins over SHEAF_<OPTION> in the environment, which wins over `option = "
    "value` "
    "in the configuration file. SIGHUP reads them again.";

static int key_of(int i) { return srv_setting_table[i].letter ? srv_setting_table[i].letter : KEY_SETTING + i; }

static error_t parse(int key, char* arg, struct argp_state* state) {
  arguments* a = state->input;
  if (key == KEY_CONFIG) {
    a->source.file = arg;
    return 0;
  }
  if (key == KEY_CHECK) {
    a->check = true;
    return 0;
  }
  for (int i = 0; i < SRV_NSETTING; i++) {
    if (key != key_of(i)) continue;
    a->source.options[i] = srv_setting_table[i].type == SRV_FLAG ? "true" : arg;
    return 0;
  }
  return ARGP_ERR_UNKNOWN;
}

// an option with its default; texts live in `help`
static struct argp_option option_of(int i, const srv_config* defaults, char help[HELP_TEXT]) {
  const srv_setting* setting = &srv_setting_table[i];
  char value[SRV_VALUE_TEXT];
  const char* shown = srv_setting_text(value, defaults, setting);
  bool tell = setting->type != SRV_FLAG && shown[0] && !strstr(setting->help, "(default");
  snprintf(help, HELP_TEXT, tell ? "%s (%s)" : "%s", setting->help, shown);
  return (struct argp_option){setting->name, key_of(i), setting->value, 0, help, 0};
}

// read the command line
static void read_arguments(arguments* a, int argc, char** argv) {
  static char help[SRV_NSETTING][HELP_TEXT];
  srv_config defaults = srv_config_default();
  struct argp_option options[SRV_NSETTING + 3] = {
      {"config", KEY_CONFIG, "FILE", 0, "configuration file: lines `option = value`", -1},
      {"check-config", KEY_CHECK, NULL, 0, "print the settings and where each comes from, and end", -1}};
  for (int i = 0; i < SRV_NSETTING; i++) options[2 + i] = option_of(i, &defaults, help[i]);
  struct argp parser = {options, parse, NULL, about, NULL, NULL, NULL};
  a->source.file = getenv("SHEAF_CONFIG");
  argp_parse(&parser, argc, argv, 0, NULL, a);
}

// Keep the pages of freed arrays. Requests and results have arrays of megabytes; each would otherwise be a mapping of
// its own, which the system clears page by page when it is first touched.
static void keep_memory_warm(void) {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

// Open the standard descriptors if the process was started without them; otherwise the next files and sockets would get
// their numbers.
static void open_standard_descriptors(void) {
  int fd;
  do {
    fd = open("/dev/null", O_RDWR);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) close(fd);
}

// as comments, so that what is printed stays a configuration file
static void print_sandbox(void) {
  char hold[128], missing[128];
  int layers = srv_sandbox_probe();
  printf("; sandbox of the model compiler here: %s; missing: %s\n", srv_sandbox_text(hold, sizeof hold, layers),
         layers == SRV_SANDBOX_ALL ? "none" : srv_sandbox_text(missing, sizeof missing, SRV_SANDBOX_ALL & ~layers));
}

static int fail(const srv_error* error, int status) {
  fprintf(stderr, "sheaf serve: %s\n", error->message);
  return status;
}

int cli_serve(int argc, char** argv) {
  static srv_settings settings;
  arguments a = {0};
  srv_error error;
  char name[] = "sheaf serve";
  argv[0] = name;
  open_standard_descriptors();
  read_arguments(&a, argc, argv);
  if (srv_settings_read(&settings, &a.source, &error)) return fail(&error, 2);
  if (a.check) {
    srv_settings_print(&settings, stdout);
    print_sandbox();
    return srv_check(&settings.config, &error) ? fail(&error, 2) : 0;
  }
  keep_memory_warm();
  int err = srv_run(&settings, &a.source, &error);
  srv_settings_close(&settings);
  return err ? fail(&error, 1) : 0;
}
