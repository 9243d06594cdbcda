// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The attempts of one blocking call.
#ifndef SHEAF_CLIENT_RETRY_H_
#define SHEAF_CLIENT_RETRY_H_

#include "internal.h"

typedef struct {
  const sheafc_retry* policy;
  double timeout;      // of the call, 0: none
  int64_t began, end;  // in milliseconds of sheafc_now_ms; end 0: none
  int64_t failing;     // since when no server takes the request, 0: the last attempt was taken
  int count, losses, round;
  char last[400];  // the last failure
} attempts;

// Read a caller's policy (NULL: the defaults).
int sheafc_read_retry(sheafc_retry* to, const sheafc_retry* from, sheafc_status* status);

// A call begins. Until c->end is set to 0 again, nothing on the connection waits longer than its timeout.
void sheafc_begin_attempts(attempts* a, sheafc* c, double timeout);

// An attempt failed with this status. 0 after the time to wait before the next; or the code with which the call ends.
// repeat: the reason may pass. taken: the server was at work on the request when the connection was lost.
int sheafc_failed(attempts* a, bool repeat, bool taken, sheafc_status* status);

// The time is over: a status that names the last failure. Returns its code.
int sheafc_over(const attempts* a, sheafc_status* status);

#endif  // SHEAF_CLIENT_RETRY_H_
