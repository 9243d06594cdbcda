// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/pressure.h"

#include "sheaf.pb-c.h"

enum { SWEEPS = 64, LEAST = 64 * 1024, AT_ONCE = 16, RETRY_US = 1000000 };

// bytes that are here of requests that are not complete
static uint64_t count_coming(const srv_conn* conn) {
  const srv_reader* r = &conn->reader;
  const srv_call* taken = r->early.state == SRV_EARLY_TAKEN ? r->early.request : NULL;
  uint64_t n = r->section == SRV_READ_DATA && r->frame.data.bytes && !(taken && taken->joining) ? r->got : 0;
  if (!conn->njoining) return n;
  for (const srv_call* call = conn->calls; call; call = call->next) {
    if (call->joining) n += call->data_got;
  }
  return n;
}

// the connection that holds most of those that are slow
static srv_conn* find_slow(const srv_net* net) {
  srv_conn* slow = NULL;
  uint64_t most = LEAST;
  for (srv_conn* conn = net->conns; conn; conn = conn->next) {
    uint64_t n = conn->state == SRV_CONN_OPEN && !conn->paused && !conn->turn_to_read.rests ? count_coming(conn) : 0;
    if (n <= most || conn->came - conn->came_before >= n / SWEEPS) continue;
    slow = conn;
    most = n;
  }
  return slow;
}

static void fail_coming(srv_conn* conn) {
  srv_error error;
  conn->net->stats->overload_cancelled++;
  srv_error_busy(&error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, RETRY_US,
                 "the server's memory is short, and this request comes slowly");
  for (srv_call *call = conn->calls, *next; conn->njoining && call; call = next) {
    next = call->next;
    if (call->joining) srv_call_fail(call, &error);
  }
  if (conn->state == SRV_CONN_OPEN) srv_reader_drop(&conn->reader, &error);
}

static void forget_kept(srv_net* net) {
  for (srv_conn* conn = net->conns; conn; conn = conn->next) srv_conn_forget(conn);
}

void srv_pressure_relieve(srv_net* net) {
  srv_ledger* ledger = net->ledger;
  if (ledger->kept && !srv_ledger_spare(ledger, 0)) forget_kept(net);
  srv_conn* slow;
  bool short_of_it = ledger->refused;
  ledger->refused = false;
  for (int i = 0; i < AT_ONCE && short_of_it && srv_ledger_held(ledger) > ledger->limit / 5 * 4; i++) {
    if (!(slow = find_slow(net))) break;
    fail_coming(slow);
  }
  for (srv_conn* conn = net->conns; conn; conn = conn->next) conn->came_before = conn->came;
}
