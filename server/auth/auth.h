// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Finds the identity of a client from what it has shown.
//
// A token decides alone. Without one a client certificate decides, then the user at the other end of a Unix socket. A
// client that shows nothing is let in if there is a section [anonymous], or if the server was given neither identities
// nor a token: then each host, and each user of a Unix socket, is an identity of its own.
#ifndef SHEAF_SERVER_AUTH_AUTH_H_
#define SHEAF_SERVER_AUTH_AUTH_H_

#include "auth/guess.h"
#include "auth/token_file.h"

enum { SRV_USERS = 64 };

// What a client has shown; kept, because the token file may change.
typedef struct {
  bool has_token;
  uint8_t token[SRV_HASH_BYTES];  // hash of the token
  bool local;                     // it is at the other end of a Unix socket
  uid_t user;
  char place[SRV_GUESS_PLACE];             // its host without the port, or its user
  char certificate[SRV_CERTIFICATE_NAME];  // or ""
} srv_proof;

typedef struct {
  srv_identities all;
  srv_token_list list;
  bool has_secret;                 // one token for all
  uint8_t secret[SRV_HASH_BYTES];  // its hash
  srv_guesses guesses;

  // who may use the Unix socket
  bool any_user;
  int nuser;
  uid_t user[SRV_USERS];
} srv_auth;

// Read a list of users with commas, or "any". NULL is any, too: the mode of the socket decides who may connect.
int srv_auth_users(srv_auth* auth, const char* list, srv_error* error);

// May this user of a Unix socket connect?
bool srv_auth_admits(const srv_auth* auth, uid_t user);

// Read the identities of `tokens` and the token in the first line of `token_file`; either may be NULL. On failure
// nothing changes.
int srv_auth_load(srv_auth* auth, const char* tokens, const char* token_file, srv_error* error);

void srv_auth_close(srv_auth* auth);

// May every client that connects use the server?
bool srv_auth_open(const srv_auth* auth);

// Is there an identity whose certificate has this name?
bool srv_auth_knows(const srv_auth* auth, const char* certificate);

// The identity of a client that shows this proof, with one more reference; NULL if there is none.
srv_identity* srv_auth_find(srv_auth* auth, const srv_proof* proof);

#endif  // SHEAF_SERVER_AUTH_AUTH_H_
