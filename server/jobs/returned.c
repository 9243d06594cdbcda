// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/returned.h"

#include <math.h>

#include "jobs/cost.h"
#include "jobs/ending.h"
#include "jobs/gather.h"
#include "jobs/progress.h"
#include "jobs/standing.h"

void srv_returned_done(void* user, sheafJob* work) {
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

void srv_returned_work(int worker, void* user) {
  srv_slice* slice = user;
  srv_busy_note(worker, slice ? &slice->job->tag : NULL);
  if (slice && atomic_load(&slice->missing) > 0 && atomic_fetch_sub(&slice->missing, 1) == 1) {
    srv_sched* s = slice->sched;
    srv_doorbell_ring(&s->wake);
  }
}

srv_flow* srv_returned_payer(const srv_slice* slice) {
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
  srv_flow_charge(srv_returned_payer(slice), 1e9 * (work.cpu - slice->cpu) - slice->cost);
  slice->cpu = work.cpu;
  if (!job->failure.code) srv_standing_owe(s, job, fmax(0, job->owed - srv_cost_of(job, units)));
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
      srv_progress_send(job);
    if (!srv_gather_take(job, slice)) srv_slice_send(slice, s->limits, s->threads);
    slice->job = NULL;
    srv_slice_unref(slice);
  }
  if (!job->failure.code || job->deliver) srv_gather_tell(job, job->failure.code != 0, s->threads);
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
    job->running++;  // so that srv_ending_fail does not end it; it ends below
    srv_ending_fail(s, job, &error);
    job->running--;
  }
  return work;
}

void srv_returned_take(srv_sched* s, srv_slice* slice) {
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
    srv_ending_free(s, job);
    return;
  }
  srv_standing_hold(s, job->leaf);
  srv_standing_update(s, job);
  if (job->failure.code) srv_ending_finish(s, job);
}

srv_slice* srv_returned_list(srv_sched* s, uint64_t* ended) {
  pthread_mutex_lock(&s->lock);
  srv_slice* list = s->done;
  s->done = NULL;
  pthread_mutex_unlock(&s->lock);

  // the last one stands first
  if (list) *ended = list->ended;
  srv_slice* slices = NULL;
  while (list) {
    srv_slice* next = list->next_done;
    list->next_done = slices;
    slices = list;
    list = next;
  }
  return slices;
}
