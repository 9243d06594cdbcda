// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Finds workers that are stuck: they compute something and finish no step of it. The watchdog's thread calls this.
#ifndef SHEAF_SERVER_WATCH_WORKERS_H_
#define SHEAF_SERVER_WATCH_WORKERS_H_

#include <stdatomic.h>
#include <stdbool.h>

#include <sheaf/batch.h>

// What was seen of a worker at the last look.
typedef struct {
  uint64_t beats;
  unsigned turn;
  uint64_t ms;  // time since one of these changed
  bool reported;
} srv_worker_seen;

typedef struct {
  const sheafPool* pool;  // it lives longer than this struct
  uint64_t stuck_ms;      // 0: workers are not checked
  srv_worker_seen* seen;  // one for each thread of the pool
  atomic_ullong stalls;
} srv_workers;

// False without memory.
bool srv_workers_init(srv_workers* w, const sheafPool* pool, uint64_t stuck_ms);
void srv_workers_free(srv_workers* w);

// Look, `ms` after the last look. A worker that is stuck is logged once, with the request that it computes and the
// stacks of all threads.
void srv_workers_look(srv_workers* w, uint64_t ms);

#endif  // SHEAF_SERVER_WATCH_WORKERS_H_
