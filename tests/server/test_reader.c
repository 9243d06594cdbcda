// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The 32-byte header, and frames read from a stream in pieces of any size.
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "sheaf.pb-c.h"
#include "wire/reader.h"

// what came out of the reader: one line per frame
typedef struct {
  int count;
  uint64_t ids[16];
  uint64_t sums[16];  // of the bytes of control and data
  bool dropped[16];
  int flags[16];
  srv_ledger* ledger;
} received;

static int receive(void* user, srv_frame* frame, srv_error* error) {
  received* r = user;
  int i = r->count++ & 15;
  (void)error;
  r->ids[i] = frame->head.id;
  r->flags[i] = frame->head.flags;
  r->dropped[i] = frame->dropped;
  r->sums[i] = 0;
  for (uint32_t k = 0; k < frame->head.control_len; k++) r->sums[i] += frame->control[k];
  for (uint64_t k = 0; frame->data.bytes && k < frame->head.data_len; k++) r->sums[i] += frame->data.bytes[k];
  CHECK(!frame->data.bytes || (uintptr_t)frame->data.bytes % SHEAF_FRAME_ALIGN == 0);
  srv_frame_close(frame, r->ledger);
  return 0;
}

typedef struct {
  srv_limits limits;
  srv_ledger ledger;
  received got;
  srv_reader reader;
  srv_error error;
} fixture;

static fixture* open_reader(void) {
  fixture* f = calloc(1, sizeof *f);
  f->limits = srv_limits_default();
  f->limits.frame_bytes = 1 << 20;
  f->ledger.limit = 1 << 20;
  f->got.ledger = &f->ledger;
  srv_reader_init(&f->reader, &f->limits, &f->ledger, &(srv_receiver){.on_frame = receive, .user = &f->got});
  return f;
}

static void close_reader(fixture* f) {
  srv_reader_close(&f->reader);
  CHECK_EQ(f->ledger.request, 0);
  free(f);
}

// one frame whose control and data bytes are all 1
static size_t put_frame(uint8_t* out, int type, int flags, uint64_t id, uint32_t control_len, uint64_t data_len) {
  sheaf_frame head = sheaf_frame_make(type, flags, id, control_len, data_len);
  sheaf_frame_write(out, &head);
  memset(out + SHEAF_FRAME_BYTES, 1, control_len + data_len);
  return SHEAF_FRAME_BYTES + control_len + data_len;
}

TEST(header_has_the_documented_layout) {
  uint8_t bytes[SHEAF_FRAME_BYTES];
  sheaf_frame head = sheaf_frame_make(0x0120, SHEAF_FRAME_MORE, 0x0807060504030201, 0x14131211, 0x2827262524232221);
  const uint8_t want[SHEAF_FRAME_BYTES] = {'S', 'H', 'F',  '1',  1,    1,    0x20, 1,    1,    2,   3,
                                           4,   5,   6,    7,    8,    0x11, 0x12, 0x13, 0x14, 0,   0,
                                           0,   0,   0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28};
  sheaf_frame_write(bytes, &head);
  CHECK(!memcmp(bytes, want, sizeof want));
  sheaf_frame back = sheaf_frame_read(bytes);
  CHECK(back.magic == head.magic && back.type == head.type && back.flags == head.flags && back.id == head.id);
  CHECK(back.control_len == head.control_len && back.data_len == head.data_len && back.reserved == 0);
}

TEST(frames_are_the_same_for_every_cut_of_the_stream) {
  uint8_t stream[1024];
  size_t n = put_frame(stream, 2, 0, 1, 5, 0);
  n += put_frame(stream + n, 2, SHEAF_FRAME_MORE, 2, 0, 100);
  n += put_frame(stream + n, 2, SHEAF_FRAME_CONT, 2, 0, 7);
  n += put_frame(stream + n, 2, 0, 3, 0, 0);
  for (size_t cut = 0; cut <= n; cut++) {
    fixture* f = open_reader();
    CHECK_EQ(srv_reader_feed(&f->reader, stream, cut, &f->error), 0);
    CHECK_EQ(srv_reader_feed(&f->reader, stream + cut, n - cut, &f->error), 0);
    CHECK_EQ(f->got.count, 4);
    CHECK(f->got.sums[0] == 5 && f->got.sums[1] == 100 && f->got.sums[2] == 7 && f->got.sums[3] == 0);
    CHECK(f->got.ids[3] == 3 && f->got.flags[1] == SHEAF_FRAME_MORE);
    CHECK(!srv_reader_busy(&f->reader));
    close_reader(f);
  }
  fixture* f = open_reader();
  for (size_t i = 0; i < n; i++) CHECK_EQ(srv_reader_feed(&f->reader, stream + i, 1, &f->error), 0);
  CHECK_EQ(f->got.count, 4);
  close_reader(f);
}

TEST(a_frame_cut_off_leaves_nothing_behind) {
  uint8_t stream[256];
  size_t n = put_frame(stream, 2, 0, 1, 50, 100);
  for (size_t cut = 1; cut < n; cut++) {
    fixture* f = open_reader();
    CHECK_EQ(srv_reader_feed(&f->reader, stream, cut, &f->error), 0);
    CHECK_EQ(f->got.count, 0);
    CHECK(srv_reader_busy(&f->reader));
    close_reader(f);
  }
}

// feed a header with one field changed; the code of the error
static int try_header(int offset, uint64_t value, int nbyte, srv_error* error) {
  uint8_t bytes[SHEAF_FRAME_BYTES];
  fixture* f = open_reader();
  sheaf_frame head = sheaf_frame_make(2, 0, 1, 0, 0);
  sheaf_frame_write(bytes, &head);
  sheaf_frame_put(bytes + offset, value, nbyte);
  int err = srv_reader_feed(&f->reader, bytes, sizeof bytes, &f->error);
  *error = f->error;
  close_reader(f);
  return -err;
}

TEST(bad_headers_are_refused_and_named) {
  const struct {
    int offset;
    uint64_t value;
    int nbyte, code;
    const char* field;
  } cases[] = {
      {0, 0x31464854, 4, 3, "frame.magic"},
      {0, 0, 4, 3, "frame.magic"},
      {4, 0, 1, 3, "frame.version"},
      {4, 2, 1, 3, "frame.version"},
      {5, 4, 1, 3, "frame.flags"},
      {5, 0x80, 1, 3, "frame.flags"},
      {6, 0x8000, 2, 3, "frame.type"},
      {6, 0xffff, 2, 3, "frame.type"},
      {8, 0, 8, 3, "frame.request_id"},
      {20, 1, 4, 3, "frame.reserved"},
      {16, 64 * 1024 + 1, 4, 8, "frame.control_len"},
      {16, 0xffffffff, 4, 8, "frame.control_len"},
      {24, (1 << 20) + 1, 8, 8, "frame.data_len"},
      {24, UINT64_MAX, 8, 8, "frame.data_len"},
      {24, (uint64_t)1 << 63, 8, 8, "frame.data_len"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    srv_error error;
    CHECK_EQ(try_header(cases[i].offset, cases[i].value, cases[i].nbyte, &error), cases[i].code);
    CHECK_TEXT(error.message, cases[i].field);
  }
}

TEST(a_continuation_has_no_control_message) {
  uint8_t bytes[64];
  fixture* f = open_reader();
  put_frame(bytes, 2, SHEAF_FRAME_CONT, 1, 4, 0);
  CHECK_EQ(srv_reader_feed(&f->reader, bytes, SHEAF_FRAME_BYTES, &f->error), -3);
  close_reader(f);
}

TEST(data_over_the_budget_is_dropped_and_the_stream_goes_on) {
  enum { DATA = 300000 };
  uint8_t* stream = malloc(2 * DATA);
  fixture* f = open_reader();
  f->ledger.limit = 200000;
  size_t n = put_frame(stream, 2, 0, 1, 3, DATA);
  n += put_frame(stream + n, 2, 0, 2, 3, 10);
  for (size_t at = 0; at < n; at += 1000) {
    CHECK_EQ(srv_reader_feed(&f->reader, stream + at, n - at < 1000 ? n - at : 1000, &f->error), 0);
    CHECK(f->ledger.request <= f->ledger.limit + 3);
  }
  CHECK_EQ(f->got.count, 2);
  CHECK(f->got.dropped[0] && !f->got.dropped[1]);
  CHECK_EQ(f->got.sums[1], 13);
  close_reader(f);
  free(stream);
}

TEST(bytes_are_charged_when_they_arrive_not_when_they_are_announced) {
  uint8_t bytes[SHEAF_FRAME_BYTES + 100] = {0};
  fixture* f = open_reader();
  sheaf_frame head = sheaf_frame_make(2, 0, 1, 0, 1 << 20);
  sheaf_frame_write(bytes, &head);
  CHECK_EQ(srv_reader_feed(&f->reader, bytes, sizeof bytes, &f->error), 0);
  CHECK_EQ(f->ledger.request, 100);
  close_reader(f);

  f = open_reader();
  put_frame(bytes, 2, 0, 1, 100, 0);
  bytes[18] = 1;  // 65636 bytes of control
  f->limits.control_bytes = 1 << 20;
  CHECK_EQ(srv_reader_feed(&f->reader, bytes, SHEAF_FRAME_BYTES + 10, &f->error), 0);
  CHECK_EQ(f->ledger.request, 10);
  close_reader(f);
}

TEST(large_data_can_be_read_in_place) {
  enum { DATA = 200000 };
  uint8_t* stream = malloc(DATA + 1000);
  size_t n = put_frame(stream, 2, 0, 9, 10, DATA), room;
  fixture* f = open_reader();
  CHECK(!srv_reader_room(&f->reader, &room));
  CHECK_EQ(srv_reader_feed(&f->reader, stream, 100, &f->error), 0);
  size_t at = 100;
  for (;;) {
    uint8_t* to = srv_reader_room(&f->reader, &room);
    if (!to) break;
    size_t take = room < 30000 ? room : 30000;
    memcpy(to, stream + at, take);
    CHECK_EQ(srv_reader_took(&f->reader, take, &f->error), 0);
    at += take;
  }
  CHECK_EQ(srv_reader_feed(&f->reader, stream + at, n - at, &f->error), 0);
  CHECK_EQ(f->got.count, 1);
  CHECK_EQ(f->got.sums[0], DATA + 10);
  close_reader(f);
  free(stream);
}

// ---- frames that are taken while their data comes

typedef struct {
  fixture* f;
  srv_frame frame;
  uint64_t got;
  int begun, dropped;
  bool forget_at_once;
} taker;

static void let_go(taker* t) {
  srv_reader_forget(&t->f->reader);
  t->f->ledger.request -= t->frame.head.control_len + t->got;
  free(t->frame.control);
  srv_section_close(&t->frame.data, &t->f->ledger);
  t->frame = (srv_frame){0};
}

static int on_begun(void* user, srv_frame* frame, srv_error* error) {
  taker* t = user;
  (void)error;
  if (frame->head.id == 7) return 0;
  t->begun++;
  t->frame = *frame;
  t->got = 0;
  if (t->forget_at_once) let_go(t);
  return 1;
}

static int on_data(void* user, uint64_t got, bool dropped, srv_error* error) {
  taker* t = user;
  (void)error;
  t->dropped += dropped;
  if (dropped) {
    let_go(t);
  } else {
    CHECK(got > t->got);
    t->got = got;
  }
  return 0;
}

static int on_small(void* user, srv_frame* frame, srv_error* error) {
  taker* t = user;
  return receive(&t->f->got, frame, error);
}

static taker* open_taker(uint64_t memory) {
  taker* t = calloc(1, sizeof *t);
  t->f = open_reader();
  t->f->ledger.limit = memory;
  t->f->reader.receiver = (srv_receiver){on_small, on_begun, NULL, on_data, t};
  return t;
}

enum { LARGE = 200000 };

// a large frame that is offered, one that is refused, a cut one that is not offered, and a small one
static size_t put_mixture(uint8_t* out) {
  size_t n = put_frame(out, 2, 0, 5, 10, LARGE);
  n += put_frame(out + n, 2, 0, 7, 10, LARGE);
  n += put_frame(out + n, 2, SHEAF_FRAME_MORE, 8, 10, LARGE);
  return n + put_frame(out + n, 2, 0, 9, 10, 3);
}

TEST(a_large_frame_can_be_taken_while_its_data_comes) {
  uint8_t* stream = malloc(4 * (LARGE + 64));
  size_t n = put_mixture(stream);
  const size_t steps[] = {1, 31, 4096, 65536, 1 << 20};
  for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
    taker* t = open_taker(1 << 20);
    for (size_t at = 0; at < n; at += steps[k]) {
      size_t left = n - at < steps[k] ? n - at : steps[k];
      CHECK_EQ(srv_reader_feed(&t->f->reader, stream + at, left, &t->f->error), 0);
    }
    CHECK_EQ(t->begun, 1);
    CHECK(t->frame.head.id == 5 && t->got == LARGE);
    uint64_t sum = 0;
    for (int i = 0; i < LARGE; i++) sum += t->frame.data.bytes[i];
    CHECK_EQ(sum, LARGE);
    CHECK_EQ(t->f->got.count, 3);
    CHECK(t->f->got.sums[0] == 10 + LARGE && t->f->got.ids[2] == 9 && t->f->got.sums[2] == 13);
    let_go(t);
    close_reader(t->f);
    free(t);
  }
  free(stream);
}

TEST(a_taken_frame_can_be_forgotten_and_cut_off) {
  uint8_t* stream = malloc(4 * (LARGE + 64));
  size_t n = put_mixture(stream);

  // forgotten within the offer: the others come
  taker* t = open_taker(1 << 20);
  t->forget_at_once = true;
  CHECK_EQ(srv_reader_feed(&t->f->reader, stream, n, &t->f->error), 0);
  CHECK(t->begun == 1 && t->got == 0 && t->f->got.count == 3);
  close_reader(t->f);

  // no room in the middle: told once, the others come
  t->f = open_reader();
  t->f->reader.receiver = (srv_receiver){on_small, on_begun, NULL, on_data, t};
  t->f->ledger.limit = LARGE / 2;
  t->forget_at_once = false;
  for (size_t at = 0; at < n; at += 1000) {
    CHECK_EQ(srv_reader_feed(&t->f->reader, stream + at, n - at < 1000 ? n - at : 1000, &t->f->error), 0);
  }
  CHECK_EQ(t->dropped, 1);
  CHECK(t->f->got.count == 3 && t->f->got.dropped[0] && !t->f->got.dropped[2]);
  close_reader(t->f);

  // the stream ends in the middle: the receiver keeps what is its own
  t->f = open_reader();
  t->f->reader.receiver = (srv_receiver){on_small, on_begun, NULL, on_data, t};
  CHECK_EQ(srv_reader_feed(&t->f->reader, stream, 1000, &t->f->error), 0);
  srv_reader_close(&t->f->reader);
  CHECK(t->f->ledger.request == t->got + 10 && t->frame.data.bytes);
  let_go(t);
  close_reader(t->f);
  free(t);
  free(stream);
}
