// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/histogram.h"

const uint64_t srv_bucket_us[SRV_BUCKETS] = {50,      100,     250,      500,      1000,     2500,    5000,
                                             10000,   25000,   50000,    100000,   250000,   500000,  1000000,
                                             2500000, 5000000, 10000000, 20000000, 30000000, 60000000};

void srv_histogram_add(srv_histogram* h, uint64_t us) {
  int i = 0;
  while (i < SRV_BUCKETS && us > srv_bucket_us[i]) i++;
  h->count[i]++;
  h->sum_us += us;
}
