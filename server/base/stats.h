// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Counters that ServerInfo reports. Written by the loop thread only.
#ifndef SHEAF_SERVER_BASE_STATS_H_
#define SHEAF_SERVER_BASE_STATS_H_

#include <stdint.h>

typedef struct {
  uint64_t requests;
  uint64_t errors;
  uint64_t cancelled;
  uint64_t rows;   // of batches computed
  uint64_t steps;  // units of progress computed
  uint64_t bytes_in;
  uint64_t bytes_out;
  uint64_t overload_evicted;    // models that were forgotten because memory ran short
  uint64_t overload_refused;    // requests that were refused because memory ran short
  uint64_t overload_cancelled;  // requests that were stopped because memory ran short
} srv_stats;

#endif  // SHEAF_SERVER_BASE_STATS_H_
