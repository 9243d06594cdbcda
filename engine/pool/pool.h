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
  int64_t piece;  // nanoseconds
  mjiQueue queue;
  pthread_t dispatcher;
};

// CPUs that this process may use: affinity mask and control-group quota.
int mji_usableCpus(void);

// Copy a caller's struct, which begins with its size: at least that of the first version. Fields that the caller does
// not know are zero; those that this library does not know must be.
int mji_copyVersion(void* to, size_t size, size_t first, const void* from, sheafStatus* status);

// Fill a status (may be NULL) and return its code.
int mji_status(sheafStatus* status, int code, const char* field, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

#endif  // SHEAF_POOL_POOL_H_
