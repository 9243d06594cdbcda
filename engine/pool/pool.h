// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The pool: an OpenMP team that a dispatcher thread opens once, and whose threads wait on the queue.
#ifndef SHEAF_POOL_POOL_H_
#define SHEAF_POOL_POOL_H_

#include <pthread.h>

#include <sheaf/batch.h>

#include "pool/queue.h"

// Of each worker, on a cache line of its own: others read it now and then.
typedef struct {
  _Alignas(64) _Atomic uint64_t count;
} mjiBeats;

struct sheafPool_ {
  int nthread, nlane, chunk;
  int single;     // precision
  int64_t piece;  // nanoseconds
  int64_t keep;   // bytes that strands may keep
  mjiQueue queue;
  pthread_t dispatcher;
  mjiBeats* beats;  // (nthread)
  void (*on_work)(int worker, void* user);
};

// CPUs that this process may use: affinity mask and control-group quota.
int mji_usableCpus(void);

// Copy a caller's struct, which begins with its size. `size` is that of this version, `first` that of the first
// version, the least allowed. Fields that an older caller does not know become zero; fields that this library does not
// know, because the caller is newer, must be zero. Returns 0 or a status code, with the reason in status.
int mji_copyVersion(void* to, size_t size, size_t first, const void* from, sheafStatus* status);

// Fill a status (may be NULL) and return its code.
int mji_status(sheafStatus* status, int code, const char* field, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

// The same of success.
int mji_succeed(sheafStatus* status);

#endif  // SHEAF_POOL_POOL_H_
