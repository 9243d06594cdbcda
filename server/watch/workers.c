// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "watch/workers.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/log.h"
#include "jobs/busy.h"
#include "watch/stacks.h"

bool srv_workers_init(srv_workers* w, const sheafPool* pool, uint64_t stuck_ms) {
  *w = (srv_workers){.pool = pool, .stuck_ms = stuck_ms};
  if (pool && stuck_ms) w->seen = calloc((size_t)sheaf_poolThreads(pool), sizeof *w->seen);
  return w->seen || !pool || !stuck_ms;
}

void srv_workers_free(srv_workers* w) {
  free(w->seen);
  w->seen = NULL;
}

static void tell(srv_log_level level, const char* event, int worker, uint64_t ms, const srv_tag* tag) {
  char identity[2 * SRV_IDENTITY_NAME];
  srv_log(level, event,
          "worker=%d ms=%" PRIu64 " conn=%" PRIu64 " id=%" PRIu64 " identity=%s kind=%s model=%016" PRIx64, worker, ms,
          tag->conn, tag->id, srv_log_quote(identity, sizeof identity, tag->identity), tag->kind, tag->model);
}

// Is the worker at the same step of the same work as before?
static bool stands(srv_workers* w, int i, srv_tag* tag) {
  srv_worker_seen* seen = &w->seen[i];
  srv_worker_seen now = {.beats = sheaf_poolBeats(w->pool, i), .turn = srv_busy_turn(i)};
  bool same = now.beats == seen->beats && now.turn == seen->turn && srv_busy_read(i, tag);
  if (same) return true;
  if (seen->reported) srv_log(SRV_LOG_WARN, "worker_goes_on", "worker=%d ms=%" PRIu64, i, seen->ms);
  *seen = now;
  return false;
}

void srv_workers_look(srv_workers* w, uint64_t ms) {
  bool stacks = false;
  for (int i = 0; w->seen && i < sheaf_poolThreads(w->pool); i++) {
    srv_worker_seen* seen = &w->seen[i];
    srv_tag tag;
    if (!stands(w, i, &tag)) continue;
    seen->ms += ms;
    if (seen->ms < w->stuck_ms || seen->reported) continue;
    seen->reported = stacks = true;
    atomic_fetch_add(&w->stalls, 1);
    tell(SRV_LOG_ERROR, "worker_stuck", i, seen->ms, &tag);
  }
  if (stacks) srv_stacks_log();
}
