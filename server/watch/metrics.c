// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "watch/metrics.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <protobuf-c/protobuf-c.h>

#include "base/log.h"
#include "request/dispatch.h"
#include "sheaf.pb-c.h"

enum { SHOWN_HASH_BYTES = 8, MOST_IDENTITIES = 200, MOST_MODELS = 200 };

static void one(srv_exposition* e, const char* name, const char* type, const char* help, double value) {
  srv_family(e, name, type, help);
  srv_sample(e, name, NULL, NULL, value);
}

// ---- the process, by the names that Prometheus' own clients use

static double cpu_seconds(void) {
  struct timespec t;
  return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) ? 0 : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double resident_bytes(void) {
  unsigned long pages = 0;
  FILE* file = fopen("/proc/self/statm", "re");
  if (file && fscanf(file, "%*u %lu", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static double open_files(void) {
  DIR* folder = opendir("/proc/self/fd");
  int n = -3;  // ".", ".." and the folder's own
  while (folder && readdir(folder)) n++;
  if (folder) closedir(folder);
  return n;
}

static void add_process(srv_exposition* e) {
  one(e, "process_cpu_seconds_total", "counter", "Processor time of all threads.", cpu_seconds());
  one(e, "process_resident_memory_bytes", "gauge", "Resident memory.", resident_bytes());
  one(e, "process_open_fds", "gauge", "Open file descriptors.", open_files());
}

// ---- the server

static void add_server(srv_exposition* e, const srv_service* s) {
  const srv_stats* stats = s->stats;
  one(e, "sheaf_uptime_seconds", "gauge", "Time since the start.", (double)(uv_hrtime() - s->started) * 1e-9);
  one(e, "sheaf_draining", "gauge", "1 after SIGTERM.", s->leaving);
  one(e, "sheaf_threads", "gauge", "Worker threads.", s->sched->threads);
  one(e, "sheaf_connections", "gauge", "Connections.", s->net->nconn);
  one(e, "sheaf_jobs", "gauge", "Compute requests that are not answered.", s->sched->njob);
  one(e, "sheaf_jobs_waiting", "gauge", "Of these, not started.", s->sched->nwaiting);
  one(e, "sheaf_compilations", "gauge", "Models that are being compiled.", s->registry->compiling);
  one(e, "sheaf_compilations_waiting", "gauge", "Models that wait for a compiler.", s->registry->queue.nwaiting);
  one(e, "sheaf_models", "gauge", "Models kept.", s->registry->count);
  one(e, "sheaf_model_bytes", "gauge", "Memory of models.", (double)s->registry->bytes);
  one(e, "sheaf_held_bytes", "gauge", "Request and result bytes held.", (double)srv_ledger_held(s->ledger));
  one(e, "sheaf_held_bytes_limit", "gauge", "How many may be held.", (double)s->ledger->limit);
  one(e, "sheaf_unsent_bytes", "gauge", "Reply bytes that clients have not read.", (double)s->net->unsent);
  one(e, "sheaf_rows_total", "counter", "Rows of batches computed.", (double)stats->rows);
  one(e, "sheaf_steps_total", "counter", "Units of work computed: steps of rollouts, states.", (double)stats->steps);
  one(e, "sheaf_cancelled_total", "counter", "Compute requests that were cancelled.", (double)stats->cancelled);
  one(e, "sheaf_received_bytes_total", "counter", "Bytes from clients.", (double)stats->bytes_in);
  one(e, "sheaf_sent_bytes_total", "counter", "Bytes to clients.", (double)stats->bytes_out);
  one(e, "sheaf_log_lines_lost_total", "counter", "Log lines dropped or held back.", (double)srv_log_lost());
}

// 0 for all until the spawner has told
static void add_sandbox(srv_exposition* e, const srv_registry* r) {
  srv_family(e, "sheaf_sandbox_layer", "gauge", "1 for each layer around the model compiler that holds.");
  for (int layer = 1; layer & SRV_SANDBOX_ALL; layer <<= 1) {
    char name[64];
    srv_sample(e, "sheaf_sandbox_layer", "layer", srv_sandbox_text(name, sizeof name, layer),
               (r->compiler.layers & layer) != 0);
  }
}

static void add_requests(srv_exposition* e, const srv_service* s) {
  srv_family(e, "sheaf_request_seconds", "histogram", "From the end of a request to the end of its answer.");
  for (int i = 0; i <= SRV_NREQUEST; i++) {
    srv_samples(e, "sheaf_request_seconds", "kind", srv_dispatch_name(i), &s->requests[i].time);
  }
  srv_family(e, "sheaf_errors_total", "counter", "Requests that were answered with an error.");
  for (int code = 1; code < SRV_NCODE; code++) {
    const ProtobufCEnumValue* name = protobuf_c_enum_descriptor_get_value(&sheaf__code__descriptor, code);
    uint64_t n = 0;
    for (int i = 0; i <= SRV_NREQUEST; i++) n += s->requests[i].failed[code];
    if (name) srv_sample(e, "sheaf_errors_total", "code", name->name, (double)n);
  }
}

// A family with one sample for each of the models that were used last: there may be so many that the loop would stand
// still while it writes them all.
static void add_model_family(srv_exposition* e, const srv_registry* r, const char* name, const char* type,
                             const char* help, double (*value)(const srv_model* model)) {
  int n = 0;
  srv_family(e, name, type, help);
  for (const srv_model* model = srv_registry_first(r); model && n < MOST_MODELS; model = srv_model_next(model), n++) {
    char hash[2 * SHOWN_HASH_BYTES + 1];
    for (int i = 0; i < SHOWN_HASH_BYTES; i++) snprintf(hash + 2 * i, 3, "%02x", model->shelf.hash[i]);
    if (model->ready) srv_sample(e, name, "model", hash, value(model));
  }
}

static double rows_of(const srv_model* model) { return (double)model->rows; }
static double steps_of(const srv_model* model) { return (double)model->steps; }
static double seconds_of(const srv_model* model) { return (double)model->busy_us * 1e-6; }
static double bytes_of(const srv_model* model) { return (double)model->loaded.bytes; }

// a model is labelled with the first digits of its hash, because its name is known to its owner only
static void add_models(srv_exposition* e, const srv_registry* r) {
  add_model_family(e, r, "sheaf_model_rows_total", "counter", "Rows computed with a model.", rows_of);
  add_model_family(e, r, "sheaf_model_steps_total", "counter", "Units of work computed with a model.", steps_of);
  add_model_family(e, r, "sheaf_model_busy_seconds_total", "counter", "Time of worker threads for it.", seconds_of);
  add_model_family(e, r, "sheaf_model_memory_bytes", "gauge", "Memory of a model.", bytes_of);
}

// a family with one sample for each identity that is connected, up to a number
static void add_identity_family(srv_exposition* e, const srv_auth* auth, const char* name, const char* type,
                                const char* help, double (*value)(const srv_identity* id)) {
  int n = 0;
  srv_family(e, name, type, help);
  for (const srv_identity* id = auth->all.first; id && n < MOST_IDENTITIES; id = id->next, n++) {
    srv_sample(e, name, "identity", id->name, value(id));
  }
}

static double connections_of(const srv_identity* id) { return id->nconn; }
static double unanswered_of(const srv_identity* id) { return id->ncall; }
static double requests_of(const srv_identity* id) { return (double)id->calls; }
static double work_of(const srv_identity* id) { return (double)id->steps; }
static double held_by(const srv_identity* id) { return (double)id->bytes; }

static void add_identities(srv_exposition* e, const srv_auth* auth) {
  add_identity_family(e, auth, "sheaf_identity_connections", "gauge", "Connections of an identity.", connections_of);
  add_identity_family(e, auth, "sheaf_identity_unanswered", "gauge", "Its unanswered requests.", unanswered_of);
  add_identity_family(e, auth, "sheaf_identity_request_bytes", "gauge", "Bytes of these.", held_by);
  add_identity_family(e, auth, "sheaf_identity_requests_total", "counter", "Its requests.", requests_of);
  add_identity_family(e, auth, "sheaf_identity_steps_total", "counter", "Units of work computed for it.", work_of);
}

static void add_loop(srv_exposition* e, const srv_watchdog* watchdog) {
  srv_family(e, "sheaf_loop_round_seconds", "histogram", "From waking to sleeping of the loop: how late it answers.");
  srv_samples(e, "sheaf_loop_round_seconds", NULL, NULL, &watchdog->rounds);
  one(e, "sheaf_loop_stalls_total", "counter", "Times that the loop stood still for a second.",
      (double)atomic_load(&watchdog->stalls));
  one(e, "sheaf_worker_stalls_total", "counter", "Times that a worker finished no step for long.",
      (double)atomic_load(&watchdog->workers.stalls));
}

srv_exposition srv_metrics(const srv_service* service, const srv_watchdog* watchdog) {
  srv_exposition e = {0};
  add_process(&e);
  add_server(&e, service);
  add_requests(&e, service);
  add_sandbox(&e, service->registry);
  add_models(&e, service->registry);
  add_identities(&e, service->auth);
  add_loop(&e, watchdog);
  if (e.failed) {
    free(e.text);
    e = (srv_exposition){.failed = true};
  }
  return e;
}
