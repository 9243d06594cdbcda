// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Why a request fails: the content of an Error message.
#ifndef SHEAF_SERVER_BASE_FAILURE_H_
#define SHEAF_SERVER_BASE_FAILURE_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  int code;  // of proto/sheaf.proto; 0: no error
  bool retriable;
  uint64_t retry_after_us;
  char field[96];
  char expected[160];
  char got[160];
  char message[1200];
} srv_error;

// Fill in an error with a message of its own. Returns the negative code, so that callers can return it.
int srv_error_set(srv_error* e, int code, const char* format, ...) __attribute__((format(printf, 3, 4)));

// Fill in the error of a field that is not what it must be: the message is "FIELD: expected EXPECTED, got GOT".
int srv_error_field(srv_error* e, const char* field, const char* expected, const char* got_format, ...)
    __attribute__((format(printf, 4, 5)));

// Fill in an error of a request that may succeed if the client tries again after `retry_after_us`.
int srv_error_busy(srv_error* e, int code, uint64_t retry_after_us, const char* message);

// Bytes of the well-formed UTF-8 character at s, 0 if it is not one or a control character other than a line feed.
int srv_character_length(const char* s);

// Make text safe to send and to log: valid UTF-8 without control characters except line feeds, in place.
void srv_error_clean(char* text);

#endif  // SHEAF_SERVER_BASE_FAILURE_H_
