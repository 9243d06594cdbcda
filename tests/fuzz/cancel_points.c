// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A request is cancelled at each point of its life: while it waits, is computed, is sent, compiled, uploaded or over,
// by one cancellation, two, one of another request, or by the end of its connection. The server runs in this process,
// so the point is a number of turns of its loop. Each request has exactly one end, and nothing of it stays.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "house.h"
#include "sheaf.pb-c.h"
#include "wire_frame.h"

enum { ID = 7, OTHER = 8, FIRST_CANCEL = 100, UNKNOWN = 999, MOST_TURNS = 40, MOST_WAITS = 4000, ROOM = 1 << 22 };
enum { NSTATE = 5, STATE = NSTATE * sizeof(double), COMING = 100 };

static const uint8_t zeros[64 * 1024];

typedef enum { WAITS, RUNS, IS_SENT, IS_OVER, COMPILES, COMES, NPOINT } point;
typedef enum { ONCE, TWICE, ANOTHER, BY_LEAVING, NWAY } way;

typedef struct {
  house* server;
  int fd;
  uint8_t* bytes;  // received
  size_t n;
} client;

typedef struct {
  int ends, cancelled, replies;  // of the request; its last frames, those that say CANCELLED; answers to cancellations
  uint64_t rows;
  int last_is_whole;
} outcome;

static _Noreturn void fail(point p, way w, int turns, const char* what, int number) {
  fprintf(stderr, "point %d, way %d, after %d turns: %s: %d\n", p, w, turns, what, number);
  abort();
}

// ---- a client

static void receive(client* c) {
  for (ssize_t n = 1; c->fd >= 0 && n > 0 && c->n<ROOM; c->n += n> 0 ? (size_t)n : 0) {
    n = recv(c->fd, c->bytes + c->n, ROOM - c->n, 0);
  }
}

static void send_all(client* c, const void* bytes, size_t n) {
  const uint8_t* at = bytes;
  for (int waits = 0; n && waits < MOST_WAITS; waits++) {
    ssize_t sent = send(c->fd, at, n, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) abort();
    if (sent > 0) at += sent, n -= (size_t)sent;
    if (n) house_turn(c->server, 1);
  }
  if (n) abort();
}

// header and control message; the data follows
static void send_head(client* c, int type, int flags, uint64_t id, const ProtobufCMessage* m, size_t data_len) {
  uint8_t head[SHEAF_FRAME_BYTES], control[4096];
  size_t n = protobuf_c_message_get_packed_size(m);
  sheaf_frame f = sheaf_frame_make(type, flags, id, (uint32_t)n, data_len);
  if (n > sizeof control) abort();
  sheaf_frame_write(head, &f);
  protobuf_c_message_pack(m, control);
  send_all(c, head, sizeof head);
  send_all(c, control, n);
}

static void say_hello(client* c) {
  Sheaf__Hello m = SHEAF__HELLO__INIT;
  m.version = 1;
  send_head(c, SHEAF__FRAME_TYPE__FRAME_HELLO, 0, 1, &m.base, 0);
}

static void cancel(client* c, uint64_t id, int number) {
  Sheaf__Cancel m = SHEAF__CANCEL__INIT;
  m.request_id = id;
  send_head(c, SHEAF__FRAME_TYPE__FRAME_CANCEL, 0, (uint64_t)(FIRST_CANCEL + number), &m.base, 0);
}

// a rollout of nbatch states, of which the first frame has so many bytes
static void send_rollout(client* c, uint64_t id, uint32_t nbatch, uint32_t nstep, const char* output, size_t first) {
  uint8_t hash[32];
  memset(hash, HOUSE_MODEL, sizeof hash);
  uint64_t shape[] = {nbatch, NSTATE};
  Sheaf__Tensor tensor = SHEAF__TENSOR__INIT, *tensors[] = {&tensor};
  Sheaf__Work work = SHEAF__WORK__INIT;
  Sheaf__Rollout m = SHEAF__ROLLOUT__INIT;
  char* outputs[] = {(char*)output};
  tensor.name = (char*)"state0";
  tensor.n_shape = 2;
  tensor.shape = shape;
  work.model = (ProtobufCBinaryData){sizeof hash, hash};
  work.nbatch = nbatch;
  work.n_inputs = work.n_outputs = 1;
  work.inputs = tensors;
  work.outputs = outputs;
  work.timeout_us = (uint64_t)3600 * 1000000;
  m.work = &work;
  m.nstep = nstep;
  int flags = first < STATE * nbatch ? SHEAF_FRAME_MORE : 0;
  send_head(c, SHEAF__FRAME_TYPE__FRAME_ROLLOUT, flags, id, &m.base, first);
  send_all(c, zeros, first);
}

static void send_rest(client* c, uint64_t id, size_t bytes) {
  uint8_t head[SHEAF_FRAME_BYTES];
  sheaf_frame f = sheaf_frame_make(SHEAF__FRAME_TYPE__FRAME_ROLLOUT, SHEAF_FRAME_CONT, id, 0, bytes);
  sheaf_frame_write(head, &f);
  send_all(c, head, sizeof head);
  send_all(c, zeros, bytes);
}

static void rollout(client* c, uint64_t id, uint32_t nbatch, uint32_t nstep, const char* output) {
  send_rollout(c, id, nbatch, nstep, output, STATE * nbatch);
}

// a model whose compiler runs until it is killed
static void put(client* c, uint64_t id) {
  static const char file[] = "<mujoco/>s";
  Sheaf__ModelFile f = SHEAF__MODEL_FILE__INIT, *files[] = {&f};
  Sheaf__ModelPut m = SHEAF__MODEL_PUT__INIT;
  f.name = m.main = (char*)"m.xml";
  f.size = sizeof file - 1;
  m.n_files = 1;
  m.files = files;
  send_head(c, SHEAF__FRAME_TYPE__FRAME_MODEL_PUT, 0, id, &m.base, f.size);
  send_all(c, file, f.size);
}

// ---- what came

static outcome look(const client* c) {
  outcome o = {0};
  sheaf_frame f;
  for (size_t at = 0; at + SHEAF_FRAME_BYTES <= c->n; at += SHEAF_FRAME_BYTES + f.control_len + f.data_len) {
    f = sheaf_frame_read(c->bytes + at);
    const uint8_t* control = c->bytes + at + SHEAF_FRAME_BYTES;
    if (at + SHEAF_FRAME_BYTES + f.control_len + f.data_len > c->n) break;
    if (f.type == (SHEAF__FRAME_TYPE__FRAME_CANCEL | SHEAF__FRAME_TYPE__FRAME_REPLY)) o.replies++;
    if (f.id != ID) continue;
    o.ends += !(f.flags & SHEAF_FRAME_MORE);
    if (f.type == SHEAF__FRAME_TYPE__FRAME_ERROR) {
      Sheaf__Error* e = sheaf__error__unpack(NULL, f.control_len, control);
      o.cancelled += e && e->code == SHEAF__CODE__CODE_CANCELLED;
      sheaf__error__free_unpacked(e, NULL);
    } else if (f.type == (SHEAF__FRAME_TYPE__FRAME_ROLLOUT | SHEAF__FRAME_TYPE__FRAME_REPLY)) {
      Sheaf__Result* r = sheaf__result__unpack(NULL, f.control_len, control);
      if (!r) abort();
      o.rows += r->rows;
      o.last_is_whole = o.rows == r->total_rows;
      sheaf__result__free_unpacked(r, NULL);
    }
  }
  return o;
}

// ---- points

static void begin(client* c, point p) {
  switch (p) {
    case WAITS:
      for (uint64_t id = OTHER; id < OTHER + 5; id++) rollout(c, id, 1, 2000000000, "final_state");
      rollout(c, ID, 4, 10, "final_state");
      break;
    case RUNS: rollout(c, ID, 3, 2000000000, "final_state"); break;
    case IS_SENT: rollout(c, ID, 200, 100, "state"); break;
    case COMPILES: put(c, ID); break;
    case COMES: send_rollout(c, ID, COMING, 50, "final_state", STATE * COMING / 2); break;
    default: rollout(c, ID, 1, 1, "final_state"); break;
  }
}

static int stopped;  // requests

static void wait_for(client* c, point p, way w, int turns, int ends, int replies) {
  outcome o = {0};
  for (int i = 0; i < MOST_WAITS && (o.ends < ends || o.replies < replies); i++) {
    house_wait(c->server);
    receive(c);
    o = look(c);
  }
  if (o.ends != ends) fail(p, w, turns, "ends of the request", o.ends);
  if (o.replies != replies) fail(p, w, turns, "answers to cancellations", o.replies);
  bool endless = p == RUNS || p == COMPILES;
  if (ends && !o.cancelled && (endless || !o.last_is_whole)) fail(p, w, turns, "rows of a whole result", (int)o.rows);
  stopped += o.cancelled;
}

static void run(point p, way w, int turns) {
  static uint8_t room[ROOM];
  srv_limits limits = house_limits();
  client c = {.server = house_open(&limits, NULL), .bytes = room};
  c.fd = house_connect(c.server);
  say_hello(&c);
  begin(&c, p);
  if (p == IS_OVER) wait_for(&c, p, w, turns, 1, 0);
  house_turn(c.server, turns);
  int cancels = w == TWICE ? 2 : w == BY_LEAVING ? 0 : 1;
  for (int i = 0; i < cancels; i++) cancel(&c, w == ANOTHER ? UNKNOWN : ID, i);
  if (p == COMES && w != BY_LEAVING) send_rest(&c, ID, STATE * COMING / 2);

  // one that nobody cancelled, and that does not end by itself, is cancelled after all
  bool endless = p == WAITS || p == RUNS || p == COMPILES;
  if (w == ANOTHER && endless) cancel(&c, ID, cancels++);
  if (w != BY_LEAVING) wait_for(&c, p, w, turns, 1, cancels);
  close(c.fd);
  house_close(c.server);
}

int main(int argc, char** argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1, n = 0;
  for (int round = 0; round < rounds; round++) {
    for (int p = 0; p < NPOINT; p++) {
      for (int w = 0; w < NWAY; w++) {
        for (int turns = 0; turns < MOST_TURNS; turns += 1 + turns / 4) {
          run((point)p, (way)w, turns);
          n++;
        }
      }
    }
  }
  printf("%d requests, of which %d were stopped\n", n, stopped);
  return 0;
}
