// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// sheaf serve: a server in this process.
#include <argp.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "admin/server.h"
#include "base/log.h"
#include "commands.h"

// clang-format off
enum { KEY_UNIX = 256, KEY_NO_TCP, KEY_TOKEN, KEY_LOG, KEY_DRAIN, KEY_MEMORY, KEY_CACHE, KEY_CONNECTIONS,
       KEY_INFLIGHT, KEY_UNSENT, KEY_COMPILE, KEY_HELLO, KEY_READ, KEY_WRITE };
// clang-format on

static const struct argp_option options[] = {
    {"listen", 'l', "HOST:PORT", 0, "TCP address (127.0.0.1:7447); port 0 takes any", 0},
    {"unix", KEY_UNIX, "PATH", 0, "also listen on a Unix socket", 0},
    {"no-tcp", KEY_NO_TCP, NULL, 0, "listen on the Unix socket only", 0},
    {"threads", 't', "N", 0, "worker threads (the CPUs that this process may use)", 0},
    {"token-file", KEY_TOKEN, "PATH", 0, "clients must show the first line of this file", 0},
    {"log-level", KEY_LOG, "LEVEL", 0, "error, warn, info or debug (info)", 0},
    {"drain-timeout", KEY_DRAIN, "SECONDS", 0, "after SIGTERM, cancel what still runs (30)", 0},
    {"max-memory", KEY_MEMORY, "MIB", 0, "request and result bytes held at a time (half of the memory)", 0},
    {"model-cache", KEY_CACHE, "MIB", 0, "compiled models kept (an eighth of the memory)", 0},
    {"max-connections", KEY_CONNECTIONS, "N", 0, "(1024)", 0},
    {"max-inflight", KEY_INFLIGHT, "N", 0, "unanswered requests of one connection (64)", 0},
    {"max-unsent", KEY_UNSENT, "MIB", 0, "reply bytes that wait for one client (8)", 0},
    {"hello-timeout", KEY_HELLO, "SECONDS", 0, "from connecting to Hello (5)", 0},
    {"read-timeout", KEY_READ, "SECONDS", 0, "a frame that was begun and stalls (10)", 0},
    {"write-timeout", KEY_WRITE, "SECONDS", 0, "a client that does not read its replies (30)", 0},
    {"compile-time", KEY_COMPILE, "SECONDS", 0, "processor time to compile a model (20)", 0},
    {0},
};

// a number in [least, most], or the end of the program with a message
static uint64_t read_number(struct argp_state* state, const char* text, uint64_t least, uint64_t most) {
  char* end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (errno || end == text || *end || text[0] == '-' || value < least || value > most) {
    argp_error(state, "\"%s\": expected a number from %llu to %llu", text, (unsigned long long)least,
               (unsigned long long)most);
  }
  return value;
}

// the first line of a file; lives to the end of the program
static const char* read_token(struct argp_state* state, const char* path) {
  static char token[4096];
  FILE* file = fopen(path, "r");
  if (!file || !fgets(token, sizeof token, file)) argp_error(state, "%s: cannot read a token", path);
  if (file) fclose(file);
  token[strcspn(token, "\r\n")] = 0;
  if (!token[0]) argp_error(state, "%s: the first line is empty", path);
  return token;
}

static error_t parse(int key, char* arg, struct argp_state* state) {
  srv_config* c = state->input;
  const uint64_t most_mib = 1 << 24;
  int level;
  switch (key) {
    case 'l': c->listen = arg; break;
    case 't': c->threads = (int)read_number(state, arg, 0, 4096); break;
    case KEY_UNIX: c->unix_path = arg; break;
    case KEY_NO_TCP: c->listen = NULL; break;
    case KEY_TOKEN: c->token = read_token(state, arg); break;
    case KEY_DRAIN: c->drain_ms = (uint32_t)read_number(state, arg, 0, 86400) * 1000; break;
    case KEY_MEMORY: c->limits.held_bytes = read_number(state, arg, 1, most_mib) << 20; break;
    case KEY_CACHE: c->limits.cache_bytes = read_number(state, arg, 1, most_mib) << 20; break;
    case KEY_CONNECTIONS: c->limits.connections = (uint32_t)read_number(state, arg, 1, 1 << 20); break;
    case KEY_INFLIGHT: c->limits.inflight = (uint32_t)read_number(state, arg, 1, 1 << 16); break;
    case KEY_COMPILE: c->limits.compile_cpu_s = (uint32_t)read_number(state, arg, 1, 3600); break;
    case KEY_HELLO: c->limits.hello_ms = (uint32_t)read_number(state, arg, 1, 86400) * 1000; break;
    case KEY_READ: c->limits.stall_read_ms = (uint32_t)read_number(state, arg, 1, 86400) * 1000; break;
    case KEY_WRITE: c->limits.stall_write_ms = (uint32_t)read_number(state, arg, 1, 86400) * 1000; break;
    case KEY_UNSENT:
      c->limits.unsent_high = read_number(state, arg, 1, most_mib) << 20;
      c->limits.unsent_low = c->limits.unsent_high / 2;
      break;
    case KEY_LOG:
      level = srv_log_find_level(arg);
      if (level < 0) argp_error(state, "\"%s\": expected error, warn, info or debug", arg);
      srv_log_set_level((srv_log_level)level);
      break;
    case ARGP_KEY_END:
      if (!c->listen && !c->unix_path) argp_error(state, "nothing to listen on: give --unix PATH");
      break;
    default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

// Arrays of requests and results come and go by the megabyte: keep their pages rather than fault them in each time.
// Each array would otherwise be a mapping of its own, which the system clears page by page when it is first touched.
static void keep_memory_warm(void) {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

int cli_serve(int argc, char** argv) {
  srv_config config = srv_config_default();
  srv_error error;
  char name[] = "sheaf serve";
  argv[0] = name;
  struct argp parser = {options, parse, NULL, "Run a server until SIGTERM.", NULL, NULL, NULL};
  argp_parse(&parser, argc, argv, 0, NULL, &config);
  keep_memory_warm();
  if (srv_run(&config, &error)) {
    fprintf(stderr, "sheaf serve: %s\n", error.message);
    return 1;
  }
  return 0;
}
