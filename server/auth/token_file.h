// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The file that lists identities: a section for each, with how it is known and what it may do.
//
//   [alice]
//   token = sha256:5e884898da28...      ; `sheaf token new alice` makes it; two, while one replaces the other
//   user = 1000                         ; user of the Unix socket, by number or name
//   certificate = alice.example.org     ; common name or DNS name of a client certificate
//   weight = 2
//   upload = no
//   max-steps = 1000000
//
// A section [anonymous] lets in clients that show nothing. Tokens are hashed once by SHA-256. That is safe for tokens
// of 256 random bits, as `sheaf token new` makes them, and not for words that people choose.
#ifndef SHEAF_SERVER_AUTH_TOKEN_FILE_H_
#define SHEAF_SERVER_AUTH_TOKEN_FILE_H_

#include <sys/types.h>

#include "auth/identity.h"

enum { SRV_HASH_BYTES = 32, SRV_ENTRY_TOKENS = 2, SRV_CERTIFICATE_NAME = 192 };

// One section.
typedef struct {
  char name[SRV_IDENTITY_NAME];
  srv_permit may;
  int ntoken;
  uint8_t token[SRV_ENTRY_TOKENS][SRV_HASH_BYTES];
  bool has_user;
  uid_t user;
  char certificate[SRV_CERTIFICATE_NAME];  // or ""
} srv_token_entry;

typedef struct {
  srv_token_entry* entry;
  int n, room;
} srv_token_list;

#define SRV_ANONYMOUS "anonymous"

// Read a file. On failure the error says file and line, and the list is empty.
int srv_token_list_read(srv_token_list* list, const char* path, srv_error* error);

void srv_token_list_close(srv_token_list* list);

// Hash a token; false if the library fails.
bool srv_token_hash(uint8_t hash[SRV_HASH_BYTES], const void* token, size_t n);

// Make a token of 256 random bits, and the text of its hash for the file. False if there are no random numbers.
enum { SRV_TOKEN_TEXT = 80 };
bool srv_token_make(char token[SRV_TOKEN_TEXT], char line[SRV_TOKEN_TEXT]);

// The user of this number or name.
bool srv_user_find(const char* text, uid_t* user);

// Is this a name for an identity: letters, digits and . _ - @ only?
bool srv_identity_name_fits(const char* name);

#endif  // SHEAF_SERVER_AUTH_TOKEN_FILE_H_
