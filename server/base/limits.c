// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/limits.h"

#include <uv.h>

// memory that this process may use: of the machine, or of its control group
static uint64_t available_memory(void) {
  uint64_t total = uv_get_total_memory();
  uint64_t group = uv_get_constrained_memory();
  return group && group < total ? group : total;
}

srv_limits srv_limits_default(void) {
  // memory in whole MiB: a default can be written into a configuration file
  uint64_t memory = available_memory() >> 24 << 24;
  srv_limits limits = {
      .rank = 4,
#define LIMIT(name, letter, TYPE, field, value, ...) .field = value,
#include "base/setting_table.h"
  };
  srv_limits_derive(&limits);
  return limits;
}

void srv_limits_derive(srv_limits* limits) { limits->unsent_low = limits->unsent_high / 2; }
