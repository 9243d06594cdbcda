// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Answers monitoring over HTTP, on an address of its own:
//   /livez    200 while the loop answers within a second, else 503
//   /readyz   200 while new requests are taken, 503 once the server is leaving
//   /metrics  Prometheus' text format (watch/metrics.c)
// libmicrohttpd serves them in one thread of its own. This thread reads nothing of the server: it asks the loop and
// waits for the answer, so the answer is never out of date.
#ifndef SHEAF_SERVER_WATCH_HTTP_H_
#define SHEAF_SERVER_WATCH_HTTP_H_

#include <pthread.h>
#include <stdbool.h>
#include <uv.h>

#include "base/failure.h"

typedef struct {
  bool ready;  // for new requests
  char* text;  // metrics, which the receiver frees; NULL: not asked for, or no memory
  size_t len;
} srv_http_answer;

enum { SRV_HTTP_VISITORS = 16 };

typedef struct {
  uint64_t number;  // in the order of coming; 0: a free place
  int fd;
} srv_http_visitor;

typedef struct {
  srv_http_answer (*answer)(void* user, bool metrics);  // called by the loop
  void* user;
  struct MHD_Daemon* daemon;
  uv_async_t question;
  pthread_mutex_t lock;
  pthread_cond_t answered;
  unsigned asked, told;  // questions and answers so far
  bool metrics;          // the last question asks for metrics
  bool closed;           // the loop does not answer any more
  srv_http_answer last;
  srv_http_visitor visitor[SRV_HTTP_VISITORS];  // of libmicrohttpd's thread
  uint64_t nvisitor;                            // so far
} srv_http;

// Serve on "HOST:PORT" of the loopback interface; port 0 takes any. Logs the address.
int srv_http_start(srv_http* h, uv_loop_t* loop, const char* address, srv_error* error);

// The port it listens on.
int srv_http_port(const srv_http* h);

// Stop; does nothing if it was not started. The handle is closed when the loop runs next.
void srv_http_stop(srv_http* h);

#endif  // SHEAF_SERVER_WATCH_HTTP_H_
