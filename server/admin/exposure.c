// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "admin/exposure.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "sheaf.pb-c.h"

static bool is_loopback(const struct sockaddr* address) {
  if (address->sa_family == AF_INET6) {
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6*)address)->sin6_addr);
  }
  return address->sa_family == AF_INET && ntohl(((const struct sockaddr_in*)address)->sin_addr.s_addr) >> 24 == 127;
}

// Do all addresses of HOST:PORT belong to this machine only? A host without an address is let through here; listening
// on it fails later.
static bool stays_here(const char* host_port) {
  char host[256];
  const char* colon = strrchr(host_port, ':');
  int n = colon ? (int)(colon - host_port) : 0;
  bool brackets = n > 1 && host_port[0] == '[' && host_port[n - 1] == ']';
  snprintf(host, sizeof host, "%.*s", brackets ? n - 2 : n, host_port + brackets);
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found = NULL;
  if (getaddrinfo(host, "0", &hints, &found)) return true;
  bool here = true;
  for (const struct addrinfo* a = found; a; a = a->ai_next) here &= is_loopback(a->ai_addr);
  freeaddrinfo(found);
  return here;
}

static bool has_token(const srv_config* c) {
  return c->tokens || c->token_file || c->tls_require_certificate || c->insecure_no_token;
}

static bool has_tls(const srv_config* c) { return c->tls_certificate || c->insecure_no_tls; }

static int refuse(const srv_config* c, const char* address, srv_error* error) {
  bool token = has_token(c), tls = has_tls(c);
  return srv_error_set(
      error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "listen: others can reach %s:%s%s", address,
      token ? ""
            : " give --tokens, --token-file or --tls-require-certificate, or --insecure-no-token to let in everybody;",
      tls ? ""
          : " give --tls-certificate, or --insecure-no-tls to let everybody on the way read and change what is sent");
}

int srv_exposure_check(const srv_config* c, srv_error* error) {
  if (!c->listen || c->no_tcp || (has_token(c) && has_tls(c)) || stays_here(c->listen)) return 0;
  return refuse(c, c->listen, error);
}

int srv_exposure_check_socket(const srv_config* c, int descriptor, srv_error* error) {
  struct sockaddr_storage bound = {0};
  socklen_t size = sizeof bound;
  if (has_token(c) && has_tls(c)) return 0;
  if (!getsockname(descriptor, (struct sockaddr*)&bound, &size) && is_loopback((struct sockaddr*)&bound)) return 0;
  return refuse(c, "the socket that the service manager gives", error);
}
