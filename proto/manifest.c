// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "manifest.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

// one part of a path, between slashes
static const char* check_part(const char* part, size_t n) {
  if (n == 0) return "an empty part";
  if (n == 1 && part[0] == '.') return "a part \".\"";
  if (n == 2 && part[0] == '.' && part[1] == '.') return "a part \"..\"";
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)part[i];
    if (c < 0x20 || c == 0x7f) return "a control character";
    if (c == '\\' || c == ':') return "a character that is not allowed";
  }
  return NULL;
}

const char* sheaf_manifest_check_name(const char* name) {
  if (!name[0]) return "an empty name";
  if (strlen(name) > SHEAF_FILE_NAME) return "a name of more than 255 bytes";
  for (const char* part = name;;) {
    size_t n = strcspn(part, "/");
    const char* reason = check_part(part, n);
    if (reason || !part[n]) return reason;
    part += n + 1;
  }
}

void sheaf_manifest_hex(char out[2 * SHEAF_HASH_BYTES + 1], const uint8_t hash[SHEAF_HASH_BYTES]) {
  for (int i = 0; i < SHEAF_HASH_BYTES; i++) sprintf(out + 2 * i, "%02x", hash[i]);
}

static int by_name(const void* a, const void* b) {
  return strcmp(((const sheaf_file*)a)->name, ((const sheaf_file*)b)->name);
}

static bool add_text(EVP_MD_CTX* manifest, const char* text) { return EVP_DigestUpdate(manifest, text, strlen(text)); }

// "<hash of the content> <size> <name>\n"
static bool add_file(EVP_MD_CTX* manifest, const sheaf_file* file) {
  uint8_t hash[SHEAF_HASH_BYTES];
  char hex[2 * SHEAF_HASH_BYTES + 1], line[2 * SHEAF_HASH_BYTES + 32];
  if (!EVP_Digest(file->data ? file->data : "", file->size, hash, NULL, EVP_sha256(), NULL)) return false;
  sheaf_manifest_hex(hex, hash);
  snprintf(line, sizeof line, "%s %" PRIu64 " ", hex, file->size);
  return add_text(manifest, line) && add_text(manifest, file->name) && add_text(manifest, "\n");
}

int sheaf_manifest_hash(const char* main, sheaf_file* files, size_t nfile, uint8_t hash[SHEAF_HASH_BYTES]) {
  qsort(files, nfile, sizeof *files, by_name);
  EVP_MD_CTX* manifest = EVP_MD_CTX_new();
  bool ok = manifest && EVP_DigestInit_ex(manifest, EVP_sha256(), NULL) && add_text(manifest, "sheaf-model-1\nmain ") &&
            add_text(manifest, main) && add_text(manifest, "\n");
  for (size_t i = 0; ok && i < nfile; i++) ok = add_file(manifest, &files[i]);
  ok = ok && EVP_DigestFinal_ex(manifest, hash, NULL);
  EVP_MD_CTX_free(manifest);
  return ok ? 0 : -1;
}
