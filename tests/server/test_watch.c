// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of watch/: times in buckets, Prometheus' format, a loop that stands still. A real server:
// tests/e2e/test_monitoring.py.
#include <arpa/inet.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/histogram.h"
#include "base/log.h"
#include "jobs/busy.h"
#include "request/report.h"
#include "support/test.h"
#include "watch/exposition.h"
#include "watch/http.h"
#include "watch/stacks.h"
#include "watch/watchdog.h"

enum { STALL_MS = 1700, ABORT_MS = 1200 };

static void sleep_ms(long ms) {
  struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
  while (nanosleep(&t, &t)) continue;
}

TEST(a_time_is_counted_in_the_first_bucket_that_holds_it) {
  srv_histogram h = {0};
  srv_histogram_add(&h, 0);
  srv_histogram_add(&h, srv_bucket_us[0]);
  srv_histogram_add(&h, srv_bucket_us[0] + 1);
  srv_histogram_add(&h, srv_bucket_us[SRV_BUCKETS - 1] + 1);
  CHECK_EQ(h.count[0], 2);
  CHECK_EQ(h.count[1], 1);
  CHECK_EQ(h.count[SRV_BUCKETS], 1);
  CHECK_EQ(h.sum_us, 2 * srv_bucket_us[0] + 1 + srv_bucket_us[SRV_BUCKETS - 1] + 1);
  for (int i = 1; i < SRV_BUCKETS; i++) CHECK(srv_bucket_us[i] > srv_bucket_us[i - 1]);
}

TEST(labels_are_escaped) {
  srv_exposition e = {0};
  srv_family(&e, "a", "gauge", "What a is.");
  srv_sample(&e, "a", "name", "q\"b\\n\n\x01\xff", 2.5);
  srv_sample(&e, "a", NULL, NULL, 1e15 - 1);
  CHECK(!strcmp(e.text, "# HELP a What a is.\n# TYPE a gauge\na{name=\"q\\\"b\\\\n\\n??\"} 2.5\na 999999999999999\n"));
  CHECK_EQ(e.len, strlen(e.text));
  free(e.text);
}

TEST(buckets_are_cumulative) {
  srv_exposition e = {0};
  srv_histogram h = {0};
  srv_histogram_add(&h, 75);
  srv_histogram_add(&h, 100000000);
  srv_samples(&e, "t", "kind", "x", &h);
  CHECK(strstr(e.text, "t_bucket{kind=\"x\",le=\"5e-05\"} 0\n"));
  CHECK(strstr(e.text, "t_bucket{kind=\"x\",le=\"0.0001\"} 1\n"));
  CHECK(strstr(e.text, "t_bucket{kind=\"x\",le=\"60\"} 1\n"));
  CHECK(strstr(e.text, "t_bucket{kind=\"x\",le=\"+Inf\"} 2\n"));
  CHECK(strstr(e.text, "t_sum{kind=\"x\"} 100.000075\n"));
  CHECK(strstr(e.text, "t_count{kind=\"x\"} 2\n"));
  free(e.text);
}

TEST(a_trace_is_what_the_standard_says) {
  CHECK(srv_report_is_trace("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
  static const char* const wrong[] = {
      "",
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0",
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-011",
      "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01",
      "00-00000000000000000000000000000000-b7ad6b7169203331-01",
      "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b71692033\n1-01",
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) CHECK(!srv_report_is_trace(wrong[i]));
  CHECK(!srv_report_is_trace(NULL));
}

// ---- a loop that stands still

typedef struct {
  uv_loop_t loop;
  uv_timer_t stall, end;
  srv_watchdog watchdog;
  srv_http http;
} fixture;

static void stall(uv_timer_t* timer) {
  (void)timer;
  sleep_ms(STALL_MS);
}

static void end(uv_timer_t* timer) {
  fixture* f = timer->data;
  srv_watchdog_stop(&f->watchdog);
  srv_http_stop(&f->http);
  uv_close((uv_handle_t*)&f->stall, NULL);
  uv_close((uv_handle_t*)&f->end, NULL);
}

// a loop that stalls after 100 ms and ends some time later
static void begin(fixture* f, uint64_t abort_ms) {
  *f = (fixture){.http = {.daemon = NULL}};
  uv_loop_init(&f->loop);
  uv_timer_init(&f->loop, &f->stall);
  uv_timer_init(&f->loop, &f->end);
  f->stall.data = f->end.data = f;
  srv_stacks_init();
  srv_watchdog_start(&f->watchdog, &f->loop, abort_ms, NULL, 0);
  uv_timer_start(&f->stall, stall, 100, 0);
  uv_timer_start(&f->end, end, 100 + STALL_MS + 700, 0);
}

// ThreadSanitizer forbids threads in a process that was forked
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if !__has_feature(thread_sanitizer)

// run in a process of its own with its log in a pipe; returns the wait status
static int run_apart(uint64_t abort_ms, char* log, size_t size) {
  int ends[2];
  if (pipe(ends)) return -1;
  pid_t child = fork();
  if (child == 0) {
    fixture f;
    dup2(ends[1], STDERR_FILENO);
    begin(&f, abort_ms);
    uv_run(&f.loop, UV_RUN_DEFAULT);
    _exit(uv_loop_close(&f.loop) ? 2 : (int)atomic_load(&f.watchdog.stalls) == 1 ? 0 : 1);
  }
  close(ends[1]);
  size_t len = 0;
  for (ssize_t n; len + 1 < size && (n = read(ends[0], log + len, size - 1 - len)) > 0;) len += (size_t)n;
  log[len] = 0;
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(a_loop_that_stands_still_is_reported_once_with_its_stack) {
  static char log[64 << 10];
  int status = run_apart(0, log, sizeof log);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  char* stalls = strstr(log, "event=loop_stalls");
  CHECK(stalls && !strstr(stalls + 1, "event=loop_stalls"));
  CHECK(strstr(log, "event=loop_goes_on"));
  char* stack = strstr(log, "event=stack");
  CHECK(stack && strstr(stack, "nanosleep"));
}

TEST(a_loop_that_stands_too_long_ends_the_process) {
  static char log[64 << 10];
  int status = run_apart(ABORT_MS, log, sizeof log);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  CHECK(strstr(log, "event=loop_stands"));
}

#endif

// ---- workers

TEST(the_board_tells_what_a_worker_does) {
  srv_tag tag = {.kind = "rollout", .conn = 3, .id = 1ull << 40, .model = 0x0123456789abcdef, .identity = "alice"}, got;
  CHECK(!srv_busy_read(7, &got));
  unsigned turn = srv_busy_turn(7);
  srv_busy_note(7, &tag);
  CHECK(srv_busy_read(7, &got) && !srv_busy_rests(7) && !memcmp(&got, &tag, sizeof tag));
  CHECK(srv_busy_turn(7) != turn);
  turn = srv_busy_turn(7);
  srv_busy_note(7, NULL);
  CHECK(!srv_busy_read(7, &got) && srv_busy_rests(7) && srv_busy_turn(7) != turn);
  srv_busy_note(SRV_BUSY_WORKERS, &tag);
  srv_busy_note(-1, &tag);
  CHECK(!srv_busy_read(SRV_BUSY_WORKERS, &got) && !srv_busy_read(-1, &got));
}

static void* change_board(void* stop) {
  srv_tag tags[2] = {{.kind = "a", .conn = 1, .id = 1, .model = 1}, {.kind = "b", .conn = 2, .id = 2, .model = 2}};
  memset(tags[0].identity, 'a', sizeof tags[0].identity - 1);
  memset(tags[1].identity, 'b', sizeof tags[1].identity - 1);
  for (int i = 0; !atomic_load((atomic_bool*)stop); i++) srv_busy_note(9, &tags[i % 2]);
  srv_busy_note(9, NULL);
  return NULL;
}

TEST(a_tag_is_never_read_half) {
  atomic_bool stop = false;
  pthread_t thread;
  int seen = 0, torn = 0;
  pthread_create(&thread, NULL, change_board, &stop);
  for (int i = 0; seen < 1000 && i < 100000000; i++) {
    srv_tag tag;
    if (!srv_busy_read(9, &tag)) continue;
    seen++;
    char c = tag.conn == 1 ? 'a' : 'b';
    bool whole = tag.id == tag.conn && tag.model == tag.conn && tag.kind[0] == c;
    for (size_t k = 0; k + 1 < sizeof tag.identity; k++) whole &= tag.identity[k] == c;
    torn += !whole;
  }
  atomic_store(&stop, true);
  pthread_join(thread, NULL);
  CHECK(seen > 0);
  CHECK_EQ(torn, 0);
}

// ---- /livez

static srv_http_answer answer(void* user, bool metrics) {
  (void)user;
  return (srv_http_answer){.ready = true, .text = metrics ? strdup("a 1\n") : NULL, .len = metrics ? 4 : 0};
}

typedef struct {
  fixture* f;
  int port;
  int before, within;  // status of /livez
  atomic_bool asked, stands, answered;
} asker;

static int get(int port, const char* path) {
  char out[128], in[64] = "";
  int fd = socket(AF_INET, SOCK_STREAM, 0), status = 0;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int n = snprintf(out, sizeof out, "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path);
  if (!connect(fd, (struct sockaddr*)&to, sizeof to) && write(fd, out, (size_t)n) == n && read(fd, in, 15) > 0) {
    sscanf(in, "HTTP/1.1 %d", &status);
  }
  close(fd);
  return status;
}

static void* ask(void* user) {
  asker* a = user;
  for (int i = 0; i < 20 && a->before != 200; i++) a->before = get(a->port, "/livez");
  atomic_store(&a->asked, true);
  while (!atomic_load(&a->stands)) sleep_ms(1);
  a->within = get(a->port, "/livez");
  atomic_store(&a->answered, true);
  return NULL;
}

// the loop stands still from the first answer to the second
static void stand(uv_timer_t* timer) {
  asker* a = timer->data;
  if (!atomic_load(&a->asked)) return;
  atomic_store(&a->stands, true);
  while (!atomic_load(&a->answered)) sleep_ms(1);
  end(&a->f->end);
}

TEST(livez_tells_of_a_loop_that_stands_still) {
  fixture f;
  srv_error error = {0};
  asker a = {.f = &f};
  pthread_t thread;
  begin(&f, 0);
  f.stall.data = &a;
  uv_timer_start(&f.stall, stand, 0, 1);
  uv_timer_stop(&f.end);
  f.http = (srv_http){.answer = answer};
  srv_log_set_level(SRV_LOG_ERROR - 1);
  CHECK_EQ(srv_http_start(&f.http, &f.loop, "127.0.0.1:0", &error), 0);
  a.port = srv_http_port(&f.http);
  pthread_create(&thread, NULL, ask, &a);
  uv_run(&f.loop, UV_RUN_DEFAULT);
  pthread_join(thread, NULL);
  srv_log_set_level(SRV_LOG_INFO);
  CHECK_EQ(a.before, 200);
  CHECK_EQ(a.within, 503);
  CHECK_EQ(uv_loop_close(&f.loop), 0);
}

TEST(monitoring_listens_on_loopback_only) {
  static const char* const wrong[] = {
      "0.0.0.0:1", "[::]:1", "10.0.0.1:1", "localhost", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:x",
      "[::1:1",    "::1:1",  ":1",         ""};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    srv_http h = {.answer = answer};
    srv_error error = {0};
    CHECK(srv_http_start(&h, NULL, wrong[i], &error) < 0);
    CHECK(!strcmp(error.field, "metrics"));
  }
}
