// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of base/log.c: what a line is, whatever a client sends. Stalled readers: tests/e2e/test_log.py.
#include "base/log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log_line.h"
#include "support/test.h"

static const char* quote(const char* text, int size) {
  static char out[512];
  return srv_log_quote(out, size, text);
}

TEST(client_bytes_are_escaped) {
  CHECK(!strcmp(quote("plain", 64), "\"plain\""));
  CHECK(!strcmp(quote("a\"b\\c", 64), "\"a\\\"b\\\\c\""));
  CHECK(!strcmp(quote("line\nts=0 level=error\r\x1b[2J\x7f", 64), "\"line\\x0ats=0 level=error\\x0d\\x1b[2J\\x7f\""));
  CHECK(!strcmp(quote("na\xc3\xafve", 64), "\"na\xc3\xafve\""));

  // not UTF-8, and a control character of terminals that is
  CHECK(!strcmp(quote("\xff\xc3", 64), "\"\\xff\\xc3\""));
  CHECK(!strcmp(quote("\xc2\x9b", 64), "\"\\xc2\\x9b\""));
}

TEST(what_does_not_fit_is_cut_at_a_whole_character) {
  for (int size = 8; size < 40; size++) {
    const char* out = quote("\"\\\xc3\xaf\x01\xff\xe2\x82\xac............................", size);
    size_t n = strlen(out);
    CHECK(n < (size_t)size);
    CHECK(out[n - 1] == '"' && !strncmp(out + n - 4, "...", 3));
    for (size_t i = 0; i < n; i += (size_t)(unsigned char)out[i] >= 0xe0 ? 3 : (unsigned char)out[i] >= 0xc0 ? 2 : 1) {
      CHECK((out[i] & 0xc0) != 0x80);
    }
  }
}

static const char* json(const char* line) {
  static char out[512];
  size_t n = srv_log_line_json(out, sizeof out, line);
  CHECK_EQ(n, strlen(out));
  return out;
}

TEST(a_line_becomes_a_json_object) {
  CHECK(!strcmp(json("ts=2026-01-01T00:00:00.000Z level=info n=12 x=-1.50"),
                "{\"ts\":\"2026-01-01T00:00:00.000Z\",\"level\":\"info\",\"n\":12,\"x\":-1.50}"));
  CHECK(!strcmp(
      json("m=\"a \\\"b\\\" \\x0a=c\" hash=0123 v=1. w=. y=-  z=1.2.3"),
      "{\"m\":\"a \\\"b\\\" \\u000a=c\",\"hash\":\"0123\",\"v\":\"1.\",\"w\":\".\",\"y\":\"-\",\"z\":\"1.2.3\"}"));
  CHECK(!strcmp(json("address=unix:///a\"b m=\"open"), "{\"address\":\"unix:///a\\\"b\",\"m\":\"open\"}"));
  CHECK(!strcmp(json(""), "{}"));

  // one that does not fit ends within its buffer
  char small[20];
  CHECK(srv_log_line_json(small, sizeof small, "a=\"long long long long long long\"") < sizeof small);
}

// ---- the thread that writes

// Standard error is `path` while ten lines are logged, then a file in memory; how many of them are in that file, in
// order and whole.
static int written_after(const char* path, int flags) {
  char got[8192] = "";
  const int saved = dup(2), first = open(path, flags), then = memfd_create("log", 0);
  int n = 0;
  dup2(first, 2);
  srv_log_set_style(SRV_LOG_LOGFMT, 0);
  srv_log_start();
  for (int i = 0; i < 10; i++) srv_log(SRV_LOG_ERROR, "line", "n=%d", i);
  usleep(50000);  // the thread tries
  dup2(then, 2);
  srv_log_stop();
  dup2(saved, 2);
  CHECK(pread(then, got, sizeof got - 1, 0) >= 0);
  for (char* line = strtok(got, "\n"); line; line = strtok(NULL, "\n")) {
    if (!strncmp(line, "ts=", 3) && atoi(strrchr(line, '=') + 1) == n) n++;
  }
  close(saved), close(first), close(then);
  return n;
}

TEST(a_full_disk_loses_no_line_and_what_can_never_be_written_is_counted) {
  const uint64_t before = srv_log_lost();
  CHECK_EQ(written_after("/dev/full", O_WRONLY), 10);
  CHECK_EQ(srv_log_lost(), before);
  const int n = written_after("/dev/null", O_RDONLY);
  CHECK(n < 10);
  CHECK_EQ(srv_log_lost() - before + (uint64_t)n, 10);
}
