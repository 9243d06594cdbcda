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
  if (o->key < 0) return sheafc_model_array(m, "state0", NULL);
  if (o->key < info->nkey) return sheafc_model_array(m, "key_state", NULL) + (size_t)o->key * (size_t)info->nstate;
  fprintf(stderr, "sheaf: --key %d: the model has %d keyframes\n", o->key, info->nkey);
  return NULL;
}
