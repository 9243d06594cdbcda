// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/failure.h"
#include "base/log_ring.h"

enum { EVENTS = 64, BURST_S = 5, PATIENCE_MS = 300 };

static const char* const names[] = {"error", "warn", "info", "debug"};
static atomic_int highest = SRV_LOG_INFO;
static atomic_int style = SRV_LOG_LOGFMT;
static atomic_uint most_per_second;
static atomic_bool started;
static atomic_ullong lost;  // since the start

// how often each event came; the lock is held for a few instructions
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t dropped;  // lines dropped that the log has not reported yet
static struct {
  const char* name;
  double room;    // lines that it may have now
  double when;    // when it had this room, in seconds
  uint64_t held;  // lines held back that the log has not reported yet
} events[EVENTS];

void srv_log_set_level(srv_log_level level) { atomic_store(&highest, (int)level); }

void srv_log_set_style(srv_log_format format, uint32_t rate) {
  atomic_store(&style, (int)format);
  atomic_store(&most_per_second, rate);
}

uint64_t srv_log_lost(void) { return atomic_load(&lost); }

// ---- lines

// one call writes all of it, so that lines of several processes do not mix
static bool emit(const char* line) {
  char out[2 * SRV_LOG_LINE];
  size_t n;
  if (atomic_load(&style) == SRV_LOG_JSON) {
    n = srv_log_line_json(out, sizeof out - 1, line);
  } else {
    n = (size_t)snprintf(out, sizeof out - 1, "%s", line);
  }
  out[n++] = '\n';
  if (atomic_load(&started)) return srv_log_ring_add(out, n);
  srv_log_ring_write(out, n);
  return true;
}

static bool emit_format(srv_log_level level, const char* event, const char* format, va_list args) {
  struct timespec now;
  struct tm utc;
  char stamp[32], line[SRV_LOG_LINE];
  clock_gettime(CLOCK_REALTIME, &now);
  gmtime_r(&now.tv_sec, &utc);
  strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S", &utc);
  int n =
      snprintf(line, sizeof line, "ts=%s.%03ldZ level=%s event=%s ", stamp, now.tv_nsec / 1000000, names[level], event);
  vsnprintf(line + n, sizeof line - (size_t)n, format, args);

  // Callers quote their texts, so this is a second defense: a line feed in a text would forge a line.
  srv_error_clean(line);
  for (char* s = line; (s = strchr(s, '\n'));) *s = '?';
  return emit(line);
}

static bool emit_values(srv_log_level level, const char* event, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
static bool emit_values(srv_log_level level, const char* event, const char* format, ...) {
  va_list args;
  va_start(args, format);
  bool ok = emit_format(level, event, format, args);
  va_end(args);
  return ok;
}

// ---- what is lost

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// room of an event after the time that has passed
static void refill(int i, double now) {
  double rate = atomic_load(&most_per_second);
  events[i].room += rate * (now - events[i].when);
  if (events[i].room > rate * BURST_S) events[i].room = rate * BURST_S;
  events[i].when = now;
}

// With the lock: may the event have a line? *untold is how many of its lines were held back before. There is a limited
// number of rows; an event that finds none is not held back.
static bool admit(const char* event, uint64_t* untold) {
  double rate = atomic_load(&most_per_second);
  int i = 0;
  while (i < EVENTS && events[i].name && strcmp(events[i].name, event)) i++;
  if (rate == 0 || i == EVENTS) return true;
  double now = seconds();
  if (!events[i].name) {
    events[i].name = event;
    events[i].room = rate * BURST_S;
    events[i].when = now;
  }
  refill(i, now);
  if (events[i].room < 1) {
    events[i].held++;
    atomic_fetch_add(&lost, 1);
    return false;
  }
  events[i].room -= 1;
  *untold = events[i].held;
  events[i].held = 0;
  return true;
}

// report what was dropped, if there is room for that now
static void tell_dropped(void) {
  pthread_mutex_lock(&lock);
  uint64_t n = dropped;
  dropped = 0;
  pthread_mutex_unlock(&lock);
  if (!n || emit_values(SRV_LOG_WARN, "log_dropped", "count=%llu", (unsigned long long)n)) return;
  pthread_mutex_lock(&lock);
  dropped += n;
  pthread_mutex_unlock(&lock);
}

static void tell_held(const char* event, uint64_t n) {
  emit_values(SRV_LOG_WARN, "log_held_back", "of=%s count=%llu", event, (unsigned long long)n);
}

// report events that were held back and have not come again
static void tell_all_held(bool at_end) {
  for (int i = 0; i < EVENTS; i++) {
    pthread_mutex_lock(&lock);
    const char* name = events[i].name;
    if (name) refill(i, seconds());
    uint64_t n = name && (at_end || events[i].room >= 1) ? events[i].held : 0;
    events[i].held -= n;
    pthread_mutex_unlock(&lock);
    if (n) tell_held(name, n);
  }
}

static void on_pause(void) {
  tell_dropped();
  tell_all_held(false);
}

static void on_loss(uint64_t lines) { atomic_fetch_add(&lost, lines); }

// ---- interface

void srv_log_start(void) {
  static const srv_log_hooks hooks = {on_pause, on_loss};
  if (!atomic_load(&started) && srv_log_ring_start(&hooks)) atomic_store(&started, true);
}

void srv_log_stop(void) {
  if (!atomic_load(&started)) return;
  tell_dropped();
  tell_all_held(true);

  // if the reader does not read, later lines still go into the ring, so that no thread waits for the reader
  if (srv_log_ring_stop(PATIENCE_MS)) atomic_store(&started, false);
}

void srv_log(srv_log_level level, const char* event, const char* format, ...) {
  if ((int)level > atomic_load(&highest)) return;
  uint64_t untold = 0;
  pthread_mutex_lock(&lock);
  bool admitted = admit(event, &untold);
  bool late = dropped > 0;
  pthread_mutex_unlock(&lock);
  if (!admitted) return;
  if (late) tell_dropped();
  if (untold) tell_held(event, untold);
  va_list args;
  va_start(args, format);
  bool ok = emit_format(level, event, format, args);
  va_end(args);
  if (ok) return;
  atomic_fetch_add(&lost, 1);
  pthread_mutex_lock(&lock);
  dropped++;
  pthread_mutex_unlock(&lock);
}
