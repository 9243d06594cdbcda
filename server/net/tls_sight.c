// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/tls_sight.h"

#include <string.h>

enum { HANDSHAKE = 0x16 };

// Fill a head of `size` bytes; the number of bytes taken.
static size_t fill(uint8_t* head, unsigned* have, size_t size, const uint8_t* bytes, size_t n) {
  size_t take = size - *have < n ? size - *have : n;
  memcpy(head + *have, bytes, take);
  *have += (unsigned)take;
  return take;
}

static size_t pass(size_t* left, size_t n) {
  size_t take = *left < n ? *left : n;
  *left -= take;
  return take;
}

// bytes of messages, which may be cut at any place into records
static bool look(srv_tls_sight* s, const uint8_t* bytes, size_t n) {
  while (n) {
    size_t took = s->body ? pass(&s->body, n) : fill(s->message, &s->nmessage, sizeof s->message, bytes, n);
    bytes += took;
    n -= took;
    if (s->nmessage < sizeof s->message) continue;
    s->nmessage = 0;
    s->body = (size_t)s->message[1] << 16 | (size_t)s->message[2] << 8 | s->message[3];
    if (s->body > SRV_TLS_HELLO_BYTES) return false;
  }
  return true;
}

bool srv_tls_sight_fits(srv_tls_sight* s, const uint8_t* bytes, size_t n) {
  while (n) {
    size_t took;
    if (s->record) {
      took = pass(&s->record, n);
      if (s->head[0] == HANDSHAKE && !look(s, bytes, took)) return false;
    } else {
      took = fill(s->head, &s->nhead, sizeof s->head, bytes, n);
    }
    bytes += took;
    n -= took;
    if (s->nhead < sizeof s->head) continue;
    s->nhead = 0;
    s->record = (size_t)s->head[3] << 8 | s->head[4];
  }
  return true;
}
