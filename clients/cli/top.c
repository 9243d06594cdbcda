// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// sheaf top: prints state and rates of a server, again and again. On a terminal each report replaces the one before;
// elsewhere each is one line, or one JSON object.
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "options.h"

// Increase per second of the counters between two reports.
typedef struct {
  double requests, errors, rows, steps, in, out;
} rates;

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal) {
  (void)signal;
  interrupted = 1;
}

// The increase of a counter; a server that was restarted counts from zero.
static double rate(uint64_t now, uint64_t before, double seconds) {
  uint64_t n = now >= before ? now - before : now;
  return seconds > 0 ? (double)n / seconds : 0;
}

static rates rates_between(const sheafc_server_info* before, const sheafc_server_info* now) {
  double s = now->uptime > before->uptime ? now->uptime - before->uptime : now->uptime;
  return (rates){rate(now->requests, before->requests, s), rate(now->errors, before->errors, s),
                 rate(now->rows, before->rows, s),         rate(now->steps, before->steps, s),
                 rate(now->bytes_in, before->bytes_in, s), rate(now->bytes_out, before->bytes_out, s)};
}

static double mib(double bytes) { return bytes / (1 << 20); }

static void print_screen(const cli_options* o, const sheafc_server_info* i, const rates* r) {
  printf("\033[H\033[J%s  %s  %s  up %.0f s  %d threads\n\n", o->address, i->server, i->state, i->uptime, i->threads);
  printf("  now          connections %d   jobs %d (waiting %d)   held %.1f MiB\n", i->connections, i->inflight,
         i->waiting, mib((double)i->queued_bytes));
  printf("  models       %d, %.1f MiB   compiled now %d (waiting %d)\n", i->models, mib((double)i->model_bytes),
         i->compiling, i->compile_waiting);
  printf("  sandbox      %s; missing: %s\n", i->sandbox[0] ? i->sandbox : "not known yet",
         i->sandbox_missing[0] ? i->sandbox_missing : "none");
  printf("  per second   requests %.0f   errors %.0f   rows %.0f   steps %.3g\n", r->requests, r->errors, r->rows,
         r->steps);
  printf("  MiB/s        in %.1f   out %.1f\n", mib(r->in), mib(r->out));
  printf("  since start  requests %" PRIu64 "   errors %" PRIu64 "   rows %" PRIu64 "   steps %" PRIu64 "\n",
         i->requests, i->errors, i->rows, i->steps);
}

static void print_line(const sheafc_server_info* i, const rates* r) {
  printf(
      "state=%s connections=%d jobs=%d waiting=%d held_mib=%.1f models=%d compiling=%d compile_waiting=%d "
      "sandbox_missing=%s requests/s=%.0f errors/s=%.0f rows/s=%.0f "
      "steps/s=%.0f in_mib/s=%.1f out_mib/s=%.1f\n",
      i->state, i->connections, i->inflight, i->waiting, mib((double)i->queued_bytes), i->models, i->compiling,
      i->compile_waiting, i->sandbox_missing[0] ? i->sandbox_missing : "none", r->requests, r->errors, r->rows,
      r->steps, mib(r->in), mib(r->out));
}

static void print_json(const sheafc_server_info* i, const rates* r) {
  printf("{\"state\": \"%s\", \"connections\": %d, \"inflight\": %d, \"waiting\": %d, \"queued_bytes\": %" PRIu64
         ", \"models\": %d, \"compiling\": %d, \"compile_waiting\": %d, \"sandbox_missing\": \"%s\", "
         "\"requests_per_second\": %.17g, \"errors_per_second\": %.17g, \"rows_per_second\": %.17g, "
         "\"steps_per_second\": %.17g, \"bytes_in_per_second\": %.17g, \"bytes_out_per_second\": %.17g}\n",
         i->state, i->connections, i->inflight, i->waiting, i->queued_bytes, i->models, i->compiling,
         i->compile_waiting, i->sandbox_missing, r->requests, r->errors, r->rows, r->steps, r->in, r->out);
}

static void print(const cli_options* o, const sheafc_server_info* info, const rates* r) {
  if (o->json) {
    print_json(info, r);
  } else if (isatty(STDOUT_FILENO)) {
    print_screen(o, info, r);
  } else {
    print_line(info, r);
  }
  fflush(stdout);
}

static void wait_for(double seconds) {
  struct timespec t = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&t, NULL);
}

int cli_top(int argc, char** argv) {
  cli_options o = cli_read_options(argc, argv, "Print state and rates of a server until Ctrl-C.", CLI_TOP, NULL);
  sheafc_server_info info = sheafc_server_info_default(), before = info;
  sheafc_status st;
  int err = 0;
  struct sigaction action = {.sa_handler = on_interrupt};
  sigaction(SIGINT, &action, NULL);
  sheafc* c = cli_connect(&o);
  if (!c) return 1;
  for (int i = 0; !err && !interrupted; i++) {
    err = sheafc_info(c, &info, &st);
    if (err) break;
    rates r = rates_between(i ? &before : &info, &info);
    print(&o, &info, &r);
    before = info;
    if (o.count && i + 1 == o.count) break;
    wait_for(o.interval);
  }
  if (err) cli_fail(&st);
  sheafc_close(c);
  return err != 0;
}
