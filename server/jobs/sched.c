// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/sched.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jobs/cost.h"
#include "jobs/due.h"
#include "jobs/repeat.h"
#include "sheaf.pb-c.h"

enum { PROGRESS_NS = 50000000, MANY_JOBS = 4096 };

static const double yield_ns =
    1e8;  // a patient job yields to younger ones each time the pool has served it for so long

static void update(srv_sched* s, srv_job* job);
static void arm(srv_sched* s);
static void pump(srv_sched* s);

// ---- the end of jobs

static void set_owed(srv_sched* s, srv_job* job, double owed) {
  s->owed += owed - job->owed;
  job->owed = owed;
}

// after many requests, give memory back to the system when the last of them is over
static void trim(srv_sched* s) {
  if (s->njob || s->most < MANY_JOBS) return;
  s->most = 0;
  malloc_trim(0);
}

static void free_job(srv_sched* s, srv_job* job) {
  *job->link = job->next;
  if (job->next) job->next->link = job->link;
  if (--s->njob < 2) sheaf_poolOthers(s->pool, 0);
  if (!job->started) s->nwaiting--;
  while (job->slices) {
    srv_slice* slice = job->slices;
    job->slices = slice->next;
    srv_slice_unref(slice);
  }
  set_owed(s, job, 0);
  if (!s->njob) s->owed = 0;  // rounding
  srv_heap_remove(&job->leaf->flow.ready, &job->ready);
  srv_flow_update(&job->leaf->flow);
  srv_heap_remove(&job->leaf->account->due, &job->due);
  srv_heap_remove(&s->timers, &job->timer);
  srv_heap_remove(&s->hungry, &job->hunger);
  srv_heap_remove(&s->heavy, &job->weight);
  srv_conn* conn = job->leaf->conn;
  srv_leaf_leave(&s->accounts, job->leaf);
  srv_model_unref(job->model);
  srv_region_unref(job->region);
  srv_job_end(job, conn);
  trim(s);
}

// a job that failed is over once nothing of it is in the pool
static void end_failed(srv_sched* s, srv_job* job) {
  if (job->running || (job->deliver && job->paused)) return;
  if (job->call && job->deliver) {
    srv_job_send_end(job, s->threads);
  } else if (job->call) {
    srv_call_fail(job->call, &job->failure);
  }
  free_job(s, job);
}

void srv_sched_fail(srv_sched* s, srv_job* job, const srv_error* error) {
  if (!job->call->conn) srv_leaf_lose(job->leaf);
  if (job->failure.code) {
    // without a connection there is nobody to whom rows could be sent
    if (!job->call->conn) job->deliver = false;
    if (!job->deliver) end_failed(s, job);
    return;
  }
  job->failure = *error;
  job->deliver = job->partial && job->slices && job->call->conn &&
                 (error->code == SHEAF__CODE__CODE_CANCELLED || error->code == SHEAF__CODE__CODE_DEADLINE_EXCEEDED);
  if (error->code == SHEAF__CODE__CODE_CANCELLED) s->stats->cancelled++;
  for (srv_slice* slice = job->slices; slice; slice = slice->next) {
    if (!slice->done) sheaf_cancel(slice->work);
  }
  srv_heap_remove(&s->timers, &job->timer);
  srv_heap_remove(&s->hungry, &job->hunger);
  set_owed(s, job, 0);
  update(s, job);
  end_failed(s, job);
}

void srv_sched_fail_all(srv_sched* s, const srv_error* error) {
  for (srv_job *job = s->jobs, *next; job; job = next) {
    next = job->next;
    srv_sched_fail(s, job, error);
  }
  pump(s);
}

// ---- deadlines and progress

static void send_progress(srv_job* job) {
  Sheaf__Progress m = SHEAF__PROGRESS__INIT;
  int64_t done, total;
  m.done = job->units_done;
  for (srv_slice* slice = job->slices; slice; slice = slice->next) {
    if (slice->done) continue;
    sheaf_jobProgress(slice->work, &done, &total);
    if (total > 0) m.done += (int64_t)((double)slice->units * (double)done / (double)total);
  }
  m.total = (int64_t)(job->row_units * (uint64_t)job->request.any.nbatch);
  srv_call_send(job->call, srv_out_make(SHEAF__FRAME_TYPE__FRAME_PROGRESS, SHEAF_FRAME_MORE, job->call->id, &m.base,
                                        NULL, NULL, NULL));
}

static void set_timer(srv_sched* s, srv_job* job, uint64_t now) {
  uint64_t at = job->progress && now + PROGRESS_NS < job->deadline ? now + PROGRESS_NS : job->deadline;
  srv_heap_put(&s->timers, &job->timer, (double)at);
}

static void on_time(srv_sched* s, srv_job* job, uint64_t now) {
  srv_error error;
  if (now >= job->deadline) {
    srv_error_set(&error, SHEAF__CODE__CODE_DEADLINE_EXCEEDED, "timeout_us: the time is over");
    srv_sched_fail(s, job, &error);
    return;
  }
  const srv_conn* conn = job->call->conn;
  if (job->started && conn && conn->unsent <= s->limits->unsent_low) send_progress(job);
  set_timer(s, job, now);
}

static void on_tick(uv_timer_t* timer) {
  srv_sched* s = timer->data;
  uint64_t now = uv_hrtime();
  s->armed = INFINITY;
  while (s->timers.first && s->timers.first->key <= (double)now) {
    on_time(s, SRV_NODE_OF(s->timers.first, srv_job, timer), now);
  }
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

// ---- what a job has to do

// number of rows, from the first of the job, whose inputs are here
static uint64_t rows_here(const srv_job* job) {
  uint64_t rows = (uint64_t)job->request.any.nbatch, got = job->call->data_got;
  if (!srv_call_coming(job->call)) return rows;
  if (job->unchecked) return 0;
  for (int i = 0; i < job->ninput; i++) {
    const srv_job_input* in = &job->input[i];
    if (in->here) continue;
    uint64_t here = got > in->offset ? (got - in->offset) / in->row_bytes : 0;
    if (here < rows && (in->stride || !here)) rows = here;
  }
  return rows;
}

// Rows that the next slice should have. If the job is frugal, nothing else will free memory: as many as there is memory
// for.
static int wanted_rows(const srv_sched* s, const srv_job* job) {
  int n = srv_cost_rows(job, s->threads);
  if (!job->frugal) return n;
  uint64_t held = srv_ledger_held(s->ledger), limit = s->ledger->limit;
  uint64_t fit = (limit > held ? limit - held : 0) / (srv_slice_size(job, 1) + 1);
  return fit < 1 ? 1 : fit < (uint64_t)n ? (int)fit : n;
}

// Rows of the next slice. More may be wanted now than when the job was found to have work, because others have shown
// since that its rows cost less; rows whose inputs are not here would be computed from whatever is in their place.
static int slice_rows(const srv_sched* s, const srv_job* job) {
  uint64_t here = rows_here(job) - (uint64_t)job->next_row;
  int n = wanted_rows(s, job);
  return here < (uint64_t)n ? (int)here : n;
}

// A slice that waits goes on before another is begun: otherwise finished rows would pile up behind one that is not.
static bool has_work(const srv_sched* s, const srv_job* job) {
  if (job->paused) return !job->failure.code || job->deliver;
  if (job->failure.code || job->next_row == job->request.any.nbatch || job->hunger.in) return false;
  if (job->held > SRV_SLICE_MAX) return false;
  return !srv_call_coming(job->call) || (uint64_t)(job->next_row + wanted_rows(s, job)) <= rows_here(job);
}

// the order of a job among others of its connection: its deadline, later for each time that it has to yield
static double rank(const srv_sched* s, const srv_job* job) {
  double yielded = job->patient ? floor(job->served / (yield_ns * s->threads)) : 0;
  return (double)job->deadline + 2 * yield_ns * yielded;
}

static void weigh(srv_sched* s, srv_job* job) {
  double key = job->failure.code || !job->call ? 0 : -(double)(job->held + job->call->data_got);
  if (key == 0) {
    srv_heap_remove(&s->heavy, &job->weight);
  } else if (!job->weight.in || job->weight.key != key) {
    srv_heap_put(&s->heavy, &job->weight, key);
  }
}

static void update(srv_sched* s, srv_job* job) {
  weigh(s, job);
  srv_heap* ready = &job->leaf->flow.ready;
  bool work = has_work(s, job);
  srv_due_update(job, work, s->threads);
  if (!work) {
    srv_heap_remove(ready, &job->ready);
  } else if (!job->ready.in || job->ready.key != rank(s, job)) {
    srv_heap_put(ready, &job->ready, rank(s, job));
  }
  srv_flow_update(&job->leaf->flow);
}

// hold a connection while its client has too much to read
static void hold(srv_sched* s, srv_leaf* leaf) {
  bool held = leaf->conn && leaf->conn->unsent > s->limits->unsent_high;
  if (held == leaf->flow.held) return;
  leaf->flow.held = held;
  srv_flow_update(&leaf->flow);
}

// ---- slices come back

// called by a worker: hand the slice to the loop
static void on_slice_done(void* user, sheafJob* work) {
  srv_slice* slice = user;
  srv_sched* s = slice->sched;
  (void)work;
  slice->ended = uv_hrtime();
  pthread_mutex_lock(&s->lock);
  bool first = !s->done;
  slice->next_done = s->done;
  s->done = slice;
  pthread_mutex_unlock(&s->lock);
  if (first && !atomic_load(&s->eager.looks)) srv_doorbell_ring(&s->wake);
}

// called by a worker, when it begins or ends work on a slice
static void on_work(int worker, void* user) {
  srv_slice* slice = user;
  srv_busy_note(worker, slice ? &slice->job->tag : NULL);
  if (slice && atomic_load(&slice->missing) > 0 && atomic_fetch_sub(&slice->missing, 1) == 1) {
    srv_sched* s = slice->sched;
    srv_doorbell_ring(&s->wake);
  }
}

// the flow that a turn is charged to: the connection's, or only its identity's
static srv_flow* payer(const srv_slice* slice) {
  srv_flow* leaf = &slice->job->leaf->flow;
  return slice->early ? leaf->parent : leaf;
}

// count what a turn of a slice has cost, and what was computed in it
static void account(srv_sched* s, srv_slice* slice) {
  srv_job* job = slice->job;
  sheafWork work = {.size = sizeof work};
  sheaf_jobWork(slice->work, &work);
  double seconds = work.seconds - slice->seconds, units = (double)(work.computed - slice->computed);
  slice->seconds = work.seconds;
  slice->computed = work.computed;
  s->stats->steps += (uint64_t)units;
  job->model->steps += (uint64_t)units;
  job->model->busy_us += (uint64_t)(1e6 * seconds);
  if (job->call && job->call->who) srv_identity_use_steps(job->call->who, (uint64_t)units);
  job->computed += units;
  job->served += 1e9 * seconds;
  srv_cost_measure(job, units, seconds);
  // what other programs take from a worker is nobody's share
  srv_flow_charge(payer(slice), 1e9 * (work.cpu - slice->cpu) - slice->cost);
  slice->cpu = work.cpu;
  if (!job->failure.code) set_owed(s, job, fmax(0, job->owed - srv_cost_of(job, units)));
  s->load -= slice->cost;
  if (--s->slices_in_pool == 0) s->load = 0;
  job->running--;
}

static void pause_slice(srv_job* job, srv_slice* slice) {
  srv_slice** link = &job->paused;
  while (*link && (*link)->first < slice->first) link = &(*link)->next_paused;
  slice->next_paused = *link;
  *link = slice;
}

// send the slices at the head of the job that are done
static void send_ready(srv_sched* s, srv_job* job) {
  while (job->slices && job->slices->done && (!job->failure.code || job->deliver)) {
    srv_slice* slice = job->slices;
    job->slices = slice->next;
    if (!job->slices) job->slices_end = &job->slices;
    job->held -= slice->bytes;
    // whoever watches sees the end, too
    if (job->progress && !job->failure.code && slice->first + slice->count == job->request.any.nbatch)
      send_progress(job);
    srv_slice_send(slice, s->limits, s->threads);
    slice->job = NULL;
    srv_slice_unref(slice);
  }
}

// Returns the slice's work, to be freed when the client has its answer.
static sheafJob* finish(srv_sched* s, srv_job* job, srv_slice* slice) {
  sheafStatus status = {0};
  sheafJob* work = slice->work;
  int code = sheaf_wait(work, &status);
  slice->work = NULL;
  slice->done = true;
  job->units_done += (int64_t)slice->units;
  if (code == SHEAF_OK) {
    job->model->rows += (uint64_t)slice->count;
    s->stats->rows += (uint64_t)slice->count;
  } else if (!job->failure.code) {
    srv_error error;
    srv_job_error(&error, &status);
    job->running++;  // so that srv_sched_fail does not end it; it ends below
    srv_sched_fail(s, job, &error);
    job->running--;
  }
  return work;
}

static void take_back(srv_sched* s, srv_slice* slice) {
  srv_job* job = slice->job;
  sheafJob* over = NULL;
  account(s, slice);
  if (sheaf_jobPaused(slice->work)) {
    pause_slice(job, slice);
  } else {
    over = finish(s, job, slice);
  }
  send_ready(s, job);
  sheaf_freeJob(over);
  if (!job->call) {
    free_job(s, job);
    return;
  }
  hold(s, job->leaf);
  update(s, job);
  if (job->failure.code) end_failed(s, job);
}

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
  pthread_mutex_lock(&s->lock);
  srv_slice* list = s->done;
  s->done = NULL;
  pthread_mutex_unlock(&s->lock);
  if (!list) {
    if (have_left(s)) srv_eager_left(&s->eager);
    return;
  }
  srv_eager_found(&s->eager, list->ended);

  // the list is in reverse order
  srv_slice* slices = NULL;
  while (list) {
    srv_slice* next = list->next_done;
    list->next_done = slices;
    slices = list;
    list = next;
  }
  while (slices) {
    srv_slice* next = slices->next_done;
    take_back(s, slices);
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

void srv_sched_asked(srv_sched* s) { srv_eager_asked(&s->eager); }

// ---- slices go out

static bool has_memory(const srv_sched* s, const srv_job* job) {
  return srv_ledger_room(s->ledger, srv_slice_size(job, slice_rows(s, job)));
}

// a slice with the job's next rows; NULL if there is no memory for it
static srv_slice* next_slice(srv_sched* s, srv_job* job) {
  srv_slice* slice = job->paused;
  if (slice) {
    job->paused = slice->next_paused;
    return slice;
  }
  int n = slice_rows(s, job);
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
  int n = slice_rows(s, job);
  if (!sheaf_checkNumbers(job->model->loaded.m, job->kind, &job->request, job->next_row, n, &status)) return true;
  srv_job_error(&error, &status);
  srv_sched_fail(s, job, &error);
  return false;
}

static int start(srv_sched* s, srv_slice* slice, sheafStatus* status) {
  srv_job* job = slice->job;
  if (slice->work) return sheaf_resume(slice->work, status);
  sheafJob* (*submit)(sheafPool*, const mjModel*, sheafKind, const void*, sheafDone, void*, sheafStatus*) =
      job->taken ? sheaf_submitAgain : sheaf_submit;
  slice->work =
      submit(s->pool, job->model->loaded.m, (sheafKind)job->kind, &slice->request, on_slice_done, slice, status);
  job->taken = slice->work != NULL;
  return slice->work ? 0 : status->code;
}

// wait without sleeping for a slice that is alone in the pool, if it is worth it
static void be_eager(srv_sched* s, srv_slice* slice) {
  int workers = slice->count < s->threads ? slice->count : s->threads;
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
    srv_sched_fail(s, job, &error);
    return;
  }
  if (!slice) {
    srv_heap_put(&s->hungry, &job->hunger, 0);
    update(s, job);
    return;
  }
  srv_due_served(leaf, job);
  if (!job->started) {
    job->started = uv_hrtime();
    if (job->call) job->call->began = job->started;
    s->nwaiting--;
  }
  slice->cost = srv_cost_turn(slice, s->threads);
  be_eager(s, slice);
  if (start(s, slice, &status)) {
    srv_error error;
    slice->done = true;
    srv_job_error(&error, &status);
    srv_sched_fail(s, job, &error);
    return;
  }
  job->running++;
  s->slices_in_pool++;
  s->load += slice->cost;
  slice->early = leaf != &job->leaf->flow;
  srv_flow_serve(payer(slice), slice->cost);
  update(s, job);
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
      update(s, job);
      return;
    }
    if (!hopeless) return;
    srv_error_busy(&error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, srv_sched_hint(s), "no memory for the results");
    srv_sched_fail(s, job, &error);
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

void srv_sched_ready(srv_sched* s, srv_conn* conn) {
  if (!s->njob) return;
  for (int i = 0; conn && i < SRV_LEVELS; i++) {
    if (conn->leaf[i]) hold(s, conn->leaf[i]);
  }
  pump(s);
}

// a client may send single bytes, so this must cost no more than a look at the job
void srv_sched_more(srv_sched* s, srv_job* job) {
  update(s, job);
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
  srv_sched_fail(s, SRV_NODE_OF(s->heavy.first, srv_job, weight), &error);
  return true;
}

uint64_t srv_sched_hint(const srv_sched* s) {
  double us = s->owed / s->threads / 8 / 1e3;
  return us < 1e3 ? 1000 : us > 1e7 ? 10000000 : (uint64_t)us;
}

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
  set_owed(s, job, srv_cost_of(job, (double)job->row_units * job->request.any.nbatch));
  set_timer(s, job, uv_hrtime());
  arm(s);
  hold(s, job->leaf);
  update(s, job);
  pump(s);
  return 0;
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
  config.on_work = on_work;
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
  return 0;
}

void srv_sched_close(srv_sched* s) {
  sheaf_closePool(s->pool);
  s->pool = NULL;
  srv_accounts_close(&s->accounts);
  srv_doorbell_close(&s->wake);
  uv_close((uv_handle_t*)&s->tick, NULL);
  srv_eager_close(&s->eager);
  pthread_mutex_destroy(&s->lock);
}
