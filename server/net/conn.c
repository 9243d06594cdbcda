// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/conn.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/log.h"
#include "sheaf.pb-c.h"

enum {
  SEND_BUFFER = 1 << 20,
  MOST_PENDING = 4,          // buffers of a uv_write for which libuv needs no memory
  SECURE_BYTES = 64 * 1024,  // encrypted at a time
  SHY_MS = 1000,             // a connection that has not said Hello for so long may be closed to make room
  FEW_REPLIES = 64 * 1024,   // bytes of messages that may wait for a client in any case
};

static void on_alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buf);
static void on_read(uv_stream_t* stream, ssize_t n, const uv_buf_t* buf);
static void flush(srv_conn* conn);
static void resume(srv_conn* conn);
static void begin_shutdown(srv_conn* conn);

// ---- writing

static void note_queued(srv_conn* conn, const srv_out* out) {
  conn->unsent += out->bytes;
  conn->replies += out->own;
  conn->net->unsent += out->bytes;
  conn->net->ledger->reply += out->own;
}

static void note_sent(srv_conn* conn, const srv_out* out) {
  conn->unsent -= out->bytes;
  conn->replies -= out->own;
  conn->net->unsent -= out->bytes;
  conn->net->ledger->reply -= out->own;
}

// Does more wait for this client than for others, while all replies that wait hold more than this part of the memory?
static bool lets_pile_up(const srv_conn* conn, unsigned part) {
  const srv_ledger* ledger = conn->net->ledger;
  return conn->replies > FEW_REPLIES && ledger->reply > ledger->limit / part;
}

// The client should read before it asks for more. Replies that are longer than their requests would fill the memory.
static bool should_read(const srv_conn* conn) {
  return conn->unsent > conn->net->limits->unsent_high || lets_pile_up(conn, 8);
}

// the frame being written is complete, or given up
static void end_writing(srv_conn* conn, bool sent) {
  srv_out* out = conn->writing;
  if (!out) return;
  conn->writing = NULL;
  note_sent(conn, out);
  if (sent) conn->net->stats->bytes_out += out->bytes;
  srv_out_free(out);
}

static void on_written(uv_write_t* req, int status) {
  srv_conn* conn = req->data;
  if (conn->secure) {
    srv_secure_sent(conn->secure, conn->secure_pending);
  } else {
    conn->writing->nsent += conn->pending;
  }
  conn->pending = 0;
  if (conn->state == SRV_CONN_CLOSED) {
    end_writing(conn, false);
    return;
  }
  if (status) {
    srv_conn_close(conn, uv_strerror(status));
    return;
  }
  conn->last_write = uv_now(conn->net->loop);
  flush(conn);
  if (conn->state == SRV_CONN_OPEN && conn->unsent <= conn->net->limits->unsent_low && !should_read(conn)) resume(conn);
}

// Write the buffers that wait. Few frames carry a descriptor. Pipes are opened without libuv's ipc flag, so that a
// client cannot pass descriptors to the server; to send one, the flag is set for the duration of the call of uv_write2.
static int write_waiting(srv_conn* conn, const srv_out* out) {
  const uv_buf_t* buffers = out->buffer + out->nsent;
  if (!out->pass) return uv_write(&conn->write, &conn->as.stream, buffers, conn->pending, on_written);
  conn->as.pipe.ipc = 1;
  int err = uv_write2(&conn->write, &conn->as.stream, buffers, conn->pending, out->pass, on_written);
  conn->as.pipe.ipc = 0;
  return err;
}

// Write what the socket takes at once, and give the rest to libuv. 0: all is written.
static int write_some(srv_conn* conn) {
  srv_out* out = conn->writing;
  if (out->nsent == out->nbuffer) return 0;
  int n = out->pass ? 0 : uv_try_write(&conn->as.stream, out->buffer + out->nsent, out->nbuffer - out->nsent);
  if (n < 0 && n != UV_EAGAIN) return n;
  if (n > 0) {
    conn->given += (uint64_t)n;
    srv_out_advance(out, (size_t)n);
  }
  unsigned left = out->nbuffer - out->nsent;
  if (!left) return 0;
  conn->pending = left < MOST_PENDING ? left : MOST_PENDING;
  conn->write.data = conn;
  for (unsigned i = 0; i < conn->pending; i++) conn->given += out->buffer[out->nsent + i].len;
  int err = write_waiting(conn, out);
  if (err) conn->pending = 0;
  return err;
}

// The same with TLS: first send the encrypted bytes that wait, which may be messages of TLS itself, then encrypt the
// next piece of the frame.
static int write_secure(srv_conn* conn) {
  for (;;) {
    uv_buf_t waits = srv_secure_out(conn->secure);
    srv_out* out = conn->writing;
    if (waits.len) {
      int n = uv_try_write(&conn->as.stream, &waits, 1);
      if (n < 0 && n != UV_EAGAIN) return n;
      if (n > 0) {
        conn->given += (uint64_t)n;
        srv_secure_sent(conn->secure, (size_t)n);
        continue;
      }
      conn->pending = 1;
      conn->secure_pending = waits.len;
      conn->given += waits.len;
      conn->write.data = conn;
      int err = uv_write(&conn->write, &conn->as.stream, &waits, 1, on_written);
      if (err) conn->pending = 0;
      return err;
    }
    if (!out || out->nsent == out->nbuffer) return 0;

    // some records together, so that they leave in one write
    for (size_t n = 0; n < SECURE_BYTES && out->nsent < out->nbuffer;) {
      const uv_buf_t* next = &out->buffer[out->nsent];
      size_t took = next->len ? srv_secure_write(conn->secure, (uint8_t*)next->base, next->len) : 0;
      if (next->len && !took) return UV_EPROTO;
      srv_out_advance(out, took);
      n += took;
    }
  }
}

static void flush(srv_conn* conn) {
  while (conn->state != SRV_CONN_CLOSED && !conn->pending) {
    srv_out* out = conn->out_head;
    bool waits = conn->secure && srv_secure_out(conn->secure).len;
    if (!conn->writing && !out && !waits) break;
    if (!conn->writing && out) {
      conn->out_head = out->next;
      if (!conn->out_head) conn->out_tail = &conn->out_head;
      conn->writing = out;
    }
    int err = conn->secure ? write_secure(conn) : write_some(conn);
    if (err) {
      srv_conn_close(conn, uv_strerror(err));
    } else if (!conn->pending) {
      end_writing(conn, true);
    }
  }
  if (conn->state != SRV_CONN_CLOSED && !conn->writing && !conn->pending && conn->end_after_flush) begin_shutdown(conn);
}

void srv_conn_send(srv_conn* conn, srv_out* out, bool urgent) {
  if (!out) {
    srv_conn_close(conn, "out of memory");
    return;
  }
  if (conn->state == SRV_CONN_CLOSED || conn->end_after_flush) {
    srv_out_free(out);
    return;
  }
  if (!conn->unsent) conn->last_write = uv_now(conn->net->loop);
  out->next = NULL;
  if (urgent) {
    out->next = conn->out_head;
    conn->out_head = out;
    if (!out->next) conn->out_tail = &out->next;
  } else {
    *conn->out_tail = out;
    conn->out_tail = &out->next;
  }
  note_queued(conn, out);
  conn->burst += out->bytes;
  flush(conn);
}

static void drop_output(srv_conn* conn) {
  while (conn->out_head) {
    srv_out* out = conn->out_head;
    conn->out_head = out->next;
    note_sent(conn, out);
    srv_out_free(out);
  }
  conn->out_tail = &conn->out_head;
}

// ---- reading

static void on_alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
  srv_conn* conn = handle->data;
  size_t n;
  uint8_t* room = conn->state == SRV_CONN_OPEN && !conn->secure ? srv_reader_room(&conn->reader, &n) : NULL;
  conn->passes = conn->state == SRV_CONN_OPEN && srv_read_turn_over(&conn->net->reading, &conn->turn_to_read);
  if (conn->passes) {
    *buf = (uv_buf_t){.len = 0};
  } else if (room) {
    *buf = (uv_buf_t){.base = (char*)room, .len = n};
  } else {
    *buf = (uv_buf_t){.base = (char*)conn->net->scratch, .len = sizeof conn->net->scratch};
  }
}

// take the bytes that came into the buffer of on_alloc
static int take(srv_conn* conn, const uv_buf_t* buf, size_t n, srv_error* error) {
  uint8_t* bytes = (uint8_t*)buf->base;
  if (bytes == conn->net->scratch) return srv_reader_feed(&conn->reader, bytes, n, error);
  return srv_reader_took(&conn->reader, n, error);
}

static bool take_name(void* user, const char* name) {
  srv_conn* conn = user;
  bool known = srv_auth_knows(conn->net->auth, name);
  if (known || !conn->proof.certificate[0]) {
    snprintf(conn->proof.certificate, sizeof conn->proof.certificate, "%s", name);
  }
  return known;
}

// take bytes with TLS: they may hold any number of records, or a part of one
static int take_records(srv_conn* conn, const uint8_t* bytes, size_t n, srv_error* error) {
  int err = 0;
  bool ready = srv_secure_ready(conn->secure);
  srv_secure_feed(conn->secure, bytes, n);
  while (!err && conn->state == SRV_CONN_OPEN) {
    size_t room = 0;
    uint8_t* direct = srv_reader_room(&conn->reader, &room);
    uint8_t* to = direct ? direct : conn->net->plain;
    int got = srv_secure_read(conn->secure, to, direct ? room : sizeof conn->net->plain, error);
    if (!ready && srv_secure_ready(conn->secure)) {
      ready = true;
      srv_secure_names(conn->secure, take_name, conn);
    }
    if (got == SRV_SECURE_END) srv_conn_close(conn, "end of stream");
    if (got <= 0) {
      err = got < 0 && got != SRV_SECURE_END ? got : 0;
      break;
    }
    size_t plain = (size_t)got;
    err = direct ? srv_reader_took(&conn->reader, plain, error) : srv_reader_feed(&conn->reader, to, plain, error);
  }
  flush(conn);
  return err;
}

// The first message of a TLS client is handled in its turn; until then nothing more is read from the client.
static int answer_first_words(srv_conn* conn, const uint8_t* bytes, size_t n, srv_error* error) {
  uint64_t began = uv_hrtime();
  int err = take_records(conn, bytes, n, error);
  srv_tls_turn_took(&conn->net->turns, conn->proof.place, uv_hrtime() - began);
  return err;
}

static int take_first_words(srv_conn* conn, const uint8_t* bytes, size_t n, srv_error* error) {
  srv_tls_turns* turns = &conn->net->turns;
  if (srv_tls_turn_free(turns)) return answer_first_words(conn, bytes, n, error);
  conn->turn = srv_tls_turn_wait(turns, conn, conn->proof.place, bytes, n);
  if (!conn->turn) {
    return srv_error_set(error, SHEAF__CODE__CODE_UNAUTHENTICATED,
                         "TLS: a first message of more than %d bytes, or no memory for it", SRV_TLS_FIRST_BYTES);
  }
  uv_read_stop(&conn->as.stream);
  return 0;
}

static int take_secure(srv_conn* conn, const uint8_t* bytes, size_t n, srv_error* error) {
  if (conn->speaks_tls || srv_secure_begins(bytes[0])) {
    conn->speaks_tls = true;
    bool answered = conn->given > 0;
    return answered ? take_records(conn, bytes, n, error) : take_first_words(conn, bytes, n, error);
  }

  // answer a client without TLS with an Error frame without TLS
  srv_secure_free(conn->secure);
  conn->secure = NULL;
  return srv_error_set(error, SHEAF__CODE__CODE_FAILED_PRECONDITION,
                       "this port speaks TLS: connect to tls://HOST:PORT");
}

// Note progress of reading. A frame must begin or end, or SRV_STALL_BYTES must come: a client that sends byte by byte
// makes no progress.
static void note_progress(srv_conn* conn, size_t n) {
  conn->read_bytes += n;
  bool moves = conn->read_bytes >= SRV_STALL_BYTES || conn->read_frames != conn->reader.frames;
  if (srv_reader_busy(&conn->reader) && !moves && !conn->idle) return;
  conn->idle = !srv_reader_busy(&conn->reader);
  conn->last_read = uv_now(conn->net->loop);
  conn->read_bytes = 0;
  conn->read_frames = conn->reader.frames;
}

static void rest(srv_conn* conn, bool served) {
  srv_read_turn_rest(&conn->net->reading, &conn->turn_to_read, served);
  uv_read_stop(&conn->as.stream);
}

// Many clients that do not read fill the memory, although the server stops reading from each of them.
static void fail_deaf(srv_conn* conn) {
  srv_error error;
  srv_error_busy(&error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 1000000,
                 "the server's memory is short, and many replies on this connection were not read");
  srv_conn_fail(conn, &error);
}

static void on_read(uv_stream_t* stream, ssize_t n, const uv_buf_t* buf) {
  srv_conn* conn = stream->data;
  uint64_t began = uv_hrtime();
  if (n == UV_ENOBUFS && conn->passes) {
    rest(conn, false);
    return;
  }
  if (n < 0) {
    // treat a client that stops sending as gone, because a dead process looks the same as a half-closed socket
    srv_conn_close(conn, n == UV_EOF ? "end of stream" : uv_strerror((int)n));
    return;
  }
  if (n == 0 || conn->state != SRV_CONN_OPEN) return;
  conn->net->handler.on_input(conn->net->handler.user);
  conn->net->stats->bytes_in += (uint64_t)n;
  conn->came += (uint64_t)n;
  conn->burst = 0;
  srv_error error;
  int err =
      conn->secure ? take_secure(conn, (uint8_t*)buf->base, (size_t)n, &error) : take(conn, buf, (size_t)n, &error);
  note_progress(conn, (size_t)n);
  if (err && conn->state == SRV_CONN_OPEN) srv_conn_fail(conn, &error);

  // a client may send a whole request before it reads the answer to the first half
  bool over = srv_read_turn_took(&conn->net->reading, &conn->turn_to_read, (uint64_t)n, uv_hrtime() - began);
  bool between = conn->state == SRV_CONN_OPEN && conn->reader.early.state == SRV_EARLY_NONE;
  if (between && lets_pile_up(conn, 4)) {
    fail_deaf(conn);
  } else if (between && should_read(conn)) {
    conn->paused = true;
    uv_read_stop(stream);
  } else if (conn->state == SRV_CONN_OPEN && !conn->turn && over) {
    rest(conn, true);
  }
}

void srv_conn_go_on(srv_net* net) {
  srv_read_turns_begin(&net->reading);
  for (srv_read_turn* turn; (turn = srv_read_turns_next(&net->reading));) {
    srv_conn* conn = (srv_conn*)(void*)((char*)turn - offsetof(srv_conn, turn_to_read));
    if (conn->state == SRV_CONN_OPEN && !conn->paused) uv_read_start(&conn->as.stream, on_alloc, on_read);
  }
}

// The turn of a client has come. A client that has closed its end meanwhile gets no answer, which would cost time.
static void on_turn(srv_conn* conn, const uint8_t* bytes, size_t n) {
  uv_os_fd_t fd;
  char next;
  conn->turn = NULL;
  if (conn->state != SRV_CONN_OPEN) return;
  if (!uv_fileno(&conn->as.handle, &fd) && !recv(fd, &next, 1, MSG_PEEK | MSG_DONTWAIT)) {
    srv_conn_close(conn, "end of stream");
    return;
  }
  srv_error error;
  uv_read_start(&conn->as.stream, on_alloc, on_read);
  if (answer_first_words(conn, bytes, n, &error) && conn->state == SRV_CONN_OPEN) srv_conn_fail(conn, &error);
}

// few unsent bytes are left: read on, and let the handler produce more
static void resume(srv_conn* conn) {
  if (conn->paused) {
    conn->paused = false;
    conn->last_read = uv_now(conn->net->loop);
    uv_read_start(&conn->as.stream, on_alloc, on_read);
  }
  conn->net->handler.on_ready(conn->net->handler.user, conn);
}

// ---- life

srv_conn* srv_conn_make(srv_net* net, bool pipe) {
  srv_conn* conn = calloc(1, sizeof *conn);
  if (!conn) return NULL;
  conn->net = net;
  conn->number = ++net->last_number;
  conn->out_tail = &conn->out_head;
  if (pipe) {
    uv_pipe_init(net->loop, &conn->as.pipe, 0);
  } else {
    uv_tcp_init(net->loop, &conn->as.tcp);
  }
  conn->as.handle.data = conn;
  conn->idle = true;
  conn->opened = conn->last_read = conn->last_write = uv_now(net->loop);
  srv_receiver receiver = net->joiner.receiver(conn);
  srv_reader_init(&conn->reader, &net->hello_limits, net->ledger, &receiver);

  conn->next = net->conns;
  conn->link = &net->conns;
  if (conn->next) conn->next->link = &conn->next;
  net->conns = conn;
  net->nconn++;
  return conn;
}

// Close without waiting until the client has read the last frame. Read its Hello first: if a socket is closed with
// unread bytes, the system resets the connection, and the client would lose that frame.
static void close_politely(srv_conn* conn) {
  uv_os_fd_t fd;
  if (!uv_fileno(&conn->as.handle, &fd)) recv(fd, conn->net->scratch, sizeof conn->net->scratch, MSG_DONTWAIT);
  srv_conn_close(conn, "too many connections");
}

static void refuse(srv_conn* conn) {
  srv_error error;
  conn->refused = true;
  conn->net->nconn--;
  bool many = ++conn->net->nrefused > conn->net->limits->refusals;
  srv_error_busy(&error, SHEAF__CODE__CODE_UNAVAILABLE, 1000000, "too many connections");
  srv_conn_fail(conn, &error);
  if (many) close_politely(conn);
}

// the connection that has been open for longest without a Hello, for at least a second
static srv_conn* find_shy(const srv_net* net) {
  srv_conn* shy = NULL;
  uint64_t now = uv_now(net->loop);
  for (srv_conn* conn = net->conns; conn; conn = conn->next) {
    if (conn->state == SRV_CONN_OPEN && !conn->greeted && now - conn->opened > SHY_MS) shy = conn;
  }
  return shy;
}

static void keep_limit(srv_conn* conn) {
  const srv_net* net = conn->net;
  bool pipe = conn->as.handle.type == UV_NAMED_PIPE;
  if (net->nconn <= net->limits->connections + (pipe ? net->limits->kept_connections : 0)) return;
  srv_conn* shy = find_shy(net);
  refuse(shy ? shy : conn);
}

void srv_conn_start(srv_conn* conn) {
  // let a part of a result fit one write: Unix sockets do not grow their buffers by themselves
  int size = SEND_BUFFER;
  if (conn->as.handle.type == UV_NAMED_PIPE) uv_send_buffer_size(&conn->as.handle, &size);
  int err = uv_read_start(&conn->as.stream, on_alloc, on_read);
  if (err) {
    srv_conn_close(conn, uv_strerror(err));
    return;
  }
  if (conn->as.handle.type == UV_TCP && conn->net->tls) {
    conn->secure = srv_secure_make(conn->net->tls);
    if (!conn->secure) {
      srv_conn_close(conn, "no memory for TLS");
      return;
    }
  }
  srv_peer_read(&conn->as.handle, conn->peer, &conn->proof);
  srv_log(SRV_LOG_DEBUG, "connected", "conn=%llu peer=%s", (unsigned long long)conn->number, conn->peer);
  keep_limit(conn);
  if (conn->proof.local && !srv_auth_admits(conn->net->auth, conn->proof.user)) {
    srv_error error;
    srv_error_set(&error, SHEAF__CODE__CODE_PERMISSION_DENIED, "user %u may not use this socket",
                  (unsigned)conn->proof.user);
    srv_conn_fail(conn, &error);
  }
}

void srv_conn_take_turns(srv_net* net) { srv_tls_turns_init(&net->turns, net->loop, on_turn); }

void srv_conn_greet(srv_conn* conn) {
  conn->greeted = true;
  conn->reader.limits = conn->net->limits;
  conn->turn_to_read.who = conn->who;
}

// ---- what it keeps

srv_kept* srv_conn_take(srv_conn* conn) {
  srv_kept* kept = conn->kept;
  conn->kept = NULL;
  if (kept) conn->net->ledger->kept -= kept->bytes;
  return kept;
}

void srv_conn_forget(srv_conn* conn) {
  srv_kept* kept = srv_conn_take(conn);
  if (kept) kept->free(kept);
}

void srv_conn_keep(srv_conn* conn, srv_kept* kept) {
  srv_ledger* ledger = conn->net->ledger;
  srv_conn_forget(conn);
  if (!srv_ledger_spare(ledger, kept->bytes)) {
    kept->free(kept);
    return;
  }
  conn->kept = kept;
  ledger->kept += kept->bytes;
}

// ---- the end

// Calls are given up here and not in srv_conn_close: sending may close the connection, and the sender still uses its
// call.
static void on_closed(uv_handle_t* handle) {
  srv_conn* conn = handle->data;
  srv_net* net = conn->net;
  net->joiner.abandon(conn);
  srv_conn_forget(conn);
  if (conn->who) conn->who->nconn--;
  srv_identity_drop(&net->auth->all, conn->who);
  srv_secure_free(conn->secure);
  free(conn);

  // the frames that the client did not read are free now, and other connections may wait for that memory
  net->handler.on_ready(net->handler.user, NULL);
}

void srv_conn_close(srv_conn* conn, const char* reason) {
  if (conn->state == SRV_CONN_CLOSED) return;
  conn->state = SRV_CONN_CLOSED;
  srv_log(SRV_LOG_DEBUG, "closed", "conn=%llu peer=%s reason=\"%s\"", (unsigned long long)conn->number, conn->peer,
          reason);
  *conn->link = conn->next;
  if (conn->next) conn->next->link = conn->link;
  srv_session_remove(&conn->session);
  if (conn->refused) {
    conn->net->nrefused--;
  } else {
    conn->net->nconn--;
  }
  srv_reader_close(&conn->reader);
  srv_read_turn_leave(&conn->net->reading, &conn->turn_to_read);
  srv_tls_turn_leave(&conn->net->turns, conn->turn);
  conn->turn = NULL;
  drop_output(conn);
  if (!conn->pending) end_writing(conn, false);
  uv_close(&conn->as.handle, on_closed);
}

static void on_shutdown(uv_shutdown_t* req, int status) {
  srv_conn* conn = req->data;
  if (status && conn->state != SRV_CONN_CLOSED) srv_conn_close(conn, uv_strerror(status));
}

// everything is sent: shut down the server's side, and wait a moment so that the peer can read the last frames
static void begin_shutdown(srv_conn* conn) {
  if (conn->ended) return;
  conn->ended = uv_now(conn->net->loop);
  conn->state = SRV_CONN_LINGER;
  if (conn->paused || conn->turn_to_read.rests)
    uv_read_start(&conn->as.stream, on_alloc, on_read);  // closing with unread bytes resets the stream
  conn->shutdown.data = conn;
  if (conn->secure) {
    srv_secure_end(conn->secure);
    write_secure(conn);
    if (conn->state == SRV_CONN_CLOSED) return;
  }
  int err = uv_shutdown(&conn->shutdown, &conn->as.stream, on_shutdown);
  if (err) srv_conn_close(conn, uv_strerror(err));
}

void srv_conn_finish(srv_conn* conn) {
  if (conn->state == SRV_CONN_CLOSED || conn->end_after_flush) return;
  conn->end_after_flush = true;
  flush(conn);
}

void srv_conn_drain(srv_conn* conn, const srv_error* error) {
  if (conn->state == SRV_CONN_OPEN) conn->net->joiner.refuse(conn, error);
  srv_conn_finish(conn);
}

bool srv_conn_busy(const srv_conn* conn) {
  const srv_call* call = conn->calls;
  while (call && call->joining) call = call->next;
  return call || conn->unsent;
}

void srv_conn_fail(srv_conn* conn, const srv_error* error) {
  char text[300];
  if (conn->state != SRV_CONN_OPEN) return;
  srv_log(SRV_LOG_INFO, "refused", "conn=%llu peer=%s identity=%s code=%d message=%s", (unsigned long long)conn->number,
          conn->peer, conn->who ? conn->who->name : "-", error->code, srv_log_quote(text, sizeof text, error->message));
  conn->state = SRV_CONN_LINGER;
  conn->net->stats->errors++;
  srv_reader_close(&conn->reader);
  conn->net->joiner.abandon(conn);
  drop_output(conn);

  // before the handshake is finished a client can read only what TLS itself sends
  if (!conn->secure || srv_secure_ready(conn->secure)) srv_conn_send(conn, srv_out_error(0, error), false);
  srv_conn_finish(conn);
}
