// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/listener.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/log.h"
#include "sheaf.pb-c.h"

enum { BACKLOG = 511, RETRY_MS = 100, MOST_PORT = 65535, TURN_NS = 500000, REST_MS = 1 };

// Send small replies at once. Notice a peer that vanished: the system asks after half of peer_gone_ms, then twice more.
static void tune(uv_tcp_t* tcp, const srv_limits* limits) {
  uv_os_fd_t fd;
  unsigned timeout = limits->peer_gone_ms;
  int idle = timeout < 4000 ? 1 : (int)(timeout / 2000), every = timeout < 8000 ? 1 : (int)(timeout / 4000), count = 3;
  uv_tcp_nodelay(tcp, 1);
  uv_tcp_keepalive(tcp, 1, (unsigned)idle);
  if (uv_fileno((uv_handle_t*)tcp, &fd)) return;
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
  setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof timeout);
}

static void accept_one(srv_listener* l);
static void on_connection(uv_stream_t* stream, int status);

// libuv holds a connection that it accepted, and accepts no other until uv_accept takes it; after an error it accepts
// none at all. So try again here.
static void on_retry(uv_timer_t* timer) {
  srv_listener* l = timer->data;
  l->spent = 0;
  accept_one(l);
}

static void retry_later(srv_listener* l, const char* reason) {
  srv_log(SRV_LOG_WARN, "accept_failed", "address=%s reason=\"%s\"", l->address, reason);
  uv_timer_start(&l->retry, on_retry, RETRY_MS, 0);
}

// A crowd may connect at once, and libuv would accept all of it in one turn of the loop. So after half a millisecond
// the others are served; libuv holds the next connection meanwhile.
static bool rests(srv_listener* l) {
  uint64_t now = uv_hrtime();
  if (now - l->last > 1000000 * REST_MS) l->spent = 0;
  l->last = now;
  if (l->spent < TURN_NS) return false;
  uv_timer_start(&l->retry, on_retry, REST_MS, 0);
  return true;
}

static void accept_one(srv_listener* l) {
  uint64_t began = uv_hrtime();
  srv_conn* conn = srv_conn_make(l->net, l->pipe);
  if (!conn) {
    retry_later(l, "out of memory");
    return;
  }
  int err = uv_accept(&l->as.stream, &conn->as.stream);
  if (!err) {
    if (!l->pipe) tune(&conn->as.tcp, l->net->limits);
    srv_conn_start(conn);
    l->last = uv_hrtime();
    l->spent += l->last - began;
    return;
  }
  srv_conn_close(conn, uv_strerror(err));
  err = uv_listen(&l->as.stream, BACKLOG, on_connection);
  if (err) retry_later(l, uv_strerror(err));
}

static void on_connection(uv_stream_t* stream, int status) {
  srv_listener* l = stream->data;
  if (status) {
    srv_log(SRV_LOG_WARN, "accept_failed", "address=%s reason=\"%s\"", l->address, uv_strerror(status));
  } else if (!rests(l)) {
    accept_one(l);
  }
}

static void begin(srv_listener* l) {
  uv_timer_init(l->net->loop, &l->retry);
  l->as.handle.data = l->retry.data = l;
  l->open = true;
}

static int fail(srv_listener* l, int err, const char* what, srv_error* error) {
  srv_listener_close(l);
  return srv_error_set(error, SHEAF__CODE__CODE_UNAVAILABLE, "%s: %s", what, uv_strerror(err));
}

// "HOST:PORT" or "[HOST]:PORT" into its parts
static bool split_address(const char* text, char* host, size_t size, char* port, size_t port_size) {
  const char* colon = strrchr(text, ':');
  if (!colon || colon == text || !colon[1]) return false;
  size_t n = (size_t)(colon - text);
  if (text[0] == '[') {
    if (text[n - 1] != ']') return false;
    text++;
    n -= 2;
  }
  if (n >= size || strlen(colon + 1) >= port_size) return false;
  // getaddrinfo would take a larger number modulo 65536
  char* end;
  if (strtoul(colon + 1, &end, 10) > MOST_PORT && !*end) return false;
  memcpy(host, text, n);
  host[n] = 0;
  strcpy(port, colon + 1);
  return true;
}

static void write_address(srv_listener* l, const char* host) {
  struct sockaddr_storage bound;
  int size = sizeof bound;
  int port = 0;
  if (!uv_tcp_getsockname(&l->as.tcp, (struct sockaddr*)&bound, &size)) {
    port = ntohs(bound.ss_family == AF_INET6 ? ((struct sockaddr_in6*)&bound)->sin6_port
                                             : ((struct sockaddr_in*)&bound)->sin_port);
  }
  snprintf(l->address, sizeof l->address, strchr(host, ':') ? "%s://[%s]:%d" : "%s://%s:%d",
           l->net->tls ? "tls" : "tcp", host, port);
}

int srv_listener_tcp(srv_listener* l, srv_net* net, const char* host_port, srv_error* error) {
  char host[128], port[16];
  *l = (srv_listener){.net = net};
  if (!split_address(host_port, host, sizeof host, port, sizeof port)) {
    int path = !strncmp(host_port, "unix:", 5);
    return srv_error_field(
        error, "listen",
        path ? "HOST:PORT; option unix takes the path of a socket" : "HOST:PORT with a port of at most 65535", "\"%s\"",
        host_port);
  }
  uv_getaddrinfo_t lookup;
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
  int err = uv_getaddrinfo(net->loop, &lookup, NULL, host, port, &hints);
  if (err) return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s: %s", host_port, uv_strerror(err));

  uv_tcp_init(net->loop, &l->as.tcp);
  begin(l);
  err = uv_tcp_bind(&l->as.tcp, lookup.addrinfo->ai_addr, 0);
  uv_freeaddrinfo(lookup.addrinfo);
  if (!err) err = uv_listen(&l->as.stream, BACKLOG, on_connection);
  if (err) return fail(l, err, host_port, error);
  write_address(l, host);
  return 0;
}

// Remove a socket whose server is gone. Anything else at that path stays: a socket of another kind, or one that this
// user may not connect to, may be in use.
static void remove_stale(const char* path) {
  struct stat st;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (lstat(path, &st) || !S_ISSOCK(st.st_mode) || strlen(path) >= sizeof address.sun_path) return;
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  if (connect(fd, (struct sockaddr*)&address, sizeof address) && errno == ECONNREFUSED) unlink(path);
  close(fd);
}

int srv_listener_unix(srv_listener* l, srv_net* net, const char* path, srv_error* error) {
  *l = (srv_listener){.net = net, .pipe = true};
  if (strlen(path) >= sizeof((struct sockaddr_un*)0)->sun_path) {
    return srv_error_field(error, "unix", "a path of at most 107 bytes", "%zu", strlen(path));
  }
  remove_stale(path);
  uv_pipe_init(net->loop, &l->as.pipe, 0);
  begin(l);
  mode_t mask = umask(0177);
  int err = uv_pipe_bind(&l->as.pipe, path);
  umask(mask);
  if (!err) err = uv_listen(&l->as.stream, BACKLOG, on_connection);
  if (err) return fail(l, err, path, error);
  snprintf(l->address, sizeof l->address, "unix://%s", path);
  return 0;
}

bool srv_listener_is_unix(int fd) {
  struct sockaddr_storage address = {0};
  socklen_t size = sizeof address;
  return !getsockname(fd, (struct sockaddr*)&address, &size) && address.ss_family == AF_UNIX;
}

int srv_listener_adopt(srv_listener* l, srv_net* net, int fd, srv_error* error) {
  struct sockaddr_storage address = {0};
  socklen_t size = sizeof address;
  char host[128];
  *l = (srv_listener){.net = net, .pipe = srv_listener_is_unix(fd)};
  if (l->pipe) {
    uv_pipe_init(net->loop, &l->as.pipe, 0);
  } else {
    uv_tcp_init(net->loop, &l->as.tcp);
  }
  begin(l);
  int err = l->pipe ? uv_pipe_open(&l->as.pipe, fd) : uv_tcp_open(&l->as.tcp, fd);
  if (!err) err = uv_listen(&l->as.stream, BACKLOG, on_connection);
  if (!err && getsockname(fd, (struct sockaddr*)&address, &size)) err = UV_ENOTSOCK;
  if (err) return fail(l, err, "a socket of the service manager", error);
  if (l->pipe) {
    snprintf(l->address, sizeof l->address, "unix://%s", ((struct sockaddr_un*)&address)->sun_path);
  } else if (!getnameinfo((struct sockaddr*)&address, size, host, sizeof host, NULL, 0, NI_NUMERICHOST)) {
    write_address(l, host);
  }
  return 0;
}

void srv_listener_close(srv_listener* l) {
  if (!l->open) return;
  l->open = false;
  uv_close(&l->as.handle, NULL);
  uv_close((uv_handle_t*)&l->retry, NULL);
}
