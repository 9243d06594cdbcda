// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/sched.h"

#include <math.h>
#include <poll.h>
#include <string.h>

#include "jobs/cost.h"
#include "jobs/due.h"
#include "jobs/ending.h"
#include "jobs/progress.h"
#include "jobs/returned.h"
#include "jobs/standing.h"

static const uint64_t round_ns = 1000000;     // in which the loop hears those who came while nobody ran it
static const uint64_t others_ns = 100000000;  // for which it leaves all work to the workers then

// ---- slices go out

static bool has_memory(const srv_sched* s, const srv_job* job) {
  return srv_ledger_room(s->ledger, srv_slice_size(job, srv_standing_rows(s, job)));
}

// a slice with the job's next rows; NULL if there is no memory for it
static srv_slice* next_slice(srv_sched* s, srv_job* job) {
  srv_slice* slice = job->paused;
  if (slice) {
    job->paused = slice->next_paused;
    return slice;
  }
  int n = srv_standing_rows(s, job);
  slice = has_memory(s, job) ? srv_slice_make(job, job->next_row, n, s->ledger) : NULL;
  if (!slice) return NULL;
  slice->sched = s;
  *job->slices_end = slice;
  job->slices_end = &slice->next;
  job->held += slice->bytes;
  job->next_row += n;
  job->frugal = false;
  return slice;
}

// Checks of the rows that come next, in a request that was not checked when it was read: its data was still coming, or
// is so large that looking at all of it would stop the loop.
static bool passes(srv_sched* s, srv_job* job) {
  sheafStatus status = {0};
  srv_error error;
  if (!job->unchecked || job->paused) return true;
  int n = srv_standing_rows(s, job);
  if (!sheaf_checkNumbers(job->model->loaded.m, job->kind, &job->request, job->next_row, n, &status)) return true;
  srv_job_error(&error, &status);
  srv_ending_fail(s, job, &error);
  return false;
}

static int start(srv_sched* s, srv_slice* slice, sheafStatus* status) {
  srv_job* job = slice->job;
  if (slice->work) return sheaf_resume(slice->work, status);
  sheafJob* (*submit)(sheafPool*, const mjModel*, sheafKind, const void*, sheafDone, void*, sheafStatus*) =
      job->taken ? sheaf_submitAgain : sheaf_submit;
  slice->work =
      submit(s->pool, job->model->loaded.m, (sheafKind)job->kind, &slice->request, srv_returned_done, slice, status);
  job->taken = slice->work != NULL;
  return slice->work ? 0 : status->code;
}

// May the leader compute a part of a slice itself? Waking a worker up takes longer than many small requests, and the
// leader is awake. But nobody hears clients until it is back, or another thread leads in its place. So only a slice
// that is all of a job, alone and not long, and not where others come often.
static bool may_take_part(const srv_sched* s, const srv_slice* slice) {
  const srv_job* job = slice->job;
  if (!s->leader.open || s->njob > 1 || s->slices_in_pool || slice->work || !srv_cost_known(job)) return false;
  return slice->count == job->request.any.nbatch && job->owed <= SRV_WHOLE_NS * s->threads &&
         uv_hrtime() >= s->alone_after;
}

// Who took part has nothing left to do, so the others have at most a little.
static double rest_of(double ns) { return srv_eager_short(ns) ? ns : SRV_EAGER_SHORT_NS; }

// If other requests have come with this one, workers do it all.
static void* begin_part(void* sched) {
  const srv_sched* s = sched;
  return s->njob == 1 ? s->part->work : NULL;
}

// the leader's part of the work, in the place of a worker that sleeps
static void take_part(void* sched, void* work) { sheaf_returnPlace(((srv_sched*)sched)->pool, work); }

// the loop goes on, and the slice may be finished
static void end_part(srv_sched* s) {
  s->part = NULL;
  srv_eager_parted(&s->eager);
}

// Is there something else for the loop to do?
static bool is_wanted(const srv_sched* s) {
  struct pollfd events = {.fd = uv_backend_fd(s->tick.loop), .events = POLLIN};
  return poll(&events, 1, 0) > 0;
}

static void look(void* sched);

static void on_back(void* sched) {
  srv_sched* s = sched;
  if (is_wanted(s)) s->waited_until = uv_hrtime() + round_ns;
  end_part(s);
  if (s->part_workers > 1) srv_eager_working(&s->eager, s->part_workers - 1, rest_of(s->part_ns));
  look(s);
}

// another thread leads now, because the loop has something to do and the former leader's part takes long
static void on_taken(void* sched) {
  srv_sched* s = sched;
  s->waited_until = uv_hrtime() + round_ns;
  end_part(s);
  look(s);
}

// wait without sleeping for a slice that is alone in the pool, if it is worth it
static void be_eager(srv_sched* s, srv_slice* slice, int workers) {
  if (s->slices_in_pool) srv_eager_busy(&s->eager);
  bool all = !s->slices_in_pool && srv_eager_working(&s->eager, workers, slice->cost / workers);
  atomic_store(&slice->missing, all ? workers : 0);
}

// give a job a turn; `leaf` is the connection whose turn it was
static void serve(srv_sched* s, srv_job* job, const srv_flow* leaf) {
  sheafStatus status = {0};
  if (!job->failure.code && !passes(s, job)) return;
  srv_slice* slice = next_slice(s, job);
  if (!slice && has_memory(s, job)) {
    srv_error error;
    srv_error_busy(&error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, srv_sched_hint(s), "out of memory");
    srv_ending_fail(s, job, &error);
    return;
  }
  if (!slice) {
    srv_heap_put(&s->hungry, &job->hunger, 0);
    srv_standing_update(s, job);
    return;
  }
  srv_due_served(leaf, job);
  if (!job->started) {
    job->started = uv_hrtime();
    if (job->call) job->call->began = job->started;
    s->nwaiting--;
  }
  slice->cost = srv_cost_turn(slice, s->threads);
  int workers = slice->count < s->threads ? slice->count : s->threads;
  bool part = may_take_part(s, slice) && sheaf_borrowPlace(s->pool);
  if (!part) be_eager(s, slice, workers);
  int failed = start(s, slice, &status);
  if (part && failed) sheaf_returnPlace(s->pool, NULL);
  if (failed) {
    srv_error error;
    slice->done = true;
    srv_job_error(&error, &status);
    srv_ending_fail(s, job, &error);
    return;
  }
  if (part) {
    s->part = slice;
    s->part_workers = workers;
    s->part_ns = job->owed / workers;
    srv_eager_part(&s->eager);
    srv_leader_leave(&s->leader, !srv_eager_short(s->part_ns));
  }
  job->running++;
  s->slices_in_pool++;
  s->load += slice->cost;
  slice->early = leaf != &job->leaf->flow;
  srv_flow_serve(srv_returned_payer(slice), slice->cost);
  srv_standing_update(s, job);
}

// Is there room in the pool? It holds a little more work than the workers are busy with, so that they do not idle while
// the loop is late. A small job may come on top, so that it need not wait until that work has begun.
static bool has_room(const srv_sched* s, const srv_job* job) {
  double piece = 1e9 * SRV_PIECE * s->threads;
  return s->slices_in_pool < 2 || s->load < (job->owed < 0.1 * piece ? 3 : 1.5) * piece;
}

// Give memory to jobs that lack it, in the order in which they came. If nothing will free memory, they fail.
static void feed(srv_sched* s) {
  while (s->hungry.first) {
    srv_job* job = SRV_NODE_OF(s->hungry.first, srv_job, hunger);
    bool hopeless = !s->slices_in_pool && !s->ledger->result;
    srv_error error;
    if (hopeless) job->frugal = true;
    if (has_memory(s, job)) {
      srv_heap_remove(&s->hungry, &job->hunger);
      srv_standing_update(s, job);
      return;
    }
    if (!hopeless) return;
    srv_error_busy(&error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, srv_sched_hint(s), "no memory for the results");
    srv_ending_fail(s, job, &error);
  }
}

static void pump(srv_sched* s) {
  if (s->pumping) return;
  s->pumping = true;
  feed(s);
  for (const srv_flow* leaf; (leaf = srv_flow_next(&s->accounts.root));) {
    srv_job* job = srv_due_choose(leaf);
    if (!has_room(s, job)) break;
    serve(s, job, leaf);
    if (s->hungry.first) feed(s);
  }
  s->pumping = false;
}

// ---- what makes the loop look

// Has a worker rested since the last look? Between two portions of a slice it does so for a moment only.
static bool have_left(srv_sched* s) {
  int first = -1, last = s->resting;
  if (s->threads > (int)s->eager.processors) return false;
  for (int i = 0; first < 0 && i < s->threads; i++) first = srv_busy_rests(i) ? i : -1;
  unsigned before = s->resting_turn;
  s->resting = first;
  s->resting_turn = first >= 0 ? srv_busy_turn(first) : 0;
  return first >= 0 && first == last && s->resting_turn == before;
}

// take what workers have finished
static void look(void* sched) {
  srv_sched* s = sched;
  uint64_t ended = 0;
  srv_slice* slices = srv_returned_list(s, &ended);
  if (!slices) {
    if (have_left(s)) srv_eager_left(&s->eager);
    return;
  }
  srv_eager_found(&s->eager, ended);
  while (slices) {
    srv_slice* next = slices->next_done;
    srv_returned_take(s, slices);
    slices = next;
  }
  pump(s);
  if (!s->njob) srv_eager_answered(&s->eager);
}

static void on_wake(void* sched) {
  srv_sched* s = sched;
  srv_eager_begun(&s->eager);
  look(s);
}

static void arm(srv_sched* s);

static void on_tick(uv_timer_t* timer) {
  srv_sched* s = timer->data;
  s->armed = INFINITY;
  srv_progress_due(s, uv_hrtime());
  arm(s);
  pump(s);
}

static void arm(srv_sched* s) {
  if (!s->timers.first || s->timers.first->key >= s->armed) return;
  s->armed = s->timers.first->key;
  double left = (s->armed - (double)uv_hrtime()) / 1e6;
  uv_update_time(s->tick.loop);
  uv_timer_start(&s->tick, on_tick, left > 0 ? (uint64_t)ceil(left) : 0, 0);
}

// ---- what others ask for

static void make_tag(srv_job* job) {
  const srv_conn* conn = job->call->conn;
  job->tag = (srv_tag){.kind = sheaf_requestInfo(job->kind)->name, .conn = conn->number, .id = job->call->id};
  for (int i = 0; i < 8; i++) job->tag.model = job->tag.model << 8 | job->model->shelf.hash[i];
  memcpy(job->tag.identity, conn->who->name, sizeof job->tag.identity);
}

int srv_sched_add(srv_sched* s, srv_job* job, srv_error* error) {
  job->leaf = srv_leaf_enter(&s->accounts, job->call->conn, job->priority);
  if (!job->leaf)
    return srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, srv_sched_hint(s), "out of memory");
  make_tag(job);
  job->next = s->jobs;
  job->link = &s->jobs;
  if (job->next) job->next->link = &job->next;
  s->jobs = job;
  job->slices_end = &job->slices;
  s->nwaiting++;
  if (++s->njob > s->most) s->most = s->njob;
  if (s->njob > 1) sheaf_poolOthers(s->pool, 1);
  srv_model_ref(job->model);
  srv_standing_owe(s, job, srv_cost_of(job, (double)job->row_units * job->request.any.nbatch));
  srv_progress_await(s, job, uv_hrtime());
  arm(s);
  srv_standing_hold(s, job->leaf);
  srv_standing_update(s, job);
  pump(s);
  return 0;
}

void srv_sched_asked(srv_sched* s) {
  uint64_t now = uv_hrtime();
  if (now < s->waited_until) s->alone_after = now + others_ns;
  srv_eager_asked(&s->eager);
}

void srv_sched_ready(srv_sched* s, srv_conn* conn) {
  if (!s->njob) return;
  for (int i = 0; conn && i < SRV_LEVELS; i++) {
    if (conn->leaf[i]) srv_standing_hold(s, conn->leaf[i]);
  }
  pump(s);
}

// a client may send single bytes, so this must cost no more than a look at the job
void srv_sched_more(srv_sched* s, srv_job* job) {
  srv_standing_update(s, job);
  if (job->ready.in) pump(s);
}

void srv_sched_claim(srv_sched* s, srv_model* model, uint64_t bytes) {
  model->worker_bytes = bytes;
  s->worker_bytes += bytes;
}

void srv_sched_forget(srv_sched* s, srv_model* model) {
  if (s->pool) sheaf_poolForget(s->pool, model->loaded.m);
  s->worker_bytes -= model->worker_bytes;
  model->worker_bytes = 0;
}

bool srv_sched_relieve(srv_sched* s) {
  if (!s->heavy.first || s->njob < 2) return false;
  srv_error error;
  srv_error_busy(&error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, srv_sched_hint(s),
                 "the server's memory is short, and this request held most of it");
  srv_ending_fail(s, SRV_NODE_OF(s->heavy.first, srv_job, weight), &error);
  return true;
}

uint64_t srv_sched_hint(const srv_sched* s) {
  double us = s->owed / s->threads / 8 / 1e3;
  return us < 1e3 ? 1000 : us > 1e7 ? 10000000 : (uint64_t)us;
}

void srv_sched_fail_all(srv_sched* s, const srv_error* error) {
  for (srv_job *job = s->jobs, *next; job; job = next) {
    next = job->next;
    srv_ending_fail(s, job, error);
  }
  pump(s);
}

// ---- life

int srv_sched_init(srv_sched* s, uv_loop_t* loop, const srv_limits* limits, srv_ledger* ledger, srv_stats* stats,
                   int threads, int precision, srv_error* error) {
  sheafPoolConfig config = sheaf_defaultPoolConfig();
  sheafStatus status = {0};
  *s = (srv_sched){.limits = limits, .ledger = ledger, .stats = stats, .armed = INFINITY};
  config.nthread = threads;
  config.precision = precision;
  config.piece = SRV_PIECE;
  config.on_work = srv_returned_work;
  config.keep = limits->worker_bytes / 8;
  s->pool = sheaf_openPool(&config, &status);
  if (!s->pool) return srv_error_set(error, SHEAF__CODE__CODE_INTERNAL, "cannot open the pool: %s", status.message);
  s->threads = sheaf_poolThreads(s->pool);
  int err = srv_doorbell_init(&s->wake, loop, on_wake, s);
  if (err) {
    sheaf_closePool(s->pool);
    return srv_error_set(error, SHEAF__CODE__CODE_INTERNAL, "cannot make an eventfd: %s", uv_strerror(err));
  }
  srv_accounts_init(&s->accounts);
  pthread_mutex_init(&s->lock, NULL);
  uv_timer_init(loop, &s->tick);
  srv_eager_init(&s->eager, loop, look, s);
  s->tick.data = s;
  s->leader =
      (srv_leader){.loop = loop, .begin = begin_part, .work = take_part, .back = on_back, .taken = on_taken, .user = s};
  srv_leader_init(&s->leader);
  return 0;
}

void srv_sched_close(srv_sched* s) {
  srv_leader_settle(&s->leader);
  sheaf_closePool(s->pool);
  s->pool = NULL;
  srv_accounts_close(&s->accounts);
  srv_doorbell_close(&s->wake);
  uv_close((uv_handle_t*)&s->tick, NULL);
  srv_eager_close(&s->eager);
  pthread_mutex_destroy(&s->lock);
}
