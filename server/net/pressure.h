// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// When memory is short, connections give up what they keep for their next requests, and requests that come slowly give
// theirs back: otherwise a client that sends most of its requests
// and then a few bytes a second would keep everybody else out, however long it likes.
#ifndef SHEAF_SERVER_NET_PRESSURE_H_
#define SHEAF_SERVER_NET_PRESSURE_H_

#include "net/conn.h"

// In each sweep: free what connections keep if less than a fifth of the memory is free. And if memory was refused to
// somebody since the last one, fail what comes slowly, the largest first, until
// a fifth of the memory is free. Slow means that so few bytes came since the last sweep that the client would have
// needed 64 sweeps, 16 seconds, for what is here.
void srv_pressure_relieve(srv_net* net);

#endif  // SHEAF_SERVER_NET_PRESSURE_H_
