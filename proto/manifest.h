// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The files of a model and its content hash, for the server and the C client. README.md describes the manifest.
#ifndef SHEAF_PROTO_MANIFEST_H_
#define SHEAF_PROTO_MANIFEST_H_

#include <stddef.h>
#include <stdint.h>

enum { SHEAF_HASH_BYTES = 32, SHEAF_FILE_NAME = 255 };

typedef struct {
  const char* name;  // relative path
  const void* data;
  uint64_t size;
} sheaf_file;

// NULL if a file may have this name, otherwise why not.
const char* sheaf_manifest_check_name(const char* name);

// Hash of the model. Sorts the files by name. 0, or -1 if it cannot be computed.
int sheaf_manifest_hash(const char* main, sheaf_file* files, size_t nfile, uint8_t hash[SHEAF_HASH_BYTES]);

// Lower-case hexadecimal digits with a zero byte at the end.
void sheaf_manifest_hex(char out[2 * SHEAF_HASH_BYTES + 1], const uint8_t hash[SHEAF_HASH_BYTES]);

#endif  // SHEAF_PROTO_MANIFEST_H_
