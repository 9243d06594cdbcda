// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "auth/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sheaf.pb-c.h"

enum { HIGH = 2, STEPS_BURST_S = 5, RETRY_US = 100000, LISTS_BURST_US = 100000 };

srv_permit srv_permit_default(void) { return (srv_permit){.weight = 1, .priority = HIGH, .upload = true}; }

srv_identity* srv_identity_get(srv_identities* all, const char* name) {
  srv_identity* id = all->first;
  while (id && strncmp(id->name, name, sizeof id->name - 1)) id = id->next;
  if (id) return srv_identity_keep(id);
  id = calloc(1, sizeof *id);
  if (!id) return NULL;
  snprintf(id->name, sizeof id->name, "%s", name);
  id->may = srv_permit_default();
  id->refs = 1;
  id->next = all->first;
  all->first = id;
  return id;
}

srv_identity* srv_identity_keep(srv_identity* id) {
  id->refs++;
  return id;
}

void srv_identity_drop(srv_identities* all, srv_identity* id) {
  if (!id || --id->refs) return;
  srv_identity** link = &all->first;
  while (*link != id) link = &(*link)->next;
  *link = id->next;
  if (id->on_free) id->on_free(id);
  free(id);
}

static int busy(srv_error* error, uint64_t retry_us, const char* what) {
  return srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, retry_us, what);
}

int srv_identity_check_connection(const srv_identity* id, unsigned ending, srv_error* error) {
  if (!id->may.connections || id->nconn - ending < id->may.connections) return 0;
  return busy(error, 10 * RETRY_US, "quota of this identity: too many connections");
}

int srv_identity_check_call(const srv_identity* id, uint64_t bytes, srv_error* error) {
  if (id->may.inflight && id->ncall >= id->may.inflight) {
    return busy(error, RETRY_US, "quota of this identity: too many unanswered requests");
  }
  return srv_identity_check_bytes(id, bytes, error);
}

int srv_identity_check_bytes(const srv_identity* id, uint64_t bytes, srv_error* error) {
  if (!id->may.bytes) return 0;
  if (bytes > id->may.bytes) {
    return srv_error_set(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED,
                         "quota of this identity: expected at most %llu bytes in a request, got %llu",
                         (unsigned long long)id->may.bytes, (unsigned long long)bytes);
  }
  if (id->bytes <= id->may.bytes - bytes) return 0;
  return busy(error, RETRY_US, "quota of this identity: too many bytes in unanswered requests");
}

int srv_identity_check_steps(srv_identity* id, uint64_t now_us, srv_error* error) {
  double rate = id->may.steps;
  if (rate == 0) return 0;
  if (!id->steps_us) id->steps_left = rate * STEPS_BURST_S;
  if (id->steps_us) id->steps_left += rate * 1e-6 * (double)(now_us - id->steps_us);
  if (id->steps_left > rate * STEPS_BURST_S) id->steps_left = rate * STEPS_BURST_S;
  id->steps_us = now_us;
  if (id->steps_left >= 0) return 0;
  return busy(error, (uint64_t)(-id->steps_left / rate * 1e6) + 1000,
              "quota of this identity: too many steps a second");
}

int srv_identity_check_list(srv_identity* id, uint64_t models, uint64_t now_us, srv_error* error) {
  if (id->lists_us > now_us + LISTS_BURST_US) {
    return busy(error, id->lists_us - now_us - LISTS_BURST_US, "too many lists of models a second");
  }
  if (id->lists_us < now_us) id->lists_us = now_us;
  id->lists_us += models;
  return 0;
}

void srv_identity_use_steps(srv_identity* id, uint64_t steps) {
  id->steps += steps;
  id->steps_left -= (double)steps;
}
