// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/tls_sight.h"

#include <string.h>

#include "support/test.h"

enum { HANDSHAKE = 22, DATA = 23, MOST = SRV_TLS_HELLO_BYTES };

typedef struct {
  uint8_t bytes[3 * MOST];
  size_t n;
} stream;

static void add_record(stream* s, int type, const uint8_t* bytes, size_t n) {
  const uint8_t head[] = {(uint8_t)type, 3, 1, (uint8_t)(n >> 8), (uint8_t)n};
  memcpy(s->bytes + s->n, head, sizeof head);
  memcpy(s->bytes + s->n + sizeof head, bytes, n);
  s->n += sizeof head + n;
}

// A message in records of `piece` bytes; of its body, `here` bytes come.
static void add_message(stream* s, size_t announced, size_t here, size_t piece) {
  static uint8_t message[2 * MOST];
  const uint8_t head[] = {1, (uint8_t)(announced >> 16), (uint8_t)(announced >> 8), (uint8_t)announced};
  memcpy(message, head, sizeof head);
  here += sizeof head;
  for (size_t at = 0; at < here; at += piece) {
    add_record(s, HANDSHAKE, message + at, here - at < piece ? here - at : piece);
  }
}

// Show the stream in parts of `part` bytes: the number of bytes that were let through.
static size_t shown(const stream* s, size_t part) {
  srv_tls_sight sight = {0};
  for (size_t at = 0; at < s->n; at += part) {
    if (!srv_tls_sight_fits(&sight, s->bytes + at, s->n - at < part ? s->n - at : part)) return at;
  }
  return s->n;
}

TEST(a_handshake_message_that_announces_too_much_is_refused_before_it_comes) {
  static const size_t parts[] = {1, 2, 3, 7, 4096, sizeof((stream*)0)->bytes}, pieces[] = {1, 3, 4, 100, MOST};
  for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
    for (size_t k = 0; k < sizeof pieces / sizeof pieces[0]; k++) {
      static stream s;
      s.n = 0;
      add_message(&s, 300, 300, pieces[k]);
      CHECK_EQ(shown(&s, parts[p]), s.n);

      // the second message of a client, behind one of the largest size and a record that is no handshake
      add_message(&s, 0, 0, pieces[k]);
      add_record(&s, DATA, (const uint8_t*)"\1\377\377\377\377", 5);
      const size_t good = s.n;
      add_message(&s, MOST + 1, 0, pieces[k]);
      const size_t refused = shown(&s, parts[p]);
      CHECK(refused < s.n && refused + parts[p] > good);
    }
  }
  static stream s;
  add_message(&s, MOST, MOST, 1000);
  CHECK_EQ(shown(&s, 999), s.n);
}
