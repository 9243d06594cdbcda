// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "request/admission.h"

#include <inttypes.h>
#include <math.h>

#include "jobs/cost.h"
#include "sheaf.pb-c.h"

// estimates may be wrong by this factor, so a request is refused only if it would take longer in spite of that
static const double doubt = 8;

static int refuse(const srv_service* service, srv_error* error, const char* why) {
  return srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, srv_sched_hint(service->sched), why);
}

// ---- memory of requests: steps of relief

// Bytes of other requests, as a share of the limit. Results do not count: jobs wait until there is room for them.
static double share(const srv_service* service, const srv_call* call) {
  uint64_t own = call->control_len + call->data_got;
  return (double)(service->ledger->request - own) / (double)service->ledger->limit;
}

static void forget_idle(srv_service* service) {
  srv_model* idle = srv_registry_idle(service->registry, false);
  if (!idle) return;
  service->stats->overload_evicted++;
  srv_registry_forget(idle);
}

static int relieve(srv_service* service, const srv_call* call, srv_error* error) {
  double used = share(service, call);
  if (used >= 0.8) forget_idle(service);
  if (used < 0.9) return 0;
  service->stats->overload_refused++;
  service->ledger->refused = true;
  if (used >= 0.95 && srv_sched_relieve(service->sched)) service->stats->overload_cancelled++;
  return refuse(service, error, "the server's memory is short");
}

// ---- memory of workers

static int claim(srv_service* service, srv_model* model, srv_error* error) {
  srv_sched* s = service->sched;
  if (model->worker_bytes) return 0;
  uint64_t limit = service->limits->worker_bytes, bytes = sheaf_poolBytes(s->pool, model->loaded.m);
  if (bytes > limit) {
    return srv_error_set(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED,
                         "size memory: the data of %d workers for this model may come to %" PRIu64
                         " bytes, expected at most %" PRIu64,
                         s->threads, bytes, limit);
  }
  for (srv_model* idle; s->worker_bytes > limit - bytes && (idle = srv_registry_idle(service->registry, true));) {
    srv_sched_forget(s, idle);
  }
  if (s->worker_bytes > limit - bytes) return refuse(service, error, "models in use fill the workers' memory");
  srv_sched_claim(s, model, bytes);
  return 0;
}

int srv_admit_call(srv_service* service, const srv_call* call, srv_model* model, srv_error* error) {
  if (service->sched->njob >= service->limits->queued) {
    return refuse(service, error, "too many requests of all clients wait");
  }
  // the model is not idle while room is made for its request
  model->refs++;
  int err = relieve(service, call, error);
  if (!err) err = claim(service, model, error);
  model->refs--;
  return err;
}

// ---- time

// A server that is leaving takes only work that it can finish after the work that it has.
static bool is_too_late(const srv_service* service, double takes) {
  uint64_t now = uv_hrtime();
  double left = service->ends > now ? (double)(service->ends - now) : 0;
  return takes + service->sched->owed / service->sched->threads > left;
}

int srv_admit_job(srv_service* service, const srv_job* job, uint64_t time, srv_error* error) {
  double workers = fmin(service->sched->threads, (double)job->row_width * job->request.any.nbatch);
  double takes = srv_cost_of(job, (double)job->row_units * job->request.any.nbatch) / workers;
  if (service->leaving && srv_cost_sure(job) && is_too_late(service, takes)) {
    srv_service_leaving(error);
    return -error->code;
  }
  if (!srv_cost_sure(job) || job->patient || job->partial || job->uneven || takes <= doubt * (double)time) return 0;
  srv_cost_doubt(job);
  srv_error_set(error, SHEAF__CODE__CODE_DEADLINE_EXCEEDED,
                "timeout_us: the work would take about %.3g s, and there are %.3g s for it", 1e-9 * takes,
                1e-9 * (double)time);
  return -error->code;
}
