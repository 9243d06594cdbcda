// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fuzz target: the file of identities. What is accepted must obey the rules of auth/token_file.h, and each token must
// lead to the identity whose it is; what is refused has a reason and leaves what was known before.
#include <string.h>

#include "auth/auth.h"
#include "fuzz_file.h"

static void check_entry(const srv_token_entry* e) {
  bool anonymous = !strcmp(e->name, SRV_ANONYMOUS), known = e->ntoken || e->has_user || e->certificate[0];
  if (!srv_identity_name_fits(e->name) || known == anonymous) abort();
  if (e->ntoken < 0 || e->ntoken > SRV_ENTRY_TOKENS || !memchr(e->certificate, 0, sizeof e->certificate)) abort();
  if (e->may.weight < 1 || e->may.weight > 1000 || e->may.priority < 0 || e->may.priority > 2) abort();
}

// whoever shows a token is the one in whose section it stands
static void check_tokens(srv_auth* auth) {
  for (int i = 0; i < auth->list.n; i++) {
    const srv_token_entry* e = &auth->list.entry[i];
    check_entry(e);
    for (int k = 0; k < e->ntoken; k++) {
      srv_proof proof = {.has_token = true};
      memcpy(proof.token, e->token[k], sizeof proof.token);
      srv_identity* who = srv_auth_find(auth, &proof);
      if (!who || strcmp(who->name, e->name)) abort();
      srv_identity_drop(&auth->all, who);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n) {
  static const char good[] = "[kept]\ncertificate = kept\n";
  static fuzz_file file, before;
  srv_auth* auth = calloc(1, sizeof *auth);
  srv_error error = {0};
  if (!auth || srv_auth_load(auth, fuzz_file_write(&before, good, sizeof good - 1), NULL, &error)) abort();
  if (srv_auth_load(auth, fuzz_file_write(&file, bytes, n), NULL, &error)) {
    if (!error.code || !error.message[0] || !srv_auth_knows(auth, "kept")) abort();
  } else {
    check_tokens(auth);
  }
  srv_auth_close(auth);
  free(auth);
  return 0;
}
