// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/leader.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// ---- what wakes the follower up

static void ring_at(const srv_leader* l, int flags, uint64_t ns) {
  struct itimerspec at = {.it_value = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)}};
  timerfd_settime(l->timer, flags, &at, NULL);
}

// Hear what the loop has to do, or hear it no more; with the lock. Returns whether it is heard now, for which the
// system may lack memory.
static bool hear_loop(srv_leader* l, bool hears) {
  struct epoll_event event = {.events = EPOLLIN};
  int failed = epoll_ctl(l->ears, hears ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, uv_backend_fd(l->loop), &event);
  hears = hears && !failed;
  atomic_store(&l->hears, hears);
  return hears;
}

// ---- the leader

static uint64_t next_timer(const srv_leader* l, uint64_t now) {
  int ms = uv_backend_timeout(l->loop);
  return ms < 0 ? UINT64_MAX : now + 1000000 * (uint64_t)ms;
}

// the follower need not be woken up to hear the loop no more
static void calm_follower(srv_leader* l) {
  if (!atomic_load(&l->hears)) return;
  pthread_mutex_lock(&l->lock);
  if (atomic_load(&l->hears)) hear_loop(l, false);
  pthread_mutex_unlock(&l->lock);
}

// what the leader does outside of the loop; returns whether it still leads
static bool go_away(srv_leader* l) {
  if (l->looks_around) uv_run(l->loop, UV_RUN_NOWAIT);
  void* to_do = l->begin(l->user);
  uint64_t since = uv_hrtime();
  atomic_store(&l->due, next_timer(l, since));
  atomic_store(&l->away, since);
  ring_at(l, 0, SRV_AWAY_NS);
  l->work(l->user, to_do);
  if (atomic_compare_exchange_strong(&l->away, &since, 0)) {
    l->back(l->user);
    calm_follower(l);
    return true;
  }
  pthread_mutex_lock(&l->lock);
  l->late = false;
  pthread_mutex_unlock(&l->lock);
  pthread_cond_broadcast(&l->on_time);
  return false;
}

// run the loop until it is over, which this returns, or another thread leads
static bool lead(srv_leader* l) {
  // the loop is stopped by srv_leader_leave only
  while (uv_run(l->loop, UV_RUN_DEFAULT)) {
    if (!go_away(l)) return false;
  }
  return true;
}

// ---- the follower

// The leader has been away for as long as work may take: from now on hear the loop. Returns whether that is possible.
static bool hear_until(srv_leader* l, uint64_t since, uint64_t due) {
  if (!atomic_load(&l->hears) && !hear_loop(l, true)) return false;
  if (due < UINT64_MAX) ring_at(l, TFD_TIMER_ABSTIME, due);
  if (atomic_load(&l->away) == since) return true;

  // it was back in between, and may have left again: then its ring is lost
  hear_loop(l, false);
  ring_at(l, 0, SRV_AWAY_NS);
  return true;
}

// Something has woken the follower up: the timer, or else the loop, if it hears it. Returns whether this thread leads
// now.
static bool look(srv_leader* l, bool rung) {
  uint64_t now = uv_hrtime(), since = atomic_load(&l->away), due = atomic_load(&l->due);
  bool hears = atomic_load(&l->hears), leads = false;
  if (since && now < since + SRV_AWAY_NS) {
    ring_at(l, TFD_TIMER_ABSTIME, since + SRV_AWAY_NS);  // it rang for work before
  } else if (since && !(hears && !rung) && now < due && hear_until(l, since, due)) {
    return false;
  } else if (since) {
    leads = atomic_compare_exchange_strong(&l->away, &since, 0);
    l->late |= leads;
  }
  if (hears) hear_loop(l, false);
  return leads;
}

// sleep until something wakes the follower up; returns whether it was the timer
static bool wait_for_ring(srv_leader* l) {
  struct epoll_event event;
  uint64_t times;
  pthread_mutex_unlock(&l->lock);
  epoll_wait(l->ears, &event, 1, -1);
  pthread_mutex_lock(&l->lock);
  return read(l->timer, &times, sizeof times) > 0;
}

// wait until this thread leads; false: the loop is over
static bool follow(srv_leader* l) {
  bool leads = false;
  pthread_mutex_lock(&l->lock);
  while (!l->over && !leads) leads = look(l, wait_for_ring(l));
  pthread_mutex_unlock(&l->lock);
  if (leads) l->taken(l->user);
  return leads;
}

// lead and follow in turns until the loop is over
static void run(srv_leader* l, bool leads) {
  bool over = false;
  while (!over) {
    over = leads ? lead(l) : !follow(l);
    leads = !leads;
  }
  pthread_mutex_lock(&l->lock);
  l->over = true;
  pthread_mutex_unlock(&l->lock);
  ring_at(l, 0, 1);
}

static void* run_second(void* leader) {
  run(leader, false);
  return NULL;
}

// ---- life

// the timer and the loop, as far as it is heard, wake the follower up; returns whether that is so
static bool open_ears(srv_leader* l) {
  struct epoll_event event = {.events = EPOLLIN};
  l->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  l->ears = epoll_create1(EPOLL_CLOEXEC);
  return l->timer >= 0 && l->ears >= 0 && !epoll_ctl(l->ears, EPOLL_CTL_ADD, l->timer, &event);
}

void srv_leader_init(srv_leader* l) {
  pthread_mutex_init(&l->lock, NULL);
  pthread_cond_init(&l->on_time, NULL);
  l->timer = l->ears = -1;
}

void srv_leader_close(srv_leader* l) {
  if (l->timer >= 0) close(l->timer);
  if (l->ears >= 0) close(l->ears);
  pthread_cond_destroy(&l->on_time);
  pthread_mutex_destroy(&l->lock);
}

// the first thread hears signals, whoever leads: libuv tells the loop
static void start_second(srv_leader* l) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  l->open = open_ears(l) && !pthread_create(&l->second, NULL, run_second, l);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (l->open) pthread_setname_np(l->second, "loop");
}

void srv_leader_run(srv_leader* l) {
  start_second(l);
  run(l, true);
  if (l->open) pthread_join(l->second, NULL);
  l->open = false;
}

void srv_leader_leave(srv_leader* l, bool is_long) {
  l->looks_around = is_long;
  uv_stop(l->loop);
}

void srv_leader_settle(srv_leader* l) {
  pthread_mutex_lock(&l->lock);
  while (l->late) pthread_cond_wait(&l->on_time, &l->lock);
  pthread_mutex_unlock(&l->lock);
}
