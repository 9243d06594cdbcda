// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Counts of durations in fixed buckets, from 50 us to a minute. Written by one thread.
#ifndef SHEAF_SERVER_BASE_HISTOGRAM_H_
#define SHEAF_SERVER_BASE_HISTOGRAM_H_

#include <stdint.h>

enum { SRV_BUCKETS = 20 };

typedef struct {
  uint64_t count[SRV_BUCKETS + 1];  // the last: longer than every bound
  uint64_t sum_us;
} srv_histogram;

// Upper bounds of the buckets, ascending, in microseconds.
extern const uint64_t srv_bucket_us[SRV_BUCKETS];

void srv_histogram_add(srv_histogram* h, uint64_t us);

#endif  // SHEAF_SERVER_BASE_HISTOGRAM_H_
