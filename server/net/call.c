// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/call.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/checked.h"
#include "net/region.h"
#include "sheaf.pb-c.h"

enum {
  HELLO_ARENA = 8192,       // memory for the message of a client that has not said Hello
  MISTAKE_BYTES = 1 << 16,  // a mistake counts as so many bytes of reply: to find the words for it takes time
};

srv_call* srv_conn_find(srv_conn* conn, uint64_t id) {
  srv_call_node* node = srv_call_table_find(&conn->net->table, conn->number, id);
  return node ? (srv_call*)(void*)((char*)node - offsetof(srv_call, node)) : NULL;
}

static bool is_early(const srv_call* call) { return call->conn && call->conn->reader.early.request == call; }

bool srv_call_coming(const srv_call* call) { return call->data_got < call->data_len; }

static void set_joining(srv_call* call, bool joining) {
  call->conn->njoining += (unsigned)joining - (unsigned)call->joining;
  call->joining = joining;
}

static void unlink_call(srv_call* call) {
  set_joining(call, false);
  srv_call_table_remove(&call->net->table, &call->node);
  *call->link = call->next;
  if (call->next) call->next->link = call->link;
  call->conn->ncall--;
  call->net->ncall--;
  call->conn = NULL;
}

// does a request count for the quota of its identity? Not Hello, a ping or a cancellation, which must always be
// possible
static bool counts(const srv_conn* conn, int type) { return conn->who && type >= SHEAF__FRAME_TYPE__FRAME_MODEL_PUT; }

// the request counts from its first frame to its answer
static void count_call(srv_call* call, uint64_t bytes) {
  if (!counts(call->conn, call->type)) return;
  call->who = srv_identity_keep(call->conn->who);
  call->who->calls++;
  call->who->ncall++;
  call->who_bytes = bytes;
  call->who->bytes += bytes;
}

// count more bytes of a request that comes in several frames
static int count_more(srv_call* call, uint64_t bytes, srv_error* error) {
  srv_identity* who = call->who;
  if (!who) return 0;

  // check the whole request, whose earlier bytes are counted already
  who->bytes -= call->who_bytes;
  int err = srv_identity_check_bytes(who, call->who_bytes + bytes, error);
  if (!err) call->who_bytes += bytes;
  who->bytes += call->who_bytes;
  return err;
}

static void uncount_call(srv_call* call) {
  if (!call->who) return;
  call->who->ncall--;
  call->who->bytes -= call->who_bytes;
  srv_identity_drop(&call->net->auth->all, call->who);
}

void srv_call_hold(srv_call* call, uint64_t bytes) {
  call->held += bytes;
  call->net->ledger->request += bytes;
}

static void free_call(srv_call* call) {
  // a connection that closes has closed its reader before it lets go of the call
  if (is_early(call)) srv_reader_forget(&call->conn->reader);
  if (call->conn) unlink_call(call);
  if (call->control) call->net->ledger->request -= call->control_len;
  if (call->data.bytes) call->net->ledger->request -= call->data_got;
  call->net->ledger->request -= call->held;
  uncount_call(call);
  srv_arena_close(&call->arena);
  free(call->control);
  srv_section_close(&call->data, call->net->ledger);
  free(call);
}

// a new call that owns what the frame holds
static srv_call* make_call(srv_conn* conn, srv_frame* frame) {
  uint64_t bytes = frame->head.control_len + frame->head.data_len;
  srv_call* call = calloc(1, sizeof *call);
  if (!call) return NULL;
  *call = (srv_call){.conn = conn,
                     .net = conn->net,
                     .id = frame->head.id,
                     .type = frame->head.type,
                     .control = frame->control,
                     .control_len = frame->head.control_len,
                     .data = frame->data,
                     .data_len = frame->data.bytes ? frame->head.data_len : 0};
  call->data_got = call->data_len;
  *frame = (srv_frame){0};
  srv_arena_init(&call->arena, conn->greeted ? conn->net->limits->arena_bytes : HELLO_ARENA);
  call->next = conn->calls;
  call->link = &conn->calls;
  if (call->next) call->next->link = &call->next;
  conn->calls = call;
  conn->ncall++;
  call->node = (srv_call_node){.conn = conn->number, .id = call->id};
  srv_call_table_put(&conn->net->table, &call->node);
  count_call(call, bytes);
  conn->net->ncall++;
  return call;
}

// answer a frame that does not become a call; CONT frames of its request will find no call and be dropped
static void refuse(srv_conn* conn, srv_frame* frame, const srv_error* error) {
  uint64_t id = frame->head.id;
  srv_frame_close(frame, conn->net->ledger);
  conn->net->stats->errors++;
  srv_conn_send(conn, srv_out_error(id, error), false);
}

static void hand_over(srv_call* call) {
  set_joining(call, false);
  call->arrived = uv_hrtime();
  call->net->stats->requests++;
  call->net->handler.on_call(call->net->handler.user, call);
}

static int no_room(srv_error* error) {
  return srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 100000,
                        "the server holds too many request and result bytes");
}

// may this frame become a call?
static int check_room(const srv_conn* conn, const srv_frame* frame, srv_error* error) {
  if (conn->ncall >= conn->net->limits->inflight) {
    return srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 10000,
                          "too many unanswered requests on this connection");
  }
  if (frame->dropped) return no_room(error);
  if (counts(conn, frame->head.type) &&
      srv_identity_check_call(conn->who, frame->head.control_len + frame->head.data_len, error)) {
    return -error->code;
  }
  if (conn->burst > conn->net->limits->unsent_high) {
    // many small requests with large replies came in one read
    return srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 10000, "read the replies that wait first");
  }
  return 0;
}

static void begin_call(srv_conn* conn, srv_frame* frame) {
  srv_error error;
  if (check_room(conn, frame, &error)) {
    refuse(conn, frame, &error);
    return;
  }
  bool more = frame->head.flags & SHEAF_FRAME_MORE;
  srv_call* call = make_call(conn, frame);
  if (!call) {
    srv_error_busy(&error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 100000, "out of memory");
    refuse(conn, frame, &error);
  } else if (more) {
    set_joining(call, true);
    call->moved = uv_now(conn->net->loop);
  } else {
    hand_over(call);
  }
}

// ---- requests in several frames

// May the request go on with this frame? If not, the request fails.
static bool may_continue(srv_call* call, const srv_frame* frame) {
  srv_error error;
  if (call->type == frame->head.type) return true;
  srv_error_field(&error, "frame.type", "that of the request's first frame", "%u", frame->head.type);
  srv_call_fail(call, &error);
  return false;
}

static int make_room(srv_call* call, uint64_t n, srv_error* error) {
  uint64_t total, most = call->net->limits->request_bytes;
  if (!srv_add(call->data_len, n, &total) || total > most) {
    return srv_error_set(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED,
                         "data of the request: expected at most %" PRIu64 " bytes, got more", most);
  }
  bool made = call->data.bytes ? srv_section_grow(&call->data, call->data_len, total, most)
                               : srv_section_make(&call->data, total, most);
  return made ? 0 : srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 100000, "out of memory");
}

// Note that bytes of a request in several frames are here. The request counts as moving only after enough of them, so
// that a client cannot keep it open byte by byte (net/stall.h).
static void note_data(srv_call* call, uint64_t got) {
  uint64_t before = call->data_got;
  call->data_got = call->data_len + got;
  call->fresh += call->data_got - before;
  if (call->fresh < SRV_STALL_BYTES) return;
  call->fresh = 0;
  call->moved = uv_now(call->net->loop);
}

static void continue_data(srv_call* call, const srv_frame* frame, uint64_t got) {
  note_data(call, got);
  if (got < frame->head.data_len) return;
  call->data_len = call->data_got;
  if (!(frame->head.flags & SHEAF_FRAME_MORE)) hand_over(call);
}

// a frame without data: it may be the last
static void continue_call(srv_conn* conn, srv_frame* frame) {
  srv_call* call = srv_conn_find(conn, frame->head.id);
  sheaf_frame head = frame->head;
  if (call && call->joining && may_continue(call, frame) && !(head.flags & SHEAF_FRAME_MORE)) hand_over(call);
  srv_frame_close(frame, conn->net->ledger);
}

// Handling a frame may have ended the connection. Then the rest of the bytes that were read must not be handled.
static int still_open(const srv_conn* conn, srv_error* error) {
  return conn->state == SRV_CONN_OPEN ? 0 : srv_error_set(error, SHEAF__CODE__CODE_CANCELLED, "closing");
}

// What an unknown client may make the server hold is one frame, so its first request comes in one.
static int check_first(const srv_conn* conn, const srv_frame* frame, srv_error* error) {
  if (conn->greeted || !frame->head.flags) return 0;
  return srv_error_field(error, "frame.flags", "0 before the answer to Hello", "0x%02x", frame->head.flags);
}

static int take_frame(void* user, srv_frame* frame, srv_error* error) {
  srv_conn* conn = user;
  int err = check_first(conn, frame, error);
  if (err) {
    srv_frame_close(frame, conn->net->ledger);
    return err;
  }
  if (frame->head.flags & SHEAF_FRAME_CONT) {
    continue_call(conn, frame);
  } else if (srv_conn_find(conn, frame->head.id)) {
    uint64_t id = frame->head.id;
    srv_frame_close(frame, conn->net->ledger);
    return srv_error_field(error, "frame.request_id", "one that is not in use", "%" PRIu64, id);
  } else {
    begin_call(conn, frame);
  }
  return still_open(conn, error);
}

// Take a request whose data is still coming. A request that cannot be taken now is answered when it is complete. If a
// client has much to read, its requests are not taken early, because reading is never paused within such a frame and
// the answers would pile up.
static int take_early(void* user, srv_frame* frame, srv_error* error) {
  srv_conn* conn = user;
  if (!conn->greeted || !conn->net->handler.is_early(frame->head.type)) return 0;
  if (conn->unsent > conn->net->limits->unsent_high) return 0;
  if (srv_conn_find(conn, frame->head.id) || check_room(conn, frame, error)) return 0;
  srv_call* call = make_call(conn, frame);
  if (!call) return 0;
  call->data_got = 0;
  conn->reader.early.request = call;
  hand_over(call);
  int err = still_open(conn, error);
  return err ? err : 1;
}

// put the data of a frame with CONT behind the data of the request that is here
static int take_continued(void* user, srv_frame* frame, srv_error* error) {
  srv_conn* conn = user;
  srv_call* call = srv_conn_find(conn, frame->head.id);
  if (!call || !call->joining || !may_continue(call, frame)) return still_open(conn, error);
  srv_error why;
  if (count_more(call, frame->head.data_len, &why) || make_room(call, frame->head.data_len, &why)) {
    srv_call_fail(call, &why);
    return still_open(conn, error);
  }
  frame->data.bytes = call->data.bytes + call->data_len;
  conn->reader.early.request = call;
  return 1;
}

static int take_data(void* user, uint64_t got, bool dropped, srv_error* error) {
  srv_conn* conn = user;
  srv_call* call = conn->reader.early.request;
  srv_error why;
  if (dropped && call->joining) {
    no_room(&why);
    srv_call_fail(call, &why);
  } else if (dropped) {
    srv_reader_forget(&conn->reader);
    no_room(error);
    conn->net->handler.on_stop(conn->net->handler.user, call, error);
  } else if (call->joining) {
    continue_data(call, &conn->reader.frame, got);
  } else {
    call->data_got = got;
    conn->net->handler.on_more(conn->net->handler.user, call);
  }
  return still_open(conn, error);
}

static srv_receiver receiver(srv_conn* conn) {
  return (srv_receiver){take_frame, take_early, take_continued, take_data, conn};
}

static void abandon(srv_conn* conn) {
  srv_region_close_all(conn);
  while (conn->calls) {
    srv_call* call = conn->calls;
    if (call->joining) {
      free_call(call);
    } else {
      srv_error error;
      srv_error_set(&error, SHEAF__CODE__CODE_CANCELLED, "the client is gone");
      unlink_call(call);
      call->net->handler.on_stop(call->net->handler.user, call, &error);
    }
  }
}

// fail calls whose frames stopped coming
static void check_joining(srv_conn* conn, uint64_t now) {
  const srv_reader* reader = &conn->reader;
  uint32_t limit = conn->net->limits->stall_read_ms;
  for (srv_call *call = conn->calls, *next; conn->njoining && call; call = next) {
    next = call->next;
    if (conn->paused || conn->turn_to_read.rests)
      call->moved = now;  // the server does not read now, so the client is not to blame
    if (!call->joining || now - call->moved <= limit) continue;

    // while the data of another request comes, a client cannot send frames of this one
    if (reader->section == SRV_READ_DATA && reader->early.request != call) continue;
    srv_error error;
    srv_error_set(&error, SHEAF__CODE__CODE_DEADLINE_EXCEEDED, "the request was begun and hardly continued for %u ms",
                  limit);
    srv_call_fail(call, &error);
  }
}

// fail the requests that are not complete: their frames will not be read
static void refuse_joining(srv_conn* conn, const srv_error* error) {
  const srv_reader* reader = &conn->reader;
  for (srv_call *call = conn->calls, *next; conn->njoining && call; call = next) {
    next = call->next;
    if (call->joining) srv_call_fail(call, error);
  }
  bool begun = reader->section != SRV_READ_HEAD && reader->early.state == SRV_EARLY_NONE;
  if (begun && conn->state == SRV_CONN_OPEN) srv_conn_send(conn, srv_out_error(reader->frame.head.id, error), false);
}

const srv_joiner srv_call_joiner = {receiver, abandon, check_joining, refuse_joining};

void srv_call_send(srv_call* call, srv_out* out) {
  if (call->conn) {
    srv_conn_send(call->conn, out, false);
  } else if (out) {
    srv_out_free(out);
  }
}

static void end_call(srv_call* call, srv_out* out, bool urgent, int code) {
  srv_conn* conn = call->conn;
  call->net->handler.on_end(call->net->handler.user, call, call->conn ? out : NULL, code);
  free_call(call);
  if (conn) {
    srv_conn_send(conn, out, urgent);
  } else if (out) {
    srv_out_free(out);
  }
}

void srv_call_end(srv_call* call, srv_out* out, bool urgent) { end_call(call, out, urgent, 0); }

// that there is no model of a hash is what a client asks before it puts one: an answer, no failure
void srv_call_fail(srv_call* call, const srv_error* error) {
  if (error->code != SHEAF__CODE__CODE_NOT_FOUND) call->net->stats->errors++;
  if (error->code == SHEAF__CODE__CODE_INVALID_ARGUMENT && call->conn) call->conn->burst += MISTAKE_BYTES;
  end_call(call, srv_out_error(call->id, error), false, error->code);
}
