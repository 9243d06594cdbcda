// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// When a blocking call is repeated, and when it gives up.
#include "retry.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static const double default_patience = 60, default_first = 0.05, default_most = 2;
static const int default_losses = 10;

sheafc_retry sheafc_default_retry(void) { return (sheafc_retry){.size = sizeof(sheafc_retry)}; }

int sheafc_read_retry(sheafc_retry* to, const sheafc_retry* from, sheafc_status* st) {
  const size_t first = offsetof(sheafc_retry, losses) + sizeof to->losses;
  *to = sheafc_default_retry();
  if (from && sheafc_copy_version(to, sizeof *to, first, from, st)) return st->code;
  if (!(to->patience > 0)) to->patience = default_patience;
  if (!(to->first > 0)) to->first = default_first;
  if (!(to->most > 0)) to->most = default_most;
  if (to->losses <= 0) to->losses = default_losses;
  return 0;
}

int64_t sheafc_now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void sheafc_begin_attempts(attempts* a, sheafc* c, double timeout, int answer_ms) {
  memset(a, 0, sizeof *a);
  a->policy = &c->retry;
  a->timeout = timeout;
  a->began = sheafc_now_ms();
  c->end = timeout > 0 && timeout < 1e9 ? a->began + (int64_t)(1000 * timeout) + 1 + answer_ms : 0;
  c->answer_ms = answer_ms;
  a->end = c->end;
}

// a number in [0.5, 1); the system's generator, because programs that seed their own alike would all wait equally long
static double draw(void) {
  uint32_t bits = 0;
  if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) != sizeof bits) bits = (uint32_t)sheafc_now_ms() * 2654435761u;
  return 0.5 + 0.5 * bits / 4294967296.0;
}

// milliseconds before the next attempt
static int64_t next_delay(attempts* a, const sheafc_status* st) {
  double step = a->policy->first * (1 << (a->round < 20 ? a->round : 20));
  double hint = 1e-6 * (double)st->retry_after_us;
  if (step > a->policy->most) step = a->policy->most;
  a->round++;
  step *= draw();
  hint *= 0.75 + 0.5 * draw();
  return 1 + (int64_t)(1000 * (step > hint ? step : hint));
}

static void sleep_ms(int64_t ms) {
  struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
  while (nanosleep(&left, &left) && errno == EINTR) continue;
}

// more about a failure, as far as there is room
static void add_text(sheafc_status* st, const char* format, ...) __attribute__((format(printf, 2, 3)));

static void add_text(sheafc_status* st, const char* format, ...) {
  size_t n = strlen(st->message);
  va_list args;
  va_start(args, format);
  vsnprintf(st->message + n, sizeof st->message - n, format, args);
  va_end(args);
}

int sheafc_over(const attempts* a, sheafc_status* st) {
  if (st->code != SHEAFC_DEADLINE_EXCEEDED) {
    sheafc_fail(st, SHEAFC_DEADLINE_EXCEEDED, "no answer within %g s", a->timeout);
  }
  if (a->count) add_text(st, " (%d failed attempts, the last: %s)", a->count, a->last);
  return st->code;
}

int sheafc_failed(attempts* a, bool repeat, bool taken, sheafc_status* st) {
  int64_t now = sheafc_now_ms();
  snprintf(a->last, sizeof a->last, "%.*s", (int)sizeof a->last - 1, st->message);
  a->count++;
  if (taken) {
    a->losses++;
    a->failing = 0;
    a->round = 0;
  }
  if (!a->failing) a->failing = now;
  int64_t delay = next_delay(a, st);
  bool patient = now + delay <= a->failing + (int64_t)(1000 * a->policy->patience);
  if (!repeat || a->policy->off || a->losses >= a->policy->losses || !patient) {
    double took = 1e-3 * (double)(now - a->began);
    if (a->count > 1) add_text(st, " (gave up after %d attempts in %.1f s)", a->count, took);
    return st->code;
  }
  if (a->end && now + delay >= a->end) return sheafc_over(a, st);
  sleep_ms(delay);
  return 0;
}
