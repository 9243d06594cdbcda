// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include <stdio.h>

#include "options.h"
#include "private_server.h"

int cli_fail(const sheafc_status* st) {
  fprintf(stderr, "sheaf: %s (code %d)\n", st->message, st->code);
  return 1;
}

sheafc* cli_connect(const cli_options* o) {
  sheafc_status st;
  const char* address = o->threads ? cli_private_server(o->threads) : o->address;
  if (!address) return NULL;
  sheafc_options options_ = sheafc_default_options();
  sheafc_retry retry = sheafc_default_retry();
  retry.off = o->patience == 0;
  retry.patience = o->patience;
  options_.token = o->token;
  options_.tls_ca = o->tls_ca;
  options_.tls_certificate = o->tls_certificate;
  options_.tls_key = o->tls_key;
  options_.retry = &retry;
  sheafc* c = sheafc_connect(address, &options_, &st);
  if (!c) cli_fail(&st);
  return c;
}

sheafc_model* cli_load(const cli_options* o, sheafc** client) {
  sheafc_status st;
  *client = cli_connect(o);
  if (!*client) return NULL;
  sheafc_model* m = sheafc_load(*client, o->model, &st);
  if (m) {
    const char* warning = sheafc_model_warning(m);
    if (warning[0]) fprintf(stderr, "sheaf: warning: %s\n", warning);
    return m;
  }
  cli_fail(&st);
  sheafc_close(*client);
  return NULL;
}

const double* cli_start_state(const cli_options* o, const sheafc_model* m) {
  const sheafc_model_info* info = sheafc_get_model_info(m);
  if (o->key >= info->nkey) {
    fprintf(stderr, "sheaf: --key %d: the model has %d keyframes\n", o->key, info->nkey);
    return NULL;
  }
  size_t n = 0, row = o->key < 0 ? 0 : (size_t)o->key, nstate = (size_t)info->nstate;
  const double* states = sheafc_model_array(m, o->key < 0 ? "state0" : "key_state", &n);
  if (states && info->nstate > 0 && row < n / nstate) return states + row * nstate;
  fprintf(stderr, "sheaf: the server has sent no state to start from\n");
  return NULL;
}
