// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The connection: sends and receives frames. Its socket never blocks: a server that waits for the client to read may
// stop reading, so a client that only sends would wait for ever.
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "secure.h"
#include "shared.h"

enum { MAX_REPLY_CONTROL = 16 << 20, MAX_IOV = 64, STOP_MS = 100 };

// ---- failures

static void write_fail(sheafc_status* st, int code, const char* format, va_list args) {
  memset(st, 0, sizeof *st);
  st->code = code;
  vsnprintf(st->message, sizeof st->message, format, args);
}

int sheafc_fail(sheafc_status* st, int code, const char* format, ...) {
  va_list args;
  va_start(args, format);
  write_fail(st, code, format, args);
  va_end(args);
  return code;
}

int sheafc_fail_field(sheafc_status* st, const char* field, const char* expected, const char* got_format, ...) {
  va_list args;
  memset(st, 0, sizeof *st);
  st->code = SHEAFC_INVALID_ARGUMENT;
  va_start(args, got_format);
  vsnprintf(st->got, sizeof st->got, got_format, args);
  va_end(args);
  snprintf(st->field, sizeof st->field, "%s", field);
  snprintf(st->expected, sizeof st->expected, "%s", expected);
  snprintf(st->message, sizeof st->message, "%s: expected %s, got %s", field, expected, st->got);
  return st->code;
}

// the call is over: off the list of those that wait
static void end_call(sheafc_call* call) {
  sheafc_call** link = &call->client->calls;
  while (*link != call) link = &(*link)->next;
  *link = call->next;
  call->done = true;
  if (call->orphan) {
    call->next = call->client->spare;
    call->client->spare = call;
  }
}

int sheafc_copy_version(void* to, size_t size, size_t first, const void* from, sheafc_status* st) {
  size_t given;
  memcpy(&given, from, sizeof given);
  if (given < first) return sheafc_fail_field(st, "size", "what its default function sets", "%zu", given);
  for (size_t i = size; i < given; i++) {
    if (((const char*)from)[i]) return sheafc_fail_field(st, "size", "a version that this library knows", "%zu", given);
  }
  memset(to, 0, size);
  memcpy(to, from, given < size ? given : size);
  return 0;
}

static int break_with(sheafc* c, const sheafc_status* status) {
  if (c->broken.code) return c->broken.code;
  c->broken = *status;
  while (c->calls) {
    c->calls->status = c->broken;
    end_call(c->calls);
  }
  return status->code;
}

int sheafc_break(sheafc* c, int code, const char* format, ...) {
  va_list args;
  sheafc_status status;
  va_start(args, format);
  write_fail(&status, code, format, args);
  va_end(args);
  status.retriable = code == SHEAFC_UNAVAILABLE;
  return break_with(c, &status);
}

// ---- calls

sheafc_call* sheafc_make_call(sheafc* c, int type) {
  sheafc_call* call = c->spare;
  if (call) {
    c->spare = call->next;
    free(call->control);
    free(call->data);
  } else {
    call = malloc(sizeof *call);
    if (!call) return NULL;
  }
  memset(call, 0, sizeof *call);
  call->client = c;
  call->type = type;
  call->id = ++c->last_id;
  return call;
}

// nothing more may be written to the outputs of a call
static void orphan(sheafc_call* call) {
  sheafc* c = call->client;
  call->orphan = true;
  call->progress = NULL;
  for (int i = 0; c->call == call && i < c->nsegment; i++) c->segment[i].iov_base = NULL;
}

// wait until the server has stopped writing into the caller's block; if that takes long, give the block other memory
static void await_end(sheafc_call* call) {
  sheafc_status ignored;
  if (sheafc_wait(call, STOP_MS, &ignored) == SHEAFC_PENDING) sheafc_detach(call->client, call->block);
}

void sheafc_free_call(sheafc_call* call) {
  if (!call) return;
  if (!call->done) sheafc_cancel(call);
  if (!call->done && call->block) await_end(call);
  if (!call->done) {
    orphan(call);
    return;
  }
  call->next = call->client->spare;
  call->client->spare = call;
}

void sheafc_call_times(const sheafc_call* call, double* queue, double* compute, double* total) {
  if (queue) *queue = call->queue;
  if (compute) *compute = call->compute;
  if (total) *total = call->total;
}

// ---- receiving

static void read_error(const Sheaf__Error* m, sheafc_status* st) {
  sheafc_fail(st, m->code > 0 ? m->code : SHEAFC_INTERNAL, "%s", m->message);
  st->retriable = m->retriable;
  st->retry_after_us = m->retry_after_us;
  snprintf(st->field, sizeof st->field, "%s", m->field);
  snprintf(st->expected, sizeof st->expected, "%s", m->expected);
  snprintf(st->got, sizeof st->got, "%s", m->got);
}

static int take_error(sheafc* c) {
  sheafc_status status;
  Sheaf__Error* m = sheaf__error__unpack(NULL, c->frame.control_len, c->control);
  if (!m) return sheafc_break(c, SHEAFC_INTERNAL, "the server sent an error that cannot be read");
  if (c->frame.id == 0) {
    read_error(m, &status);
    break_with(c, &status);
  } else if (c->call) {
    read_error(m, &c->call->status);
  }
  sheaf__error__free_unpacked(m, NULL);
  return c->broken.code;
}

static void take_progress(sheafc* c) {
  const sheafc_call* call = c->call;
  if (!call || !call->progress) return;
  Sheaf__Progress* m = sheaf__progress__unpack(NULL, c->frame.control_len, c->control);
  if (m) {
    // rows that came with an earlier attempt count as done
    int64_t earlier = (int64_t)((double)m->total / call->nbatch * call->first);
    call->progress(call->user, earlier + m->done, earlier + m->total);
  }
  sheaf__progress__free_unpacked(m, NULL);
}

static void add_segment(sheafc* c, void* to, uint64_t n) {
  if (n) c->segment[c->nsegment++] = (struct iovec){to, n};
}

static destination* find_destination(sheafc_call* call, const char* name) {
  for (int i = 0; i < call->ndestination; i++) {
    if (!strcmp(call->destinations[i].name, name)) return &call->destinations[i];
  }
  return NULL;
}

// the tensors of a part go straight to their rows; *at is how much of the data section has a place
static bool place_tensor(sheafc* c, const Sheaf__Result* m, const Sheaf__Tensor* t, uint64_t* at) {
  destination* d = find_destination(c->call, t->name);
  uint64_t n = d ? d->row_bytes * m->rows : 0;
  if (!d || n == 0) return true;
  if (t->offset < *at || t->offset > c->frame.data_len || n > c->frame.data_len - t->offset) return false;
  add_segment(c, NULL, t->offset - *at);
  add_segment(c, d->data ? d->data + d->row_bytes * m->first_row : NULL, n);
  *at = t->offset + n;
  return true;
}

static int take_result(sheafc* c) {
  sheafc_call* call = c->call;
  Sheaf__Result* m = sheaf__result__unpack(NULL, c->frame.control_len, c->control);
  uint64_t at = 0, nbatch = (uint64_t)call->nbatch;
  bool ok = m && m->n_tensors <= CALL_OUTPUTS && m->first_row <= nbatch && m->rows <= nbatch - m->first_row;
  for (size_t i = 0; ok && i < m->n_tensors; i++) ok = place_tensor(c, m, m->tensors[i], &at);
  if (ok) add_segment(c, NULL, c->frame.data_len - at);
  c->rows = ok && m->first_row == (uint64_t)call->rows ? (int)m->rows : 0;
  if (ok && m->timing) {
    call->queue = 1e-6 * (double)m->timing->queue_us;
    call->compute = 1e-6 * (double)m->timing->compute_us;
    call->total = 1e-6 * (double)m->timing->total_us;
  }
  sheaf__result__free_unpacked(m, NULL);
  return ok ? 0 : sheafc_break(c, SHEAFC_INTERNAL, "the server sent a result that does not fit the request");
}

// a reply that is not a result: keep it whole
static int take_reply(sheafc* c) {
  sheafc_call* call = c->call;
  call->control = malloc(c->frame.control_len + 1);
  call->data = aligned_alloc(SHEAF_FRAME_ALIGN, sheaf_frame_align(c->frame.data_len + 1));
  if (!call->control || !call->data) return sheafc_break(c, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
  memcpy(call->control, c->control, c->frame.control_len);
  call->control_len = c->frame.control_len;
  call->data_len = c->frame.data_len;
  add_segment(c, call->data, call->data_len);
  return 0;
}

// the control message is complete: what is the frame?
static int take_control(sheafc* c) {
  c->nsegment = c->at = c->rows = 0;
  c->call = c->calls;
  while (c->call && c->call->id != c->frame.id) c->call = c->call->next;
  if (c->frame.type == SHEAF__FRAME_TYPE__FRAME_ERROR) return take_error(c);
  if (c->frame.type == SHEAF__FRAME_TYPE__FRAME_GO_AWAY) c->leaving = true;
  if (c->frame.type == SHEAF__FRAME_TYPE__FRAME_PROGRESS) {
    take_progress(c);
    return 0;
  }
  if (!c->call || c->call->orphan) {
    add_segment(c, NULL, c->frame.data_len);
    return 0;
  }
  if (c->frame.type != (c->call->type | SHEAF__FRAME_TYPE__FRAME_REPLY)) {
    return sheafc_break(c, SHEAFC_INTERNAL, "the server sent a reply of type %d", c->frame.type);
  }
  return c->call->type >= SHEAF__FRAME_TYPE__FRAME_ROLLOUT ? take_result(c) : take_reply(c);
}

static int take_head(sheafc* c) {
  c->frame = sheaf_frame_read(c->raw);
  if (c->frame.magic != SHEAF_FRAME_MAGIC || c->frame.control_len > MAX_REPLY_CONTROL) {
    return sheafc_break(c, SHEAFC_INTERNAL, "what the server sends is not a frame");
  }
  if (c->frame.control_len > c->control_room) {
    free(c->control);
    c->control_room = c->frame.control_len * 2;
    c->control = malloc(c->control_room);
    if (!c->control) {
      c->control_room = 0;
      return sheafc_break(c, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
    }
  }
  return 0;
}

// pass over sections that are complete; a complete frame may end its call
static int pass_sections(sheafc* c) {
  int err = 0;
  if (c->section == RECEIVE_HEAD && c->got == SHEAF_FRAME_BYTES) {
    err = take_head(c);
    c->section = RECEIVE_CONTROL;
    c->got = 0;
  }
  if (!err && c->section == RECEIVE_CONTROL && c->got == c->frame.control_len) {
    err = take_control(c);
    c->section = RECEIVE_DATA;
    c->got = 0;
  }
  if (!err && c->section == RECEIVE_DATA && c->at == c->nsegment) {
    c->section = RECEIVE_HEAD;
    c->got = 0;
    if (c->call) c->call->rows += c->rows;
    if (c->call && !(c->frame.flags & SHEAF_FRAME_MORE)) end_call(c->call);
  }
  return err;
}

// where the next bytes go; *n of them at most
static uint8_t* next_room(sheafc* c, size_t* n) {
  static _Thread_local uint8_t waste[65536];
  switch (c->section) {
    case RECEIVE_HEAD: *n = SHEAF_FRAME_BYTES - c->got; return c->raw + c->got;
    case RECEIVE_CONTROL: *n = c->frame.control_len - c->got; return c->control + c->got;
    default: break;
  }
  struct iovec* s = &c->segment[c->at];
  *n = s->iov_len;
  if (s->iov_base) return s->iov_base;
  if (*n > sizeof waste) *n = sizeof waste;
  return waste;
}

static void took(sheafc* c, size_t n) {
  if (c->section != RECEIVE_DATA) {
    c->got += n;
    return;
  }
  struct iovec* s = &c->segment[c->at];
  if (s->iov_base) s->iov_base = (uint8_t*)s->iov_base + n;
  s->iov_len -= n;
  if (!s->iov_len) c->at++;
}

// with a descriptor, if one comes
static ssize_t receive_descriptor(sheafc* c, void* to, size_t room) {
  union {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
  } extra;
  struct iovec data = {to, room};
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = &extra, .msg_controllen = sizeof extra.bytes};
  ssize_t n = recvmsg(c->fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  struct cmsghdr* h = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (h && h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_RIGHTS && h->cmsg_len == CMSG_LEN(sizeof(int))) {
    if (c->passed >= 0) close(c->passed);
    memcpy(&c->passed, CMSG_DATA(h), sizeof c->passed);
  }
  return n;
}

static ssize_t receive_some(sheafc* c, uint8_t* to, size_t room) {
  if (c->wants_descriptor) return receive_descriptor(c, to, room);
  return c->secure ? sheafc_secure_receive(c, to, room) : recv(c->fd, to, room, MSG_DONTWAIT);
}

int sheafc_receive(sheafc* c) {
  while (!c->broken.code) {
    size_t room;
    uint8_t* to = next_room(c, &room);
    ssize_t n = receive_some(c, to, room);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return 0;
    if (n < 0) return sheafc_break(c, SHEAFC_UNAVAILABLE, "connection lost: %s", strerror(errno));
    if (n == 0) return sheafc_break(c, SHEAFC_UNAVAILABLE, "the server closed the connection");
    took(c, (size_t)n);
    int err = pass_sections(c);
    if (err) return err;
  }
  return c->broken.code;
}

// ---- waiting

int sheafc_left(const sheafc* c, int most) {
  if (!c->end) return most;
  int64_t left = c->end - sheafc_now_ms();
  if (left < 0) left = 0;
  return most >= 0 && most < left ? most : left < INT_MAX ? (int)left : INT_MAX;
}

// wait for events; 0 when the time is over
static int wait_for(sheafc* c, short events, int timeout_ms) {
  struct pollfd p = {c->fd, events, 0};
  int n;
  do {
    n = poll(&p, 1, timeout_ms);
  } while (n < 0 && errno == EINTR);
  return n > 0 ? p.revents : 0;
}

int sheafc_pump(sheafc* c, int timeout_ms, sheafc_status* status) {
  if (!c->broken.code && (timeout_ms == 0 || wait_for(c, POLLIN, timeout_ms))) sheafc_receive(c);
  if (c->broken.code && status) *status = c->broken;
  return c->broken.code;
}

int sheafc_wait(sheafc_call* call, int timeout_ms, sheafc_status* status) {
  sheafc* c = call->client;
  int64_t end = sheafc_now_ms() + timeout_ms;
  if (!call->done) sheafc_receive(c);
  while (!call->done && timeout_ms != 0) {
    int64_t left = timeout_ms < 0 ? -1 : end - sheafc_now_ms();
    if (timeout_ms > 0 && left <= 0) break;
    wait_for(c, POLLIN, (int)left);
    sheafc_receive(c);
  }
  if (!call->done) return sheafc_fail(status, SHEAFC_PENDING, "not answered yet");
  *status = call->status;
  return status->code;
}

// ---- sending

// drop n bytes from the front of a list of buffers
static void advance(struct iovec** at, int* left, size_t n) {
  while (*left && n >= (*at)->iov_len) {
    n -= (*at)->iov_len;
    (*at)++;
    (*left)--;
  }
  if (*left) {
    (*at)->iov_base = (char*)(*at)->iov_base + n;
    (*at)->iov_len -= n;
  }
}

// send all buffers, receiving whenever something comes
static int send_all(sheafc* c, struct iovec* at, int left) {
  advance(&at, &left, 0);
  while (left && !c->broken.code) {
    int most = left < MAX_IOV ? left : MAX_IOV;
    struct msghdr message = {.msg_iov = at, .msg_iovlen = (size_t)most};
    ssize_t n = c->secure ? sheafc_secure_send(c, at, most) : sendmsg(c->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n > 0) advance(&at, &left, (size_t)n);
    if (n >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
      // the server may have said why before it closed
      sheafc_receive(c);
      return sheafc_break(c, SHEAFC_UNAVAILABLE, "connection lost: %s", strerror(errno));
    }
    int left_ms = sheafc_left(c, -1);
    if (left_ms == 0) return sheafc_break(c, SHEAFC_UNAVAILABLE, "the server does not read");
    if (wait_for(c, POLLIN | POLLOUT, left_ms) & (POLLIN | POLLHUP | POLLERR)) sheafc_receive(c);
  }
  return c->broken.code;
}

// the next at most `most` bytes of a list of buffers; returns how many
static uint64_t cut(struct iovec** from, int* nfrom, struct iovec* to, int* nto, uint64_t most) {
  uint64_t n = 0;
  *nto = 0;
  while (*nfrom && n < most && *nto < CALL_SEGMENTS) {
    uint64_t take = (*from)->iov_len < most - n ? (*from)->iov_len : most - n;
    to[(*nto)++] = (struct iovec){(*from)->iov_base, take};
    n += take;
    advance(from, nfrom, take);
  }
  return n;
}

// one frame
static int send_frame(sheafc_call* call, int flags, const uint8_t* control, size_t control_len, struct iovec* data,
                      int ndata, uint64_t data_len) {
  struct iovec all[CALL_SEGMENTS + 2];
  uint8_t head[SHEAF_FRAME_BYTES];
  sheaf_frame frame = sheaf_frame_make(call->type, flags, call->id, (uint32_t)control_len, data_len);
  sheaf_frame_write(head, &frame);
  all[0] = (struct iovec){head, sizeof head};
  all[1] = (struct iovec){(void*)control, control_len};
  memcpy(all + 2, data, sizeof *data * (size_t)ndata);
  return send_all(call->client, all, ndata + 2);
}

// the request in as many frames as it needs
static int send_frames(sheafc_call* call, const uint8_t* control, size_t control_len, struct iovec* at, int left) {
  struct iovec part[CALL_SEGMENTS];
  int npart, flags = 0, err;
  do {
    uint64_t n = cut(&at, &left, part, &npart, call->client->max_frame_bytes);
    flags = (flags ? SHEAF_FRAME_CONT : 0) | (left ? SHEAF_FRAME_MORE : 0);
    err = send_frame(call, flags, control, control_len, part, npart, n);
    control_len = 0;
  } while (left && !err && !call->done);
  return err;
}

int sheafc_send(sheafc_call* call, const ProtobufCMessage* m, const struct iovec* data, int ndata,
                sheafc_status* status) {
  sheafc* c = call->client;
  struct iovec copy[CALL_SEGMENTS];
  if (c->broken.code) {
    *status = c->broken;
    return status->code;
  }
  size_t control_len = protobuf_c_message_get_packed_size(m);
  if (control_len > c->max_control_bytes) {
    // the server would close the connection
    return sheafc_fail(status, SHEAFC_RESOURCE_EXHAUSTED,
                       "the request names too much: without its arrays it has %zu bytes, expected at most %llu",
                       control_len, (unsigned long long)c->max_control_bytes);
  }
  uint8_t* control = malloc(control_len + 1);
  if (!control) return sheafc_fail(status, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
  protobuf_c_message_pack(m, control);
  if (ndata) memcpy(copy, data, sizeof *data * (size_t)ndata);
  call->next = c->calls;
  c->calls = call;
  int err = send_frames(call, control, control_len, copy, ndata);
  free(control);
  if (err) *status = c->broken;
  return err;
}

sheafc_call* sheafc_ask(sheafc* c, int type, const ProtobufCMessage* m, const struct iovec* data, int ndata,
                        sheafc_status* status) {
  sheafc_call* call = sheafc_make_call(c, type);
  if (!call) {
    sheafc_fail(status, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
    return NULL;
  }
  int err = sheafc_send(call, m, data, ndata, status);
  if (!err) err = sheafc_wait(call, sheafc_left(c, -1), status);
  if (!err) return call;
  if (err == SHEAFC_PENDING) {
    sheafc_break(c, SHEAFC_UNAVAILABLE, "the server does not answer");
    *status = c->broken;
  }
  call->done = true;
  sheafc_free_call(call);
  return NULL;
}

void sheafc_cancel(sheafc_call* call) {
  sheafc_status status;
  if (call->done || call->client->broken.code) return;
  sheafc_call* cancel = sheafc_make_call(call->client, SHEAF__FRAME_TYPE__FRAME_CANCEL);
  if (!cancel) return;
  Sheaf__Cancel m = SHEAF__CANCEL__INIT;
  m.request_id = call->id;
  cancel->orphan = true;
  sheafc_send(cancel, &m.base, NULL, 0, &status);
}

uint64_t sheafc_pack_bytes(packing* p, const void* bytes, uint64_t n) {
  static const char zeros[SHEAF_FRAME_ALIGN];
  uint64_t offset = sheaf_frame_align(p->length);
  if (!n) return 0;
  if (offset > p->length) p->data[p->ndata++] = (struct iovec){(void*)zeros, offset - p->length};
  p->data[p->ndata++] = (struct iovec){(void*)bytes, n};
  p->length = offset + n;
  return offset;
}
