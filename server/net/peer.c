// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/peer.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { PREFIX_BYTES = 8 };  // of an IPv6 address: a host can usually choose the other 64 bits freely

static void read_user(uv_os_fd_t fd, char text[SRV_PEER_TEXT], srv_proof* proof) {
  struct ucred peer;
  socklen_t n = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n)) return;
  proof->local = true;
  proof->user = peer.uid;
  snprintf(proof->place, sizeof proof->place, "user:%u", (unsigned)peer.uid);
  snprintf(text, SRV_PEER_TEXT, "user:%u/pid:%d", (unsigned)peer.uid, (int)peer.pid);
}

static void read_v6(const struct sockaddr_in6* a, char text[SRV_PEER_TEXT], srv_proof* proof) {
  char host[INET6_ADDRSTRLEN] = "";
  uv_ip6_name(a, host, sizeof host);
  snprintf(text, SRV_PEER_TEXT, "[%s]:%d", host, ntohs(a->sin6_port));
  struct sockaddr_in6 place = *a;
  if (IN6_IS_ADDR_V4MAPPED(&a->sin6_addr)) {
    snprintf(proof->place, sizeof proof->place, "%s", host);
    return;
  }
  memset(place.sin6_addr.s6_addr + PREFIX_BYTES, 0, sizeof place.sin6_addr.s6_addr - PREFIX_BYTES);
  uv_ip6_name(&place, host, sizeof host);
  snprintf(proof->place, sizeof proof->place, "%s/64", host);
}

static void read_v4(const struct sockaddr_in* a, char text[SRV_PEER_TEXT], srv_proof* proof) {
  char host[32] = "";
  uv_ip4_name(a, host, sizeof host);
  snprintf(text, SRV_PEER_TEXT, "%s:%d", host, ntohs(a->sin_port));
  snprintf(proof->place, sizeof proof->place, "%s", host);
}

void srv_peer_read(const uv_handle_t* handle, char text[SRV_PEER_TEXT], srv_proof* proof) {
  struct sockaddr_storage address;
  int size = sizeof address;
  uv_os_fd_t fd;
  if (handle->type == UV_NAMED_PIPE) {
    if (!uv_fileno(handle, &fd)) read_user(fd, text, proof);
  } else if (!uv_tcp_getpeername((const uv_tcp_t*)handle, (struct sockaddr*)&address, &size)) {
    if (address.ss_family == AF_INET6) {
      read_v6((const struct sockaddr_in6*)&address, text, proof);
    } else {
      read_v4((const struct sockaddr_in*)&address, text, proof);
    }
  }
}
