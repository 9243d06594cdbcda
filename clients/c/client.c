// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Opening and closing a connection, and the questions about the server itself.
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/random.h>
#include <unistd.h>

#include <sheaf/version.h>

#include "retry.h"
#include "secure.h"
#include "shared.h"

static const char SECURE[] = "tls://";
static const double default_timeout = 5;
static const uint64_t default_frame = 1 << 20;  // until Hello tells

sheafc_options sheafc_default_options(void) { return (sheafc_options){.size = sizeof(sheafc_options)}; }

// Is a socket connected to itself? The system takes the port of a client from a range, and if that is the one that the
// client asks for, on this host, where no server listens, the connection succeeds: one that would last, and keep the
// server from listening when it is back.
static bool is_own_peer(int fd) {
  struct sockaddr_storage own = {0}, peer = {0};
  socklen_t n = sizeof own, m = sizeof peer;
  if (getsockname(fd, (struct sockaddr*)&own, &n) || getpeername(fd, (struct sockaddr*)&peer, &m)) return false;
  return own.ss_family != AF_UNIX && n == m && !memcmp(&own, &peer, n);
}

// connect with a time limit: a descriptor, or -1 with errno
static int connect_socket(int family, const struct sockaddr* address, socklen_t size, int timeout_ms) {
  int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  int error = connect(fd, address, size) ? errno : 0;
  socklen_t n = sizeof error;
  if (error == EINPROGRESS || error == EAGAIN) {
    struct pollfd p = {fd, POLLOUT, 0};
    error = ETIMEDOUT;
    if (poll(&p, 1, timeout_ms) > 0 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n)) error = errno;
  }
  if (!error && is_own_peer(fd)) error = ECONNREFUSED;
  if (!error) return fd;
  close(fd);
  errno = error;
  return -1;
}

static void fail_connect(sheafc_status* st, const char* format, const char* where, const char* why)
    __attribute__((format(printf, 2, 0)));

static void fail_connect(sheafc_status* st, const char* format, const char* where, const char* why) {
  char text[sizeof st->message];
  snprintf(text, sizeof text, format, where, why);
  sheafc_fail(st, SHEAFC_UNAVAILABLE, "%s", text);
  st->retriable = 1;
}

// a peer that vanished without a word is found after 25 s
static void set_tcp_options(int fd) {
  int on = 1, idle = 10, interval = 5, count = 3;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
}

static int connect_unix(const char* path, int timeout_ms, sheafc_status* st) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    sheafc_fail_field(st, "address", "a path of at most 107 bytes", "%zu", strlen(path));
    return -1;
  }
  strcpy(address.sun_path, path);
  int fd = connect_socket(AF_UNIX, (struct sockaddr*)&address, sizeof address, timeout_ms);
  if (fd < 0) fail_connect(st, "unix://%s: %s", path, strerror(errno));
  return fd;
}

// "HOST", "HOST:PORT", "[HOST]:PORT"
static void split_address(const char* text, char host[256], char port[16]) {
  const char* colon = strrchr(text, ':');
  const char* bracket = strrchr(text, ']');
  if (colon && bracket && colon < bracket) colon = NULL;
  int n = colon ? (int)(colon - text) : (int)strlen(text);
  if (text[0] == '[' && bracket) text++, n = (int)(bracket - text);
  snprintf(host, 256, "%.*s", n, text);
  snprintf(port, 16, "%s", colon ? colon + 1 : "7447");
}

static int connect_tcp(const char* text, int timeout_ms, sheafc_status* st) {
  char host[256], port[16];
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *list;
  int fd = -1;
  split_address(text, host, port);
  // getaddrinfo would take a larger number modulo 65536
  if (strspn(port, "0123456789") == strlen(port) && (atoi(port) < 1 || atoi(port) > 65535)) {
    sheafc_fail_field(st, "address", "a port from 1 to 65535", "\"%s\"", port);
    return -1;
  }
  int err = getaddrinfo(host, port, &hints, &list);
  if (err) {
    fail_connect(st, "tcp://%s: %s", text, gai_strerror(err));
    return -1;
  }
  for (struct addrinfo* a = list; a && fd < 0; a = a->ai_next) {
    fd = connect_socket(a->ai_family, a->ai_addr, a->ai_addrlen, timeout_ms);
  }
  if (fd < 0) fail_connect(st, "tcp://%s: %s", text, strerror(errno));
  freeaddrinfo(list);
  if (fd >= 0) set_tcp_options(fd);
  return fd;
}

static int open_address(const char* address, int timeout_ms, sheafc_status* st) {
  if (!strncmp(address, "unix://", 7)) return connect_unix(address + 7, timeout_ms, st);
  bool tcp = !strncmp(address, "tcp://", 6) || !strncmp(address, SECURE, strlen(SECURE));
  if (tcp) return connect_tcp(address + 6, timeout_ms, st);
  sheafc_fail_field(st, "address", "tcp://HOST:PORT, tls://HOST:PORT or unix:///PATH", "\"%s\"", address);
  return -1;
}

static int open_secure(sheafc* c, int timeout_ms, sheafc_status* st) {
  char host[256], port[16];
  split_address(c->address + strlen(SECURE), host, port);
  return sheafc_secure_open(c, host, timeout_ms, st);
}

static int say_hello(sheafc* c, sheafc_status* st) {
  Sheaf__Hello m = SHEAF__HELLO__INIT;
  m.version = SHEAF_FRAME_VERSION;
  m.client = "sheaf-client-c " SHEAF_VERSION;
  if (c->has_key) m.session = (ProtobufCBinaryData){sizeof c->key, c->key};
  if (c->token) m.token = (ProtobufCBinaryData){strlen(c->token), (uint8_t*)c->token};
  sheafc_call* call = sheafc_ask(c, SHEAF__FRAME_TYPE__FRAME_HELLO, &m.base, NULL, 0, st);
  if (!call) return st->code;
  Sheaf__HelloReply* reply = sheaf__hello_reply__unpack(NULL, call->control_len, call->control);
  if (reply && reply->limits && reply->limits->max_frame_bytes) {
    c->max_frame_bytes = reply->limits->max_frame_bytes;
    c->max_control_bytes = reply->limits->max_control_bytes;
  }
  sheaf__hello_reply__free_unpacked(reply, NULL);
  sheafc_free_call(call);
  return reply ? 0 : sheafc_fail(st, SHEAFC_INTERNAL, "the server's greeting cannot be read");
}

// a connection, from the socket to the server's greeting
static int open_connection(sheafc* c, sheafc_status* st) {
  int64_t end = c->end;
  int timeout = sheafc_left(c, (int)(1000 * c->connect_timeout));
  c->fd = open_address(c->address, timeout, st);
  c->local = !strncmp(c->address, "unix:", 5);
  if (c->fd < 0) return st->code;
  if (c->rules && open_secure(c, timeout, st)) return st->code;
  c->max_frame_bytes = default_frame;
  c->max_control_bytes = UINT32_MAX;
  c->end = sheafc_now_ms() + timeout;
  int err = say_hello(c, st);
  c->end = end;
  return err;
}

// A server that is shutting down still answers its calls; when none is left, new work goes to a new connection.
static bool is_usable(const sheafc* c) { return !c->broken.code && (!c->leaving || c->calls || c->retry.off); }

static void hang_up(sheafc* c) {
  sheafc_secure_close(c);
  if (c->fd >= 0) close(c->fd);
  c->fd = -1;
}

void sheafc_leave(sheafc* c) {
  if (c->broken.code || is_usable(c)) return;
  sheafc_break(c, SHEAFC_UNAVAILABLE, "the server is shutting down");
  hang_up(c);
}

int sheafc_use(sheafc* c, sheafc_status* st) {
  if (is_usable(c)) return 0;
  if (c->retry.off) {
    *st = c->broken;
    return st->code;
  }
  hang_up(c);
  memset(&c->broken, 0, sizeof c->broken);
  c->leaving = false;
  c->section = RECEIVE_HEAD;
  c->got = 0;
  c->call = NULL;
  c->nsegment = c->at = 0;
  int err = open_connection(c, st);
  if (err) return sheafc_break(c, st->code, "%s", st->message);
  sheafc_share_again(c);
  return 0;
}

// copy where to connect and how, because the caller may free its texts
static int keep_options(sheafc* c, const char* address, const sheafc_options* given, sheafc_status* st) {
  sheafc_options o = sheafc_default_options();
  const size_t first = offsetof(sheafc_options, connect_timeout) + sizeof o.connect_timeout;
  if (given && sheafc_copy_version(&o, sizeof o, first, given, st)) return st->code;
  if (sheafc_read_retry(&c->retry, o.retry, st)) return st->code;
  c->connect_timeout = o.connect_timeout > 0 && o.connect_timeout < 1e6 ? o.connect_timeout : default_timeout;
  c->address = strdup(address);
  c->token = o.token ? strdup(o.token) : NULL;
  if (!strncmp(address, SECURE, strlen(SECURE))) {
    c->rules = sheafc_secure_make_rules(&o, st);
    if (!c->rules) return st->code;
  }
  if (c->address && (c->token || !o.token)) return 0;
  return sheafc_fail(st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
}

// Tries again only if a server asks for it (it is full, say): an address where no server listens is probably a mistake.
sheafc* sheafc_connect(const char* address, const sheafc_options* options, sheafc_status* st) {
  attempts a;
  memset(st, 0, sizeof *st);
  sheafc* c = calloc(1, sizeof *c);
  if (!c) {
    sheafc_fail(st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
    return NULL;
  }
  c->fd = -1;
  c->has_key = getrandom(c->key, sizeof c->key, GRND_NONBLOCK) == sizeof c->key;
  int err = keep_options(c, address, options, st);
  if (!err) {
    sheafc_begin_attempts(&a, c, 0, 0);
    err = open_connection(c, st);
    while (err && !sheafc_failed(&a, st->retriable && st->retry_after_us, false, st)) {
      sheafc_break(c, st->code, "%s", st->message);
      err = sheafc_use(c, st);
    }
  }
  if (!err) return c;
  sheafc_close(c);
  return NULL;
}

void sheafc_close(sheafc* c) {
  if (!c) return;
  sheafc_break(c, SHEAFC_CANCELLED, "the connection was closed");
  while (c->spare) {
    sheafc_call* next = c->spare->next;
    free(c->spare->control);
    free(c->spare->data);
    free(c->spare);
    c->spare = next;
  }
  sheafc_free_blocks(c);
  hang_up(c);
  sheafc_secure_free_rules(c->rules);
  free(c->control);
  free(c->address);
  free(c->token);
  free(c);
}

int sheafc_fd(const sheafc* c) { return c->fd; }

int sheafc_ping(sheafc* c, sheafc_status* st) {
  Sheaf__Ping m = SHEAF__PING__INIT;
  memset(st, 0, sizeof *st);
  if (sheafc_use(c, st)) return st->code;
  sheafc_call* call = sheafc_ask(c, SHEAF__FRAME_TYPE__FRAME_PING, &m.base, NULL, 0, st);
  sheafc_free_call(call);
  return st->code;
}

static void copy_info(sheafc_server_info* info, const Sheaf__ServerInfoReply* m) {
  snprintf(info->server, sizeof info->server, "%s", m->server);
  snprintf(info->build, sizeof info->build, "%s", m->build);
  snprintf(info->state, sizeof info->state, "%s", m->state);
  info->uptime = 1e-6 * (double)m->uptime_us;
  info->threads = (int)m->threads;
  info->connections = (int)m->connections;
  info->inflight = (int)m->inflight;
  info->waiting = (int)m->waiting;
  info->models = (int)m->models;
  info->model_bytes = m->model_bytes;
  info->queued_bytes = m->queued_bytes;
  info->requests = m->requests_total;
  info->errors = m->errors_total;
  info->cancelled = m->cancelled_total;
  info->rows = m->rows_total;
  info->steps = m->steps_total;
  info->bytes_in = m->bytes_in_total;
  info->bytes_out = m->bytes_out_total;
  snprintf(info->sandbox, sizeof info->sandbox, "%s", m->sandbox);
  snprintf(info->sandbox_missing, sizeof info->sandbox_missing, "%s", m->sandbox_missing);
  info->compiling = (int)m->compiling;
  info->compile_waiting = (int)m->compile_waiting;
  info->compile_mean = 1e-6 * (double)m->compile_mean_us;
}

sheafc_server_info sheafc_server_info_default(void) { return (sheafc_server_info){.size = sizeof(sheafc_server_info)}; }

int sheafc_info(sheafc* c, sheafc_server_info* info, sheafc_status* st) {
  Sheaf__ServerInfo m = SHEAF__SERVER_INFO__INIT;
  sheafc_server_info known = sheafc_server_info_default();
  const size_t first = offsetof(sheafc_server_info, bytes_out) + sizeof known.bytes_out;
  memset(st, 0, sizeof *st);
  size_t size = info->size;
  if (size < first) return sheafc_fail_field(st, "size", "what its default function sets", "%zu", size);
  if (sheafc_use(c, st)) return st->code;
  sheafc_call* call = sheafc_ask(c, SHEAF__FRAME_TYPE__FRAME_SERVER_INFO, &m.base, NULL, 0, st);
  if (!call) return st->code;
  Sheaf__ServerInfoReply* reply = sheaf__server_info_reply__unpack(NULL, call->control_len, call->control);
  if (reply) copy_info(&known, reply);
  sheaf__server_info_reply__free_unpacked(reply, NULL);
  sheafc_free_call(call);
  if (!reply) return sheafc_fail(st, SHEAFC_INTERNAL, "the server's answer cannot be read");

  // a caller that was compiled with a later header gets zeros for what this library does not know
  memset(info, 0, size);
  memcpy(info, &known, size < sizeof known ? size : sizeof known);
  info->size = size;
  return 0;
}
