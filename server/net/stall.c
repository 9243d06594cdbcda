// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/stall.h"

#include <malloc.h>
#include <sys/ioctl.h>

#include <linux/sockios.h>

#include "net/pressure.h"
#include "sheaf.pb-c.h"

enum {
  SWEEP_MS = 250,
  REAP_BYTES = 2 << 20,   // unmapped in one turn of the loop: well under a millisecond
  QUIET_MS = 5000,        // trim the heap after so long without requests
  WARM_BYTES = 16 << 20,  // part of the heap that is kept for the next requests
};

// ---- clients that do not read

// bytes that the system holds because the client's system has not acknowledged them, or because the client has not read
// them from a Unix socket
static uint64_t unacknowledged(const srv_conn* conn) {
  uv_os_fd_t fd;
  int n = 0;
  if (uv_fileno(&conn->as.handle, &fd) || ioctl(fd, SIOCOUTQ, &n)) return 0;
  return (uint64_t)n;
}

// Has the client taken anything since the last look? The system counts overhead for a Unix socket, so the number may
// also change when the server writes; but to a client that does not read, the server soon cannot write.
static bool takes(srv_conn* conn) {
  uint64_t taken = conn->given - uv_stream_get_write_queue_size(&conn->as.stream) - unacknowledged(conn);
  bool moved = taken != conn->taken;
  conn->taken = taken;
  return moved;
}

static void check_writing(srv_conn* conn, uint64_t now) {
  const srv_limits* limits = conn->net->limits;
  // a client may send a whole request before it reads early results, however long that takes
  bool sending = conn->state == SRV_CONN_OPEN && conn->reader.early.state != SRV_EARLY_NONE;
  if ((conn->unsent || conn->ended) && (takes(conn) || sending)) {
    conn->last_write = now;
    if (conn->ended) conn->ended = now;
  }
  if (conn->unsent && now - conn->last_write > limits->stall_write_ms) {
    srv_conn_close(conn, "client does not read");
  } else if (conn->ended && now - conn->ended > limits->linger_ms) {
    srv_conn_close(conn, "finished");
  }
}

// ---- clients that do not send

static void check_reading(srv_conn* conn, uint64_t now) {
  const srv_limits* limits = conn->net->limits;
  srv_error error;
  bool busy = srv_reader_busy(&conn->reader);
  uint64_t active = conn->last_read > conn->last_write ? conn->last_read : conn->last_write;
  if (!conn->greeted && now - conn->opened > limits->hello_ms) {
    srv_error_set(&error, SHEAF__CODE__CODE_DEADLINE_EXCEEDED, "no Hello within %u ms", limits->hello_ms);
  } else if (!conn->paused && !conn->turn_to_read.rests && busy && now - conn->last_read > limits->stall_read_ms) {
    srv_error_set(&error, SHEAF__CODE__CODE_DEADLINE_EXCEEDED, "a frame was begun and hardly continued for %u ms",
                  limits->stall_read_ms);
  } else if (limits->idle_ms && !conn->ncall && !conn->unsent && !busy && now - active > limits->idle_ms) {
    srv_error_busy(&error, SHEAF__CODE__CODE_UNAVAILABLE, 0, "nothing was asked on this connection for a long time");
  } else {
    return;
  }
  srv_conn_fail(conn, &error);
}

// Many small requests leave free pieces in the heap, which the allocator would keep for ever. Giving them back may take
// 50 ms, so wait until no client asks anything.
static void trim_heap(srv_net* net, uint64_t now) {
  if (net->ncall) {
    net->last_call = now;
    net->warm = true;
  }
  if (!net->warm || now - net->last_call < QUIET_MS) return;
  net->warm = false;
  if (mallinfo2().fordblks > WARM_BYTES) malloc_trim(0);
}

// ---- the sweep

static void on_sweep(uv_timer_t* timer) {
  srv_net* net = timer->data;
  uint64_t now = uv_now(net->loop);
  for (srv_conn *conn = net->conns, *next; conn; conn = next) {
    next = conn->next;
    srv_read_turn_fade(&conn->turn_to_read);
    if (conn->state == SRV_CONN_OPEN && conn->njoining) net->joiner.check(conn, now);
    if (conn->state == SRV_CONN_OPEN) check_reading(conn, now);
    if (conn->state != SRV_CONN_CLOSED) check_writing(conn, now);
  }
  srv_pressure_relieve(net);
  trim_heap(net, now);
}

// ---- memory that goes back to the system

static void on_reap(uv_idle_t* idle) {
  srv_net* net = idle->data;
  if (!srv_section_reap(net->ledger, REAP_BYTES)) uv_idle_stop(idle);
}

static void on_prepare(uv_prepare_t* prepare) {
  srv_net* net = prepare->data;
  if (net->ledger->spent) uv_idle_start(&net->reap, on_reap);
  srv_conn_go_on(net);
}

// ---- life

int srv_net_init(srv_net* net, uv_loop_t* loop, const srv_limits* limits, srv_ledger* ledger, srv_stats* stats,
                 const srv_handler* handler, const srv_joiner* joiner) {
  *net = (srv_net){.loop = loop,
                   .limits = limits,
                   .hello_limits = *limits,
                   .ledger = ledger,
                   .stats = stats,
                   .handler = *handler,
                   .joiner = *joiner};
  srv_call_table_init(&net->table);
  net->hello_limits.control_bytes = 4096;
  net->hello_limits.frame_bytes = 0;
  srv_conn_take_turns(net);
  srv_read_turns_init(&net->reading, loop);
  net->sweep.data = net->prepare.data = net->reap.data = net;
  uv_prepare_init(loop, &net->prepare);
  uv_idle_init(loop, &net->reap);
  uv_prepare_start(&net->prepare, on_prepare);
  int err = uv_timer_init(loop, &net->sweep);
  return err ? err : uv_timer_start(&net->sweep, on_sweep, SWEEP_MS, SWEEP_MS);
}

void srv_net_close(srv_net* net) {
  while (net->conns) srv_conn_close(net->conns, "server closes");
  srv_section_reap(net->ledger, UINT64_MAX >> 1);
  srv_tls_turns_close(&net->turns);
  srv_read_turns_close(&net->reading);
  uv_close((uv_handle_t*)&net->sweep, NULL);
  uv_close((uv_handle_t*)&net->prepare, NULL);
  uv_close((uv_handle_t*)&net->reap, NULL);
}
