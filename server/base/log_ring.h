// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Lines that wait for a thread that writes them to standard error. Only this thread ever waits for the reader of
// standard error, and no other thread waits for it.
#ifndef SHEAF_SERVER_BASE_LOG_RING_H_
#define SHEAF_SERVER_BASE_LOG_RING_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the thread calls.
typedef struct {
  void (*on_pause)(void);           // now and then when no line waits, so that lines about lost ones can be added
  void (*on_loss)(uint64_t lines);  // standard error will never take these lines
} srv_log_hooks;

// Start the thread. False if that fails.
bool srv_log_ring_start(const srv_log_hooks* hooks);

// Add a line, which ends in a line feed. False if there is no room.
bool srv_log_ring_add(const char* line, size_t n);

// Wait until all is written, as long as the reader takes something within each `patience_ms`; then end the thread.
// False if the thread is left behind, blocked, because its reader does not read.
bool srv_log_ring_stop(int patience_ms);

// Write a line in the calling thread, without the ring.
void srv_log_ring_write(const char* line, size_t n);

#endif  // SHEAF_SERVER_BASE_LOG_RING_H_
