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
  int64_t failing;     // time since which no server takes the request; 0: the last attempt was taken
  int count, losses, round;
  char last[400];  // the last failure
} attempts;

// Read a caller's policy (NULL: the defaults).
int sheafc_read_retry(sheafc_retry* to, const sheafc_retry* from, sheafc_status* status);

// Begin a call. Until c->end is set to 0 again, no function waits on the connection beyond the call's timeout and
// answer_ms more, in which the answer to a call that was stopped may come.
void sheafc_begin_attempts(attempts* a, sheafc* c, double timeout, int answer_ms);

// An attempt failed with this status. Waits before the next attempt and returns 0, or returns the code with which the
// call ends. repeat: the request may succeed later. taken: the server was at work on the request when the connection
// was lost.
int sheafc_failed(attempts* a, bool repeat, bool taken, sheafc_status* status);

// The call's time is over: make a status that names the last failure. Returns its code.
int sheafc_over(const attempts* a, sheafc_status* status);

#endif  // SHEAF_CLIENT_RETRY_H_
