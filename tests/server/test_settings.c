// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of base/settings.c: where a value comes from, what is refused and where, and that the pages say what the table
// says.
#include "base/settings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/test.h"

static const srv_setting* find(const char* name) { return &srv_setting_table[srv_setting_find(name)]; }

// a configuration file with this text, for one test at a time
static const char* write_file(const char* text) {
  static char path[64];
  snprintf(path, sizeof path, "/tmp/sheaf-settings-%d", (int)getpid());
  FILE* file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
  return path;
}

// read a file of this text; 0, or 1 with the error
static int read_text(srv_settings* s, const char* text, srv_error* error) {
  srv_setting_source source = {.file = write_file(text)};
  int err = srv_settings_read(s, &source, error);
  unlink(source.file);
  return err < 0;
}

TEST(option_beats_variable_beats_file_beats_default) {
  static srv_settings s;
  srv_error e;
  int memory = srv_setting_find("max-memory");
  srv_setting_source source = {.file =
                                   write_file("; ours\nmax-memory = 10 MiB\nmax-inflight=7\nread-timeout = 0.25\n")};
  CHECK_EQ(srv_settings_read(&s, &source, &e), 0);
  CHECK_EQ(s.config.limits.held_bytes, 10 << 20);
  CHECK_EQ(s.config.limits.inflight, 7);
  CHECK_EQ(s.config.limits.stall_read_ms, 250);
  CHECK_EQ(s.config.limits.connections, 1024);
  CHECK(strstr(s.origin[memory], ":2"));
  CHECK(!strcmp(s.origin[srv_setting_find("max-connections")], "default"));
  srv_settings_close(&s);

  setenv("SHEAF_MAX_MEMORY", "20", 1);
  CHECK_EQ(srv_settings_read(&s, &source, &e), 0);
  CHECK_EQ(s.config.limits.held_bytes, 20 << 20);
  CHECK(!strcmp(s.origin[memory], "SHEAF_MAX_MEMORY"));
  srv_settings_close(&s);

  source.options[memory] = "4096 KiB";
  CHECK_EQ(srv_settings_read(&s, &source, &e), 0);
  CHECK_EQ(s.config.limits.held_bytes, 4 << 20);
  CHECK(!strcmp(s.origin[memory], "--max-memory"));
  srv_settings_close(&s);
  unsetenv("SHEAF_MAX_MEMORY");
  unlink(source.file);
}

TEST(a_wrong_file_is_refused_with_its_line) {
  static srv_settings s;
  static const char* const bad[] = {
      "\nmax-memory = -1\n",
      "\nmax-memory = 5 apples\n",
      "\nmax-memory = 99999999999999999999\n",
      "\nmax-memory = 18014398509481985 KiB\n",
      "\nmax-connections = 0\n",
      "\nmax-connections = 1.5\n",
      "\nread-timeout = 1e3\n",
      "\nread-timeout = 0.0001\n",
      "\nlog-level = loud\n",
      "\nno-tcp = perhaps\n",
      "\nmax-memry = 5\n",
      "\nnonsense\n",
      "max-memory = 5\nmax-memory = 6\n",
      "max-memory = 5\n  max-inflight = 6\n",
      "[part]\nmax-memory = 6\n",
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    srv_error e = {0};
    test_check(read_text(&s, bad[i], &e), __FILE__, __LINE__, bad[i]);
    test_check(strstr(e.message, ":2: ") != NULL, __FILE__, __LINE__, e.message);
    srv_settings_close(&s);
  }

  // a line that does not fit is not read as two
  char text[600] = "unix = /";
  memset(text + strlen(text), 'x', 500);
  srv_error e = {0};
  CHECK(read_text(&s, text, &e) || strlen(s.config.unix_path) > 500);
  CHECK(strstr(e.message, ":1: "));
  srv_settings_close(&s);
}

TEST(each_bound_holds) {
  srv_error e;
  for (int i = 0; i < SRV_NSETTING; i++) {
    const srv_setting* setting = &srv_setting_table[i];
    srv_config config = srv_config_default();
    char text[64];
    if (setting->type != SRV_COUNT) continue;
    for (int side = 0; side < 2; side++) {
      uint64_t bound = side ? setting->most : setting->least;
      snprintf(text, sizeof text, "%llu", (unsigned long long)bound);
      CHECK_EQ(srv_setting_set(&config, setting, text, "test", &e), 0);
      if (!side && !bound) continue;
      snprintf(text, sizeof text, "%llu", (unsigned long long)(side ? bound + 1 : bound - 1));
      CHECK(srv_setting_set(&config, setting, text, "test", &e) < 0);
    }
  }
}

TEST(what_is_printed_reads_back_the_same) {
  static srv_settings s, again;
  srv_error e = {0};
  char *text = NULL, *second = NULL;
  size_t n;
  CHECK_EQ(read_text(&s, "max-memory=123\nread-timeout=1.250\nearly = 17 B\nno-tcp=yes\nunix=/tmp/x y\n", &e), 0);
  FILE* out = open_memstream(&text, &n);
  srv_settings_print(&s, out);
  fclose(out);
  CHECK_EQ(read_text(&again, text, &e), 0);
  out = open_memstream(&second, &n);
  srv_settings_print(&again, out);
  fclose(out);
  for (int i = 0; i < SRV_NSETTING; i++) {
    char a[SRV_VALUE_TEXT], b[SRV_VALUE_TEXT];
    const srv_setting* setting = &srv_setting_table[i];
    test_check(!strcmp(srv_setting_text(a, &s.config, setting), srv_setting_text(b, &again.config, setting)), __FILE__,
               __LINE__, setting->name);
  }
  CHECK(strstr(text, "early = 17 B ;") && strstr(text, "read-timeout = 1.250 ;"));
  free(text);
  free(second);
  srv_settings_close(&s);
  srv_settings_close(&again);
}

static int nkept;
static void on_kept(const srv_setting* setting) {
  CHECK(!setting->live);
  nkept++;
}

TEST(only_live_settings_are_taken_over) {
  srv_config now = srv_config_default(), fresh = now;
  srv_error e;
  srv_setting_set(&fresh, find("max-connections"), "5", "test", &e);
  srv_setting_set(&fresh, find("max-unsent"), "2", "test", &e);
  srv_setting_set(&fresh, find("threads"), "5", "test", &e);
  srv_setting_set(&fresh, find("max-control"), "8 KiB", "test", &e);
  srv_settings_take_live(&now, &fresh, on_kept);
  CHECK_EQ(now.limits.connections, 5);
  CHECK_EQ(now.limits.unsent_low, 1 << 20);
  CHECK_EQ(now.threads, 0);
  CHECK_EQ(now.limits.control_bytes, 64 << 10);
  CHECK_EQ(nkept, 2);
}

// ---- the pages

static char* read_page(const char* name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", SHEAF_SOURCE_DIR, name);
  FILE* file = fopen(path, "r");
  char* text = calloc(1, 1 << 20);
  CHECK(file && text);
  CHECK(fread(text, 1, (1 << 20) - 1, file) > 0);
  fclose(file);
  return text;
}

// `| name | default | SIGHUP | help |`, as server/README.md has it
TEST(the_page_has_the_row_of_every_setting) {
  char* page = read_page("server/README.md");
  srv_config defaults = srv_config_default();
  for (int i = 0; i < SRV_NSETTING; i++) {
    const srv_setting* setting = &srv_setting_table[i];
    char line[600], value[SRV_VALUE_TEXT];
    bool told = strstr(setting->help, "(default") != NULL;
    snprintf(line, sizeof line, "| `%s` | %s | %s | %s |", setting->name,
             told ? "" : srv_setting_text(value, &defaults, setting), setting->live ? "yes" : "", setting->help);
    test_check(strstr(page, line) != NULL, __FILE__, __LINE__, line);
  }
  free(page);
}

// lines of proto/README.md that name a setting state its default
TEST(the_protocol_page_states_the_defaults) {
  char* page = read_page("proto/README.md");
  srv_config defaults = srv_config_default();
  int found = 0;
  for (int i = 0; i < SRV_NSETTING; i++) {
    const srv_setting* setting = &srv_setting_table[i];
    char name[80], value[SRV_VALUE_TEXT], want[SRV_VALUE_TEXT + 8];
    snprintf(name, sizeof name, "(`%s`) | ", setting->name);
    const char* at = strstr(page, name);
    if (!at) continue;
    snprintf(want, sizeof want, "%s%s |", srv_setting_text(value, &defaults, setting),
             setting->type == SRV_SECONDS ? " s" : "");
    test_check(!strncmp(at + strlen(name), want, strlen(want)), __FILE__, __LINE__, name);
    found++;
  }
  CHECK(found >= 12);
  free(page);
}
