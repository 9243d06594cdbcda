// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Lines that wait for a thread that writes them to standard error. The thread may wait for the reader of standard error
// as long as it likes; nobody waits for the thread.
#ifndef SHEAF_SERVER_BASE_LOG_RING_H_
#define SHEAF_SERVER_BASE_LOG_RING_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Start the thread. `on_pause` is called by it, once in a while when nothing waits, to add lines about lost ones.
// False if there is no thread.
bool srv_log_ring_start(void (*on_pause)(void));

// Add a line, which ends in a line feed. False if there is no room.
bool srv_log_ring_add(const char* line, size_t n);

// Wait until all is written, but not for a reader that takes nothing for `patience_ms`; then end the thread. False
// if it is left behind, blocked, because its reader does not read.
bool srv_log_ring_stop(int patience_ms);

// Write a line here and now.
void srv_log_ring_write(const char* line, size_t n);

#endif  // SHEAF_SERVER_BASE_LOG_RING_H_
