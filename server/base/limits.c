// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/limits.h"

#include <uv.h>

#include "base/group_memory.h"

// memory that this process may use: of the machine, or of its control group
static uint64_t available_memory(void) {
  uint64_t least = uv_get_total_memory();
  const uint64_t groups[] = {uv_get_constrained_memory(), srv_group_memory("/proc/self/cgroup", "/sys/fs/cgroup")};
  for (int i = 0; i < 2; i++) {
    if (groups[i] && groups[i] < least) least = groups[i];
  }
  return least;
}

srv_limits srv_limits_default(void) {
  // memory in whole MiB: a default can be written into a configuration file
  uint64_t memory = available_memory() >> 24 << 24;
  srv_limits limits = {
      .rank = 4,
      .kept_connections = 8,
      .refusals = 64,
#define LIMIT(name, letter, TYPE, field, value, ...) .field = value,
#include "base/setting_table.h"
  };
  srv_limits_derive(&limits);
  return limits;
}

void srv_limits_derive(srv_limits* limits) { limits->unsent_low = limits->unsent_high / 2; }
