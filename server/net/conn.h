// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Connections and the requests ("calls") on them.
//
// A connection reads frames, joins those of one request into a call, and hands the complete call to the handler.
// It writes reply frames: what the socket takes at once, and the rest by one uv_write at a time, of so few buffers that
// libuv needs no memory for it. It does not know what requests mean.
//
// Life of a connection: OPEN -> (LINGER: an error was sent, what comes is dropped) -> CLOSED; memory is freed in
// libuv's close callback. Anyone may ask for the end at any time.
//
// Life of a call: it is joined until its last frame is here; then it belongs to the handler, which must end it exactly
// once by srv_call_end or srv_call_fail. If the connection closes before that, call->conn becomes NULL and
// on_stop is called; the handler stops the work and still ends the call, although nobody gets the reply. An early
// request (wire/reader.h) belongs to the handler from its control message on, while its data is still coming.
//
// Only the loop thread calls these functions.
#ifndef SHEAF_SERVER_NET_CONN_H_
#define SHEAF_SERVER_NET_CONN_H_

#include <uv.h>

#include "auth/auth.h"
#include "base/ledger.h"
#include "base/limits.h"
#include "base/stats.h"
#include "net/call_table.h"
#include "net/peer.h"
#include "net/read_turn.h"
#include "net/session_table.h"
#include "net/tls.h"
#include "net/tls_turn.h"
#include "wire/arena.h"
#include "wire/out.h"
#include "wire/reader.h"

enum { SRV_LEVELS = 3 };  // priorities -1, 0 and 1

typedef struct srv_call srv_call;
typedef struct srv_region srv_region;

typedef struct {
  void (*on_call)(void* user, srv_call* call);  // a complete request, or one that is accepted early
  bool (*is_early)(int type);                   // can on_call take such requests while their data is coming?
  void (*on_stop)(void* user, srv_call* call, const srv_error* why);  // stop the work, then end the call
  void (*on_more)(void* user, srv_call* call);                        // more data of a request that was accepted early
  void (*on_ready)(void* user, srv_conn* conn);  // there is room for results: a client has read, or (NULL) is gone
  void (*on_end)(void* user, const srv_call* call, srv_out* last, int code);  // a call ends; 0, or its error's code
  void (*on_input)(void* user);                                               // bytes came from a client
  void* user;
} srv_handler;

// Who makes calls of a connection's frames: net/call.c.
typedef struct {
  srv_receiver (*receiver)(srv_conn* conn);
  // the connection ends: drop incomplete calls and shared memory, leave the other calls to the handler
  void (*abandon)(srv_conn* conn);
  void (*check)(srv_conn* conn, uint64_t now);             // fail calls whose frames stopped coming
  void (*refuse)(srv_conn* conn, const srv_error* error);  // fail all that is not complete
} srv_joiner;

// After a request or a frame has begun, at least so many bytes must come, or it must end, within limits->stall_read_ms.
enum { SRV_STALL_BYTES = 4096 };

// What all connections of a server share.
typedef struct srv_net {
  uv_loop_t* loop;
  const srv_limits* limits;
  srv_limits hello_limits;  // until a client has said Hello
  srv_ledger* ledger;
  srv_stats* stats;
  srv_handler handler;
  srv_joiner joiner;
  srv_auth* auth;
  srv_tls* tls;  // TLS of TCP connections, or NULL
  srv_tls_turns turns;
  srv_conn* conns;  // connections that are not CLOSED
  unsigned nconn;   // how many of them were not refused
  unsigned nrefused;
  srv_read_turns reading;
  unsigned ncall;        // unanswered requests
  srv_call_table table;  // of these
  srv_session_table sessions;
  uint64_t last_call;  // uv_now when the sweep saw one
  bool warm;           // there were calls since the heap was trimmed
  uint64_t last_number;
  uint64_t unsent;       // reply bytes that wait, of all connections
  uv_timer_t sweep;      // looks for connections that stall
  uv_prepare_t prepare;  // before the loop sleeps: is there memory to be given back to the system?
  uv_idle_t reap;        // gives it back in portions
  // Bytes just read, valid within one read callback. So many bytes of small requests take a millisecond; and there is
  // room for more than a first message of TLS may have.
  uint8_t scratch[SRV_TLS_FIRST_BYTES + 4096];
  uint8_t plain[SRV_TLS_RECORD];  // bytes just decrypted
} srv_net;

// What a connection keeps for its next request (jobs/repeat.h).
typedef struct srv_kept srv_kept;
struct srv_kept {
  void (*free)(srv_kept* kept);
  uint64_t bytes;
};

struct srv_call {
  srv_conn* conn;      // NULL once the connection is closed
  srv_call* next;      // of the connection
  srv_call** link;     // what points to this call
  srv_call_node node;  // in the table
  uint64_t id;
  int type;
  uint64_t arrived;      // uv_hrtime when the handler got it
  uint64_t began;        // uv_hrtime when its work began, 0: not yet
  const uint8_t* model;  // the hash that it names, in its message; or NULL
  const char* trace;     // W3C's traceparent as the client sent it, in its message; or NULL
  uint8_t* control;
  uint32_t control_len;
  srv_section data;
  uint64_t data_len;      // of complete frames, or of the one frame of an early request
  uint64_t data_got;      // bytes that are here, and in the ledger
  bool joining;           // frames are missing, so the handler does not have it yet
  uint64_t moved, fresh;  // while joining: uv_now when it last moved (SRV_STALL_BYTES), bytes since then
  srv_net* net;
  srv_arena arena;     // memory of its unpacked message
  srv_identity* who;   // the identity whose quota counts it, or NULL
  uint64_t who_bytes;  // bytes that this quota counts for it
  uint64_t held;       // bytes of memory for its work, in the ledger
  void* work;          // for the handler
};

struct srv_conn {
  union {
    uv_handle_t handle;
    uv_stream_t stream;
    uv_tcp_t tcp;
    uv_pipe_t pipe;
  } as;
  srv_net* net;
  srv_conn* next;
  srv_conn** link;
  uint64_t number;  // for the log
  char peer[SRV_PEER_TEXT];
  srv_proof proof;                    // what it has shown
  srv_identity* who;                  // set once Hello was answered
  srv_session_node session;           // its key, if it said one in Hello
  struct srv_leaf* leaf[SRV_LEVELS];  // for the scheduler: where its jobs wait, and what it remembers between jobs
  double debt[SRV_LEVELS];
  enum { SRV_CONN_OPEN, SRV_CONN_LINGER, SRV_CONN_CLOSED } state;
  bool greeted;  // Hello was answered
  bool refused;  // it is over the limit of connections
  bool paused;   // the server does not read from it: too many unsent bytes
  bool passes;   // it has no turn in this round
  bool end_after_flush;
  bool idle;                                      // no frame had begun after the last read
  uint64_t opened, last_read, last_write, ended;  // uv_now of the loop
  uint64_t read_frames, read_bytes;               // frames when last_read was set, bytes since then
  uint64_t came, came_before;                     // bytes that were read, and those of them before the last sweep
  uint64_t given;                                 // bytes that were given to libuv
  uint64_t taken;                                 // those that the client had taken at the last look (net/stall.c)

  srv_read_turn turn_to_read;
  srv_reader reader;
  srv_call* calls;
  unsigned ncall;
  unsigned njoining;  // how many of them are joining

  srv_kept* kept;  // of its last request, or NULL

  srv_region* regions;   // memory that it shares with the client: net/region.h
  uint64_t last_region;  // id

  srv_out* out_head;  // waiting
  srv_out** out_tail;
  srv_out* writing;
  unsigned pending;  // its buffers that are in a uv_write
  uint64_t unsent;   // bytes of the frame being written and of those that wait
  uint64_t replies;  // bytes of memory of these frames, without their data
  uint64_t burst;    // bytes queued since the last read began, and mistakes
  uv_write_t write;
  uv_shutdown_t shutdown;
  srv_secure* secure;     // TLS, or NULL
  srv_tls_wait* turn;     // its first message, which waits for its turn (net/tls_turn.h), or NULL
  bool speaks_tls;        // its first byte was one of TLS
  size_t secure_pending;  // encrypted bytes in a uv_write
};

// A new connection, into which a listener accepts; NULL without memory. For Unix sockets if pipe is true.
srv_conn* srv_conn_make(srv_net* net, bool pipe);

// Start to serve it. If there are too many connections, close one that has not said Hello for a second, or else refuse
// the new one. Some places are kept for Unix sockets, so that the operator can always connect.
void srv_conn_start(srv_conn* conn);

// Let handshakes of all connections take turns; srv_net_init does.
void srv_conn_take_turns(srv_net* net);

// The client has said Hello: from now on the full limits hold.
void srv_conn_greet(srv_conn* conn);

// Queue a frame, which is freed when it is sent. An urgent frame goes before others that wait.
void srv_conn_send(srv_conn* conn, srv_out* out, bool urgent);

// Send an error, then close: the stream is broken, or the client may not go on.
void srv_conn_fail(srv_conn* conn, const srv_error* error);

// Read again from connections that have had their turn; the loop calls this before it looks for what came.
void srv_conn_go_on(srv_net* net);

// Close once everything queued has been sent.
void srv_conn_finish(srv_conn* conn);

// Refuse requests that are not complete, then close once everything queued has been sent.
void srv_conn_drain(srv_conn* conn, const srv_error* error);

// Close now.
void srv_conn_close(srv_conn* conn, const char* reason);

// Keep this for the connection's next request instead of what it keeps, if memory is not short; else free it.
void srv_conn_keep(srv_conn* conn, srv_kept* kept);

// What the connection keeps, which now belongs to the caller; or NULL.
srv_kept* srv_conn_take(srv_conn* conn);

// Free it.
void srv_conn_forget(srv_conn* conn);

// Does the connection wait for answers, or for its client to read them?
bool srv_conn_busy(const srv_conn* conn);

// An unanswered request of a connection, or NULL.
srv_call* srv_conn_find(srv_conn* conn, uint64_t id);

// Is data of the call missing? That is possible for early requests only.
bool srv_call_coming(const srv_call* call);

// Count so many bytes of memory for the call until it ends, in addition to what came.
void srv_call_hold(srv_call* call, uint64_t bytes);

// Send a frame that is not the last of its call.
void srv_call_send(srv_call* call, srv_out* out);

// Send the last frame and free the call. NULL means that the frame could not be made; then the connection closes.
void srv_call_end(srv_call* call, srv_out* out, bool urgent);

// End a call with an error.
void srv_call_fail(srv_call* call, const srv_error* error);

#endif  // SHEAF_SERVER_NET_CONN_H_
