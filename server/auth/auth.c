// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "auth/auth.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <openssl/crypto.h>

#include "sheaf.pb-c.h"

// read the first line of a file, and hash it
static int read_secret(const char* path, uint8_t hash[SRV_HASH_BYTES], srv_error* error) {
  char token[4096] = "";
  FILE* file = fopen(path, "re");
  size_t got = file ? fread(token, 1, sizeof token, file) : 0, n = 0;
  int err = !file || ferror(file) ? errno : 0;
  const char* wrong = NULL;
  while (n < got && token[n] != '\n' && token[n] != '\r') n++;
  if (!n) wrong = "the first line is empty";
  if (n == sizeof token) wrong = "the first line has 4096 bytes or more";
  // random bytes instead of text; other programs would take the bytes before the zero as the token
  if (memchr(token, 0, n)) wrong = "the first line has a zero byte; a token is text";
  if (!wrong && !srv_token_hash(hash, token, n)) wrong = "the token cannot be hashed";
  if (err) wrong = strerror(err);
  OPENSSL_cleanse(token, sizeof token);
  if (file) fclose(file);
  return wrong ? srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s: %s", path, wrong) : 0;
}

// identities that are connected get their new permissions at once
static void update_permits(srv_auth* auth) {
  for (srv_identity* id = auth->all.first; id; id = id->next) {
    for (int i = 0; i < auth->list.n; i++) {
      if (!strcmp(auth->list.entry[i].name, id->name)) id->may = auth->list.entry[i].may;
    }
  }
}

int srv_auth_load(srv_auth* auth, const char* tokens, const char* token_file, srv_error* error) {
  srv_token_list list = {0};
  uint8_t secret[SRV_HASH_BYTES] = {0};
  int err = tokens ? srv_token_list_read(&list, tokens, error) : 0;
  if (!err && token_file) err = read_secret(token_file, secret, error);
  if (err) {
    srv_token_list_close(&list);
    return err;
  }
  srv_token_list_close(&auth->list);
  auth->list = list;
  auth->has_secret = token_file != NULL;
  memcpy(auth->secret, secret, sizeof secret);
  update_permits(auth);
  return 0;
}

int srv_auth_users(srv_auth* auth, const char* list, srv_error* error) {
  char name[64];
  auth->nuser = 0;
  auth->any_user = !list || !strcmp(list, "any");
  for (const char* at = list; at && !auth->any_user;) {
    size_t n = strcspn(at, ",");
    snprintf(name, sizeof name, "%.*s", (int)n, at);
    if (n >= sizeof name || auth->nuser == SRV_USERS || !srv_user_find(name, &auth->user[auth->nuser])) {
      return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT,
                           "unix-users: expected users with commas, at most %d, got \"%.200s\"", SRV_USERS, list);
    }
    auth->nuser++;
    at = at[n] ? at + n + 1 : NULL;
  }
  return 0;
}

bool srv_auth_admits(const srv_auth* auth, uid_t user) {
  bool found = auth->any_user;
  for (int i = 0; i < auth->nuser; i++) found |= auth->user[i] == user;
  return found;
}

void srv_auth_close(srv_auth* auth) { srv_token_list_close(&auth->list); }

bool srv_auth_open(const srv_auth* auth) { return !auth->list.n && !auth->has_secret; }

// Compare with every hash, and all bytes of it, so that the time tells nothing about the hashes.
static const srv_token_entry* find_token(const srv_auth* auth, const uint8_t hash[SRV_HASH_BYTES]) {
  const srv_token_entry* found = NULL;
  for (int i = 0; i < auth->list.n; i++) {
    const srv_token_entry* e = &auth->list.entry[i];
    for (int k = 0; k < e->ntoken; k++) {
      if (!CRYPTO_memcmp(e->token[k], hash, SRV_HASH_BYTES)) found = e;
    }
  }
  return found;
}

static const srv_token_entry* find_other(const srv_auth* auth, const srv_proof* proof) {
  const srv_token_entry *anonymous = NULL, *user = NULL;
  for (int i = 0; i < auth->list.n; i++) {
    const srv_token_entry* e = &auth->list.entry[i];
    if (proof->certificate[0] && !strcmp(e->certificate, proof->certificate)) return e;
    if (proof->local && e->has_user && e->user == proof->user) user = e;
    if (!strcmp(e->name, SRV_ANONYMOUS)) anonymous = e;
  }
  return user ? user : anonymous;
}

bool srv_auth_knows(const srv_auth* auth, const char* certificate) {
  for (int i = 0; i < auth->list.n; i++) {
    if (!strcmp(auth->list.entry[i].certificate, certificate)) return true;
  }
  return false;
}

static srv_identity* make(srv_auth* auth, const srv_token_entry* e) {
  srv_identity* id = srv_identity_get(&auth->all, e->name);
  if (id) id->may = e->may;
  return id;
}

srv_identity* srv_auth_find(srv_auth* auth, const srv_proof* proof) {
  if (srv_auth_open(auth)) {
    const char* name = proof->certificate[0] ? proof->certificate : proof->place;
    return srv_identity_get(&auth->all, name);
  }
  if (!proof->has_token) {
    const srv_token_entry* e = find_other(auth, proof);
    return e ? make(auth, e) : NULL;
  }
  const srv_token_entry* e = find_token(auth, proof->token);
  if (e) return make(auth, e);
  bool shared = auth->has_secret && !CRYPTO_memcmp(auth->secret, proof->token, SRV_HASH_BYTES);
  return shared ? srv_identity_get(&auth->all, "token") : NULL;
}
