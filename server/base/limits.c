// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/limits.h"

#include <uv.h>

#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)
#define GIB(n) ((uint64_t)(n) << 30)

// memory that this process may use: of the machine, or of its control group
static uint64_t available_memory(void) {
  uint64_t total = uv_get_total_memory();
  uint64_t group = uv_get_constrained_memory();
  return group && group < total ? group : total;
}

srv_limits srv_limits_default(void) {
  uint64_t memory = available_memory();
  return (srv_limits){
      .control_bytes = KIB(64),
      .frame_bytes = MIB(256),
      .request_bytes = GIB(1),
      .model_bytes = MIB(256),
      .model_files = 512,
      .tensors = 32,
      .outputs = 64,
      .rank = 4,
      .inflight = 64,
      .row_bytes = MIB(256),
      .connections = 1024,
      .arena_bytes = MIB(4),
      .held_bytes = memory / 2,
      .cache_bytes = memory / 8,
      .data_bytes = memory / 16,
      .unsent_high = MIB(8),
      .unsent_low = MIB(4),
      .part_bytes = MIB(4),
      .early_bytes = KIB(64),
      .hello_ms = 5000,
      .stall_read_ms = 10000,
      .stall_write_ms = 30000,
      .linger_ms = 1000,
      .compile_cpu_s = 20,
      .compile_bytes = GIB(4),
  };
}
