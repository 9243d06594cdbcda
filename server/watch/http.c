// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "watch/http.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/log.h"
#include "sheaf.pb-c.h"

enum { PATIENCE_S = 1, TIMEOUT_S = 5, CONNECTION_BYTES = 16 << 10, HOST = 64, MOST_PORT = 65535 };

// ---- in the loop

static void on_question(uv_async_t* question) {
  srv_http* h = question->data;
  pthread_mutex_lock(&h->lock);
  unsigned asked = h->asked;
  bool metrics = h->metrics;
  pthread_mutex_unlock(&h->lock);
  srv_http_answer answer = h->answer(h->user, metrics);

  pthread_mutex_lock(&h->lock);
  free(h->last.text);  // of a question that was given up
  h->last = answer;
  h->told = asked;
  pthread_cond_signal(&h->answered);
  pthread_mutex_unlock(&h->lock);
}

// ---- in libmicrohttpd's thread

// ask the loop; false if it does not answer in time
static bool ask(srv_http* h, bool metrics, srv_http_answer* answer) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += PATIENCE_S;
  pthread_mutex_lock(&h->lock);
  h->metrics = metrics;
  unsigned question = ++h->asked;
  int err = h->closed;
  if (!err) uv_async_send(&h->question);
  while (!err && h->told != question) err = h->closed || pthread_cond_timedwait(&h->answered, &h->lock, &until);
  if (!err) {
    *answer = h->last;
    h->last.text = NULL;
  }
  pthread_mutex_unlock(&h->lock);
  return !err;
}

static enum MHD_Result reply(struct MHD_Connection* connection, unsigned status, const char* type, char* text,
                             size_t len, enum MHD_ResponseMemoryMode mode) {
  struct MHD_Response* response = MHD_create_response_from_buffer(len, text, mode);
  if (!response) {
    if (mode == MHD_RESPMEM_MUST_FREE) free(text);
    return MHD_NO;
  }
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
  if (status == MHD_HTTP_METHOD_NOT_ALLOWED) MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
  enum MHD_Result queued = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return queued;
}

static enum MHD_Result say(struct MHD_Connection* connection, unsigned status, const char* text) {
  return reply(connection, status, "text/plain", (char*)text, strlen(text), MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result on_request(void* user, struct MHD_Connection* connection, const char* url, const char* method,
                                  const char* version, const char* body, size_t* body_len, void** state) {
  srv_http* h = user;
  srv_http_answer answer = {0};
  (void)version, (void)body, (void)state;
  *body_len = 0;
  if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD)) {
    return say(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD\n");
  }
  bool live = !strcmp(url, "/livez"), ready = !strcmp(url, "/readyz"), metrics = !strcmp(url, "/metrics");
  if (!live && !ready && !metrics) return say(connection, MHD_HTTP_NOT_FOUND, "/livez /readyz /metrics\n");
  if (!ask(h, metrics, &answer)) return say(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "the loop does not answer\n");
  if (live) return say(connection, MHD_HTTP_OK, "ok\n");
  if (ready && answer.ready) return say(connection, MHD_HTTP_OK, "ok\n");
  if (ready) return say(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "the server is leaving\n");
  if (!answer.text) return say(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory\n");
  return reply(connection, MHD_HTTP_OK, "text/plain; version=0.0.4; charset=utf-8", answer.text, answer.len,
               MHD_RESPMEM_MUST_FREE);
}

// ---- places for visitors

// There are few places, and a visitor that sends byte by byte could keep one for ever. So whoever takes the last one
// sends away the visitor that has been there for longest: libmicrohttpd notices that its socket is shut down.
static void keep_place(srv_http* h) {
  const srv_http_visitor* oldest = &h->visitor[0];
  for (int i = 0; i < SRV_HTTP_VISITORS; i++) {
    const srv_http_visitor* v = &h->visitor[i];
    if (!v->number) return;
    if (v->number < oldest->number) oldest = v;
  }
  shutdown(oldest->fd, SHUT_RDWR);
}

static void enter(srv_http* h, struct MHD_Connection* connection, void** place) {
  srv_http_visitor* v = h->visitor;
  while (v < h->visitor + SRV_HTTP_VISITORS && v->number) v++;
  if (v == h->visitor + SRV_HTTP_VISITORS) return;
  v->number = ++h->nvisitor;
  v->fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
  *place = v;
  keep_place(h);
}

// libmicrohttpd's thread calls this when a visitor has come, and before its socket is closed
static void on_visitor(void* user, struct MHD_Connection* connection, void** place,
                       enum MHD_ConnectionNotificationCode what) {
  srv_http_visitor* v = *place;
  if (what == MHD_CONNECTION_NOTIFY_STARTED) {
    enter(user, connection, place);
  } else if (v) {
    v->number = 0;
  }
}

// ---- life

typedef union {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
} address_of;

// "127.0.0.1:PORT" or "[::1]:PORT" only, because metrics show names of identities
static bool read_address(address_of* out, const char* text) {
  char host[HOST], *end;
  const char* colon = strrchr(text, ':');
  bool v6 = text[0] == '[';
  if (!colon || !colon[1] || colon - text - 2 * v6 >= HOST || colon - text < 3 * v6) return false;
  unsigned long port = strtoul(colon + 1, &end, 10);
  if (*end || port > MOST_PORT || (v6 && colon[-1] != ']')) return false;
  memcpy(host, text + v6, (size_t)(colon - text - 2 * v6));
  host[colon - text - 2 * v6] = 0;
  if (v6) return !uv_ip6_addr(host, (int)port, &out->v6) && IN6_IS_ADDR_LOOPBACK(&out->v6.sin6_addr);
  return !uv_ip4_addr(host, (int)port, &out->v4) && ntohl(out->v4.sin_addr.s_addr) >> 24 == 127;
}

// Block signals in libmicrohttpd's thread: the loop handles them.
static struct MHD_Daemon* start_daemon(srv_http* h, const address_of* address) {
  sigset_t all, before;
  unsigned flags = MHD_USE_AUTO_INTERNAL_THREAD | (address->any.sa_family == AF_INET6 ? MHD_USE_IPv6 : 0);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  struct MHD_Daemon* daemon = MHD_start_daemon(
      flags, 0, NULL, NULL, on_request, h, MHD_OPTION_SOCK_ADDR, &address->any, MHD_OPTION_CONNECTION_LIMIT,
      (unsigned)SRV_HTTP_VISITORS, MHD_OPTION_NOTIFY_CONNECTION, on_visitor, h, MHD_OPTION_CONNECTION_TIMEOUT,
      (unsigned)TIMEOUT_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
      MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u, MHD_OPTION_END);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return daemon;
}

int srv_http_start(srv_http* h, uv_loop_t* loop, const char* address, srv_error* error) {
  address_of to;
  pthread_condattr_t clock;
  if (!read_address(&to, address)) {
    return srv_error_field(error, "metrics", "127.0.0.1:PORT or [::1]:PORT", "\"%s\"", address);
  }
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_mutex_init(&h->lock, NULL);
  pthread_cond_init(&h->answered, &clock);
  pthread_condattr_destroy(&clock);
  uv_async_init(loop, &h->question, on_question);
  uv_unref((uv_handle_t*)&h->question);
  h->question.data = h;
  h->daemon = start_daemon(h, &to);
  if (!h->daemon) {
    uv_close((uv_handle_t*)&h->question, NULL);
    return srv_error_set(error, SHEAF__CODE__CODE_UNAVAILABLE, "metrics: cannot listen on %s", address);
  }
  srv_log(SRV_LOG_INFO, "monitoring", "address=http://%.*s:%d", (int)(strrchr(address, ':') - address), address,
          srv_http_port(h));
  return 0;
}

int srv_http_port(const srv_http* h) { return MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_BIND_PORT)->port; }

void srv_http_stop(srv_http* h) {
  if (!h->daemon) return;
  pthread_mutex_lock(&h->lock);
  h->closed = true;
  pthread_cond_signal(&h->answered);
  pthread_mutex_unlock(&h->lock);
  MHD_stop_daemon(h->daemon);
  free(h->last.text);
  pthread_cond_destroy(&h->answered);
  pthread_mutex_destroy(&h->lock);
  uv_close((uv_handle_t*)&h->question, NULL);
}
