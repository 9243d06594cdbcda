// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Limits on what a peer may ask for. Each has a row in base/setting_table.h, and proto/README.md says what happens at
// it. The reply to Hello tells clients the limits that they must know.
#ifndef SHEAF_SERVER_BASE_LIMITS_H_
#define SHEAF_SERVER_BASE_LIMITS_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  // told to clients
  uint64_t control_bytes;  // control message of a request
  uint64_t frame_bytes;    // data section of one frame
  uint64_t request_bytes;  // data of one request, over all its frames
  uint64_t model_bytes;    // all files of one model
  uint32_t model_files;
  uint32_t tensors;           // of a request
  uint32_t outputs;           // of a request
  uint32_t rank;              // dimensions of a tensor
  uint32_t inflight;          // unanswered requests of a connection
  uint64_t row_bytes;         // result bytes of one row of a batch
  uint32_t deadline_ms;       // of a compute request that names none
  uint32_t deadline_most_ms;  // longer ones are cut to this
  uint32_t queued;            // compute requests of all clients

  // the server's own
  uint32_t connections;
  uint32_t kept_connections;  // more of them on Unix sockets
  uint32_t refusals;          // connections over the limit that may wait for their error at a time
  uint64_t arena_bytes;       // memory of one unpacked control message
  uint64_t held_bytes;        // request and result bytes of all connections together
  uint64_t cache_bytes;       // compiled models kept
  bool shared_models;         // identities may use each other's models
  uint64_t worker_bytes;      // simulation memory of all models, all workers
  uint64_t data_bytes;        // simulation memory (size memory) of a model, per worker
  uint64_t unsent_high;       // unsent reply bytes of a connection: stop producing for it
  uint64_t unsent_low;        // unsent reply bytes of a connection: produce for it again
  uint64_t part_bytes;        // data of one part of a result, if a row is not larger
  uint64_t early_bytes;       // requests with at least so much data are worked on while the data comes
  uint32_t hello_ms;          // time from connecting to a complete Hello
  uint32_t stall_read_ms;     // close if a frame or request has begun and hardly a byte comes for so long (net/stall.h)
  uint32_t stall_write_ms;    // close if replies wait and the client takes nothing for so long
  uint32_t idle_ms;           // close if nothing is asked and nothing answered for so long; 0: never
  uint32_t peer_gone_ms;      // close if a TCP peer does not answer for so long
  uint32_t log_requests_ms;   // log requests that take so long
  uint32_t linger_ms;         // time between a fatal error and closing
  uint32_t compile_cpu_s;     // processor time of one compilation
  uint64_t compile_bytes;     // address space of one compilation
} srv_limits;

// The defaults of base/setting_table.h, with memory limits from what this machine has.
srv_limits srv_limits_default(void);

// Set what follows from other limits.
void srv_limits_derive(srv_limits* limits);

#endif  // SHEAF_SERVER_BASE_LIMITS_H_
