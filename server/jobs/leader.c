// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/leader.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

// The follower looks this long after the leader's last absence before it sleeps until it is called: to call it costs
// the leader a moment, and to look 200 times a second costs the machine next to nothing. It looks at work that lasts
// only once, and listens then, because mostly it wakes up on the processor that computes, which takes 40 us.
static const uint64_t watch_ns = 100000000;

// ---- the leader

static void call_follower(srv_leader* l) {
  if (!atomic_load(&l->sleeps)) return;
  pthread_mutex_lock(&l->lock);
  atomic_store(&l->sleeps, false);
  pthread_mutex_unlock(&l->lock);
  pthread_cond_broadcast(&l->news);
}

static uint64_t next_timer(const srv_leader* l, uint64_t now) {
  int ms = uv_backend_timeout(l->loop);
  return ms < 0 ? UINT64_MAX : now + 1000000 * (uint64_t)ms;
}

// what the leader does outside of the loop; returns whether it still leads
static bool go_away(srv_leader* l) {
  if (l->looks_around) uv_run(l->loop, UV_RUN_NOWAIT);
  void* to_do = l->begin(l->user);
  uint64_t since = uv_hrtime();
  atomic_store(&l->due, next_timer(l, since));
  atomic_store(&l->left, since);
  atomic_store(&l->away, since);
  call_follower(l);
  l->work(l->user, to_do);
  if (atomic_compare_exchange_strong(&l->away, &since, 0)) {
    l->back(l->user);
    if (atomic_load(&l->listens)) eventfd_write(l->bell, 1);
    return true;
  }
  pthread_mutex_lock(&l->lock);
  l->late = false;
  pthread_mutex_unlock(&l->lock);
  pthread_cond_broadcast(&l->news);
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

static void sleep_until(srv_leader* l, uint64_t ns) {
  struct timespec until = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
  pthread_cond_timedwait(&l->news, &l->lock, &until);
}

// Sleep until the leader leaves the loop. One that leaves it now sees `sleeps`, or is seen here.
static void sleep_long(srv_leader* l) {
  atomic_store(&l->sleeps, true);
  while (!l->over && atomic_load(&l->sleeps) && !atomic_load(&l->away)) pthread_cond_wait(&l->news, &l->lock);
  atomic_store(&l->sleeps, false);
}

// does the loop have something to do?
static bool is_wanted(const srv_leader* l, uint64_t now) {
  struct pollfd events = {.fd = uv_backend_fd(l->loop), .events = POLLIN};
  return now >= atomic_load(&l->due) || poll(&events, 1, 0) > 0;
}

// The leader's work is long: wait until the loop has something to do, or the leader is back. One that comes back now
// sees `listens`, or is seen here.
static void listen_long(srv_leader* l, uint64_t since, uint64_t now) {
  struct pollfd events[] = {{.fd = uv_backend_fd(l->loop), .events = POLLIN}, {.fd = l->bell, .events = POLLIN}};
  uint64_t due = atomic_load(&l->due), left = due - now;
  struct timespec until = {(time_t)(left / 1000000000), (long)(left % 1000000000)};
  eventfd_t rung;
  atomic_store(&l->listens, true);
  if (atomic_load(&l->away) == since) {
    pthread_mutex_unlock(&l->lock);
    ppoll(events, 2, due == UINT64_MAX ? NULL : &until, NULL);
    pthread_mutex_lock(&l->lock);
  }
  atomic_store(&l->listens, false);
  eventfd_read(l->bell, &rung);
}

// look at the leader; returns whether this thread leads now
static bool look(srv_leader* l) {
  uint64_t now = uv_hrtime(), since = atomic_load(&l->away);
  bool is_long = since && now >= since + SRV_AWAY_NS;
  if (is_long && is_wanted(l, now)) {
    bool leads = atomic_compare_exchange_strong(&l->away, &since, 0);
    l->late |= leads;
    return leads;
  }
  if (is_long) {
    listen_long(l, since, now);
  } else if (!since && now >= atomic_load(&l->left) + watch_ns) {
    sleep_long(l);
  } else {
    sleep_until(l, (since ? since : now) + SRV_AWAY_NS);
  }
  return false;
}

// wait until this thread leads; false: the loop is over
static bool follow(srv_leader* l) {
  bool leads = false;
  pthread_mutex_lock(&l->lock);
  while (!l->over && !leads) leads = look(l);
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
  pthread_cond_broadcast(&l->news);
}

static void* run_second(void* leader) {
  run(leader, false);
  return NULL;
}

// ---- life

void srv_leader_init(srv_leader* l) {
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_mutex_init(&l->lock, NULL);
  pthread_cond_init(&l->news, &clock);
  pthread_condattr_destroy(&clock);
  l->bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

void srv_leader_close(srv_leader* l) {
  if (l->bell >= 0) close(l->bell);
  pthread_cond_destroy(&l->news);
  pthread_mutex_destroy(&l->lock);
}

// the first thread hears signals, whoever leads: libuv tells the loop
static void start_second(srv_leader* l) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  l->open = l->bell >= 0 && !pthread_create(&l->second, NULL, run_second, l);
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
  while (l->late) pthread_cond_wait(&l->news, &l->lock);
  pthread_mutex_unlock(&l->lock);
}
