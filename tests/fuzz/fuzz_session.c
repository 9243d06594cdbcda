// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fuzz target: whole sessions of up to four clients with a server in this process. The first byte of the input chooses
// settings; the rest are actions, one byte each with what it needs behind it (make_sessions.py writes them by name).
// Afterwards all clients leave, and the server must hold what it held before.
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "fuzz_file.h"
#include "house.h"
#include "sheaf.pb-c.h"
#include "wire_frame.h"

enum { CLIENTS = 4, MOST_ACTIONS = 200, MOST_TURNS = 50, STUCK_TURNS = 200 };

// settings
enum {
  WITH_TOKENS = 1,
  LITTLE_MEMORY = 2,
  TWO_AT_A_TIME = 4,
  LITTLE_CACHE = 8,
  SHORT_DEADLINE = 16,
  NO_EARLY = 32,
  OWN_MODELS = 64
};

// actions
enum { USE, RAW, FRAME, TURN, WAIT, READ, LEAVE, HALF_CLOSE, DRAIN, STOP, NACTION };

typedef struct {
  const uint8_t* at;
  size_t left;
} input;

typedef struct {
  house* server;
  int fd[CLIENTS];  // -1: not connected
  int client;       // that acts
} session;

// ---- what is left of the input; zeros behind its end

static uint64_t take(input* in, size_t n) {
  uint64_t value = 0;
  for (size_t i = 0; i < n && in->left; i++, in->left--) value |= (uint64_t)*in->at++ << (8 * i);
  return value;
}

// n bytes in a block of exactly their size
static uint8_t* take_bytes(input* in, size_t n) {
  uint8_t* out = calloc(1, n + !n);
  size_t have = n < in->left ? n : in->left;
  if (!out) abort();
  memcpy(out, in->at, have);
  in->at += have;
  in->left -= have;
  return out;
}

// ---- a client

static void leave(session* s, int client) {
  if (s->fd[client] >= 0) close(s->fd[client]);
  s->fd[client] = -1;
}

static void read_replies(session* s, size_t most) {
  static uint8_t bytes[1 << 16];
  int fd = s->fd[s->client];
  for (ssize_t n = 1; fd >= 0 && n > 0 && most; most -= (size_t)n) {
    n = recv(fd, bytes, most < sizeof bytes ? most : sizeof bytes, 0);
    if (n <= 0) return;
  }
}

// pieces of this size; a server that does not read for long gets no more
static void send_bytes(session* s, const uint8_t* bytes, size_t n, size_t piece) {
  int stuck = 0;
  if (!piece) piece = n;
  while (n && s->fd[s->client] >= 0 && stuck < STUCK_TURNS) {
    ssize_t sent = send(s->fd[s->client], bytes, n < piece ? n : piece, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) return;
    if (sent > 0) {
      bytes += sent;
      n -= (size_t)sent;
      stuck = 0;
    } else {
      stuck++;
    }
    house_turn(s->server, 1);
  }
}

// ---- actions

static void send_raw(session* s, input* in) {
  size_t n = take(in, 1), piece = take(in, 1);
  uint8_t* bytes = take_bytes(in, n);
  send_bytes(s, bytes, n, piece);
  free(bytes);
}

// A frame whose header fits what follows: type, flags, id, size of pieces, lengths, control message, then data, of
// which the input has the first bytes and the rest is zeros.
static void send_frame(session* s, input* in) {
  static const int types[] = {SHEAF__FRAME_TYPE__FRAME_HELLO,
                              SHEAF__FRAME_TYPE__FRAME_PING,
                              SHEAF__FRAME_TYPE__FRAME_SERVER_INFO,
                              SHEAF__FRAME_TYPE__FRAME_CANCEL,
                              SHEAF__FRAME_TYPE__FRAME_REGION,
                              SHEAF__FRAME_TYPE__FRAME_REGION_CLOSE,
                              SHEAF__FRAME_TYPE__FRAME_MODEL_PUT,
                              SHEAF__FRAME_TYPE__FRAME_MODEL_INFO,
                              SHEAF__FRAME_TYPE__FRAME_ROLLOUT,
                              SHEAF__FRAME_TYPE__FRAME_FORWARD,
                              SHEAF__FRAME_TYPE__FRAME_INVERSE,
                              SHEAF__FRAME_TYPE__FRAME_TRANSITION_FD,
                              SHEAF__FRAME_TYPE__FRAME_INVERSE_FD,
                              0,
                              SHEAF__FRAME_TYPE__FRAME_REPLY,
                              777,
                              SHEAF__FRAME_TYPE__FRAME_SAMPLE,
                              SHEAF__FRAME_TYPE__FRAME_TRANSITION_DERIVATIVES,
                              SHEAF__FRAME_TYPE__FRAME_INVERSE_DERIVATIVES,
                              SHEAF__FRAME_TYPE__FRAME_MODEL_LIST,
                              SHEAF__FRAME_TYPE__FRAME_MODEL_UNLOAD};
  int type = types[take(in, 1) % (sizeof types / sizeof *types)], flags = (int)(take(in, 1) % 4);
  uint64_t id = take(in, 1);
  size_t piece = 8 * take(in, 1);
  uint32_t control_len = (uint32_t)take(in, 2);
  sheaf_frame head = sheaf_frame_make(type, flags, id, control_len, take(in, 2));
  size_t data = take(in, 2), rest;
  uint8_t packed[SHEAF_FRAME_BYTES];
  sheaf_frame_write(packed, &head);
  uint8_t* control = take_bytes(in, head.control_len);
  if (data > head.data_len) data = head.data_len;
  rest = head.data_len - data;
  uint8_t* begin = take_bytes(in, data);
  uint8_t* zeros = calloc(1, rest + !rest);
  if (!zeros) abort();
  send_bytes(s, packed, sizeof packed, piece);
  send_bytes(s, control, head.control_len, piece);
  send_bytes(s, begin, data, piece);
  send_bytes(s, zeros, rest, 0);
  free(control);
  free(begin);
  free(zeros);
}

static void act(session* s, input* in) {
  switch (take(in, 1) % NACTION) {
    case USE:
      s->client = (int)(take(in, 1) % CLIENTS);
      if (s->fd[s->client] < 0) s->fd[s->client] = house_connect(s->server);
      break;
    case RAW: send_raw(s, in); break;
    case FRAME: send_frame(s, in); break;
    case TURN: house_turn(s->server, (int)(take(in, 1) % MOST_TURNS)); break;
    case WAIT: house_wait(s->server); break;
    case READ: read_replies(s, 256 * (1 + take(in, 1))); break;
    case LEAVE: leave(s, s->client); break;
    case HALF_CLOSE:
      if (s->fd[s->client] >= 0) shutdown(s->fd[s->client], SHUT_WR);
      break;
    case DRAIN: house_drain(s->server, false); break;
    default: house_drain(s->server, true);
  }
}

// ---- settings

// token "abc" may do little, nobody may do less
static const char* tokens_file(void) {
  static const char text[] =
      "[alice]\ntoken = sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n"
      "max-inflight = 2\nmax-bytes = 8 KiB\nmax-connections = 2\nmax-steps = 100\npriority = high\n"
      "[anonymous]\nupload = no\nweight = 3\n";
  static fuzz_file file;
  return fuzz_file_write(&file, text, sizeof text - 1);
}

static house* open_server(unsigned settings) {
  srv_limits l = house_limits();
  if (settings & LITTLE_MEMORY) l.held_bytes = 20 << 10;
  if (settings & TWO_AT_A_TIME) l.inflight = l.queued = 2;
  if (settings & LITTLE_CACHE) l.cache_bytes = 64 << 10;
  if (settings & SHORT_DEADLINE) l.deadline_ms = l.deadline_most_ms = 2;
  if (settings & NO_EARLY) l.early_bytes = UINT64_MAX;
  if (settings & OWN_MODELS) l.shared_models = false;
  return house_open(&l, settings & WITH_TOKENS ? tokens_file() : NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n) {
  input in = {bytes, n};
  session s = {.server = open_server((unsigned)take(&in, 1)), .fd = {-1, -1, -1, -1}};
  s.fd[0] = house_connect(s.server);
  for (int i = 0; in.left && i < MOST_ACTIONS; i++) act(&s, &in);
  house_turn(s.server, 2);
  for (int i = 0; i < CLIENTS; i++) leave(&s, i);
  house_close(s.server);
  return 0;
}
