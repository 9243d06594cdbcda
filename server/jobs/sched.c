// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/sched.h"

#include <stdlib.h>

#include "sheaf.pb-c.h"

enum {
  LANES = 8,  // rows that a worker may compute at once
  DEPTH = 3,  // slices in the pool: one is computed while the loop is late for the one before
  TICK_MS = 10,
  PROGRESS_NS = 50000000,
};

// time of one slice in the whole pool: short, so that results travel while later rows are computed
static const double slice_ns = 3e6;
static const double first_unit_ns = 5e3;  // of a unit of work before anything was measured

// ---- the end of jobs

static void free_job(srv_sched* s, srv_job* job) {
  *job->link = job->next;
  if (job->next) job->next->link = job->link;
  s->njob--;
  while (job->slices) {
    srv_slice* slice = job->slices;
    job->slices = slice->next;
    srv_slice_unref(slice);
  }
  srv_model_unref(job->model);
  srv_region_unref(job->region);
  free(job);
}

// a failed job is over once nothing of it is in the pool
static void end_failed(srv_sched* s, srv_job* job) {
  if (job->running) return;
  if (job->call) srv_call_fail(job->call, &job->failure);
  free_job(s, job);
}

void srv_sched_fail(srv_sched* s, srv_job* job, const srv_error* error) {
  if (job->failure.code) return;
  job->failure = *error;
  if (error->code == SHEAF__CODE__CODE_CANCELLED) s->stats->cancelled++;
  for (srv_slice* slice = job->slices; slice; slice = slice->next) {
    if (!slice->done) sheaf_cancel(slice->work);
  }
  end_failed(s, job);
}

void srv_sched_fail_all(srv_sched* s, const srv_error* error) {
  for (srv_job *job = s->jobs, *next; job; job = next) {
    next = job->next;
    srv_sched_fail(s, job, error);
  }
}

// ---- progress and deadlines

static void send_progress(srv_job* job, uint64_t now) {
  Sheaf__Progress m = SHEAF__PROGRESS__INIT;
  int64_t done, total;
  m.done = job->units_done;
  for (srv_slice* slice = job->slices; slice; slice = slice->next) {
    if (slice->done) continue;
    sheaf_jobProgress(slice->work, &done, &total);
    if (total > 0) m.done += (int64_t)((double)slice->units * (double)done / (double)total);
  }
  m.total = (int64_t)(job->row_units * (uint64_t)job->request.any.nbatch);
  job->last_progress = now;
  srv_call_send(job->call, srv_out_make(SHEAF__FRAME_TYPE__FRAME_PROGRESS, SHEAF_FRAME_MORE, job->call->id, &m.base,
                                        NULL, NULL, NULL));
}

static void on_tick(uv_timer_t* timer) {
  srv_sched* s = timer->data;
  uint64_t now = uv_hrtime();
  bool needed = false;
  srv_error error;
  for (srv_job *job = s->jobs, *next; job; job = next) {
    next = job->next;
    if (job->failure.code || !(job->deadline || job->progress)) continue;
    needed = true;
    if (job->deadline && now > job->deadline) {
      srv_error_set(&error, SHEAF__CODE__CODE_DEADLINE_EXCEEDED, "timeout_us: the time is over");
      srv_sched_fail(s, job, &error);
    } else if (job->progress && job->started && now - job->last_progress > PROGRESS_NS && job->call->conn &&
               job->call->conn->unsent <= s->limits->unsent_low) {
      send_progress(job, now);
    }
  }
  if (!needed) {
    uv_timer_stop(timer);
    s->ticking = false;
  }
}

static void begin_ticking(srv_sched* s) {
  if (s->ticking) return;
  s->ticking = true;
  uv_timer_start(&s->tick, on_tick, TICK_MS, TICK_MS);
}

// ---- slices come back

// from a worker: hand the slice to the loop
static void on_slice_done(void* user, sheafJob* work) {
  srv_slice* slice = user;
  srv_sched* s = slice->sched;
  slice->ended = uv_hrtime();
  pthread_mutex_lock(&s->lock);
  slice->next_done = s->done;
  s->done = slice;
  pthread_mutex_unlock(&s->lock);
  uv_async_send(&s->wake);
}

// what a unit of work costs in the whole pool: the pool began with the slice when it was done with the one before
static void measure(srv_sched* s, const srv_slice* slice) {
  double* unit_ns = &slice->job->model->unit_ns[slice->job->kind];
  uint64_t began = slice->began > s->last_done ? slice->began : s->last_done;
  double ns = (double)(slice->ended - began) / (double)(slice->units ? slice->units : 1);
  if (slice->ended < began) return;
  s->last_done = slice->ended;
  *unit_ns = *unit_ns > 0 ? 0.7 * *unit_ns + 0.3 * ns : ns;
}

// send the slices at the head of the job that are done
static void send_ready(srv_sched* s, srv_job* job) {
  while (job->slices && job->slices->done && !job->failure.code) {
    srv_slice* slice = job->slices;
    job->slices = slice->next;
    srv_slice_send(slice, s->limits, s->threads);
    slice->job = NULL;
    srv_slice_unref(slice);
  }
}

static void take_back(srv_sched* s, srv_slice* slice) {
  srv_job* job = slice->job;
  sheafStatus status = {0};
  int code = sheaf_wait(slice->work, &status);
  sheaf_freeJob(slice->work);
  slice->work = NULL;
  slice->done = true;
  s->slices_in_pool--;
  s->rows_in_pool -= slice->count;
  job->running--;
  if (code == SHEAF_OK) {
    measure(s, slice);
    job->units_done += (int64_t)slice->units;
    s->stats->rows += (uint64_t)slice->count;
    s->stats->steps += slice->units;
    if (job->call && job->call->who) srv_identity_use_steps(job->call->who, slice->units);
  } else if (!job->failure.code) {
    srv_error error;
    srv_job_error(&error, &status);
    srv_sched_fail(s, job, &error);
    return;
  }
  if (!job->failure.code) send_ready(s, job);
  if (job->failure.code) {
    end_failed(s, job);
  } else if (!job->call) {
    free_job(s, job);
  }
}

static void on_wake(uv_async_t* wake) {
  srv_sched* s = wake->data;
  pthread_mutex_lock(&s->lock);
  srv_slice* list = s->done;
  s->done = NULL;
  pthread_mutex_unlock(&s->lock);

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
  srv_sched_pump(s);
}

// ---- slices go out

// rows of the job's next slice
static int slice_rows(const srv_sched* s, const srv_job* job) {
  double unit_ns = job->model->unit_ns[job->kind];
  if (unit_ns <= 0) unit_ns = first_unit_ns;
  double by_time = slice_ns / (unit_ns * (double)(job->row_units ? job->row_units : 1));
  double by_bytes = (double)SRV_SLICE_BYTES / (double)(job->row_bytes ? job->row_bytes : 1);
  double rows = by_time < by_bytes ? by_time : by_bytes;

  // enough for every worker and lane, unless that is too much memory
  double least = (double)s->threads * LANES;
  double most = (double)SRV_SLICE_MAX / (double)(job->row_bytes ? job->row_bytes : 1);
  if (rows < least) rows = least < most ? least : most;
  int left = job->request.any.nbatch - job->next_row;
  if (rows >= 0.75 * left) return left;
  int n = (int)rows;
  return n > LANES ? n - n % LANES : n > 1 ? n : 1;
}

// rows, from the job's first, whose inputs are here
static uint64_t rows_here(const srv_job* job) {
  uint64_t rows = (uint64_t)job->request.any.nbatch, got = job->call->data_got;
  if (!srv_call_coming(job->call)) return rows;
  if (job->unchecked) return 0;
  for (int i = 0; i < job->ninput; i++) {
    const srv_job_input* in = &job->input[i];
    uint64_t here = got > in->offset ? (got - in->offset) / in->row_bytes : 0;
    if (here < rows && (in->stride || !here)) rows = here;
  }
  return rows;
}

static bool is_hungry(const srv_sched* s, const srv_job* job) {
  if (job->failure.code || job->next_row == job->request.any.nbatch || !job->call->conn) return false;
  if (job->call->conn->unsent > s->limits->unsent_high) return false;
  return !srv_call_coming(job->call) || (uint64_t)(job->next_row + slice_rows(s, job)) <= rows_here(job);
}

static srv_job* pick(const srv_sched* s) {
  srv_job* best = NULL;
  for (srv_job* job = s->jobs; job; job = job->next) {
    if (!is_hungry(s, job)) continue;
    if (!best || job->priority > best->priority ||
        (job->priority == best->priority && job->call->conn->turn < best->call->conn->turn)) {
      best = job;
    }
  }
  return best;
}

static void append_slice(srv_job* job, srv_slice* slice) {
  srv_slice** link = &job->slices;
  while (*link) link = &(*link)->next;
  *link = slice;
}

// no memory for a slice: wait for others to give some back, or fail if nobody will
static void starve(srv_sched* s, srv_job* job) {
  srv_error error;
  if (s->slices_in_pool || s->ledger->result) return;
  srv_error_busy(&error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 100000, "no memory for the results");
  srv_sched_fail(s, job, &error);
}

// checks of inputs that were still coming when the job was made
static bool passes(srv_sched* s, srv_job* job) {
  sheafStatus status = {0};
  srv_error error;
  int err = job->unchecked ? sheaf_checkNumbers(job->model->loaded.m, job->kind, &job->request, &status) : 0;
  job->unchecked = false;
  if (!err) return true;
  srv_job_error(&error, &status);
  srv_sched_fail(s, job, &error);
  return false;
}

// put the job's next slice into the pool; false if that has to wait
static bool submit(srv_sched* s, srv_job* job) {
  if (!passes(s, job)) return true;
  int n = slice_rows(s, job);
  bool room = srv_ledger_room(s->ledger, srv_slice_size(job, n));
  srv_slice* slice = room ? srv_slice_make(job, job->next_row, n, s->ledger) : NULL;
  if (!slice) {
    starve(s, job);
    return false;
  }
  sheafStatus status = {0};
  slice->sched = s;
  slice->began = uv_hrtime();
  if (!job->started) job->started = slice->began;
  slice->work =
      sheaf_submit(s->pool, job->model->loaded.m, (sheafKind)job->kind, &slice->request, on_slice_done, slice, &status);
  if (!slice->work) {
    srv_error error;
    srv_job_error(&error, &status);
    srv_slice_unref(slice);
    srv_sched_fail(s, job, &error);
    return true;
  }
  append_slice(job, slice);
  job->next_row += n;
  job->running++;
  job->call->conn->turn = ++s->turn;
  s->slices_in_pool++;
  s->rows_in_pool += n;
  return true;
}

void srv_sched_pump(srv_sched* s) {
  if (s->pumping) return;
  s->pumping = true;
  while (s->slices_in_pool < DEPTH || s->rows_in_pool < 2 * LANES * (int64_t)s->threads) {
    srv_job* job = pick(s);
    if (!job || !submit(s, job)) break;
  }
  s->pumping = false;
}

// a client may send single bytes: they must not cost a look at all jobs
void srv_sched_more(srv_sched* s, const srv_job* job) {
  if (is_hungry(s, job)) srv_sched_pump(s);
}

void srv_sched_add(srv_sched* s, srv_job* job) {
  // at the end, so that among equals the first come is served first
  srv_job** link = &s->jobs;
  while (*link) link = &(*link)->next;
  *link = job;
  job->link = link;
  job->next = NULL;
  s->njob++;
  srv_model_ref(job->model);
  if (job->deadline || job->progress) begin_ticking(s);
  srv_sched_pump(s);
}

unsigned srv_sched_waiting(const srv_sched* s) {
  unsigned n = 0;
  for (const srv_job* job = s->jobs; job; job = job->next) n += !job->started;
  return n;
}

// ---- life

int srv_sched_init(srv_sched* s, uv_loop_t* loop, const srv_limits* limits, srv_ledger* ledger, srv_stats* stats,
                   int threads, srv_error* error) {
  sheafPoolConfig config = sheaf_defaultPoolConfig();
  sheafStatus status = {0};
  *s = (srv_sched){.limits = limits, .ledger = ledger, .stats = stats};
  config.nthread = threads;
  s->pool = sheaf_openPool(&config, &status);
  if (!s->pool) return srv_error_set(error, SHEAF__CODE__CODE_INTERNAL, "cannot open the pool: %s", status.message);
  s->threads = sheaf_poolThreads(s->pool);
  pthread_mutex_init(&s->lock, NULL);
  uv_async_init(loop, &s->wake, on_wake);
  uv_timer_init(loop, &s->tick);
  s->wake.data = s->tick.data = s;
  return 0;
}

void srv_sched_close(srv_sched* s) {
  sheaf_closePool(s->pool);
  uv_close((uv_handle_t*)&s->wake, NULL);
  uv_close((uv_handle_t*)&s->tick, NULL);
  pthread_mutex_destroy(&s->lock);
}
