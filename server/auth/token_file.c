// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "auth/token_file.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <openssl/rand.h>

#include "base/settings.h"
#include "base/settings_file.h"
#include "sheaf.pb-c.h"

enum { NORMAL = 1 };  // the default in a file: a higher priority is a permission
static const char prefix[] = "sha256:";

// the keys that become numbers of srv_permit
static const srv_setting rows[] = {
    {"weight", 0, SRV_COUNT, offsetof(srv_permit, weight), 1, 1000, true, "N", "share beside others"},
    {"priority", 0, SRV_CHOICE, offsetof(srv_permit, priority), 0, 2, true, "low|normal|high", "most urgent"},
    {"upload", 0, SRV_FLAG, offsetof(srv_permit, upload), 0, 1, true, NULL, "may put models"},
    {"max-connections", 0, SRV_COUNT, offsetof(srv_permit, connections), 0, 1 << 20, true, "N", "connections"},
    {"max-inflight", 0, SRV_COUNT, offsetof(srv_permit, inflight), 0, 1 << 20, true, "N", "unanswered requests"},
    {"max-bytes", 0, SRV_BYTES, offsetof(srv_permit, bytes), 0, (uint64_t)1 << 44, true, "MIB", "bytes of requests"},
    {"max-steps", 0, SRV_COUNT, offsetof(srv_permit, steps), 0, UINT32_MAX, true, "N", "steps a second"},
};

bool srv_token_hash(uint8_t hash[SRV_HASH_BYTES], const void* token, size_t n) {
  return EVP_Digest(n ? token : "", n, hash, NULL, EVP_sha256(), NULL) == 1;
}

static void write_hex(char* out, const uint8_t* bytes) {
  for (int i = 0; i < SRV_HASH_BYTES; i++) sprintf(out + 2 * i, "%02x", bytes[i]);
}

bool srv_token_make(char token[SRV_TOKEN_TEXT], char line[SRV_TOKEN_TEXT]) {
  uint8_t secret[SRV_HASH_BYTES], hash[SRV_HASH_BYTES];
  if (RAND_bytes(secret, sizeof secret) != 1) return false;
  strcpy(token, "sheaf_");
  write_hex(token + strlen(token), secret);
  if (!srv_token_hash(hash, token, strlen(token))) return false;
  strcpy(line, prefix);
  write_hex(line + strlen(line), hash);
  return true;
}

bool srv_identity_name_fits(const char* name) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@";
  size_t n = strlen(name);
  return n > 0 && n <= 48 && strspn(name, allowed) == n;
}

// ---- reading

static int fail(srv_error* error, const char* origin, const char* name, const char* expected, const char* got) {
  return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s: %s: expected %s, got \"%.100s\"", origin, name,
                       expected, got);
}

// read n characters as a hash
static bool read_hash(uint8_t hash[SRV_HASH_BYTES], const char* text, size_t n) {
  if (n != strlen(prefix) + 2 * SRV_HASH_BYTES || strncmp(text, prefix, strlen(prefix))) return false;
  for (int i = 0; i < SRV_HASH_BYTES; i++) {
    char pair[3] = {text[strlen(prefix) + 2 * (size_t)i], text[strlen(prefix) + 2 * (size_t)i + 1], 0};
    char* end;
    if (strspn(pair, "0123456789abcdefABCDEF") != 2) return false;
    hash[i] = (uint8_t)strtoul(pair, &end, 16);
  }
  return true;
}

static int read_tokens(srv_token_entry* e, const char* text, const char* origin, srv_error* error) {
  for (const char* at = text; at;) {
    const char* comma = strchr(at, ',');
    size_t n = comma ? (size_t)(comma - at) : strlen(at);
    while (n && at[n - 1] == ' ') n--;
    if (e->ntoken == SRV_ENTRY_TOKENS || !read_hash(e->token[e->ntoken], at, n)) {
      return fail(error, origin, "token", "one or two of sha256: and 64 hexadecimal digits", text);
    }
    e->ntoken++;
    at = comma ? comma + 1 + strspn(comma + 1, " ") : NULL;
  }
  return 0;
}

bool srv_user_find(const char* text, uid_t* user) {
  char* end;
  unsigned long number = strtoul(text, &end, 10);
  if (*text && !*end && text[0] != '-' && number < UINT32_MAX) {
    *user = (uid_t)number;
    return true;
  }
  const struct passwd* entry = getpwnam(text);
  if (entry) *user = entry->pw_uid;
  return entry != NULL;
}

static int read_user(srv_token_entry* e, const char* text, const char* origin, srv_error* error) {
  e->has_user = srv_user_find(text, &e->user);
  return e->has_user ? 0 : fail(error, origin, "user", "the number or name of a user", text);
}

static bool make_room(srv_token_list* list) {
  if (list->n < list->room) return true;
  int room = list->room ? 2 * list->room : 16;
  srv_token_entry* all = realloc(list->entry, sizeof *all * (size_t)room);
  if (!all) return false;
  list->entry = all;
  list->room = room;
  return true;
}

// the entry of a section, which is the last one or a new one; NULL after a failure
static srv_token_entry* find_entry(srv_token_list* list, const char* section, const char* origin, srv_error* error) {
  if (list->n && !strcmp(list->entry[list->n - 1].name, section)) return &list->entry[list->n - 1];
  if (!srv_identity_name_fits(section)) {
    fail(error, origin, "section", "a [name] of at most 48 letters, digits and . _ - @", section);
    return NULL;
  }
  if (!make_room(list)) {
    srv_error_set(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
    return NULL;
  }
  srv_token_entry* e = &list->entry[list->n++];
  *e = (srv_token_entry){.may = srv_permit_default()};
  e->may.priority = NORMAL;
  snprintf(e->name, sizeof e->name, "%s", section);
  return e;
}

static int take_line(void* user, const char* section, const char* name, const char* text, const char* origin,
                     srv_error* error) {
  srv_token_entry* e = find_entry(user, section, origin, error);
  if (!e) return -error->code;
  if (!strcmp(name, "token")) return read_tokens(e, text, origin, error);
  if (!strcmp(name, "user")) return read_user(e, text, origin, error);
  if (!strcmp(name, "certificate")) {
    if (!*text || strlen(text) >= sizeof e->certificate) return fail(error, origin, name, "a name", text);
    snprintf(e->certificate, sizeof e->certificate, "%s", text);
    return 0;
  }
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (!strcmp(rows[i].name, name)) return srv_setting_set(&e->may, &rows[i], text, origin, error);
  }
  return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s: \"%s\" is nothing that an identity has", origin,
                       name);
}

// ---- what must not be there twice

// Something by which a client is known, or the name of an identity.
typedef struct {
  enum { NAME, TOKEN, USER, CERTIFICATE } kind;
  const void* bytes;
  size_t n;
  const srv_token_entry* entry;
} mark;

enum { MARKS = 3 + SRV_ENTRY_TOKENS };  // of an entry at most

static int compare(const void* left, const void* right) {
  const mark *a = left, *b = right;
  if (a->kind != b->kind) return (int)a->kind - (int)b->kind;
  if (a->n != b->n) return a->n < b->n ? -1 : 1;
  return memcmp(a->bytes, b->bytes, a->n);
}

static size_t list_marks(mark* out, const srv_token_entry* e) {
  size_t n = 0;
  out[n++] = (mark){NAME, e->name, strlen(e->name), e};
  for (int k = 0; k < e->ntoken; k++) out[n++] = (mark){TOKEN, e->token[k], SRV_HASH_BYTES, e};
  if (e->has_user) out[n++] = (mark){USER, &e->user, sizeof e->user, e};
  if (e->certificate[0]) out[n++] = (mark){CERTIFICATE, e->certificate, strlen(e->certificate), e};
  return n;
}

// Sorted, so that a file of many identities does not stop the loop when SIGHUP reads it again.
static int check_marks(const srv_token_list* list, const char* path, srv_error* error) {
  static const char* const kinds[] = {"name", "token", "user", "certificate"};
  mark* all = calloc((size_t)list->n, MARKS * sizeof *all);
  if (!all) return srv_error_set(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
  size_t n = 0;
  for (int i = 0; i < list->n; i++) n += list_marks(all + n, &list->entry[i]);
  qsort(all, n, sizeof *all, compare);
  int err = 0;
  for (size_t i = 1; i < n && !err; i++) {
    if (compare(&all[i - 1], &all[i])) continue;
    err = srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s: [%s] and [%s] have the same %s", path,
                        all[i - 1].entry->name, all[i].entry->name, kinds[all[i].kind]);
  }
  free(all);
  return err;
}

// A file without identities is one that was cut while it was written: it must not let in everybody.
static int check(const srv_token_list* list, const char* path, srv_error* error) {
  if (list->n < 1) {
    return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s: expected at least one [name], got none", path);
  }
  for (int i = 0; i < list->n; i++) {
    const srv_token_entry* e = &list->entry[i];
    bool known = e->ntoken || e->has_user || e->certificate[0];
    if (known != (strcmp(e->name, SRV_ANONYMOUS) != 0)) {
      return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s: [%s]: expected %s", path, e->name,
                           known ? "no token, user or certificate" : "a token, user or certificate");
    }
  }
  return check_marks(list, path, error);
}

int srv_token_list_read(srv_token_list* list, const char* path, srv_error* error) {
  *list = (srv_token_list){0};
  int err = srv_settings_file_read(path, take_line, list, error);
  if (!err) err = check(list, path, error);
  if (err) srv_token_list_close(list);
  return err;
}

void srv_token_list_close(srv_token_list* list) {
  free(list->entry);
  *list = (srv_token_list){0};
}
