// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// sheaf bench: asks for rollouts in a closed loop, with a fixed number of them in flight.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "commands.h"
#include "control.h"

enum { MAX_SAMPLES = 1 << 20 };

typedef struct {
  sheafc_call* call;
  double begin;
  double* state;
} slot;

typedef struct {
  const cli_options* o;
  sheafc* c;
  sheafc_model* m;
  sheafc_rollout_args args;
  slot* slots;
  double* latency;  // seconds from request to answer, one for each finished call
  int nlatency;
  double queue, compute;  // sums of the times that the server reports
  sheafc_status st;
} bench;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool begin_call(bench* b, slot* s) {
  b->args.state = s->state;
  s->begin = now();
  s->call = sheafc_rollout_begin(b->c, b->m, &b->args, &b->st);
  return s->call;
}

// the call is answered: note how long it took
static bool end_call(bench* b, slot* s) {
  double queue, compute;
  if (b->st.code) return false;
  sheafc_call_times(s->call, &queue, &compute, NULL);
  b->queue += queue;
  b->compute += compute;
  if (b->nlatency < MAX_SAMPLES) b->latency[b->nlatency++] = now() - s->begin;
  sheafc_free_call(s->call);
  s->call = NULL;
  return true;
}

// end every open call that was answered; returns how many, or -1 after a failure
static int end_answered(bench* b) {
  int n = 0;
  for (int i = 0; i < b->o->concurrency; i++) {
    slot* s = &b->slots[i];
    if (!s->call || sheafc_wait(s->call, 0, &b->st) == SHEAFC_PENDING) continue;
    if (!end_call(b, s)) return -1;
    n++;
  }
  return n;
}

// run until the time is over; returns false after a failure
static bool run(bench* b, double until) {
  int open = 0;
  while (open || now() < until) {
    for (int i = 0; i < b->o->concurrency && now() < until; i++) {
      if (b->slots[i].call) continue;
      if (!begin_call(b, &b->slots[i])) return false;
      open++;
    }
    int ended = end_answered(b);
    if (ended < 0) return false;
    open -= ended;
    if (!ended && open && sheafc_pump(b->c, -1, &b->st)) return false;
  }
  return true;
}

static int by_value(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void report(bench* b, double seconds) {
  const cli_options* o = b->o;
  int n = b->nlatency;
  qsort(b->latency, (size_t)n, sizeof(double), by_value);
  double steps = (double)n * o->nbatch * b->args.nstep;
  double p50 = b->latency[n / 2], p90 = b->latency[n * 9 / 10], p99 = b->latency[n * 99 / 100];
  const char* format =
      o->json ? "{\"command\": \"bench\", \"model\": \"%s\", \"nbatch\": %d, \"nstep\": %d, \"concurrency\": %d, "
                "\"requests\": %d, \"seconds\": %.6f, \"steps_per_second\": %.1f, \"latency_p50\": %.9f, "
                "\"latency_p90\": %.9f, \"latency_p99\": %.9f, \"server_queue\": %.9f, \"server_compute\": %.9f}\n"
              : "bench %s: nbatch %d, nstep %d, %d in flight: %d requests in %.2f s\n"
                "  physics steps per second  %.4g\n"
                "  latency (s)               p50 %.6f  p90 %.6f  p99 %.6f\n"
                "  on the server (s)         queue %.6f  compute %.6f\n";
  printf(format, o->model, o->nbatch, b->args.nstep, o->concurrency, n, seconds, steps / seconds, p50, p90, p99,
         b->queue / n, b->compute / n);
}

static void free_bench(bench* b) {
  for (int i = 0; b->slots && i < b->o->concurrency; i++) {
    sheafc_free_call(b->slots[i].call);
    free(b->slots[i].state);
  }
  free(b->slots);
  free(b->latency);
}

// outputs for each slot
static bool make_slots(bench* b) {
  const sheafc_model_info* info = sheafc_get_model_info(b->m);
  size_t size = (size_t)b->o->nbatch * (size_t)b->args.nstep * (size_t)info->nstate;
  b->slots = calloc((size_t)b->o->concurrency, sizeof *b->slots);
  b->latency = malloc(MAX_SAMPLES * sizeof *b->latency);
  bool ok = b->slots && b->latency;
  for (int i = 0; ok && i < b->o->concurrency; i++) {
    b->slots[i].state = malloc(sizeof(double) * size);
    ok = b->slots[i].state;
  }
  return ok;
}

int cli_bench(int argc, char** argv) {
  cli_options o = cli_read_options(argc, argv, "Measure a server by rollouts, with a fixed number of them in flight.",
                                   CLI_BENCH, sheafc_request_info(SHEAF_ROLLOUT));
  bench b = {.o = &o};
  b.m = cli_load(&o, &b.c);
  if (!b.m) return 1;
  b.args = sheafc_rollout_default();
  if (!o.nbatch) o.nbatch = 1;
  b.args.nbatch = o.nbatch;
  b.args.nstep = (int)cli_option(&o, "nstep");
  b.args.hold = (int)cli_option(&o, "hold");
  b.args.state0 = cli_start_state(&o, b.m);
  b.args.nstate0 = 1;
  b.args.how.timeout = o.timeout;
  int hold = b.args.hold ? b.args.hold : 1;
  double* control = cli_make_controls(&o, b.m, o.nbatch, (b.args.nstep + hold - 1) / hold, &b.args);
  bool ok = b.args.state0 && make_slots(&b);
  double begin = now();
  if (ok && run(&b, begin + o.seconds)) {
    report(&b, now() - begin);
  } else {
    if (b.st.code) cli_fail(&b.st);
    ok = false;
  }
  free_bench(&b);
  free(control);
  sheafc_free_model(b.m);
  sheafc_close(b.c);
  return ok ? 0 : 1;
}
