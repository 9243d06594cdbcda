// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/log_ring.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RING = 256 * 1024, CHUNK = 16 * 1024, PAUSE_MS = 1000, AGAIN_MS = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;  // lines came, bytes were written, or the end
static char ring[RING];
static size_t first, count;  // bytes that wait
static uint64_t written;     // bytes that standard error took
static bool ending, idle;    // idle: the thread holds nothing that is not written
static pthread_t thread;
static srv_log_hooks hooks;

// Wait after a write that failed; false if there is nothing to wait for. A full disk is like a reader that stalls:
// lines that do not fit into the ring meanwhile are counted, the others are written once there is room again.
static bool try_again(bool patient) {
  struct pollfd p = {STDERR_FILENO, POLLOUT, 0};
  switch (errno) {
    case EINTR: return true;
    case EAGAIN: poll(&p, 1, -1); return true;
    case ENOSPC:
    case EDQUOT: poll(NULL, 0, patient ? AGAIN_MS : 0); return patient;
    default: return false;
  }
}

// Write to standard error, however long that takes; the number of bytes that it took.
static size_t write_out(const char* bytes, size_t n, bool patient) {
  size_t done = 0;
  while (done < n) {
    ssize_t took = write(STDERR_FILENO, bytes + done, n - done);
    if (took > 0) {
      done += (size_t)took;
    } else if (took == 0 || !try_again(patient)) {
      return done;
    }
  }
  return done;
}

void srv_log_ring_write(const char* line, size_t n) { write_out(line, n, false); }

static void write_chunk(const char* bytes, size_t n) {
  uint64_t lost = 0;
  for (size_t i = write_out(bytes, n, true); i < n; i++) lost += bytes[i] == '\n';
  if (lost) hooks.on_loss(lost);
}

static struct timespec after(int ms) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  t.tv_sec += ms / 1000;
  t.tv_nsec += ms % 1000 * 1000000L;
  if (t.tv_nsec >= 1000000000L) {
    t.tv_sec++;
    t.tv_nsec -= 1000000000L;
  }
  return t;
}

// with the lock: wait for bytes and take them out of the ring; returns 0 at the end
static size_t take_chunk(char out[CHUNK]) {
  while (!count && !ending) {
    struct timespec until = after(PAUSE_MS);
    idle = true;
    pthread_cond_broadcast(&changed);
    if (pthread_cond_timedwait(&changed, &lock, &until) != ETIMEDOUT || count) continue;
    pthread_mutex_unlock(&lock);
    hooks.on_pause();
    pthread_mutex_lock(&lock);
  }
  idle = false;
  size_t n = count < CHUNK ? count : CHUNK;
  for (size_t i = 0; i < n; i++) out[i] = ring[(first + i) % RING];
  first = (first + n) % RING;
  count -= n;
  return n;
}

static void* write_lines(void* unused) {
  static char chunk[CHUNK];
  (void)unused;
  pthread_mutex_lock(&lock);
  for (size_t n; (n = take_chunk(chunk)) > 0;) {
    pthread_mutex_unlock(&lock);
    write_chunk(chunk, n);
    pthread_mutex_lock(&lock);
    written += n;
    pthread_cond_broadcast(&changed);
  }
  idle = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

// the time of day may be set back, and nothing must wait for it to come again
static void set_clock(void) {
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&changed, &clock);
  pthread_condattr_destroy(&clock);
}

bool srv_log_ring_start(const srv_log_hooks* with) {
  // signals are for the loop's thread
  sigset_t all, before;
  set_clock();
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  hooks = *with;
  ending = false;
  bool ok = !pthread_create(&thread, NULL, write_lines, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return ok;
}

bool srv_log_ring_add(const char* line, size_t n) {
  pthread_mutex_lock(&lock);
  bool room = n <= RING - count;
  for (size_t i = 0; room && i < n; i++) ring[(first + count + i) % RING] = line[i];
  if (room) count += n;
  bool wake = room && idle;
  pthread_mutex_unlock(&lock);
  if (wake) pthread_cond_broadcast(&changed);
  return room;
}

bool srv_log_ring_stop(int patience_ms) {
  pthread_mutex_lock(&lock);
  ending = true;
  pthread_cond_broadcast(&changed);
  uint64_t seen = written;
  struct timespec until = after(patience_ms);
  while (count || !idle) {
    if (pthread_cond_timedwait(&changed, &lock, &until) != ETIMEDOUT && written == seen) continue;
    if (written == seen) break;
    seen = written;
    until = after(patience_ms);
  }
  bool over = !count && idle;
  pthread_mutex_unlock(&lock);
  if (over) {
    pthread_join(thread, NULL);
  } else {
    pthread_detach(thread);
  }
  return over;
}
