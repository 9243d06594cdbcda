// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The pool: a persistent OpenMP team, opened once by a dispatcher thread, whose threads wait on the
// queue.
#ifndef SHEAF_POOL_POOL_H_
#define SHEAF_POOL_POOL_H_

#include <pthread.h>

#include <sheaf/batch.h>

#include "pool/queue.h"

struct sheafPool_ {
  int nthread, nlane, chunk;
  mjiQueue queue;
  pthread_t dispatcher;
};

// CPUs that this process may use: affinity mask and control-group quota.
int mji_usableCpus(void);

// Fill a status (may be NULL) and return its code.
int mji_status(sheafStatus* status, int code, const char* field, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

#endif  // SHEAF_POOL_POOL_H_
